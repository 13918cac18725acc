import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emissaoFederal } from '../../src/federal/lookup.ts'
import { buscaDeParcelas, sealPedido } from '../../src/rural/lookup-sigef.ts'
import { CONTRATO, empresa, startFederal } from '../kit/federal.ts'
import type { House } from '../kit/house.ts'
import { queriesTo } from '../kit/house.ts'
import { askSigef, detentor, startRural, toldBy } from '../kit/rural.ts'

const SIGEF = 'sigef.incra.gov.br'
const SERVIDO = { http: 200, codigo: '', retryable: false, repetir: null, creditos: '1' }

/** Work of a kind that begins in an hour, so that it stays open. */
async function fill(
  { rooms }: Pick<House, 'rooms'>,
  { count, conta, kind }: { count: number; conta: string; kind: 'emissao' | 'busca' },
): Promise<string[]> {
  const { jobs } = rooms.platform
  const options = { conta, runAt: new Date(rooms.platform.now().getTime() + 60 * 60_000) }
  const keys = Array.from({ length: count }, (_, at) => `${conta}-${at}`)
  const asked = await Promise.all(
    keys.map((chave) =>
      kind === 'emissao'
        ? jobs.enqueue(emissaoFederal, { chave, selado: '', emitir: 'sempre' }, options)
        : jobs.enqueue(buscaDeParcelas, { chave, selado: '' }, options),
    ),
  )
  return asked.map(({ id }) => id)
}

/** One of them ends: its place is free. */
const free = ({ rooms }: Pick<House, 'rooms'>, [id = '']: string[]) =>
  rooms.platform.db.kysely.updateTable('trabalhos').set({ estado: 'feito' }).where('id', '=', id).execute()

for (const { whose, count, why } of [
  { whose: 'of an account', count: 50, why: /^Esta conta já tem 50 emissões/ },
  { whose: 'in all', count: 500, why: /emissões de certidão federal demais/ },
])
  test(`the issuance beyond the ${count} ${whose} is PROVIDER_ERROR, uncharged, and a free place is given`, async (t) => {
    const { house } = await startFederal(t)
    const { conta, key } = await house.open('pro')
    const ask = (nome: string) => house.ask(`/api/consultar-cnd-federal?cnpj=${empresa(nome)}`, { key })
    const open = await fill(house, { count, conta: count === 50 ? conta.id : 'outra', kind: 'emissao' })
    const refused = await ask('emite')
    const full = { http: 200, codigo: 'PROVIDER_ERROR', retryable: true, repetir: '60', creditos: '0' }
    assert.deepEqual(toldBy(refused), full)
    assert.match(String(Object(refused.body.source_status).error_message), why)
    assert.equal(refused.body.result, null)
    assert.equal(await queriesTo(house, CONTRATO), 0)
    if (count === 50) {
      const other = await house.open('lite')
      const path = `/api/consultar-cnd-federal?cnpj=${empresa('valida')}`
      assert.deepEqual(toldBy(await house.ask(path, { key: other.key })), SERVIDO, 'others have their places')
    }
    await free(house, open)
    assert.deepEqual(toldBy(await ask('emite')), SERVIDO)
  })

for (const { whose, count, why } of [
  { whose: 'of an account', count: 20, why: /^Esta conta já tem 20 buscas/ },
  { whose: 'in all', count: 200, why: /buscas no SIGEF demais/ },
])
  test(`the search beyond the ${count} ${whose} is SIGEF_NETWORK_ERROR, uncharged, and a free place is given`, async (t) => {
    const house = await startRural(t)
    const { conta, key } = await house.open('pro')
    const documento = detentor(({ length }) => length === 1)
    const open = await fill(house, { count, conta: count === 20 ? conta.id : 'outra', kind: 'busca' })
    const refused = await askSigef(house, documento, { key })
    const full = { http: 200, codigo: 'SIGEF_NETWORK_ERROR', retryable: true, repetir: '60', creditos: '0' }
    assert.deepEqual(toldBy(refused), full)
    assert.match(String(Object(refused.body.source_status).error_message), why)
    assert.equal(await queriesTo(house, SIGEF), 0)
    if (count === 20) {
      const other = await house.open('lite')
      assert.deepEqual(toldBy(await askSigef(house, '11222333000181', { key: other.key })), SERVIDO)
    }
    await free(house, open)
    assert.deepEqual(toldBy(await askSigef(house, documento, { key })), SERVIDO)
  })

/** Begins the work of this id as soon as a caller waits for it. */
function beginOnceAwaited({ rooms }: Pick<House, 'rooms'>, kind: string, id = ''): void {
  rooms.platform.log.info = (fields: unknown, msg?: unknown) => {
    if (msg !== 'waiting for a job' || Object(fields).job_id !== id) return
    const due = rooms.platform.db.kysely.updateTable('trabalhos').set({ livre_em: 0 }).where('id', '=', id)
    void due.execute().then(() => rooms.platform.jobs.wake(kind))
  }
}

test('whoever asks for what is being issued already is served, though his account has no place', async (t) => {
  const { house } = await startFederal(t)
  const { conta, key } = await house.open('pro')
  const { jobs, certidoes } = house.rooms.federal
  const open = await fill(house, { count: 50, conta: conta.id, kind: 'emissao' })
  await free(house, open)
  const runAt = new Date(house.rooms.platform.now().getTime() + 60 * 60_000)
  const pedido = { ...certidoes.seal(empresa('emite')), emitir: 'sempre' } as const
  const { id } = await jobs.enqueue(emissaoFederal, pedido, { conta: conta.id, runAt })
  beginOnceAwaited(house, emissaoFederal.kind, id)
  assert.deepEqual(
    toldBy(await house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('emite')}`, { key })),
    SERVIDO,
  )
})

test('whoever asks for what is being searched for already is served, though his account has no place', async (t) => {
  const house = await startRural(t)
  const { conta, key } = await house.open('pro')
  const { jobs, secret } = house.rooms.platform
  const documento = detentor(({ length }) => length === 1)
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  await free(house, await fill(house, { count: 20, conta: conta.id, kind: 'busca' }))
  const runAt = new Date(house.rooms.platform.now().getTime() + 60 * 60_000)
  const pedido = sealPedido(secret, { tipo, documento, desde: new Date(0).toISOString() })
  const { id } = await jobs.enqueue(buscaDeParcelas, pedido, { conta: conta.id, runAt })
  beginOnceAwaited(house, buscaDeParcelas.kind, id)
  assert.deepEqual(toldBy(await askSigef(house, documento, { key })), SERVIDO)
})
