import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import { dateFormat } from '../documento/formato.ts'
import type { Interessado } from '../platform/wire/certificado.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  Manifestacao,
  RespostaDaDistribuicao,
  RespostaDoPortal,
  StatusNfe,
} from './rules.ts'

const DIA_MS = 86_400_000

const brasilia = dateFormat({ dateStyle: 'short', timeStyle: 'medium' })

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

const consultasSinceEvento = ({ feitos }: Andamento): number =>
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

const isReleased = (andamento: Andamento): boolean =>
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

const isRecent = ({ mes, agora }: Andamento): boolean =>
  noPrazo(inicioDoMes(mes.ano, mes.mes + 1), DIAS_ATE_AUTORIZAR, agora)

/** From the authorization, else from the earliest one that the key allows. */
export function isInWindow(andamento: Andamento, evento: Evento): boolean {
  const { mes, prazos, agora } = andamento
  return noPrazo(autorizacaoOf(andamento) ?? inicioDoMes(mes.ano, mes.mes), prazos[evento], agora)
}

/** What the answer says of the last event (specification, "`manifestacao` values"). Null if none was sent. */
function manifestacaoOf(andamento: Andamento): Manifestacao | null {
  const last = eventosOf(andamento).at(-1)
  if (!last) return isUnsigned(andamento) ? 'ciencia_nao_suportada' : null
  const { passo, desfecho } = last
  if (desfecho.tipo === 'falha') return `${passo}_erro`
  if (REGISTRADA.includes(desfecho.cStat)) return `${passo}_registrada`
  if (desfecho.cStat === JA_REGISTRADA) return `${passo}_ja_registrada`
  return passo === 'ciencia' && desfecho.cStat === FORA_DO_PRAZO ? 'ciencia_fora_prazo' : `${passo}_rejeitada`
}

const wantsCiencia = (andamento: Andamento): boolean =>
  andamento.manifestar && !isEmitente(andamento) && !isOld(andamento)

/** It would have registered the Ciência before it asked the portal. */
const isUnsigned = (andamento: Andamento): boolean =>
  respostaDaConsulta(andamento)?.tipo === 'limitada' && !andamento.canSign && wantsCiencia(andamento)

export function xmlOf(feitos: readonly Feito[]): string | null {
  const last = feitos.at(-1)
  return last && 'resposta' in last && last.resposta.tipo === 'xml' ? last.resposta.xml : null
}

export type Passo =
  | {
      tipo: 'consultar' /** A pause before the step, until what was just registered takes effect. */
      depoisDeMs: number
      /** The step is taken in the name of the key's issuer. */
      comoEmitente?: true
    }
  | { tipo: Evento }
  | { tipo: 'portal' }
  | DesfechoDaNota

export type DesfechoDaNota = {
  tipo: 'responder'
  status: StatusNfe
  manifestacao: Manifestacao | null
  motivo: Motivo
  mayRetry: boolean
}

export type Motivo =
  | 'xml'
  | 'sem-manifestar'
  | 'passou-do-prazo'
  | 'nao-liberada-ainda'
  | 'evento-rejeitado'
  | 'evento-falhou'
  | 'evento-nao-suportado'
  | 'portal-indisponivel'
  | 'portal-negou'
  | 'cancelada'
  | 'nao-encontrada'
  | 'sem-permissao'
  | 'chave-invalida'
  | 'recusada'
  | 'falha'

const PAUSA_MS = 2000

/** These refuse a Ciência because the note is cancelled or denied. */
const NOTA_CANCELADA = '650'

/** Had the concluding event released the note, no Ciência would have been sent. */
const JA_CONCLUIDA = '655'

/** The event came after its window. */
const FORA_DO_PRAZO = '596'

/** The event's author is not the recipient. */
const NAO_DESTINATARIO = '575'

/** These pass: paused (108, 109), used too often (656), uncatalogued (999). */
const PASSAM = ['108', '109', '656', '999']

/**
 * Specification, "NF-e retrieval flow with automatic manifestation". The Confirmação keeps the issuer from
 * cancelling: it follows only a Ciência refused for its window (596), or comes over two months later.
 */
export function proximoPasso(andamento: Andamento): Passo {
  const ultimo = andamento.feitos.at(-1)
  const consulta = respostaDaConsulta(andamento)
  if (!ultimo || !consulta) return { tipo: 'consultar', depoisDeMs: 0 }
  switch (ultimo.passo) {
    case 'consulta':
      return afterConsulta(andamento, ultimo.resposta)
    case 'portal':
      return afterPortal(andamento, consulta, ultimo.resposta)
    default:
      return afterEvento(andamento, consulta, ultimo.passo, ultimo.desfecho)
  }
}

function afterConsulta(andamento: Andamento, resposta: RespostaDaDistribuicao): Passo {
  switch (resposta.tipo) {
    case 'xml':
      return respond(andamento, 'ok', 'xml')
    case 'resumo':
      return resposta.situacao === 'autorizada'
        ? afterResumo(andamento)
        : respond(andamento, 'cancelada', 'cancelada')
    case 'limitada':
      return afterLimite(andamento)
    case 'fora-prazo':
    case 'emitente':
      return { tipo: 'portal' }
    case 'nao-encontrada':
      // A query too soon after the event gets these codes (seen in 2026), although the note exists.
      return isReleased(andamento)
        ? lookAgain(andamento)
        : respond(andamento, 'nao_encontrado', 'nao-encontrada', isRecent(andamento))
    case 'sem-permissao':
      // If another CNPJ of its company may be the issuer, the query is repeated in its name.
      return andamento.outroEmitente && !isEmitente(andamento)
        ? { tipo: 'consultar', depoisDeMs: 0, comoEmitente: true }
        : respond(andamento, 'nao_autorizado', 'sem-permissao')
    case 'cancelada':
      return respond(andamento, 'cancelada', 'cancelada')
    case 'chave-invalida':
      return respond(andamento, 'chave_invalida', 'chave-invalida')
    case 'recusada':
      return respond(andamento, 'erro', 'recusada', PASSAM.includes(resposta.cStat))
    case 'falha':
      return respond(andamento, 'erro', 'falha', !resposta.definitiva)
  }
}

function afterResumo(andamento: Andamento): Passo {
  if (isReleased(andamento)) return lookAgain(andamento)
  // The issuer of a note is no recipient, and the portal serves it.
  if (isEmitente(andamento)) return { tipo: 'portal' }
  if (!andamento.manifestar) return respond(andamento, 'somente_resumo', 'sem-manifestar')
  if (!isInWindow(andamento, 'confirmacao')) return respond(andamento, 'somente_resumo', 'passou-do-prazo')
  // Only of an interrupted call is a code known here.
  const ciencia = codigoOf(andamento, 'ciencia')
  if (isOld(andamento) || ciencia === FORA_DO_PRAZO) return { tipo: 'portal' }
  if (ciencia) return respond(andamento, 'somente_resumo', 'evento-rejeitado', PASSAM.includes(ciencia))
  return andamento.canSign
    ? { tipo: 'ciencia' }
    : respond(andamento, 'somente_resumo', 'evento-nao-suportado', false, 'ciencia_nao_suportada')
}

function lookAgain(andamento: Andamento): Passo {
  if (codigoOf(andamento, 'ciencia') === JA_CONCLUIDA)
    return respond(andamento, 'somente_resumo', 'evento-rejeitado')
  if (consultasSinceEvento(andamento) < 2) return { tipo: 'consultar', depoisDeMs: PAUSA_MS }
  return respond(andamento, 'somente_resumo', 'nao-liberada-ainda', true)
}

/** Step 5: with its queries limited, the certificate may still register the event and ask the portal. */
function afterLimite(andamento: Andamento): Passo {
  const mayTry = andamento.canSign && wantsCiencia(andamento)
  return mayTry && codigoOf(andamento, 'ciencia') === '' ? { tipo: 'ciencia' } : { tipo: 'portal' }
}

function afterEvento(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  evento: Evento,
  desfecho: DesfechoDoEvento,
): Passo {
  const cStat = desfecho.tipo === 'resposta' ? desfecho.cStat : ''
  if (cStat === NOTA_CANCELADA) return respond(andamento, 'cancelada', 'cancelada')
  const limited = consulta.tipo === 'limitada'
  if (isReleased(andamento))
    return limited || consulta.tipo === 'fora-prazo'
      ? { tipo: 'portal' }
      : { tipo: 'consultar', depoisDeMs: 0 }
  if (evento === 'ciencia' && (limited || cStat === FORA_DO_PRAZO)) return { tipo: 'portal' }
  if (desfecho.tipo === 'falha') return respond(andamento, 'erro', 'evento-falhou', !desfecho.definitiva)
  return respond(andamento, statusWithout(consulta), 'evento-rejeitado', PASSAM.includes(cStat))
}

function afterPortal(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  resposta: RespostaDoPortal,
): Passo {
  if (resposta.tipo === 'xml') return respond(andamento, 'ok', 'xml')
  const status = statusWithout(consulta)
  if (resposta.tipo === 'indisponivel') {
    // Once the limit is over, the note may come without the portal.
    const mayPass = !resposta.definitiva || consulta.tipo === 'limitada'
    return respond(andamento, status, 'portal-indisponivel', mayPass)
  }
  if (!mayConfirm(andamento, consulta)) return afterRefusal(andamento, consulta)
  return andamento.canSign
    ? { tipo: 'confirmacao' }
    : respond(andamento, status, 'evento-nao-suportado', false, 'confirmacao_nao_suportada')
}

/** Step 3: the Ciência was refused for its window, or the note is over two months old. */
function mayConfirm(andamento: Andamento, { tipo }: RespostaDaDistribuicao): boolean {
  if (!andamento.manifestar || isEmitente(andamento) || tipo === 'emitente') return false
  if (isReleased(andamento) || codigoOf(andamento, 'confirmacao') !== '') return false
  if (!isInWindow(andamento, 'confirmacao')) return false
  return isOld(andamento) || codigoOf(andamento, 'ciencia') === FORA_DO_PRAZO
}

function afterRefusal(andamento: Andamento, consulta: RespostaDaDistribuicao): DesfechoDaNota {
  const status = statusWithout(consulta)
  if (isReleased(andamento)) return respond(andamento, status, 'nao-liberada-ainda', true)
  const last = eventosOf(andamento).at(-1)
  if (last?.desfecho.tipo === 'falha')
    return respond(andamento, 'erro', 'evento-falhou', !last.desfecho.definitiva)
  // The portal refuses the note's issuer. So the reason is not that it is no participant.
  if (consulta.tipo === 'emitente') return respond(andamento, 'erro', 'portal-negou')
  if (consulta.tipo !== 'limitada') return respond(andamento, status, 'portal-negou')
  if (codigoDe(last) === NAO_DESTINATARIO) return respond(andamento, 'nao_autorizado', 'portal-negou')
  // The query failed, so nothing is known of the note and no event was tried. It may succeed later.
  const isUnknown = !andamento.manifestar || isEmitente(andamento)
  return respond(andamento, isUnknown ? 'erro' : status, 'portal-negou', true)
}

const statusWithout = ({ tipo }: RespostaDaDistribuicao): StatusNfe =>
  tipo === 'fora-prazo' ? 'fora_prazo' : 'somente_resumo'

function respond(
  andamento: Andamento,
  status: StatusNfe,
  motivo: Motivo,
  mayRetry = false,
  manifestacao: Manifestacao | null = manifestacaoOf(andamento),
): DesfechoDaNota {
  return { tipo: 'responder', status, manifestacao, motivo, mayRetry }
}

export type Fim = { andamento: Andamento; desfecho: DesfechoDaNota }
