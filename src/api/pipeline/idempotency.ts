import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import type { EventoFeito } from '../../domain/nfe/andamento.ts'
import type { Comeco } from '../../store/chamadas/idempotencia.ts'
import { keepLease } from '../../store/jobs/lease.ts'
import { chargeOf, deliver, type Exchange, insufficient } from './exchange.ts'

const HEADER = 'idempotency-key'
/** How often a call looks whether the one before it, with the same key, has ended. */
const LOOK_MS = 200
/** What a call takes after its time is over, at most. */
const MARGIN_MS = 15_000
const RETRY_S = 5

/** What a call knows of an interrupted one with its key, and where it writes down what it does; nowhere without a key. */
export type Registro = {
  /** Whether there is a key at all, so that a client that left may fetch its answer. */
  aberto: boolean
  eventos: readonly EventoFeito[]
  note: (eventos: readonly EventoFeito[]) => Promise<unknown>
  /** Writes the answer down; to be called before it is paid. Throws where another call has taken over, whose answer is the one to be paid. */
  finish: (answer: { resposta: string; creditos: number }) => Promise<void>
}

const semRegistro: Registro = { aberto: false, eventos: [], note: async () => {}, finish: async () => {} }

/**
 * Runs a call once for its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the same key and body within 24 hours
 * get the same answer, which is paid once, whoever fetches it first; one that comes while the first still runs waits for it.
 * Throws IDEMPOTENCIA_CONFLITANTE for another body, PARAMETRO_INVALIDO for what is no key.
 */
export async function answerOnce<B extends object>(
  { corpo, seconds, parse, unpaid }: Repetivel<B>,
  exchange: Exchange,
  work: (registro: Registro) => Promise<B>,
): Promise<B> {
  const chave = keyOf(exchange.request)
  if (chave === undefined) return work(semRegistro)
  const {
    store: { idempotencia },
    log,
  } = exchange.ctx
  const comeco = await begin({ chave, corpo: corpo(), seconds }, exchange)
  if (comeco.tipo === 'pronta') {
    const body = parse(comeco.resposta)
    return replay(comeco, body, exchange).catch((error) => unpaid(body, error))
  }
  const { ref, eventos } = comeco
  const stop = keepLease(() => idempotencia.renew(ref), seconds * 1000 + MARGIN_MS)
  const registro: Registro = {
    aberto: true,
    eventos,
    note: (sent) => idempotencia.note(ref, sent),
    finish: async (answer) => {
      if (!(await idempotencia.finish(ref, answer))) throw inProgress(exchange)
    },
  }
  try {
    return await work(registro)
  } finally {
    stop()
    // A stored answer that was not paid waits for the next repetition, which pays it. What cannot be stored
    // ends by itself.
    await idempotencia.end(ref).catch((err: unknown) => log.error({ err }, 'a key was not given up'))
  }
}

/** A call that may be repeated. */
type Repetivel<B> = {
  /** The text of its body, asked for only where there is a key. */
  corpo: () => string
  /** How long it may take. */
  seconds: number
  /** Reads the answer that was written down. */
  parse: (text: string) => B
  /** What is answered in the place of one that could not be paid. Throws the failure where that is the answer. */
  unpaid: (body: B, error: unknown) => B
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
    const comeco = await ctx.store.idempotencia.begin({ conta_id: conta.id, chave, corpo, request_id })
    if (comeco.tipo === 'conflito')
      throw new ApiError(
        'IDEMPOTENCIA_CONFLITANTE',
        'Esta Idempotency-Key já foi usada com outro corpo nas últimas 24 horas. Para outra consulta, envie outra Idempotency-Key.',
      )
    if (comeco.tipo !== 'em-andamento') return comeco
    if (performance.now() > ends) throw inProgress({ call })
    leaving.throwIfAborted()
    await delay(LOOK_MS)
  }
}

function inProgress({ call }: Pick<Exchange, 'call'>): ApiError {
  call.header('retry-after', String(RETRY_S))
  return new ApiError(
    'IDEMPOTENCIA_EM_ANDAMENTO',
    'A requisição anterior com esta Idempotency-Key ainda não terminou. Tente de novo em instantes, com a mesma Idempotency-Key.',
  )
}

/** Hands an answer over again: as it was, and paid by whoever gets it first. */
async function replay<B>(
  { request_id, creditos }: Extract<Comeco, { tipo: 'pronta' }>,
  body: B,
  exchange: Exchange,
): Promise<B> {
  const { ledger } = exchange.ctx.store
  const bill = { ...chargeOf(creditos, exchange), request_id }
  const { ok, charged, saldo } = await ledger.settle(bill)
  if (!ok) throw insufficient(creditos, saldo, exchange)
  exchange.call.header('idempotency-replayed', 'true')
  // The answer's own, as its body has it; the log line names this call's.
  exchange.call.header('x-request-id', request_id)
  return deliver(body, charged ? creditos : 0, saldo, exchange)
}
