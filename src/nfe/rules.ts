import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import type { Interessado } from '../platform/wire/certificado.ts'

/** The outcome of one key (specification, "NF-e XML `status` values"). */
export const statusNfe = [
  'ok',
  'somente_resumo',
  'nao_autorizado',
  'nao_encontrado',
  'fora_prazo',
  'chave_invalida',
  'erro',
  'cancelada',
] as const

export type StatusNfe = (typeof statusNfe)[number]

/**
 * The events that the service registers, by their `tpEvento` (leiauteConfRecebto_v1.00.xsd), with the
 * official name and the one that people read.
 */
export const eventos = {
  ciencia: { tpEvento: '210210', descEvento: 'Ciencia da Operacao', nome: 'Ciência da Operação' },
  confirmacao: { tpEvento: '210200', descEvento: 'Confirmacao da Operacao', nome: 'Confirmação da Operação' },
} as const

export type Evento = keyof typeof eventos

/** Their codes. */
export const tiposDeEvento = [eventos.ciencia.tpEvento, eventos.confirmacao.tpEvento] as const

export type TipoDeEvento = (typeof tiposDeEvento)[number]

/** What a call says of its event, sent or not (specification, "`manifestacao` values"). */
export const manifestacoes = [
  'ciencia_registrada',
  'ciencia_ja_registrada',
  'ciencia_fora_prazo',
  'ciencia_rejeitada',
  'ciencia_erro',
  'ciencia_nao_suportada',
  'confirmacao_registrada',
  'confirmacao_ja_registrada',
  'confirmacao_rejeitada',
  'confirmacao_erro',
  'confirmacao_nao_suportada',
] as const

export type Manifestacao = (typeof manifestacoes)[number]

/** A code of SEFAZ with its words. */
export type CodigoSefaz = { cStat: string; xMotivo: string }

/** No answer, or one that cannot be understood. */
export type SemResposta = {
  tipo: 'falha'
  /** A Portuguese sentence that names the source. */
  mensagem: string
  /** Set if asking again will not help: the certificate was refused, or the answer is not understood. */
  definitiva?: boolean
  /** Set if the call had no effect: it was not sent, did not arrive or was turned away at the door. */
  semEfeito?: boolean
}

/**
 * The answer of the national environment about a key (NT 2014.002 v1.21, 3.8 to 3.11), by its meaning to us.
 */
export type RespostaDaDistribuicao =
  | { tipo: 'xml'; xml: string }
  | {
      tipo: 'resumo'
      situacao: 'autorizada' | 'denegada' | 'cancelada'
      /** `dhRecbto` of the summary. The windows of the events count from it. */
      autorizacao: Date
    }
  | (CodigoSefaz & {
      tipo: /** 137, 217 */
        | 'nao-encontrada'
        /** 632 */
        | 'fora-prazo'
        /** 640 */
        | 'sem-permissao'
        /** 641: the issuer of a note does not get it here. */
        | 'emitente'
        /** 653, 654 */
        | 'cancelada'
        /** 236, 614 to 619 */
        | 'chave-invalida'
        /** 656. Without a code if the limit was known and nothing was asked. */
        | 'limitada'
        /** Any other code. */
        | 'recusada'
    })
  | SemResposta

/**
 * The answer of the national environment to an event (NT 2020.001 v1.50, 6.3). 128 is the lot's code, and is
 * not here.
 */
export type DesfechoDoEvento = ({ tipo: 'resposta' } & CodigoSefaz) | SemResposta

/** The answer of the national portal to a download with a certificate. */
export type RespostaDoPortal =
  | { tipo: 'xml'; xml: string }
  /** The portal answered without the note, in its own words. */
  | { tipo: 'negada'; texto: string }
  /**
   * The portal did not answer, or asks for a captcha that nobody solves here. The sentence names the portal;
   * `definitiva` as in `SemResposta`.
   */
  | { tipo: 'indisponivel'; mensagem: string; definitiva?: boolean }

/** One step of a call, with its outcome. */
export type Feito =
  | {
      passo: 'consulta'
      resposta: RespostaDaDistribuicao
      /** The query was in the name of the issuer, another establishment of the holder's company. */
      comoEmitente?: true
    }
  | { passo: Evento; desfecho: DesfechoDoEvento }
  | { passo: 'portal'; resposta: RespostaDoPortal }

const DIA_MS = 86_400_000

const brasilia = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The last second of a window of so many days: the same time of day in Brasília. */
export const fimDoPrazo = (de: Date, dias: number): Date => new Date(de.getTime() + dias * DIA_MS)

/** Whether `agora` is within so many days of an instant, to the second. */
export const noPrazo = (de: Date, dias: number, agora: Date): boolean =>
  Math.floor(agora.getTime() / 1000) <= Math.floor(fimDoPrazo(de, dias).getTime() / 1000)

/** The end of a window as people in Brazil read it: `31/12/2026, 23:59:59 (horário de Brasília)`. */
export const formatPrazo = (instante: Date): string => `${brasilia.format(instante)} (horário de Brasília)`

/** The same day and time in Brasília so many months later. In a month without that day, its last day. */
export function mesesDepois(de: Date, meses: number): Date {
  const local = new Date(de.getTime() + BRASILIA_OFFSET_MS)
  const dia = local.getUTCDate()
  local.setUTCDate(1)
  local.setUTCMonth(local.getUTCMonth() + meses)
  const ultimo = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
  local.setUTCDate(Math.min(dia, ultimo))
  return new Date(local.getTime() - BRASILIA_OFFSET_MS)
}

/** The first instant of a month in Brasília. `mes` counts from 1, and 13 is January of the next year. */
export const inicioDoMes = (ano: number, mes: number): Date =>
  new Date(Date.UTC(ano, mes - 1, 1) - BRASILIA_OFFSET_MS)

/** The state of a call for one note: all that decides its next step. */
export type Andamento = {
  /** Whether the caller authorizes the events. */
  manifestar: boolean
  /** Whether the certificate can sign an event. Only RSA keys can. */
  assina: boolean
  /** The party in whose name the note is asked for. */
  interessado: Pick<Interessado, 'tipo' | 'documento'>
  /** Whether the key names that party as the issuer. */
  emitente: boolean
  /**
   * Whether the key's issuer is another establishment of the holder's company. Then its name may be tried
   * too.
   */
  outroEmitente: boolean
  /** Whether the key, or the CNPJ in whose name it is asked for, has letters. */
  letras: boolean
  /** The month of issue, by the key. */
  mes: { ano: number; mes: number }
  /** The days from the authorization within which each event is accepted. */
  prazos: Record<Evento, number>
  agora: Date
  /** What was done, in order. Of an interrupted call only its events are known. */
  feitos: readonly Feito[]
}

/**
 * A note of this age or older gets no Ciência: the authority takes it for 10 days only (specification, step
 * 3).
 */
const MESES_DA_CIENCIA = 2

/** A note is authorized within so many days of its issue (MOC 7.0, Anexo I, rule of 228). */
const DIAS_ATE_AUTORIZAR = 30

/** The event was registered now. */
const REGISTRADA = ['135', '136']

/** The event was registered before. */
const JA_REGISTRADA = '573'

/** The event stands, or (655) another concluding event stands in its place. */
const LIBERAM = [...REGISTRADA, JA_REGISTRADA, '655']

export type EventoFeito = Extract<Feito, { desfecho: DesfechoDoEvento }>

const isEvento = (feito: Feito): feito is EventoFeito => 'desfecho' in feito

/** The events that were sent, in order. */
export const eventosOf = ({ feitos }: Pick<Andamento, 'feitos'>): EventoFeito[] => feitos.filter(isEvento)

/** The code of an event's answer. Empty if it got none. */
export const codigoDe = (feito: EventoFeito | undefined): string =>
  feito?.desfecho.tipo === 'resposta' ? feito.desfecho.cStat : ''

/** The code of this event's last answer. Empty if it was not sent, or not answered. */
export const codigoOf = (andamento: Andamento, evento: Evento): string =>
  codigoDe(eventosOf(andamento).findLast(({ passo }) => passo === evento))

/** How often the note was looked for since the last event. */
export const consultasSinceEvento = ({ feitos }: Andamento): number =>
  feitos.slice(feitos.findLastIndex(isEvento) + 1).filter(({ passo }) => passo === 'consulta').length

/** The last answer of the national environment about the key. */
export const respostaDaConsulta = ({ feitos }: Andamento): RespostaDaDistribuicao | undefined =>
  feitos.findLast((feito) => feito.passo === 'consulta')?.resposta

/** Whether this event stands, registered by this call or before it. */
export const isRegistrado = (evento: EventoFeito): boolean =>
  [...REGISTRADA, JA_REGISTRADA].includes(codigoDe(evento))

/** Whether this event may stand. One that got no answer may. */
export const mayStand = (evento: EventoFeito): boolean =>
  evento.desfecho.tipo === 'falha' ? !evento.desfecho.semEfeito : isRegistrado(evento)

/** Whether an event with this code releases the note. */
export const isLiberado = (cStat: string): boolean => LIBERAM.includes(cStat)

/** Whether an event stands that releases the note. */
export const isReleased = (andamento: Andamento): boolean =>
  eventosOf(andamento).some((evento) => isLiberado(codigoDe(evento)))

/** Whether the last query was in the issuer's name. The issuer is no recipient, so it never manifests. */
export const isEmitente = ({ emitente, feitos }: Andamento): boolean =>
  emitente || feitos.some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** Whether the query was repeated in the issuer's name. Then the result before it does not count. */
export const isRefeita = (feitos: readonly Feito[], at: number): boolean =>
  feitos[at]?.passo === 'consulta' &&
  feitos.slice(at + 1).some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** The instant of the authorization, to the second, if a summary told it. */
export function autorizacaoOf({ feitos }: Andamento): Date | undefined {
  for (const feito of feitos)
    if (feito.passo === 'consulta' && feito.resposta.tipo === 'resumo') return feito.resposta.autorizacao
  return undefined
}

/**
 * Whether the note is over two months old, by the calendar of Brasília: from its authorization, else from the
 * latest one that its key allows. 632 means as much: the national environment keeps a note for 90 days (NT
 * 2014.002 v1.21, 3.11).
 */
export function isOld(andamento: Andamento): boolean {
  if (respostaDaConsulta(andamento)?.tipo === 'fora-prazo') return true
  const { ano, mes } = andamento.mes
  const autorizacao = autorizacaoOf(andamento) ?? fimDoPrazo(inicioDoMes(ano, mes + 1), DIAS_ATE_AUTORIZAR)
  return mesesDepois(autorizacao, MESES_DA_CIENCIA) < andamento.agora
}

/** Whether the note may have been authorized just now, by the month of its key. */
export const isRecent = ({ mes, agora }: Andamento): boolean =>
  noPrazo(inicioDoMes(mes.ano, mes.mes + 1), DIAS_ATE_AUTORIZAR, agora)

/**
 * Whether an event is surely within its window: from the authorization, else from the earliest one that the
 * key allows.
 */
export function isInWindow(andamento: Andamento, evento: Evento): boolean {
  const { mes, prazos, agora } = andamento
  return noPrazo(autorizacaoOf(andamento) ?? inicioDoMes(mes.ano, mes.mes), prazos[evento], agora)
}

/** What the answer says of the last event (specification, "`manifestacao` values"). Null if none was sent. */
export function manifestacaoOf(andamento: Andamento): Manifestacao | null {
  const last = eventosOf(andamento).at(-1)
  if (!last) return isUnsigned(andamento) ? 'ciencia_nao_suportada' : null
  const { passo, desfecho } = last
  if (desfecho.tipo === 'falha') return `${passo}_erro`
  if (REGISTRADA.includes(desfecho.cStat)) return `${passo}_registrada`
  if (desfecho.cStat === JA_REGISTRADA) return `${passo}_ja_registrada`
  return passo === 'ciencia' && desfecho.cStat === '596' ? 'ciencia_fora_prazo' : `${passo}_rejeitada`
}

/** Whether the Ciência may be registered, by the caller's wish and the note's age. */
export const wantsCiencia = (andamento: Andamento): boolean =>
  andamento.manifestar && !isEmitente(andamento) && !isOld(andamento)

/**
 * Whether a limited certificate lacks the RSA key. It would have registered the Ciência before it asked the
 * portal.
 */
const isUnsigned = (andamento: Andamento): boolean =>
  respostaDaConsulta(andamento)?.tipo === 'limitada' && !andamento.assina && wantsCiencia(andamento)
