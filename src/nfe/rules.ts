import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import type { Interessado } from '../platform/wire/certificado.ts'

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

/** By `tpEvento` (leiauteConfRecebto_v1.00.xsd), with the official name and the one that people read. */
export const eventos = {
  ciencia: { tpEvento: '210210', descEvento: 'Ciencia da Operacao', nome: 'Ciência da Operação' },
  confirmacao: { tpEvento: '210200', descEvento: 'Confirmacao da Operacao', nome: 'Confirmação da Operação' },
} as const

export type Evento = keyof typeof eventos

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

export type CodigoSefaz = { cStat: string; xMotivo: string }

export type SemResposta = {
  tipo: 'falha'
  mensagem: string
  /** Set if asking again will not help: the certificate was refused, or the answer is not understood. */
  definitiva?: boolean
  /** Set if the call had no effect: it was not sent, did not arrive or was turned away at the door. */
  semEfeito?: boolean
}

/** By its meaning to us (NT 2014.002 v1.21, 3.8 to 3.11). */
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

/** NT 2020.001 v1.50, 6.3. 128 is the lot's code, and is not here. */
export type DesfechoDoEvento = ({ tipo: 'resposta' } & CodigoSefaz) | SemResposta

export type RespostaDoPortal =
  | { tipo: 'xml'; xml: string }
  | { tipo: 'negada'; texto: string }
  /** The sentence names the portal; `definitiva` as in `SemResposta`. */
  | { tipo: 'indisponivel'; mensagem: string; definitiva?: boolean }

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

export const fimDoPrazo = (de: Date, dias: number): Date => new Date(de.getTime() + dias * DIA_MS)

export const noPrazo = (de: Date, dias: number, agora: Date): boolean =>
  Math.floor(agora.getTime() / 1000) <= Math.floor(fimDoPrazo(de, dias).getTime() / 1000)

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

export const inicioDoMes = (ano: number, mes: number): Date =>
  new Date(Date.UTC(ano, mes - 1, 1) - BRASILIA_OFFSET_MS)

export type Andamento = {
  manifestar: boolean
  /** Whether the certificate can sign an event. Only RSA keys can. */
  canSign: boolean
  interessado: Pick<Interessado, 'tipo' | 'documento'>
  emitente: boolean
  /** Another establishment of the holder's company: its name may be tried too. */
  outroEmitente: boolean
  letras: boolean
  mes: { ano: number; mes: number }
  prazos: Record<Evento, number>
  agora: Date
  /** What was done, in order. Of an interrupted call only its events are known. */
  feitos: readonly Feito[]
}

/** The authority takes a Ciência for 10 days only (specification, step 3). */
const MESES_DA_CIENCIA = 2

/** A note is authorized within so many days of its issue (MOC 7.0, Anexo I, rule of 228). */
const DIAS_ATE_AUTORIZAR = 30

const REGISTRADA = ['135', '136']

const JA_REGISTRADA = '573'

/** The event stands, or (655) another concluding event stands in its place. */
const LIBERAM = [...REGISTRADA, JA_REGISTRADA, '655']

export type EventoFeito = Extract<Feito, { desfecho: DesfechoDoEvento }>

const isEvento = (feito: Feito): feito is EventoFeito => 'desfecho' in feito

export const eventosOf = ({ feitos }: Pick<Andamento, 'feitos'>): EventoFeito[] => feitos.filter(isEvento)

export const codigoDe = (feito: EventoFeito | undefined): string =>
  feito?.desfecho.tipo === 'resposta' ? feito.desfecho.cStat : ''

export const codigoOf = (andamento: Andamento, evento: Evento): string =>
  codigoDe(eventosOf(andamento).findLast(({ passo }) => passo === evento))

export const consultasSinceEvento = ({ feitos }: Andamento): number =>
  feitos.slice(feitos.findLastIndex(isEvento) + 1).filter(({ passo }) => passo === 'consulta').length

export const respostaDaConsulta = ({ feitos }: Andamento): RespostaDaDistribuicao | undefined =>
  feitos.findLast((feito) => feito.passo === 'consulta')?.resposta

/** Whether this event stands, registered by this call or before it. */
export const isRegistrado = (evento: EventoFeito): boolean =>
  [...REGISTRADA, JA_REGISTRADA].includes(codigoDe(evento))

/** Whether this event may stand. One that got no answer may. */
export const mayStand = (evento: EventoFeito): boolean =>
  evento.desfecho.tipo === 'falha' ? !evento.desfecho.semEfeito : isRegistrado(evento)

export const isLiberado = (cStat: string): boolean => LIBERAM.includes(cStat)

export const isReleased = (andamento: Andamento): boolean =>
  eventosOf(andamento).some((evento) => isLiberado(codigoDe(evento)))

/** Whether the last query was in the issuer's name. The issuer is no recipient, so it never manifests. */
export const isEmitente = ({ emitente, feitos }: Andamento): boolean =>
  emitente || feitos.some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** Whether the query was repeated in the issuer's name. Then the result before it does not count. */
export const isRefeita = (feitos: readonly Feito[], at: number): boolean =>
  feitos[at]?.passo === 'consulta' &&
  feitos.slice(at + 1).some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

export function autorizacaoOf({ feitos }: Andamento): Date | undefined {
  for (const feito of feitos)
    if (feito.passo === 'consulta' && feito.resposta.tipo === 'resumo') return feito.resposta.autorizacao
  return undefined
}

/**
 * From the authorization, else from the latest one that the key allows. 632 means as much: a note is kept for
 * 90 days (NT 2014.002 v1.21, 3.11).
 */
export function isOld(andamento: Andamento): boolean {
  if (respostaDaConsulta(andamento)?.tipo === 'fora-prazo') return true
  const { ano, mes } = andamento.mes
  const autorizacao = autorizacaoOf(andamento) ?? fimDoPrazo(inicioDoMes(ano, mes + 1), DIAS_ATE_AUTORIZAR)
  return mesesDepois(autorizacao, MESES_DA_CIENCIA) < andamento.agora
}

export const isRecent = ({ mes, agora }: Andamento): boolean =>
  noPrazo(inicioDoMes(mes.ano, mes.mes + 1), DIAS_ATE_AUTORIZAR, agora)

/** From the authorization, else from the earliest one that the key allows. */
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

export const wantsCiencia = (andamento: Andamento): boolean =>
  andamento.manifestar && !isEmitente(andamento) && !isOld(andamento)

/** It would have registered the Ciência before it asked the portal. */
const isUnsigned = (andamento: Andamento): boolean =>
  respostaDaConsulta(andamento)?.tipo === 'limitada' && !andamento.canSign && wantsCiencia(andamento)
