import assert from 'node:assert/strict'
import { test } from 'node:test'
import { situacaoDe } from '../../simulator/federal/livro.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { emissaoFederal } from '../../src/federal/lookup.ts'
import { MOST_RECUSADOS } from '../../src/federal/store.ts'
import { CONTRATO, DAY_MS, dito, empresa, HOUR_MS, startFederal } from '../kit/federal.ts'
import type { House } from '../kit/house.ts'
import { queriesTo } from '../kit/house.ts'

/** Companies of which the simulator says that their information is insufficient. */
const insuficientes = listContribuintes()
  .filter(({ documento }) => /^\d{8}0001\d\d$/.test(documento))
  .filter(({ documento }) => situacaoDe(documento).desfecho === 'insuficiente')
  .slice(0, MOST_RECUSADOS + 2)
  .map(({ documento }) => documento)

/** The figure of a route's refused companies, as /metrics has it; undefined where it has none. */
async function refusedIn({ figures }: Pick<House, 'figures'>, rota: string): Promise<string | undefined> {
  const text = await (await fetch(`${figures}/metrics`)).text()
  const name = `consulta_fiscal_federal_route_refused_companies{route="${rota}"} `
  return text
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.slice(name.length)
}

test('20 "insuficientes" in a row without one certificate switch the route to PROVIDER_ERROR and tell the operator; one question an hour tries it', async (t) => {
  const { ask, house, pass } = await startFederal(t, { CND_FEDERAL_ROTAS: 'contrato', METRICS_PORT: '0' })
  const warn = t.mock.method(house.rooms.platform.log, 'warn')
  const told = (): string[] =>
    warn.mock.calls
      .map((call) => JSON.stringify(call.arguments))
      .filter((line) => /certidão federal/.test(line))
  const [other = '', another = '', ...companies] = insuficientes
  assert.equal(companies.length, MOST_RECUSADOS)
  const positiva = { situacao: 'positiva', modo: '', cached: false, creditos: 0 }
  assert.equal(await refusedIn(house, 'contrato'), undefined)
  for (const company of companies.slice(1)) assert.deepEqual(dito(await ask(company)), positiva)
  assert.deepEqual([told(), await refusedIn(house, 'contrato')], [[], '19'])
  const failed = { error: 'PROVIDER_ERROR', cached: false, creditos: 0 }
  const last = await ask(companies[0] ?? '')
  assert.deepEqual(dito(last), failed, 'the twentieth is not believed')
  assert.equal(last.headers.get('retry-after'), '3600')
  const asked = await queriesTo(house, CONTRATO)
  assert.deepEqual(dito(await ask(other)), failed)
  assert.deepEqual(dito(await ask('emite')), failed)
  assert.equal(await queriesTo(house, CONTRATO), asked, 'nobody is asked')
  pass(HOUR_MS)
  assert.deepEqual(dito(await ask(other)), failed, 'the trial brings no certificate')
  assert.deepEqual(dito(await ask('emite')), failed)
  const [warning = '', ...more] = told()
  assert.match(warning, /recusou 20 empresas seguidas e deu certidão a nenhuma/)
  assert.deepEqual(more, [], 'it is told once')
  for (const company of [other, ...companies])
    assert.ok(!warning.includes(company.slice(0, 8)), 'it names no company')
  assert.equal(await refusedIn(house, 'contrato'), '20')
  pass(HOUR_MS)
  const delivered = { situacao: 'negativa', modo: 'emissao', cached: false, creditos: 1 }
  assert.deepEqual(dito(await ask('emite')), delivered)
  assert.equal(await refusedIn(house, 'contrato'), undefined)
  assert.match(told()[1] ?? '', /voltou a dar certidão/)
  assert.deepEqual(dito(await ask(another)), positiva, 'a delivered certificate ends the doubt')
})

test('a company whose registration prevents a certificate casts no doubt on the route, nor does one that is refused again', async (t) => {
  const { ask, house, pass } = await startFederal(t, { METRICS_PORT: '0' })
  for (const nome of ['inapta', 'nao-inscrito', 'insuficiente']) await ask(nome)
  assert.equal(await refusedIn(house, 'contrato'), '1')
  pass(HOUR_MS + 1)
  await ask('insuficiente')
  assert.equal(await refusedIn(house, 'contrato'), '1')
})

test('with 500 open issuances no other begins: PROVIDER_ERROR, uncharged, and what is kept is still delivered', async (t) => {
  const { ask, house } = await startFederal(t)
  const { jobs, certidoes } = house.rooms.federal
  await ask('valida')
  // They wait for tomorrow.
  const runAt = new Date(Date.now() + DAY_MS)
  const open = (at: number) => {
    const sealed = certidoes.seal(String(at).padStart(14, '0'))
    return jobs.enqueue(emissaoFederal, { ...sealed, emitir: 'se-preciso' }, { runAt })
  }
  await Promise.all(Array.from({ length: 499 }, (_, at) => open(at)))
  assert.equal(dito(await ask('emite')).creditos, 1, '499 are not too many')
  await open(499)
  const asked = await queriesTo(house, CONTRATO)
  const crowded = await ask('processa')
  assert.deepEqual(dito(crowded), { error: 'PROVIDER_ERROR', cached: false, creditos: 0 })
  assert.equal(crowded.headers.get('retry-after'), '60')
  assert.equal(await queriesTo(house, CONTRATO), asked)
  assert.equal(dito(await ask('valida')).creditos, 1)
})

test('with 50 open issuances of its own an account begins no other, and another account does', async (t) => {
  const { ask, house } = await startFederal(t)
  const { jobs, certidoes } = house.rooms.federal
  const { conta, key } = await house.open('pro')
  const open = (at: number) => {
    const sealed = certidoes.seal(String(at).padStart(14, '0'))
    const wish = { runAt: new Date(Date.now() + DAY_MS), conta: conta.id }
    return jobs.enqueue(emissaoFederal, { ...sealed, emitir: 'se-preciso' }, wish)
  }
  await Promise.all(Array.from({ length: 50 }, (_, at) => open(at)))
  const full = await house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('emite')}`, { key })
  assert.deepEqual(dito(full), { error: 'PROVIDER_ERROR', cached: false, creditos: 0 })
  assert.match(full.text, /Esta conta já tem 50 emissões/)
  assert.equal(dito(await ask('emite')).creditos, 1)
  assert.equal(
    dito(await house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('emite')}`, { key })).creditos,
    1,
  )
})
