import {
  type Andamento,
  codigoDe,
  codigoOf,
  consultasSinceEvento,
  eventosOf,
  isEmitente,
  isInWindow,
  isOld,
  isReleased,
  manifestacaoOf,
  respostaDaConsulta,
  wantsCiencia,
} from './andamento.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Manifestacao,
  RespostaDaDistribuicao,
  RespostaDoPortal,
  StatusNfe,
} from './nfe.ts'

/** What to do next; `responder` is the last. */
export type Passo =
  | {
      fazer: 'consultar' /** A pause before it, for what was just registered to take effect. */
      depoisDeMs: number
      /** In the name of the key's issuer. */
      comoEmitente?: true
    }
  | { fazer: Evento }
  | { fazer: 'portal' }
  | DesfechoDaNota

/** How a call ends. */
export type DesfechoDaNota = {
  fazer: 'responder'
  status: StatusNfe
  manifestacao: Manifestacao | null
  /** Why, for the message: see nfe-mensagem.ts. */
  motivo: Motivo
  /** Whether asking again later may bring the XML. */
  tentarDeNovo: boolean
}

/** Why a call ends as it does. */
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

/** After an event the note may take a moment to be released: it is looked for at once and, once more, after this. */
const PAUSA_MS = 2000

/** Ciência of a note that is cancelled or denied. */
const NOTA_CANCELADA = '650'

/** Ciência after an event that concludes. Had that one released the note, there would have been no Ciência to send. */
const JA_CONCLUIDA = '655'

/** The event came after its window. */
const FORA_DO_PRAZO = '596'

/** The event's author is not the recipient. */
const NAO_DESTINATARIO = '575'

/** Paused (108, 109), used too often (656), uncatalogued (999): these pass. */
const PASSAM = ['108', '109', '656', '999']

/**
 * The specification's "NF-e retrieval flow with automatic manifestation", as one decision: what was done so far in, the next
 * step out. The Confirmação, which cannot be undone and keeps the issuer from cancelling, is sent only after the authority
 * itself refused the Ciência for its window (596), or over two months after the authorization; never after another refusal.
 */
export function proximoPasso(andamento: Andamento): Passo {
  const ultimo = andamento.feitos.at(-1)
  const consulta = respostaDaConsulta(andamento)
  if (!ultimo || !consulta) return { fazer: 'consultar', depoisDeMs: 0 }
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
      return responder(andamento, 'ok', 'xml')
    case 'resumo':
      return resposta.situacao === 'autorizada'
        ? afterResumo(andamento)
        : responder(andamento, 'cancelada', 'cancelada')
    case 'limitada':
      return afterLimite(andamento)
    case 'fora-prazo':
    case 'emitente':
      return { fazer: 'portal' }
    case 'nao-encontrada':
      // A query that came too soon after the event was answered so (seen in 2026): what was registered, it knows.
      return isReleased(andamento)
        ? lookAgain(andamento)
        : responder(andamento, 'nao_encontrado', 'nao-encontrada')
    case 'sem-permissao':
      // The holder is no party to the note. If another of its CNPJs may be the issuer, the query is repeated
      // for that one.
      return andamento.outroEmitente && !isEmitente(andamento)
        ? { fazer: 'consultar', depoisDeMs: 0, comoEmitente: true }
        : responder(andamento, 'nao_autorizado', 'sem-permissao')
    case 'cancelada':
      return responder(andamento, 'cancelada', 'cancelada')
    case 'chave-invalida':
      return responder(andamento, 'chave_invalida', 'chave-invalida')
    case 'recusada':
      return responder(andamento, 'erro', 'recusada', PASSAM.includes(resposta.cStat))
    case 'falha':
      return responder(andamento, 'erro', 'falha', !resposta.definitiva)
  }
}

function afterResumo(andamento: Andamento): Passo {
  if (isReleased(andamento)) return lookAgain(andamento)
  // Whoever issued the note is no recipient, and the portal serves it.
  if (isEmitente(andamento)) return { fazer: 'portal' }
  if (!andamento.manifestar) return responder(andamento, 'somente_resumo', 'sem-manifestar')
  if (!isInWindow(andamento, 'confirmacao')) return responder(andamento, 'somente_resumo', 'passou-do-prazo')
  // A code is known here of an interrupted call only.
  const ciencia = codigoOf(andamento, 'ciencia')
  if (isOld(andamento) || ciencia === FORA_DO_PRAZO) return { fazer: 'portal' }
  if (ciencia) return responder(andamento, 'somente_resumo', 'evento-rejeitado', PASSAM.includes(ciencia))
  return andamento.assina
    ? { fazer: 'ciencia' }
    : responder(andamento, 'somente_resumo', 'evento-nao-suportado', false, 'ciencia_nao_suportada')
}

/** What an event released is still only a summary, or not there yet. */
function lookAgain(andamento: Andamento): Passo {
  if (codigoOf(andamento, 'ciencia') === JA_CONCLUIDA)
    return responder(andamento, 'somente_resumo', 'evento-rejeitado')
  if (consultasSinceEvento(andamento) < 2) return { fazer: 'consultar', depoisDeMs: PAUSA_MS }
  return responder(andamento, 'somente_resumo', 'nao-liberada-ainda', true)
}

/** Step 5: with its queries limited, the certificate may still register the event, and ask the portal. */
function afterLimite(andamento: Andamento): Passo {
  const mayTry = andamento.assina && wantsCiencia(andamento)
  return mayTry && codigoOf(andamento, 'ciencia') === '' ? { fazer: 'ciencia' } : { fazer: 'portal' }
}

function afterEvento(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  evento: Evento,
  desfecho: DesfechoDoEvento,
): Passo {
  const cStat = desfecho.tipo === 'resposta' ? desfecho.cStat : ''
  if (cStat === NOTA_CANCELADA) return responder(andamento, 'cancelada', 'cancelada')
  const limited = consulta.tipo === 'limitada'
  if (isReleased(andamento))
    return limited || consulta.tipo === 'fora-prazo'
      ? { fazer: 'portal' }
      : { fazer: 'consultar', depoisDeMs: 0 }
  if (evento === 'ciencia' && (limited || cStat === FORA_DO_PRAZO)) return { fazer: 'portal' }
  if (desfecho.tipo === 'falha') return responder(andamento, 'erro', 'evento-falhou', !desfecho.definitiva)
  return responder(andamento, statusWithout(consulta), 'evento-rejeitado', PASSAM.includes(cStat))
}

function afterPortal(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  resposta: RespostaDoPortal,
): Passo {
  if (resposta.tipo === 'xml') return responder(andamento, 'ok', 'xml')
  const status = statusWithout(consulta)
  if (resposta.tipo === 'indisponivel') return responder(andamento, status, 'portal-indisponivel', true)
  if (!mayConfirm(andamento, consulta)) return afterRefusal(andamento, consulta)
  return andamento.assina
    ? { fazer: 'confirmacao' }
    : responder(andamento, status, 'evento-nao-suportado', false, 'confirmacao_nao_suportada')
}

/** Step 3: the portal answered without releasing, and the Ciência was refused for its window or the note is over two months old. */
function mayConfirm(andamento: Andamento, { tipo }: RespostaDaDistribuicao): boolean {
  if (!andamento.manifestar || isEmitente(andamento) || tipo === 'emitente') return false
  if (isReleased(andamento) || codigoOf(andamento, 'confirmacao') !== '') return false
  if (!isInWindow(andamento, 'confirmacao')) return false
  return isOld(andamento) || codigoOf(andamento, 'ciencia') === FORA_DO_PRAZO
}

/** The portal answered and did not release the note, and no event may help. */
function afterRefusal(andamento: Andamento, consulta: RespostaDaDistribuicao): DesfechoDaNota {
  const status = statusWithout(consulta)
  if (isReleased(andamento)) return responder(andamento, status, 'nao-liberada-ainda', true)
  const last = eventosOf(andamento).at(-1)
  if (last?.desfecho.tipo === 'falha')
    return responder(andamento, 'erro', 'evento-falhou', !last.desfecho.definitiva)
  // The portal refuses its issuer: no participant is what it is not.
  if (consulta.tipo === 'emitente') return responder(andamento, 'erro', 'portal-negou')
  if (consulta.tipo !== 'limitada') return responder(andamento, status, 'portal-negou')
  if (codigoDe(last) === NAO_DESTINATARIO) return responder(andamento, 'nao_autorizado', 'portal-negou')
  // Nothing was learnt of the note, and no event was tried: the query failed, and may succeed later.
  const isUnknown = !andamento.manifestar || isEmitente(andamento)
  return responder(andamento, isUnknown ? 'erro' : status, 'portal-negou', true)
}

/** What a call without the XML is told where the authority has its own word for it. */
const statusWithout = ({ tipo }: RespostaDaDistribuicao): StatusNfe =>
  tipo === 'fora-prazo' ? 'fora_prazo' : 'somente_resumo'

function responder(
  andamento: Andamento,
  status: StatusNfe,
  motivo: Motivo,
  tentarDeNovo = false,
  manifestacao: Manifestacao | null = manifestacaoOf(andamento),
): DesfechoDaNota {
  return { fazer: 'responder', status, manifestacao, motivo, tentarDeNovo }
}
