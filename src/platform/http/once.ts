import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config/settings.ts'
import { ApiError } from '../errors.ts'
import { keepLease, lookUntil } from '../jobs/lease.ts'
import { trusted } from '../trusted.ts'
import { cobrancaOf, deliver, insufficient, type Keeping } from './answer.ts'
import type { Exchange, Progress } from './exchange.ts'
import type { Comeco, Pedido } from './idempotencia.ts'
import { signalOfLeaving } from './outcome.ts'

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
  return hold(exchange.platform, { ref, forMs }, () =>
    work({
      progress: { kept: true, steps: passos, note: (steps) => idempotencia.note(ref, steps) },
      writeDown: async (body, creditos) => {
        const stands = await idempotencia.finish(ref, { resposta: JSON.stringify(body), creditos })
        if (!stands) throw inProgress()
      },
    }),
  )
}

/** Shows that a call lives for as long as it works, for `forMs` at most. Then its key is given up. */
async function hold<T>(
  { idempotencia, log }: Store,
  { ref, forMs }: { ref: Nova['ref']; forMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const stop = keepLease(() => idempotencia.renew(ref), forMs)
  try {
    return await work()
  } finally {
    stop()
    // What has an answer keeps it; the next repetition pays it. If this write fails, the key ends by itself.
    await idempotencia.end(ref).catch((err: unknown) => log.error({ err }, 'a key was not given up'))
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

type Store = Pick<Exchange['platform'], 'idempotencia' | 'log'>
type Nova = Extract<Comeco, { tipo: 'nova' }>
type Begun = Exclude<Comeco, { tipo: 'em-andamento' }>
type Done = Exclude<Begun, { tipo: 'conflito' }>

type Patience = { leaving: () => AbortSignal; forMs: number; everyMs: number; mostMs?: number }

/**
 * Looks until nobody else works on it, and holds nothing meanwhile; undefined where the time is over. Throws
 * `ClientLeft`.
 */
async function beginInTurn(
  { idempotencia }: Store,
  pedido: Pedido,
  { leaving, ...looking }: Patience,
): Promise<Begun | undefined> {
  let signal: AbortSignal | undefined
  return lookUntil(async () => {
    signal?.throwIfAborted()
    const comeco = await idempotencia.begin(pedido)
    if (comeco.tipo !== 'em-andamento') return comeco
    signal ??= leaving()
    return undefined
  }, looking)
}

async function begin<B>(
  chave: string,
  { once, sent }: Repeatable<B>,
  { platform, call }: Exchange,
): Promise<Done> {
  const { request_id, conta, leaving } = call
  const pedido = { conta_id: conta.id, chave, corpo: once.scope + JSON.stringify(sent), request_id }
  const forMs = once.seconds(platform.config) * 1000
  const comeco = await beginInTurn(platform, pedido, { leaving, forMs, everyMs: LOOK_MS })
  if (comeco?.tipo === 'conflito')
    throw new ApiError(
      'IDEMPOTENCIA_CONFLITANTE',
      'Esta Idempotency-Key já foi usada com outro corpo nas últimas 24 horas. Para outra consulta, envie outra Idempotency-Key.',
    )
  if (!comeco) throw inProgress()
  return comeco
}

function inProgress(
  said = 'A requisição anterior com esta Idempotency-Key ainda não terminou. Tente de novo em instantes, com a mesma Idempotency-Key.',
): ApiError {
  return new ApiError('IDEMPOTENCIA_EM_ANDAMENTO', said)
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

/**
 * What a form did, and what of it is written down: the way to its answer, or undefined to ask again. Where it
 * is `partido`, it broke off on the way, and whoever comes next goes on from it.
 */
type Feito<T> = { valor: T; lembrar: T | undefined; partido?: boolean }

/** `antes`: what one that broke off, or died, came to. `note` writes down at once what was paid so far. */
type FormWork<T> = (antes: T | undefined, note: (lembrar: T) => Promise<void>) => Promise<Feito<T>>

type Sender = { request: FastifyRequest; reply: FastifyReply; logado: { conta: { id: string } } }

/** Does what a form asks for once on all nodes, for 24 hours, however often it is sent. */
export type UmaVez<T> = {
  /**
   * Whoever comes while the same is being done waits for it: he gets what it gave in this process, or wrote
   * down in another, and does it himself if it failed. Throws IDEMPOTENCIA_EM_ANDAMENTO.
   */
  run: (quem: Sender, chave: readonly string[], work: FormWork<T>) => Promise<T>
  /** The same, but nothing where it is being done or was done. */
  runIfFirst: (quem: Sender, chave: readonly string[], work: FormWork<T>) => Promise<void>
}

/** Longer than any question, and any dossier. */
const FORM_MS = 10 * 60_000

/** `sala` keeps its forms apart from those of others; `chave` tells the form and what is asked. */
export function openUmaVez<T extends object>(store: Store, sala: string): UmaVez<T> {
  const { idempotencia, log } = store
  /** What is asked in this process now: only its answer itself serves one that is kept nowhere. */
  const running = new Map<string, Promise<Feito<T> | undefined>>()

  const pedidoDe = ({ request, logado }: Sender, chave: readonly string[]): Pedido => ({
    conta_id: logado.conta.id,
    // The accent keeps it apart from the keys of the API, which have none.
    chave: `formulário ${JSON.stringify([sala, ...chave])}`,
    corpo: '',
    request_id: request.id,
  })
  const idOf = ({ conta_id, chave }: Pedido): string => `${conta_id} ${chave}`
  const begin = (pedido: Pedido, { reply }: Sender, forMs: number): Promise<Begun | undefined> =>
    beginInTurn(store, pedido, {
      leaving: () => signalOfLeaving(reply.raw),
      forMs,
      everyMs: LOOK_MS / 2,
      mostMs: LOOK_MS * 5,
    })

  /** What was done is paid: it is told, though it could not be written down. */
  async function write(what: () => Promise<boolean>): Promise<void> {
    const stands = await what().catch((err: unknown) => log.error({ err }, 'a form was not written down'))
    if (stands === false) log.error({}, 'a form was taken over from a node that lives')
  }

  const doNow = ({ ref, passos }: Nova, antes: Feito<T> | undefined, work: FormWork<T>): Promise<Feito<T>> =>
    hold(store, { ref, forMs: FORM_MS }, async () => {
      let noted = Promise.resolve()
      // One after the other: the last one stands.
      const note = (lembrar: T): Promise<void> =>
        (noted = noted.then(() => write(() => idempotencia.note(ref, [lembrar]))))
      // Proven by the seal: `note` alone makes one under such a key.
      const last = trusted<T | undefined>(passos.at(-1))
      // Another node may have gone on since.
      const isLast = JSON.stringify(antes?.lembrar) === JSON.stringify(last)
      const feito = await work(isLast ? antes?.valor : last, note)
      const { lembrar, partido } = feito
      if (lembrar === undefined) return feito
      const resposta = JSON.stringify(lembrar)
      await (partido ? note(lembrar) : write(() => idempotencia.finish(ref, { resposta, creditos: 0 })))
      return feito
    })

  async function share<F extends Feito<T> | undefined>(id: string, mine: Promise<F>): Promise<F> {
    running.set(id, mine)
    try {
      return await mine
    } finally {
      running.delete(id)
    }
  }

  return {
    run: async (quem, chave, work) => {
      const pedido = pedidoDe(quem, chave)
      const id = idOf(pedido)
      let antes: Feito<T> | undefined
      for (let before = running.get(id); before; before = running.get(id)) {
        const outcome = await before.catch(() => undefined)
        if (outcome && outcome.partido !== true) return outcome.valor
        antes = outcome
      }
      const doInTurn = async (): Promise<Feito<T>> => {
        const comeco = await begin(pedido, quem, FORM_MS)
        if (comeco?.tipo === 'nova') return doNow(comeco, antes, work)
        if (comeco?.tipo !== 'pronta') throw inProgress(EM_ANDAMENTO)
        // Proven by the seal, as above.
        return { valor: trusted<T>(JSON.parse(comeco.resposta)), lembrar: undefined }
      }
      return (await share(id, doInTurn())).valor
    },
    runIfFirst: async (quem, chave, work) => {
      const pedido = pedidoDe(quem, chave)
      const id = idOf(pedido)
      if (running.has(id)) return
      const doIfFirst = async (): Promise<Feito<T> | undefined> => {
        const comeco = await begin(pedido, quem, 0)
        return comeco?.tipo === 'nova' ? doNow(comeco, undefined, work) : undefined
      }
      await share(id, doIfFirst())
    },
  }
}

const EM_ANDAMENTO =
  'Este formulário já foi enviado e ainda está sendo respondido. Envie-o de novo em instantes: nada é perguntado duas vezes.'
