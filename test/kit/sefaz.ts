import { diaDe, diaDepois } from '../../src/documento/dia.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { autorizadores, type LeituraSefaz } from '../../src/sefaz/rules.ts'
import type { DiaSefaz, Incidente, Queda, Rodada, RodadaFeita } from '../../src/sefaz/rules-rodada.ts'
import { openSefazStore } from '../../src/sefaz/store.ts'
import { NOW } from './basics.ts'
import type { House } from './house.ts'

export const EVERY_MS = 120_000

/** A reading that an authority answered well, in 500 ms. */
export const boa = (autorizador: string, em: number, rest: Partial<LeituraSefaz> = {}): LeituraSefaz => ({
  autorizador,
  em,
  resultado: 'resposta',
  conexaoMs: 12,
  tlsMs: 34,
  respostaMs: 500,
  cStat: 107,
  motivo: '',
  desmentida: null,
  ...rest,
})

/** A time-out. */
export const muda = (autorizador: string, em: number): LeituraSefaz =>
  boa(autorizador, em, { resultado: 'timeout', respostaMs: null, cStat: null, motivo: 'não respondeu' })

type Feita = Partial<Omit<RodadaFeita, 'rodada'>> & { rodada?: Partial<Rodada> }

/** A round that began at `em`; where no readings are named, all 27 authorizers answered well. */
export const feita = (em: number, { rodada, ...rest }: Feita = {}): RodadaFeita => ({
  rodada: { em, fim: em + 3_000, fonte: 'servicos', semRede: false, ...rodada },
  leituras: autorizadores.map(({ id }) => boa(id, em)),
  incidentes: [],
  ritmos: [],
  ativacoes: [],
  ...rest,
})

/** The monitor's store of a node, and the clock that all nodes read. */
export function relogio(start = NOW.getTime()) {
  const clock = { instant: start }
  const open = (db: Db, ambiente: 'simulador' | 'producao' = 'simulador') =>
    openSefazStore(db, { now: () => new Date(clock.instant), ambiente, everyMs: EVERY_MS })
  return { clock, open }
}

export const HOUR_MS = 3_600_000

/** What an authority may write about itself, and no page may take for HTML. */
export const MALDADE = `<img src=x onerror="alert(1)"> & 'parado'`

const queda = (autorizador: string, inicio: number, rest: Partial<Queda> = {}): Queda => ({
  autorizador,
  inicio,
  fim: null,
  cStat: null,
  motivo: 'sem resposta em 30 segundos',
  ...rest,
})

/** SEFAZ AM and SEFAZ PE are out, SVRS was out in the morning. */
export function incidentesDe(agora: number): Incidente[] {
  const [am, pe, rs] = [agora - 14 * 60_000, agora - 6 * 60_000, agora - 9 * HOUR_MS]
  const ends = rs + 22 * 60_000
  return [
    {
      id: 'pe',
      casa: 'PE',
      inicio: pe,
      fim: null,
      quedas: [queda('nfe-pe', pe, { cStat: 108, motivo: MALDADE })],
    },
    { id: 'am', casa: 'AM', inicio: am, fim: null, quedas: [queda('nfe-am', am), queda('nfce-am', am)] },
    {
      id: 'rs',
      casa: 'RS',
      inicio: rs,
      fim: ends,
      quedas: [queda('cte-svrs', rs, { fim: ends, motivo: 'HTTP 503' })],
    },
  ]
}

/** The readings of a round in which two authorities are out and three slow. */
function leituraDe(id: string, em: number): LeituraSefaz {
  if (id === 'nfe-am' || id === 'nfce-am') return muda(id, em)
  if (id === 'nfe-pe') return boa(id, em, { resultado: 'erro', cStat: 108, motivo: MALDADE })
  const slow: Record<string, number> = { 'nfe-ba': 7_310, 'nfe-mt': 2_400, 'nfe-sp': 3_020 }
  return boa(id, em, { respostaMs: slow[id] ?? 200 + id.length * 40 })
}

/** Days that go up and down by rule, without chance. */
function diaFeito(autorizador: string, dia: string, at: number): DiaSefaz {
  const seed = (at * 37 + autorizador.length * 11 + autorizador.charCodeAt(4)) % 29
  const erros = seed === 0 ? 40 : seed === 7 ? 5 : 0
  const tempos = Uint16Array.from({ length: 100 }, (_, one) => 180 + seed * 9 + one * 3)
  const asked = autorizador.startsWith('nfe')
  return {
    autorizador,
    dia,
    leituras: 720,
    erros,
    timeouts: 0,
    tempos,
    confirmadas: asked ? 40 : 0,
    desmentidas: asked && seed === 3 ? 2 : 0,
  }
}

/** Stores a past of 89 days, and the last three rounds with two authorities out. */
export async function fillMonitor({ rooms }: Pick<House, 'rooms'>, agora: number): Promise<void> {
  const today = diaDe(agora)
  const dias = autorizadores.flatMap(({ id }) =>
    Array.from({ length: 89 }, (_, at) => diaFeito(id, diaDepois(today, -at - 1), at)),
  )
  await rooms.sefaz.monitor.seed({ dias, incidentes: incidentesDe(agora) })
  for (const ago of [2, 1, 0]) await rooms.sefaz.monitor.keep(rodadaRuim(agora - ago * EVERY_MS - 5_000))
}

/** A round that finds two authorities out. PE has activated its contingency. */
export const rodadaRuim = (em: number, rest: Partial<RodadaFeita> = {}): RodadaFeita =>
  feita(em, {
    leituras: autorizadores.map(({ id }) => leituraDe(id, em)),
    ativacoes: [{ doc: 'nfe', uf: 'PE', estado: 'ativada', em }],
    ...rest,
  })
