import { type Uf, ufs } from '../documento/uf.ts'
import {
  type Ativacao,
  type Autorizador,
  autorizadores,
  autorizadorOf,
  classify,
  type Doc,
  docs,
  type LeituraSefaz,
  nomesDasClasses,
  RODADAS,
  type Sabido,
  type Situacao,
  type Svc,
  svcOf,
} from './rules.ts'
import {
  type Incidente,
  isPausado,
  isUsoIndevido,
  type Pausa,
  type Quadro,
  type RitmoDaSonda,
  type Rodada,
  type RodadaFeita,
} from './rules-rodada.ts'

/** Without a round for so long, the monitor is down (decisions, "SEFAZ status"). */
const PARADO_MS = 10 * 60_000
/** A round ends so long after it began, at most. Where rounds are rare, the next one is waited for. */
const RODADA_MS = 60_000

type Lida = { rodada: Rodada; leituras: readonly LeituraSefaz[] }

/** What a board is made of. All lists have the newest first. */
export type Lembrado = {
  ultima: Rodada | undefined
  /** The last rounds in which a service answered, with their readings. */
  rodadas: readonly Lida[]
  ritmos: readonly RitmoDaSonda[]
  /** Of the authorizers that asked for less: their last readings that are no refusal to be asked so often. */
  doPausado: ReadonlyMap<string, readonly LeituraSefaz[]>
  abertos: readonly Incidente[]
  ativacoes: RodadaFeita['ativacoes']
}

export function buildQuadro(lembrado: Lembrado, quando: Quando): Quadro | undefined {
  const { ultima: rodada, abertos, ativacoes } = lembrado
  if (!rodada) return undefined
  const drawn = standAll(lembrado, rodada, quando)
  const paradoMs = Math.max(PARADO_MS, quando.everyMs + RODADA_MS)
  const [isNear, itEnds] = nearness(rodada.fim, { agora: quando.agora, mostMs: paradoMs })
  const known = new Map<string, Ativacao>(
    ativacoes.map(({ doc, uf, estado, em }) => [`${doc} ${uf}`, { estado, em }]),
  )
  return {
    rodada,
    lida: lembrado.rodadas[0]?.rodada,
    situacoes: {
      nfe: situacoesOf('nfe', drawn),
      nfce: situacoesOf('nfce', drawn),
      cte: situacoesOf('cte', drawn),
    },
    parado: !isNear,
    pausas: drawn.flatMap(({ pausa }) => pausa ?? []),
    valeAte: Math.min(itEnds, ...drawn.map(({ ends }) => ends)),
    abertos,
    ativacaoDe: (doc: Doc, uf: Uf): Ativacao | undefined => known.get(`${doc} ${uf}`),
  }
}

type Quando = { agora: number; everyMs: number }

type Desenhado = { autorizador: Autorizador; situacao: Situacao; ends: number; pausa?: Pausa | undefined }

function standAll({ rodadas, ritmos, doPausado }: Lembrado, ultima: Rodada, quando: Quando): Desenhado[] {
  const { agora, everyMs } = quando
  const ageMs = RODADAS * everyMs
  const counted = withinAge(
    rodadas.slice(0, RODADAS).map(({ rodada, leituras }) => ({ em: rodada.em, leituras })),
    ageMs,
  ).flatMap(({ leituras }) => leituras)
  const byAutorizador = Map.groupBy(
    counted.filter((leitura) => !isUsoIndevido(leitura)),
    ({ autorizador }) => autorizador,
  )
  return autorizadores.map((autorizador) => {
    const leituras = byAutorizador.get(autorizador.id) ?? []
    const [newest] = leituras
    // While nobody answers, nothing newer can be known: a reading ages by the rounds that go on.
    const em = newest && (ultima.semRede ? ultima.em : newest.em)
    const [isNear, ends] = em === undefined ? [false, Infinity] : nearness(em, { agora, mostMs: ageMs })
    const pausa = ultima.fonte === 'servicos' ? pausaDe(autorizador, ritmos, quando) : undefined
    if (isNear || !pausa) {
      const isRested = pausa?.isRecusa === true && (newest?.em ?? 0) < pausa.ate
      const told = isRested ? { ...pausa, lida: newest?.em } : undefined
      return { autorizador, situacao: classify(isNear ? leituras : []), ends, pausa: told }
    }
    const guardadas = withinAge(doPausado.get(autorizador.id) ?? [], ageMs)
    const lida = guardadas[0]?.em
    const until = lida === undefined ? Infinity : pausa.ate + everyMs + RODADA_MS
    return { autorizador, situacao: classify(guardadas), ends: until, pausa: { ...pausa, lida } }
  })
}

const withinAge = <T extends { em: number }>(all: readonly T[], ageMs: number): T[] =>
  all.filter(({ em }) => em > (all[0]?.em ?? 0) - ageMs)

/** The pause of an authorizer, which lasts until the round that asks it again has ended. */
function pausaDe(
  autorizador: Autorizador,
  ritmos: readonly RitmoDaSonda[],
  { agora, everyMs }: Quando,
): Pausa | undefined {
  const ritmo = ritmos.find((one) => one.autorizador === autorizador.id)
  if (!ritmo || agora >= ritmo.proxima + everyMs + RODADA_MS) return undefined
  const em = Math.min(agora, ritmo.proxima - 1)
  if (!isPausado(ritmo, { em, intervaloMs: everyMs })) return undefined
  return { autorizador, isRecusa: ritmo.motivo === 'uso-indevido', ate: ritmo.proxima, lida: undefined }
}

/** One that lies as far ahead is not of now: the clock was put back, nobody knows how long ago. */
function nearness(
  instant: number,
  { agora, mostMs }: { agora: number; mostMs: number },
): [isNear: boolean, ends: number] {
  if (agora - instant > mostMs) return [false, Infinity]
  return instant - agora > mostMs ? [false, instant - mostMs] : [true, instant + mostMs + 1]
}

const SEM_LEITURA = classify([])

/** How a state stands for a document on a board: without a reading, where there is no board. */
export const standingOf = (quadro: Pick<Quadro, 'situacoes'> | undefined, doc: Doc, uf: Uf): Situacao =>
  quadro?.situacoes[doc].get(uf) ?? SEM_LEITURA

/** The same in the words of people. */
export function sayStanding(...where: Parameters<typeof standingOf>) {
  const standing = standingOf(...where)
  return { ...standing, status: nomesDasClasses[standing.status_code] }
}

/** Nothing is known of any state: a round ended, and none of its answers tells of now. */
export const isVazio = (quadro: Pick<Quadro, 'situacoes'>): boolean =>
  docs.every((doc) => quadro.situacoes[doc].values().every(({ status_code }) => status_code === 0))

const situacoesOf = (
  doc: Doc,
  drawn: readonly Pick<Desenhado, 'autorizador' | 'situacao'>[],
): ReadonlyMap<Uf, Situacao> =>
  new Map(
    drawn
      .filter(({ autorizador }) => autorizador.doc === doc)
      .flatMap(({ autorizador, situacao }) => autorizador.ufs.map((uf) => [uf, situacao] as const))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

export type PerguntaDeSvc = { doc: 'nfe' | 'cte'; uf: Uf; svc: Svc }

/** What an SVC said before the state's authorizer fell is of another time, and so is not known. */
export function knownBy({ abertos, ativacaoDe }: Pick<Quadro, 'abertos' | 'ativacaoDe'>): Sabido {
  const desde = new Map(
    abertos.flatMap(({ quedas }) =>
      quedas.flatMap(({ autorizador, inicio, fim }) =>
        fim === null ? [[autorizador, inicio] as const] : [],
      ),
    ),
  )
  return {
    fora: new Set(desde.keys()),
    ativacaoDe: (doc, uf) => {
      const known = ativacaoDe(doc, uf)
      const fell = desde.get(autorizadorOf(doc, uf).id)
      return known && fell !== undefined && known.em >= fell ? known : undefined
    },
  }
}

/** Of each SVC the state that was asked longest ago. An SVC that is out itself is not asked. */
export function svcQuestions({ fora, ativacaoDe }: Sabido): PerguntaDeSvc[] {
  return (['nfe', 'cte'] as const).flatMap((doc) => {
    const affected = ufs.flatMap((uf) => {
      const svc = fora.has(autorizadorOf(doc, uf).id) ? svcOf(doc, uf) : undefined
      return svc && !fora.has(svc.autorizador) ? [{ doc, uf, svc }] : []
    })
    const askedAt = ({ uf }: PerguntaDeSvc): number => ativacaoDe(doc, uf)?.em ?? -1
    return [...Map.groupBy(affected, ({ svc }) => svc.nome).values()].flatMap((ofSvc) =>
      ofSvc.toSorted((a, b) => askedAt(a) - askedAt(b)).slice(0, 1),
    )
  })
}
