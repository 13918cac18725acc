import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { EventoFeito } from '../domain/andamento.ts'
import { ApiError } from '../domain/errors.ts'
import type { Comeco } from '../store/idempotencia.ts'
import { deliver, type Exchange, insufficient } from './exchange.ts'

const HEADER = 'idempotency-key'
/** How often a call looks whether the one before it, with the same key, has ended. */
const LOOK_MS = 200
/** What a call takes after its time is over, at most: one that is silent for longer is taken for dead. */
const MARGIN_MS = 15_000
const RETRY_S = 5

/** What a call knows of an interrupted one with its key, and where it writes down what it does; nowhere without a key. */
export type Registro = {
  /** Whether there is a key at all, so that a client that left may fetch its answer. */
  aberto: boolean
  eventos: readonly EventoFeito[]
  note: (eventos: readonly EventoFeito[]) => Promise<unknown>
  /** Writes the answer down; to be called before it is paid. */
  finish: (answer: { resposta: string; creditos: number }) => Promise<unknown>
}

const semRegistro: Registro = { aberto: false, eventos: [], note: async () => {}, finish: async () => {} }

/**
 * Runs a call once for its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the same key and body within 24 hours
 * get the same answer, which is paid once, whoever fetches it first; one that comes while the first still runs waits for it.
 * Throws IDEMPOTENCIA_CONFLITANTE for another body, PARAMETRO_INVALIDO for what is no key.
 */
export async function answerOnce<B extends object>(
  { corpo, seconds, parse }: { corpo: string; seconds: number; parse: (text: string) => B },
  exchange: Exchange,
  work: (registro: Registro) => Promise<B>,
): Promise<B> {
  const chave = keyOf(exchange.request)
  if (chave === undefined) return work(semRegistro)
  const { idempotencia } = exchange.ctx
  const comeco = await begin({ chave, corpo, seconds }, exchange)
  if (comeco.tipo === 'pronta') return replay(comeco, parse(comeco.resposta), exchange)
  const { ref, eventos } = comeco
  let stands = false
  const registro: Registro = {
    aberto: true,
    eventos,
    note: (sent) => idempotencia.note(ref, sent),
    finish: async (answer) => {
      stands = await idempotencia.finish(ref, answer)
    },
  }
  try {
    return await work(registro)
  } catch (error) {
    // An answer that stands is there for whoever asks again, and is paid then.
    if (!stands) await idempotencia.abandon(ref)
    throw error
  }
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers[HEADER]
  if (sent === undefined) return undefined
  if (typeof sent === 'string' && /^[\x20-\x7e]{1,255}$/.test(sent)) return sent
  const reason = 'envie de 1 a 255 letras sem acento, dígitos e sinais, como um UUID'
  throw new ApiError('PARAMETRO_INVALIDO', `Cabeçalho Idempotency-Key: ${reason}.`, {
    errors: [{ parameter: 'Idempotency-Key', reason }],
  })
}

type Done = Extract<Comeco, { tipo: 'nova' | 'pronta' }>

/** The turn for a key, or the answer of the call that had it. */
async function begin(
  { chave, corpo, seconds }: { chave: string; corpo: string; seconds: number },
  { ctx, call }: Exchange,
): Promise<Done> {
  const { request_id, conta } = call
  const ends = performance.now() + seconds * 1000
  const leaving = call.leaving()
  for (;;) {
    const ate = new Date(ctx.now().getTime() + seconds * 1000 + MARGIN_MS)
    const comeco = await ctx.idempotencia.begin({ conta_id: conta.id, chave, corpo, request_id }, { ate })
    if (comeco.tipo === 'conflito')
      throw new ApiError(
        'IDEMPOTENCIA_CONFLITANTE',
        'Esta Idempotency-Key já foi usada com outro corpo nas últimas 24 horas. Para outra consulta, envie outra chave.',
      )
    if (comeco.tipo !== 'em-andamento') return comeco
    if (performance.now() > ends) {
      call.header('retry-after', String(RETRY_S))
      throw new ApiError(
        'IDEMPOTENCIA_EM_ANDAMENTO',
        'A requisição anterior com esta Idempotency-Key ainda não terminou. Tente de novo em instantes, com a mesma chave.',
      )
    }
    leaving.throwIfAborted()
    await delay(LOOK_MS)
  }
}

/** Hands an answer over again: as it was, and paid by whoever gets it first. */
async function replay<B>(
  { request_id, creditos, cobrada }: Extract<Comeco, { tipo: 'pronta' }>,
  body: B,
  exchange: Exchange,
): Promise<B> {
  const { ledger } = exchange.ctx
  // What costs nothing may have been held by nobody.
  const free = async () => ({ ok: true, saldo: await ledger.saldo(exchange.call.conta) })
  const { ok, saldo } = await (creditos === 0 ? free() : ledger.settle(request_id, creditos))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  exchange.call.header('idempotency-replayed', 'true')
  // The answer's own, as its body has it; the log line names this call's.
  exchange.call.header('x-request-id', request_id)
  return deliver(body, cobrada ? 0 : creditos, saldo, exchange)
}
