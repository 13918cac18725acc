import {
  type Andamento,
  autorizacaoOf,
  codigoDe,
  consultaOf,
  eventosOf,
  isOld,
  isReleased,
  manifestacaoOf,
  sinceEvento,
} from './andamento.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Manifestacao,
  RespostaDaDistribuicao,
  RespostaDoPortal,
  StatusNfe,
} from './nfe.ts'
import { noPrazo } from './prazo.ts'

/** What to do next; `responder` is the last. */
export type Passo =
  | {
      fazer: 'consultar' /** A pause before it, for what was just registered to take effect. */
      depoisDeMs: number
    }
  | { fazer: Evento }
  | { fazer: 'portal' }
  | Desfecho

/** How a call ends. */
export type Desfecho = {
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
  | 'passou-de-180-dias'
  | 'nao-liberada-ainda'
  | 'evento-rejeitado'
  | 'evento-falhou'
  | 'evento-nao-suportado'
  | 'portal-indisponivel'
  | 'portal-negou'
  | 'cancelada'
  | 'fora-prazo'
  | 'nao-encontrada'
  | 'sem-permissao'
  | 'chave-invalida'
  | 'recusada'
  | 'falha'

/** After an event the note may take a moment to be released; each look costs one of the holder's 20 queries an hour. */
const PAUSAS_MS = [0, 2000]

/** Ciência of a note that is cancelled or denied. */
const NOTA_CANCELADA = '650'

/**
 * The specification's "NF-e retrieval flow with automatic manifestation", as one decision: what was done so far in, the next
 * step out. The Confirmação, which cannot be undone and keeps the issuer from cancelling, is sent only after the authority
 * itself refused the Ciência for its window (596), or over two months after the authorization; never after another refusal.
 */
export function proximoPasso(andamento: Andamento): Passo {
  const ultimo = andamento.feitos.at(-1)
  const consulta = consultaOf(andamento)
  // Of a call that was interrupted only the events are known.
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
      return afterResumo(andamento, resposta)
    case 'limitada':
      return afterLimite(andamento)
    case 'fora-prazo':
    case 'emitente':
      return lookAtPortal(andamento)
    case 'nao-encontrada':
      return responder(andamento, 'nao_encontrado', 'nao-encontrada')
    case 'sem-permissao':
      return responder(andamento, 'nao_autorizado', 'sem-permissao')
    case 'cancelada':
      return responder(andamento, 'cancelada', 'cancelada')
    case 'chave-invalida':
      return responder(andamento, 'chave_invalida', 'chave-invalida')
    case 'recusada':
      return responder(andamento, 'erro', 'recusada')
    case 'falha':
      return responder(andamento, 'erro', 'falha', true)
  }
}

function afterResumo(
  andamento: Andamento,
  { situacao, autorizacao }: Extract<RespostaDaDistribuicao, { tipo: 'resumo' }>,
): Passo {
  const { manifestar, assina, prazos, agora } = andamento
  if (situacao !== 'autorizada') return responder(andamento, 'cancelada', 'cancelada')
  if (isReleased(andamento)) return lookAgain(andamento)
  if (!manifestar) return responder(andamento, 'somente_resumo', 'sem-manifestar')
  if (!noPrazo(autorizacao, prazos.confirmacao, agora))
    return responder(andamento, 'somente_resumo', 'passou-de-180-dias')
  if (isOld(andamento)) return { fazer: 'portal' }
  return assina
    ? { fazer: 'ciencia' }
    : responder(andamento, 'somente_resumo', 'evento-nao-suportado', false, 'ciencia_nao_suportada')
}

/** What an event released, looked for again now and once more after a pause. */
function lookAgain(andamento: Andamento): Passo {
  const depoisDeMs = PAUSAS_MS[sinceEvento(andamento, 'consulta')]
  if (depoisDeMs !== undefined) return { fazer: 'consultar', depoisDeMs }
  return responder(andamento, 'somente_resumo', 'nao-liberada-ainda', true)
}

/** Step 5: with its queries limited, the certificate may still register the event, and ask the portal. */
function afterLimite(andamento: Andamento): Passo {
  const { manifestar, assina, emitente } = andamento
  const mayTry = manifestar && !emitente && eventosOf(andamento).length === 0 && !isOld(andamento)
  return mayTry && assina ? { fazer: 'ciencia' } : lookAtPortal(andamento)
}

/** The portal is asked once, and once more after an event. */
function lookAtPortal(andamento: Andamento): Passo {
  if (sinceEvento(andamento, 'portal') === 0) return { fazer: 'portal' }
  return responder(andamento, statusWithout(andamento), 'portal-negou')
}

/** What a call without the XML is told where the authority has its own word for it. */
const statusWithout = (andamento: Andamento): StatusNfe =>
  consultaOf(andamento)?.tipo === 'fora-prazo' ? 'fora_prazo' : 'somente_resumo'

function afterEvento(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  evento: Evento,
  desfecho: DesfechoDoEvento,
): Passo {
  if (desfecho.tipo === 'falha') return responder(andamento, 'erro', 'evento-falhou', true)
  if (desfecho.cStat === NOTA_CANCELADA) return responder(andamento, 'cancelada', 'cancelada')
  const limited = consulta.tipo === 'limitada'
  if (isReleased(andamento))
    return limited || consulta.tipo === 'fora-prazo'
      ? { fazer: 'portal' }
      : { fazer: 'consultar', depoisDeMs: 0 }
  if (evento === 'ciencia' && (desfecho.cStat === '596' || limited)) return { fazer: 'portal' }
  return responder(andamento, statusWithout(andamento), 'evento-rejeitado')
}

function afterPortal(
  andamento: Andamento,
  consulta: RespostaDaDistribuicao,
  resposta: RespostaDoPortal,
): Passo {
  if (resposta.tipo === 'xml') return responder(andamento, 'ok', 'xml')
  if (resposta.tipo === 'indisponivel')
    return responder(andamento, statusWithout(andamento), 'portal-indisponivel', true)
  if (!mayConfirm(andamento, consulta)) return afterRefusal(andamento, consulta)
  return andamento.assina
    ? { fazer: 'confirmacao' }
    : responder(
        andamento,
        statusWithout(andamento),
        'evento-nao-suportado',
        false,
        'confirmacao_nao_suportada',
      )
}

/** The portal answered and did not release the note, and no event may help. */
function afterRefusal(andamento: Andamento, consulta: RespostaDaDistribuicao): Desfecho {
  // Its holder issued the note: no participant is what it is not.
  if (consulta.tipo === 'emitente') return responder(andamento, 'erro', 'portal-negou')
  if (isReleased(andamento)) return responder(andamento, statusWithout(andamento), 'nao-liberada-ainda', true)
  // 575: the author of the event is not the recipient.
  const isStranger = codigoDe(eventosOf(andamento).at(-1)) === '575'
  if (consulta.tipo === 'limitada' && isStranger)
    return responder(andamento, 'nao_autorizado', 'portal-negou')
  return responder(andamento, statusWithout(andamento), 'portal-negou', consulta.tipo === 'limitada')
}

/** Step 3: the portal answered without releasing, and the Ciência was refused for its window or the note is over two months old. */
function mayConfirm(andamento: Andamento, { tipo }: RespostaDaDistribuicao): boolean {
  const { manifestar, emitente, prazos, agora } = andamento
  if (!manifestar || emitente || tipo === 'emitente') return false
  const sent = eventosOf(andamento)
  if (sent.some(({ passo }) => passo === 'confirmacao')) return false
  if (!noPrazo(autorizacaoOf(andamento), prazos.confirmacao, agora)) return false
  return isOld(andamento) || sent.some((evento) => codigoDe(evento) === '596')
}

function responder(
  andamento: Andamento,
  status: StatusNfe,
  motivo: Motivo,
  tentarDeNovo = false,
  manifestacao: Manifestacao | null = manifestacaoOf(andamento),
): Desfecho {
  return { fazer: 'responder', status, manifestacao, motivo, tentarDeNovo }
}
