import { type Dispatcher, errors, request } from 'undici'
import { decodeBody, readBody } from './body.ts'
import { type ClientCertificate, createPool, type Dial, isUnmade, type Pool } from './dial.ts'
import { DeadlineError, isConnectionFailure, toSourceError } from './failure.ts'
import { SourceError } from './fonte.ts'
import type { Ask, Http, Reply } from './http.ts'
import { type Clock, type Cronometro, type Medida, openCronometro } from './medida.ts'
import { nextHop } from './redirect.ts'
import { untilAborted } from './until-aborted.ts'

const MAX_BYTES = 2 * 1024 * 1024

/** An authority that wants to complain about us finds a name. */
const HEADERS = { 'user-agent': 'consulta-fiscal', 'accept-encoding': 'identity' }

/** How a door departs from the usual. */
type Porta = {
  /** Presented in each request. Such a door keeps no TLS session and ends with its request (decision 15). */
  certificate?: ClientCertificate | undefined
  /** How long a connection without work is kept; half a minute if left out. */
  idleMs?: number
  /** Measures each exchange, whose replies then have `tempos`. */
  clock?: Clock
}

/**
 * Opens the door out: connections are pooled by host and certificate, kept alive, and resume their TLS
 * sessions.
 */
export function openTransport(dial: Dial, { certificate, idleMs, clock }: Porta = {}): Http {
  const pools = new Map<string, Pool>()
  const resumes = certificate === undefined
  const cronometro = clock && openCronometro(clock)
  // The key lives in the caller's buffer and in OpenSSL, and nowhere else.
  let own = certificate
  let open = true
  const poolOf = (presented: ClientCertificate | undefined): Pool => {
    if (!open) throw new errors.ClientDestroyedError()
    const id = presented?.impressao ?? ''
    const pool = pools.get(id) ?? createPool(dial, presented, { resumes, idleMs, cronometro })
    pools.set(id, pool)
    return pool
  }
  const withOwn = (ask: Ask): Ask => (own ? { ...ask, certificate: own } : ask)
  const dispatch: Dispatch = (ask, signal, silenceMs, medida) => {
    const { method, url, body = null } = ask
    const cookie = ask.jar?.getCookieStringSync(url)
    const headers = { ...HEADERS, ...ask.headers, ...(cookie && { cookie }) }
    const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs }
    const { agent } = poolOf(ask.certificate)
    const dispatcher = medida ? agent.compose(medida.interceptor) : agent
    return request(url, { method, headers, body, signal, dispatcher, ...limits })
  }
  return {
    send: (ask) => exchange(withOwn(ask), dispatch, cronometro),
    open: (ask) => openStream(withOwn(ask), dispatch),
    close: async () => {
      const all = [...pools.values()]
      open = false
      own = undefined
      pools.clear()
      await Promise.all(all.map((pool) => pool.close()))
    },
  }
}

/** Sends one request. `silenceMs` without a byte ends it; 0 waits until the signal is aborted. */
type Dispatch = (
  ask: Ask,
  signal: AbortSignal | null,
  silenceMs: number,
  medida?: Medida,
) => Promise<Dispatcher.ResponseData>

/** What one exchange is made with. */
type Troca = { signal: AbortSignal; dispatch: Dispatch; medida: Medida | undefined; elapsedMs: () => number }

/** Makes one exchange under its deadline. With a clock it is measured. */
async function exchange(ask: Ask, dispatch: Dispatch, cronometro: Cronometro | undefined): Promise<Reply> {
  const elapsedMs = since(cronometro?.clock)
  const medida = cronometro?.troca()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DeadlineError()), ask.deadlineMs)
  const signal = ask.signal ? AbortSignal.any([ask.signal, deadline.signal]) : deadline.signal
  try {
    // Without this, an abort would wait: the pool notices it only when the request has its connection.
    return await untilAborted(follow(ask, { signal, dispatch, medida, elapsedMs }), signal)
  } catch (error) {
    if (ask.signal?.aborted) throw ask.signal.reason
    throw toSourceError(deadline.signal.aborted ? new DeadlineError() : error, ask.source, elapsedMs())
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Tries once more, at once, if the connection failed; most often the server had closed an idle one. A request
 * that must not be repeated is tried again only if no connection was made.
 */
async function dispatchTwice(
  ask: Ask,
  { signal, dispatch, medida }: Troca,
): Promise<Dispatcher.ResponseData> {
  const attempt = (): Promise<Dispatcher.ResponseData> => dispatch(ask, signal, 0, medida)
  try {
    return await attempt()
  } catch (error) {
    const mayRepeat = ask.repeatable || isUnmade(error)
    if (!mayRepeat || signal.aborted || !isConnectionFailure(error)) throw error
    return attempt()
  }
}

/** Reads the answer, keeps its cookies and follows its redirects. */
async function follow(ask: Ask, troca: Troca): Promise<Reply> {
  const { medida, elapsedMs } = troca
  const { source, maxBytes = MAX_BYTES } = ask
  const { statusCode: status, headers, body: stream } = await dispatchTwice(ask, troca)
  const encoding = String(headers['content-encoding'] ?? '')
  const broken = (why: string) =>
    new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs: elapsedMs(), status })
  const body = await readBody(stream, encoding, maxBytes, broken)
  const tempos = medida?.tempos()
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    ask.jar?.setCookieSync(cookie, ask.url, { ignoreError: true })
  const next = nextHop(ask, status, headers)
  if (next) return follow(next, troca)
  const type = String(headers['content-type'] ?? '')
  const text = () => decodeBody(body, type, ask.charset, broken)
  return { status, headers, url: ask.url, body, text, elapsedMs: elapsedMs(), ...(tempos && { tempos }) }
}

/** Gives the head of an answer, with its body still to be read. */
async function openStream(ask: Ask, dispatch: Dispatch): Promise<Dispatcher.ResponseData> {
  const elapsedMs = since()
  try {
    const head = dispatch(ask, ask.signal ?? null, ask.deadlineMs)
    return await (ask.signal ? untilAborted(head, ask.signal) : head)
  } catch (error) {
    if (ask.signal?.aborted) throw ask.signal.reason
    throw toSourceError(error, ask.source, elapsedMs())
  }
}

/** Counts the milliseconds from now on. */
function since(clock: Clock = () => performance.now()): () => number {
  const started = clock()
  return () => Math.round(clock() - started)
}
