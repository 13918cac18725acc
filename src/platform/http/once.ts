import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config/settings.ts'
import { ApiError } from '../errors.ts'
import { keepLease, lookUntil } from '../jobs/lease.ts'
import { trusted } from '../trusted.ts'
import { cobrancaOf, deliver, insufficient, type Keeping } from './answer.ts'
import type { Exchange, Progress } from './exchange.ts'
import type { Comeco } from './idempotencia.ts'

const HEADER = 'idempotency-key'
const LOOK_MS = 200
/** What a call takes after its time is over, at most. */
const MARGIN_MS = 15_000

/** What an endpoint says whose calls may be repeated. */
export type Once<B> = {
  /** Keeps its keys apart from those of other endpoints: no two have the same. */
  scope: string
  /** The longest that a call takes. */
  seconds: (config: Config) => number
  unpaid?: NonNullable<Keeping<B>['unpaid']>
}

type Repeatable<B> = { once: Once<B>; sent: object }

type Keyed<B> = { progress: Progress; writeDown: NonNullable<Keeping<B>['writeDown']> }

/**
 * Runs a call once for its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): for 24 hours the
 * same key and body get the same answer, paid once. Throws IDEMPOTENCIA_CONFLITANTE for another body,
 * PARAMETRO_INVALIDO for a malformed key.
 */
export async function answerOnce<B>(
  repeatable: Repeatable<B>,
  exchange: Exchange,
  work: (run: Keyed<B> | undefined) => Promise<B>,
): Promise<B> {
  const chave = keyOf(exchange.request)
  if (chave === undefined) return work(undefined)
  const { idempotencia } = exchange.platform
  const comeco = await begin(chave, repeatable, exchange)
  if (comeco.tipo === 'pronta') return replay(comeco, repeatable, exchange)
  const { ref, passos } = comeco
  const forMs = repeatable.once.seconds(exchange.platform.config) * 1000 + MARGIN_MS
  const stop = keepLease(() => idempotencia.renew(ref), forMs)
  try {
    return await work({
      progress: { kept: true, steps: passos, note: (steps) => idempotencia.note(ref, steps) },
      writeDown: async (body, creditos) => {
        const stands = await idempotencia.finish(ref, { resposta: JSON.stringify(body), creditos })
        if (!stands) throw inProgress()
      },
    })
  } finally {
    stop()
    // The next repetition pays it. If this write fails, the key ends by itself.
    await idempotencia
      .end(ref)
      .catch((err: unknown) => exchange.platform.log.error({ err }, 'a key was not given up'))
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

async function begin<B>(
  chave: string,
  { once, sent }: Repeatable<B>,
  { platform, call }: Exchange,
): Promise<Done> {
  const { request_id, conta } = call
  const leaving = call.leaving()
  const pedido = { conta_id: conta.id, chave, corpo: once.scope + JSON.stringify(sent), request_id }
  const look = async (): Promise<Done | undefined> => {
    const comeco = await platform.idempotencia.begin(pedido)
    if (comeco.tipo === 'conflito')
      throw new ApiError(
        'IDEMPOTENCIA_CONFLITANTE',
        'Esta Idempotency-Key já foi usada com outro corpo nas últimas 24 horas. Para outra consulta, envie outra Idempotency-Key.',
      )
    if (comeco.tipo !== 'em-andamento') return comeco
    leaving.throwIfAborted()
    return undefined
  }
  const comeco = await lookUntil(look, { everyMs: LOOK_MS, forMs: once.seconds(platform.config) * 1000 })
  if (!comeco) throw inProgress()
  return comeco
}

function inProgress(): ApiError {
  return new ApiError(
    'IDEMPOTENCIA_EM_ANDAMENTO',
    'A requisição anterior com esta Idempotency-Key ainda não terminou. Tente de novo em instantes, com a mesma Idempotency-Key.',
  )
}

async function replay<B>(
  { resposta, request_id, creditos }: Extract<Comeco, { tipo: 'pronta' }>,
  { once }: Repeatable<B>,
  exchange: Exchange,
): Promise<B> {
  // Proven by the record: under this scope only this endpoint writes answers, by `writeDown`.
  const body = trusted<B>(JSON.parse(resposta))
  try {
    const bill = { ...cobrancaOf(creditos, exchange), request_id }
    const { ok, charged, saldo } = await exchange.platform.ledger.settle(bill)
    if (!ok) throw insufficient(creditos, saldo, exchange)
    exchange.call.header('idempotency-replayed', 'true')
    // The id of the call that made the answer, as in its body. The log line has the id of this call.
    exchange.call.header('x-request-id', request_id)
    return deliver(body, charged ? creditos : 0, saldo, exchange)
  } catch (failure) {
    if (!once.unpaid) throw failure
    return once.unpaid(body, failure, exchange)
  }
}

export const onceDescribed = {
  errors: ['IDEMPOTENCIA_CONFLITANTE', 'IDEMPOTENCIA_EM_ANDAMENTO'] as const,
  answerHeaders: {
    'Idempotency-Replayed':
      'true quando a resposta é a de uma requisição anterior com a mesma Idempotency-Key',
  },
  // The schema takes any text: `keyOf` refuses a malformed key by its own message.
  requestHeaders: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        description:
          'De 1 a 255 caracteres ASCII imprimíveis, como um UUID: por 24 horas, a mesma Idempotency-Key com o mesmo corpo recebe a mesma resposta, qualquer que seja o status, cobrada uma só vez; para consultar de novo, envie outra',
      }),
    ),
  }),
}
