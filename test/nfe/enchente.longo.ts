import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CasoImposto, Imposto } from '../../simulator/sefaz/clima.ts'
import { ufs } from '../../src/documento/uf.ts'
import { advise, docs } from '../../src/sefaz/rules.ts'
import { knownBy } from '../../src/sefaz/rules-quadro.ts'
import { startMonitor } from '../kit/sefaz-rounds.ts'

const HOUR_MS = 3_600_000

/** The states of SVRS, by document. */
const NFE = 'AC AL AP CE DF ES PA PB PI RJ RN RO RR SC SE TO'
const NFCE = `${NFE} BA MA PE`
const CTE = 'AC AL AM BA CE DF ES GO MA PA PB PI RJ RN RO RS SC SE TO'
const DA_SVRS = { nfe: NFE.split(' '), nfce: NFCE.split(' '), cte: CTE.split(' ') } as const

const normal = 'emitir: Emita normalmente.'
const offline =
  'contingencia-offline: Emita em contingência offline e transmita quando o autorizador voltar: a NFC-e não tem SVC.'
const fechada = (svc: string) =>
  `esperar: A contingência deste estado é a ${svc}, que responde, mas o estado não a ativou: aguarde.`
const ativada = (svc: string) => `contingencia-svc: Emita pela ${svc}, que este estado ativou.`

type Conselhos = { nfe: string; nfce: string; cte: string }

const bem: Conselhos = { nfe: normal, nfce: normal, cte: normal }
const fora: Conselhos = { nfe: fechada('SVC-AN'), nfce: offline, cte: fechada('SVC-SP') }

const svrs = (nfe: CasoImposto, nfce: CasoImposto, cte: CasoImposto): Imposto => ({
  autorizadores: { 'nfe-svrs': nfe, 'nfce-svrs': nfce, 'cte-svrs': cte },
})
const debaixoDagua = svrs('corte', 'corte', 'corte')
const comSvcAn: Imposto['svc'] = {
  nfe: Object.fromEntries(DA_SVRS.nfe.map((uf) => [uf, 'ativada'])),
}

/**
 * The flood of Porto Alegre, in the hours of Brasília: since when, what the authorities do, and what a
 * taxpayer of SVRS should read before the next stage.
 */
const etapas: [desde: string, imposto: Imposto, conselhos: Conselhos, abertas: number][] = [
  ['2024-05-03T12:00', {}, bem, 0],
  ['2024-05-03T13:10', debaixoDagua, fora, 1],
  ['2024-05-03T15:00', {}, bem, 0],
  ['2024-05-03T15:40', debaixoDagua, fora, 1],
  ['2024-05-03T22:00', { ...debaixoDagua, svc: comSvcAn }, { ...fora, nfe: ativada('SVC-AN') }, 1],
  [
    '2024-05-04T06:00',
    { ...svrs('normal', 'normal', 'corte'), svc: comSvcAn },
    { ...bem, cte: fechada('SVC-SP') },
    1,
  ],
  ['2024-05-05T18:00', {}, bem, 0],
  ['2024-05-05T20:00', {}, bem, 0],
]

test('the flood of 2024-05-03 is one incident, with the right advice in all 81 cells at each stage', async (t) => {
  const every = 5 * 60_000
  const monitor = await startMonitor(t, { envs: [{ SEFAZ_SECONDS: String(every / 1000) }] })
  const { monitor: store } = monitor.nos[0].rooms.sefaz
  const instantOf = (at: string): number => Date.parse(`${at}-03:00`)
  for (const [at, [desde, imposto, conselhos, abertas]] of etapas.entries()) {
    const until = etapas[at + 1]
    if (!until) break
    monitor.impor(imposto)
    monitor.relogio.instant = instantOf(desde)
    const ends = instantOf(until[0])
    // Of a long stage the first half hour tells all, and the last hours, in which each state is asked of.
    for (let n = 1; monitor.relogio.instant < ends; n++)
      await monitor.rodada(n === 6 ? Math.max(every, ends - monitor.relogio.instant - 20 * every) : every)
    const quadro = store.quadro()
    assert.ok(quadro)
    const sabido = knownBy(quadro)
    for (const doc of docs)
      for (const uf of ufs) {
        const { acao, texto } = advise(doc, uf, sabido)
        const isOfSvrs = DA_SVRS[doc].some((one) => one === uf)
        assert.equal(`${acao}: ${texto}`, isOfSvrs ? conselhos[doc] : normal, `${desde} ${doc} ${uf}`)
      }
    assert.equal(quadro.abertos.length, abertas, desde)
  }
  const all = await store.incidentes({ de: 0, ate: monitor.relogio.instant })
  assert.equal(all.length, 1)
  const brasilia = (instant: number | null): string =>
    instant === null ? '' : new Date(instant - 3 * HOUR_MS).toISOString().slice(5, 16)
  assert.deepEqual(
    all[0]?.quedas.map(
      ({ autorizador, inicio, fim }) => `${autorizador} ${brasilia(inicio)} ${brasilia(fim)}`,
    ),
    [
      'nfe-svrs 05-03T13:15 05-03T15:05',
      'nfce-svrs 05-03T13:15 05-03T15:05',
      'cte-svrs 05-03T13:15 05-03T15:05',
      'nfe-svrs 05-03T15:45 05-04T06:05',
      'nfce-svrs 05-03T15:45 05-04T06:05',
      'cte-svrs 05-03T15:45 05-05T18:05',
    ],
  )
})
