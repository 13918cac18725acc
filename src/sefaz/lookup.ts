import { LRUCache } from 'lru-cache'
import { DIAS_GUARDADOS, diaDepois, diasEntre, inicioDoDia } from '../documento/dia.ts'
import { type Uf, ufs } from '../documento/uf.ts'
import { fontesNfe } from '../nfe/source.ts'
import { enumerate } from '../platform/texto.ts'
import { formatInstante } from '../platform/wire/certificado.ts'
import { untilAborted } from '../platform/wire/http.ts'
import { listLeituras, semLeituras, type UltimaHora } from '../platform/wire/leituras.ts'
import {
  autorizadorById,
  autorizadores,
  autorizadorOf,
  type Doc,
  docs,
  nameOfCasa,
  type Situacao,
} from './rules.ts'
import { addUpPalavra, type PalavraDaSefaz, type TotaisSefaz, totalize } from './rules-historico.ts'
import { standingOf } from './rules-quadro.ts'
import type { DiaSefaz, Incidente, Pausa, Quadro, Queda } from './rules-rodada.ts'
import type { SefazRoom } from './sefaz.ts'

type SituacaoDoEstado = { uf: Uf } & Situacao

/** How the 27 states stand for a document (specification, "GET /api/v1/sefaz/status"). */
export type SituacaoSefaz = {
  doc: Doc
  /** The end of the last round in which a service answered, ISO 8601 UTC. */
  timestamp: string
  /** Who said it: the status services, or the public pages, which tell no time. */
  fonte: Quadro['rodada']['fonte']
  /** What to know besides; usually empty. */
  avisos: readonly string[]
  states: readonly SituacaoDoEstado[]
}

/** The board that may be shown. Undefined while the monitor is down: no round has ended lately. */
export function currentQuadro({ monitor }: SefazRoom): Quadro | undefined {
  const quadro = monitor.quadro()
  return quadro?.parado === false ? quadro : undefined
}

const SEM_SERVICO =
  'Nenhum serviço respondeu na última rodada: o mais provável é uma falha de rede, de endereço ou de certificado deste serviço, e não das SEFAZ.'
const SEM_ANTERIOR = 'Não há leitura anterior, e nada se sabe delas.'
const SEM_CERTIFICADO =
  'Sem certificado do operador em vigor, a situação vem das páginas públicas das SEFAZ, que não dizem tempo nem nada da NFC-e.'

const avisosOf = (doc: Doc, { rodada: { semRede, fonte }, lida, pausas }: Quadro): string[] => [
  ...(semRede ? [`${SEM_SERVICO} ${lida ? validityOf(lida.fim) : SEM_ANTERIOR}`] : []),
  ...(fonte === 'paginas' ? [SEM_CERTIFICADO] : []),
  ...pausas.filter(({ autorizador }) => autorizador.doc === doc).map(tellPausa),
]

const validityOf = (instant: number): string =>
  `Até que respondam, vale a leitura de ${formatInstante(new Date(instant))}.`

function tellPausa({ autorizador: { ufs: states }, isRecusa, ate, lida }: Pausa): string {
  const why = isRecusa
    ? 'a SEFAZ pediu que este serviço pergunte menos (consumo indevido), o que nada diz do atendimento a outros'
    : 'a SEFAZ recusou perguntas deste serviço, e ele lhe pergunta menos'
  const last =
    lida === undefined
      ? 'Não há leitura anterior'
      : `Vale a última leitura, de ${formatInstante(new Date(lida))}`
  return `${enumerate([...states])}: ${why}. ${last}; nova pergunta a partir de ${formatInstante(new Date(ate))}.`
}

/** All 27 states of a board for a document: one without a reading has the class 0, and is not left out. */
export const situacaoOfDoc = (doc: Doc, quadro: Quadro): SituacaoSefaz => ({
  doc,
  timestamp: new Date((quadro.lida ?? quadro.rodada).fim).toISOString(),
  fonte: quadro.rodada.fonte,
  avisos: avisosOf(doc, quadro),
  states: ufs.map((uf) => ({ uf, ...standingOf(quadro, doc, uf) })),
})

type Mudanca = SituacaoDoEstado & { antes: Situacao['status_code'] }

export const changesBetween = (antes: SituacaoSefaz, agora: SituacaoSefaz): Mudanca[] =>
  agora.states.flatMap((state, at) => {
    const before = antes.states[at]?.status_code ?? 0
    return before === state.status_code ? [] : [{ ...state, antes: before }]
  })

export type QuedaContada = {
  autorizador: string
  doc: Doc
  estados: readonly Uf[]
  inicio: number
  fim: number | null
  codigo: number | null
  motivo: string
}

export type IncidenteContado = {
  id: string
  casa: string
  inicio: number
  fim: number | null
  /** Until now, where it lasts. */
  duracaoS: number
  autorizadores: string[]
  documentos: Doc[]
  estados: Uf[]
  /** Of the first fall, as its last failure told them. */
  codigo: number | null
  motivo: string
  quedas: QuedaContada[]
}

/** Tells an incident with names, documents and states; what fell first comes first. */
export function measureIncidente(
  { id, casa, inicio, fim, quedas }: Incidente,
  agora: number,
): IncidenteContado {
  const told = quedas.flatMap(measureQueda).toSorted((a, b) => a.inicio - b.inicio)
  return {
    id,
    casa: nameOfCasa(casa),
    inicio,
    fim,
    duracaoS: Math.max(0, Math.round(((fim ?? agora) - inicio) / 1_000)),
    autorizadores: [...new Set(told.map(({ autorizador }) => autorizador))],
    documentos: docs.filter((doc) => told.some((queda) => queda.doc === doc)),
    estados: ufs.filter((uf) => told.some(({ estados }) => estados.includes(uf))),
    codigo: told[0]?.codigo ?? null,
    motivo: told[0]?.motivo ?? '',
    quedas: told,
  }
}

function measureQueda({ autorizador, inicio, fim, cStat, motivo }: Queda): QuedaContada[] {
  const fell = autorizadorById(autorizador)
  return fell
    ? [{ autorizador: fell.nome, doc: fell.doc, estados: fell.ufs, inicio, fim, codigo: cStat, motivo }]
    : []
}

export type HistoricoPedido = { doc: Doc; uf: Uf | undefined; de: string; ate: string }

type HistoricoDoEstado = { uf: Uf; autorizador: string; totais: TotaisSefaz; palavra: PalavraDaSefaz }

/** The history of a document. `dias` has every day of the period; it is empty where all states are asked. */
export type Historico = {
  estados: HistoricoDoEstado[]
  dias: { dia: string; totais: TotaisSefaz }[]
  /** Those that struck an authorizer that is asked about, the newest first. */
  incidentes: IncidenteContado[]
}

/** The answers of a board that are kept, each question once. A day more or less is another question. */
const MOST_KEPT = 50

type Achado = Omit<Historico, 'incidentes'> & { incidentes: readonly Incidente[] }

/** To read and count the days of all states takes 40 ms: it is done once a question, until the next round. */
const achados = new WeakMap<Quadro, LRUCache<string, Promise<Achado>>>()

export async function findHistorico(room: SefazRoom, pedido: HistoricoPedido): Promise<Historico> {
  const { incidentes, ...achado } = await findOnce(room, pedido)
  const agora = room.now().getTime()
  return { ...achado, incidentes: incidentes.map((incidente) => measureIncidente(incidente, agora)) }
}

function findOnce(room: SefazRoom, pedido: HistoricoPedido): Promise<Achado> {
  const quadro = currentQuadro(room)
  // Without a board of now nothing tells when another round was stored.
  if (!quadro) return readHistorico(room, pedido)
  const kept = achados.get(quadro) ?? new LRUCache<string, Promise<Achado>>({ max: MOST_KEPT })
  achados.set(quadro, kept)
  const question = JSON.stringify(pedido)
  const reading = kept.get(question) ?? readHistorico(room, pedido)
  kept.set(question, reading)
  reading.catch(() => kept.delete(question))
  return reading
}

async function readHistorico({ monitor }: SefazRoom, { doc, uf, de, ate }: HistoricoPedido): Promise<Achado> {
  const asked = autorizadores.filter((one) => one.doc === doc && (uf === undefined || one.ufs.includes(uf)))
  const ids = asked.map(({ id }) => id)
  const dias = await monitor.dias({ autorizadores: ids, de, ate })
  const periodo = { de: inicioDoDia(de), ate: inicioDoDia(diaDepois(ate, 1)) - 1 }
  const incidentes = await monitor.incidentes(periodo)
  const byAutorizador = Map.groupBy(dias, ({ autorizador }) => autorizador)
  const summed = new Map(ids.map((id) => [id, addUp(byAutorizador.get(id) ?? [])]))
  const struck = new Set(ids)
  return {
    estados: (uf === undefined ? ufs : [uf]).map((one) => {
      const { id, nome } = autorizadorOf(doc, one)
      return { uf: one, autorizador: nome, ...(summed.get(id) ?? addUp([])) }
    }),
    dias: uf === undefined ? [] : dayByDay(dias, diasEntre(de, ate)),
    incidentes: incidentes.filter(({ quedas }) => quedas.some(({ autorizador }) => struck.has(autorizador))),
  }
}

const addUp = (dias: readonly DiaSefaz[]) => ({ totais: totalize(dias), palavra: addUpPalavra(dias) })

function dayByDay(dias: readonly DiaSefaz[], all: readonly string[]): Historico['dias'] {
  const byDay = Map.groupBy(dias, ({ dia }) => dia)
  return all.map((dia) => ({ dia, totais: totalize(byDay.get(dia) ?? []) }))
}

type Periodo = { de: string; ate: string }

/** The last days where none is named. Else what is wrong with the parameter, in Portuguese. */
export function parsePeriodo(
  { de, ate }: { [day in keyof Periodo]: string | undefined },
  hoje: string,
): Periodo | { parameter: string; reason: string } {
  const last = ate ?? (de === undefined ? hoje : earlier(diaDepois(de, DIAS_GUARDADOS - 1), hoje))
  const first = de ?? diaDepois(last, 1 - DIAS_GUARDADOS)
  const late = `não pode ser depois de hoje, ${hoje} em Brasília`
  if (de !== undefined && de > hoje) return { parameter: 'de', reason: late }
  if (last > hoje) return { parameter: 'ate', reason: late }
  if (first > last) return { parameter: 'de', reason: `não pode ser depois de ate, ${last}` }
  const days = diasEntre(first, last).length
  if (days > DIAS_GUARDADOS)
    return {
      parameter: 'de',
      reason: `o período tem ${days} dias; peça no máximo ${DIAS_GUARDADOS} de cada vez`,
    }
  return { de: first, ate: last }
}

const earlier = (a: string, b: string): string => (a < b ? a : b)

/** How long a call waits for the first round, and for how long after the start there is one to wait for. */
const ESPERA_MS = 10_000
const COMECO_MS = 60_000

/** Whether a first round is to come, and the wait for its board, which whoever leaves ends. */
export type PrimeiraRodada = {
  isAwaited: () => boolean
  /** The board; undefined where none came in time. Throws the reason of `leaving`. */
  wait: (leaving: AbortSignal) => Promise<Quadro | undefined>
  close: () => void
}

/** Opens the wait of a process that just started, in which a first round begins at once. */
export function openPrimeiraRodada(room: SefazRoom): PrimeiraRodada {
  const { config, monitor } = room
  const begun = performance.now()
  const waiting = new Set<() => void>()
  let isOver = config.SEFAZ_MONITOR === 'desligado'
  const isAwaited = (): boolean => {
    isOver ||= performance.now() - begun > COMECO_MS || currentQuadro(room) !== undefined
    return !isOver
  }
  return {
    isAwaited,
    wait: async (leaving) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = monitor.onQuadro(({ parado }) => {
        if (!parado) resolve()
      })
      const timer = setTimeout(resolve, ESPERA_MS)
      waiting.add(resolve)
      try {
        await untilAborted(promise, leaving)
        return currentQuadro(room)
      } finally {
        clearTimeout(timer)
        waiting.delete(resolve)
        stop()
      }
    },
    close: () => {
      isOver = true
      for (const end of waiting) end()
    },
  }
}

/** What our own calls of the last 60 minutes say of a service. */
export const situacoesDoAmbiente = ['respondendo', 'instavel', 'falhando', 'sem_leitura'] as const

export type SituacaoDoAmbiente = (typeof situacoesDoAmbiente)[number]

type ServicoNacional = {
  servico: 'distribuicao' | 'eventos'
  fonte: string
  situacao: SituacaoDoAmbiente
  hora: UltimaHora
}

/**
 * By clients' calls: nobody probes these services, as each question counts against a certificate's holder.
 */
export async function findAmbienteNacional(room: SefazRoom): Promise<ServicoNacional[]> {
  const { db, ambiente, now } = room
  // The counts that this node has not written yet belong to the answer.
  await room.leituras.flush()
  const leituras = await listLeituras(db, { now: now(), ambiente })
  return (['distribuicao', 'eventos'] as const).map((servico) => {
    const fonte = fontesNfe[servico].source.id
    const hora = leituras.get(fonte) ?? semLeituras
    return { servico, fonte, situacao: situacaoOf(hora), hora }
  })
}

function situacaoOf({ consultas, sucessos }: UltimaHora): SituacaoDoAmbiente {
  if (consultas === 0) return 'sem_leitura'
  if (sucessos === 0) return 'falhando'
  return sucessos === consultas ? 'respondendo' : 'instavel'
}
