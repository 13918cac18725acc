import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDisponibilidade } from '../../simulator/sefaz/disponibilidade.ts'
import { createSefaz } from '../../simulator/sefaz/sefaz.ts'
import { createStatus } from '../../simulator/sefaz/status.ts'
import { ufs } from '../../src/documento/uf.ts'
import type { ClientCertificate } from '../../src/platform/wire/dial.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { autorizadores, classify, svcOf } from '../../src/sefaz/rules.ts'
import { askAtivacao, type MeiosDaSonda, probe, type Sondagem } from '../../src/sefaz/source.ts'
import { readPaginas } from '../../src/sefaz/source-paginas.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'
import { idle } from '../kit/sefaz-rounds.ts'

let instant = Date.parse('2026-11-22T12:00:00Z')
let elapsed = 0
// The simulator advances our clock in the place of waiting.
const sefaz = createSefaz({
  agora: () => new Date(instant),
  wait: async (ms) => {
    elapsed += ms
  },
})
let authority: Authority
let http: Http
let certificado: ClientCertificate
before(async () => {
  authority = await openAuthority([...createStatus(sefaz), ...createDisponibilidade(sefaz)])
  http = authority.open({}, { clock: () => elapsed, idleMs: 180_000 })
  certificado = await authority.certificate('empresa')
})
after(() => authority.close())

const log = { debug: () => {}, info: () => {} }
const meios = (): MeiosDaSonda => ({ http, certificado, ambiente: 'producao', limiteMs: 30_000, log })

/** Asks all authorizers one after the other: they share the clock. */
async function round(): Promise<ReadonlyMap<string, Sondagem>> {
  const made = new Map<string, Sondagem>()
  for (const one of autorizadores) made.set(one.id, await probe(one, instant, meios()))
  await idle()
  return made
}

test('the 27 authorizers of the simulator answer, with the times that it took, over 27 connections', async () => {
  sefaz.impose({ padrao: { caso: 'normal', ms: 340 } })
  const before = authority.gateway.estatisticas().conexoes
  const all = () => Promise.all(autorizadores.map((one) => probe(one, instant, meios())))
  for (let rounds = 0; rounds < 2; rounds++) {
    for (const { leitura } of await all()) assert.equal(leitura.resultado, 'resposta', leitura.motivo)
    await idle()
  }
  assert.equal(authority.gateway.estatisticas().conexoes - before, 27)
  for (const { leitura } of (await round()).values())
    assert.deepEqual([leitura.respostaMs, leitura.conexaoMs, leitura.tlsMs], [340, null, null])
})

for (const [ms, code] of [
  [1_990, 1],
  [2_000, 2],
  [5_990, 2],
  [6_000, 3],
  [29_990, 3],
  [30_000, 5],
] as const)
  test(`an answer of ${ms} ms is class ${code}, whichever authorizer gives it`, async () => {
    sefaz.impose({ padrao: { caso: 'lento', ms } })
    for (const { leitura } of (await round()).values())
      assert.equal(classify([leitura]).status_code, code, leitura.autorizador)
  })

for (const [caso, contato, cStat] of [
  ['108', 'servico', 108],
  ['109', 'servico', 109],
  ['113', 'servico', 113],
  ['114', 'servico', 114],
  ['656', 'servico', 656],
  ['678', 'servico', 678],
  ['fault', 'recusa', null],
  ['http-403', 'recusa', null],
  ['http-500', 'recusa', null],
  ['recusa-tls', 'recusa', null],
  ['html', 'recusa', null],
  ['malformado', 'recusa', null],
  ['corte', 'nenhum', null],
] as const)
  test(`the case ${caso} of the simulator is an error at each authorizer`, async () => {
    sefaz.impose({ padrao: caso })
    for (const sondagem of (await round()).values()) {
      const { leitura } = sondagem
      const what = leitura.autorizador
      assert.deepEqual([what, leitura.resultado, leitura.cStat], [what, 'erro', cStat])
      assert.deepEqual([what, sondagem.contato], [what, contato])
      assert.equal(sondagem.http === 403, caso === 'http-403')
      assert.notEqual(leitura.motivo, '')
    }
  })

test('every state with an SVC is told how it stands there', async () => {
  for (const estado of ['ativada', 'encerrando', 'desativada'] as const) {
    const all = Object.fromEntries(ufs.map((uf) => [uf, estado]))
    sefaz.impose({ padrao: 'normal', svc: { nfe: all, cte: all } })
    for (const doc of ['nfe', 'cte'] as const)
      for (const uf of ufs) {
        const told = await askAtivacao(doc, uf, instant, meios())
        assert.deepEqual([uf, svcOf(doc, uf)?.nome, told.estado], [uf, svcOf(doc, uf)?.nome, estado])
      }
  }
})

test('the public pages of the simulator show the same weather, yellow for ten minutes and then red', async () => {
  const read = () =>
    readPaginas(instant, { http: authority.http, now: () => new Date(instant), ambiente: 'producao', log })
  const down = async () =>
    (await read()).flatMap(({ leitura }) =>
      leitura.resultado === 'indisponivel' ? [`${leitura.autorizador} ${leitura.motivo.slice(-9, -1)}`] : [],
    )
  sefaz.impose({ padrao: 'normal' })
  assert.equal((await read()).length, 18)
  assert.deepEqual(await down(), [])
  sefaz.impose({ padrao: 'normal', autorizadores: { 'nfe-svrs': '109', 'cte-svsp': 'sem-resposta' } })
  assert.deepEqual(await down(), ['nfe-svrs  amarelo', 'cte-svsp  amarelo'])
  instant += 11 * 60_000
  assert.deepEqual(await down(), ['nfe-svrs vermelho', 'cte-svsp vermelho'])
  sefaz.impose({ paginas: { nfe: 'erro', cte: 'sem-tabela' } })
  assert.deepEqual(await read(), [])
})
