import { setTimeout as delay } from 'node:timers/promises'
import { type Chave, maskChave } from '../documento/chave.ts'
import type { A1, Interessado } from '../platform/wire/certificado.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import { isUnreached, isUnsent } from '../platform/wire/http.ts'
import type { NfeRoom } from './nfe.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  RespostaDaDistribuicao,
  RespostaDoPortal,
  SemResposta,
} from './rules.ts'
import type { DesfechoDaNota, Passo } from './rules-manifestacao.ts'
import { fontesNfe, type MeiosNfe } from './source.ts'
import { askChave } from './source-distribuicao.ts'
import { registerEvento } from './source-evento.ts'
import { downloadAtPortal } from './source-portal.ts'

export type PerguntaDaNota = {
  chave: Chave
  certificado: A1
  /** The holder, or another establishment of its company. */
  interessado: Interessado
  /** Whether the client chose that name. Then no other is tried. */
  escolhido: boolean
  manifestar: boolean
  request_id: string
  ends: number
}

export type Visit = PerguntaDaNota & Pick<MeiosNfe, 'http'> & { room: NfeRoom }

const STEP_MS = 30_000

/** With less time left an event is not sent. Its answer might be missed, and its fate would be unknown. */
const EVENTO_MS = 3_000

export async function take(passo: Exclude<Passo, DesfechoDaNota>, visit: Visit): Promise<Feito> {
  switch (passo.tipo) {
    case 'consultar':
      await pause(passo.depoisDeMs, visit)
      return passo.comoEmitente
        ? {
            passo: 'consulta',
            resposta: await askDistribuicao(visit.chave.emitente, visit),
            comoEmitente: true,
          }
        : { passo: 'consulta', resposta: await askDistribuicao(visit.interessado, visit) }
    case 'portal':
      return { passo: 'portal', resposta: await askPortal(visit) }
    default:
      return { passo: passo.tipo, desfecho: await sendEvento(passo.tipo, visit) }
  }
}

/** Waits in the simulator's time where it answers, and never past the end of the flow. */
const pause = (ms: number, { ends, room }: Visit): Promise<void> =>
  delay(Math.max(0, Math.min(ms * room.pace, ends - performance.now())))

/** One more query than SEFAZ allows would make it count the hour anew. */
async function askDistribuicao(interessado: Interessado, visit: Visit): Promise<RespostaDaDistribuicao> {
  const { chave, room } = visit
  const { documento } = interessado
  // The query counts before it waits for its turn. So, of many at once, none leaves beyond the budget.
  if (!(await room.consumo.take(documento)).ok) return { tipo: 'limitada', cStat: '', xMotivo: '' }
  const resposta = await callAuthority(visit, 'distribuicao', (meios) =>
    askChave(meios, { chave: chave.chave, interessado }),
  )
  if (resposta.tipo === 'limitada') await room.consumo.block(documento)
  // Otherwise an outage, or a forged certificate, would use up another company's queries.
  if (resposta.tipo === 'falha' && resposta.semEfeito) await room.consumo.giveBack(documento)
  return resposta
}

/** The log names an event before and after, so that a process that ends in between leaves a trace. */
async function sendEvento(evento: Evento, visit: Visit): Promise<DesfechoDoEvento> {
  const { chave, certificado, interessado: autor, request_id, ends, room } = visit
  if (ends - performance.now() < EVENTO_MS) return SEM_TEMPO
  const { key, cert } = certificado
  const line = { request_id, chave: maskChave(chave.chave), evento }
  return callAuthority(visit, 'eventos', async (meios) => {
    room.log.info(line, 'sending an event')
    const desfecho = await registerEvento(meios, { chave: chave.chave, evento, autor, key, cert })
    const cStat = desfecho.tipo === 'resposta' ? desfecho.cStat : undefined
    room.log.info({ ...line, cStat }, 'event sent')
    return desfecho
  })
}

const SEM_TEMPO: SemResposta = {
  tipo: 'falha',
  mensagem: 'O tempo desta consulta terminou antes de ela ser enviada.',
  semEfeito: true,
}

/** A failure is an answer too. A refused certificate is final, and it is no outage. */
async function callAuthority<T>(
  visit: Visit,
  fonte: 'distribuicao' | 'eventos',
  run: (meios: MeiosNfe) => Promise<T>,
): Promise<T | SemResposta> {
  let sent = false
  try {
    return await ask(visit, fonte, STEP_MS, (meios) => {
      sent = true
      return run(meios)
    })
  } catch (error) {
    const { message: mensagem, retryS } = knownFailure(error)
    const recusado = error instanceof SourceError && error.kind === 'blocked' && !error.unavailable
    // An event whose answer is not understood may stand. Then the next query brings the note.
    const definitiva = recusado || (fonte === 'distribuicao' && retryS === null)
    return { tipo: 'falha', mensagem, definitiva, semEfeito: !sent || recusado || isUnsent(error) }
  }
}

async function askPortal(visit: Visit): Promise<RespostaDoPortal> {
  const { chave, room } = visit
  try {
    return await ask(visit, 'portal', Number.POSITIVE_INFINITY, (meios) =>
      downloadAtPortal({ ...meios, captcha: room.captcha }, { chave: chave.chave }),
    )
  } catch (error) {
    const { message: mensagem, retryS } = knownFailure(error)
    return { tipo: 'indisponivel', mensagem, definitiva: retryS === null }
  }
}

function ask<T>(
  visit: Visit,
  fonte: keyof typeof fontesNfe,
  longestMs: number,
  run: (meios: MeiosNfe) => Promise<T>,
): Promise<T> {
  const { http, ends, request_id, room } = visit
  const deadlineMs = Math.min(longestMs, ends - performance.now())
  const { source } = fontesNfe[fonte]
  const { now, config } = room
  return room.guard({ source, deadlineMs, request_id }, (leftMs) =>
    run({ http, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs: leftMs }).catch((error) =>
      throwAsSeen(error, visit),
    ),
  )
}

/**
 * A server may refuse a certificate by a broken connection. Until an authority has believed it, a break says
 * nothing of the source: any self-made file could open its breaker.
 */
async function throwAsSeen(error: unknown, { certificado, room }: Visit): Promise<never> {
  if (!(error instanceof SourceError) || error.kind !== 'network' || isUnreached(error)) throw error
  if (await room.reconhecidos.has(certificado.impressao)) throw error
  const { kind, message, source, elapsedMs, cause } = error
  throw new SourceError(kind, message, { source, elapsedMs, cause, unavailable: false })
}

function knownFailure(error: unknown): SourceError | RotaNaoAtende {
  if (error instanceof SourceError || error instanceof RotaNaoAtende) return error
  throw error
}
