import type {
  DesfechoDoEvento,
  Evento,
  Manifestacao,
  RespostaDaDistribuicao,
  RespostaDoPortal,
  StatusNfe,
} from './rules.ts'
import {
  type Andamento,
  codigoDe,
  codigoOf,
  consultasSinceEvento,
  eventosOf,
  isEmitente,
  isInWindow,
  isOld,
  isRecent,
  isReleased,
  manifestacaoOf,
  respostaDaConsulta,
  wantsCiencia,
} from './rules.ts'

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
