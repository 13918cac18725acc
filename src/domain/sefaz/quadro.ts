import type { Uf } from '../uf.ts'
import { type Autorizador, autorizadores, type Doc, docs } from './autorizadores.ts'
import { classificar, RODADAS, type Situacao } from './classificacao.ts'
import type { Ativacao } from './conselho.ts'
import type { Incidente } from './incidentes.ts'
import type { LeituraSefaz } from './leitura.ts'
import type { Quadro, Rodada, RodadaFeita } from './rodada.ts'

/** Without a round for so long, the monitor is down (decisions, "SEFAZ status"). */
const PARADO_MS = 10 * 60_000
/** A round ends so long after it began, at most. Where rounds are rare, the next one is waited for. */
const RODADA_MS = 60_000

/** What a board is made of: the last rounds, the newest first, with their readings. */
export type Lembrado = {
  rodadas: readonly { rodada: Rodada; leituras: readonly LeituraSefaz[] }[]
  abertos: readonly Incidente[]
  ativacoes: RodadaFeita['ativacoes']
}

/** Draws the board of an instant. Undefined before the first round. */
export function montarQuadro(
  { rodadas, abertos, ativacoes }: Lembrado,
  { agora, everyMs }: { agora: number; everyMs: number },
): Quadro | undefined {
  const rodada = rodadas[0]?.rodada
  if (!rodada) return undefined
  const ageMs = RODADAS * everyMs
  const counted = rodadas.slice(0, RODADAS).filter((one) => one.rodada.em > rodada.em - ageMs)
  const byAutorizador = Map.groupBy(
    counted.flatMap(({ leituras }) => leituras),
    ({ autorizador }) => autorizador,
  )
  const drawn = autorizadores.map((autorizador) => {
    const leituras = byAutorizador.get(autorizador.id) ?? []
    const [isNear, ends] = perto(leituras[0]?.em ?? Number.NEGATIVE_INFINITY, { agora, mostMs: ageMs })
    return { autorizador, situacao: classificar(isNear ? leituras : []), ends }
  })
  const paradoMs = Math.max(PARADO_MS, everyMs + RODADA_MS)
  const [isNear, itEnds] = perto(rodada.fim, { agora, mostMs: paradoMs })
  const known = new Map<string, Ativacao>(
    ativacoes.map(({ doc, uf, estado, em }) => [`${doc} ${uf}`, { estado, em }]),
  )
  return {
    rodada,
    situacoes: {
      nfe: situacoesOf('nfe', drawn),
      nfce: situacoesOf('nfce', drawn),
      cte: situacoesOf('cte', drawn),
    },
    parado: !isNear,
    valeAte: Math.min(itEnds, ...drawn.map(({ ends }) => ends)),
    abertos,
    ativacaoDe: (doc: Doc, uf: Uf): Ativacao | undefined => known.get(`${doc} ${uf}`),
  }
}

/**
 * Whether an instant is of now, and until when that answer holds. One that lies as far ahead is not: the
 * clock was put back, and nobody knows how long ago it was.
 */
function perto(
  instant: number,
  { agora, mostMs }: { agora: number; mostMs: number },
): [isNear: boolean, ends: number] {
  if (agora - instant > mostMs) return [false, Infinity]
  return instant - agora > mostMs ? [false, instant - mostMs] : [true, instant + mostMs + 1]
}

const SEM_LEITURA = classificar([])

/** How a state stands for a document on a board: without a reading, where there is no board. */
export const situacaoDe = (quadro: Pick<Quadro, 'situacoes'> | undefined, doc: Doc, uf: Uf): Situacao =>
  quadro?.situacoes[doc].get(uf) ?? SEM_LEITURA

/** Nothing is known of any state: a round ended, and none of its answers tells of now. */
export const isVazio = (quadro: Pick<Quadro, 'situacoes'>): boolean =>
  docs.every((doc) => quadro.situacoes[doc].values().every(({ status_code }) => status_code === 0))

/** The states of a document, in alphabetical order. */
const situacoesOf = (
  doc: Doc,
  drawn: readonly { autorizador: Autorizador; situacao: Situacao }[],
): ReadonlyMap<Uf, Situacao> =>
  new Map(
    drawn
      .filter(({ autorizador }) => autorizador.doc === doc)
      .flatMap(({ autorizador, situacao }) => autorizador.ufs.map((uf) => [uf, situacao] as const))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
