import { type Dispatcher, errors, request } from 'undici'
import { SourceError } from '../../domain/fonte/source-error.ts'
import { decodeBody, readBody } from './body.ts'
import { type ClientCertificate, createPool, type Dial, isUnmade, type Pool } from './dial.ts'
import { DeadlineError, isConnectionFailure, toSourceError } from './failure.ts'
import type { Ask, Http, Reply } from './http.ts'
import { nextHop } from './redirect.ts'
import { untilAborted } from './until-aborted.ts'

const MAX_BYTES = 2 * 1024 * 1024

/** An authority that wants to complain about us finds a name. */
const HEADERS = { 'user-agent': 'consulta-fiscal', 'accept-encoding': 'identity' }

/**
 * Opens the door out: connections are pooled by host and certificate, kept alive, and resume their TLS
 * sessions. A door with a `certificate` presents it in each request and keeps no session; it ends with its
 * request (docs/decisions/0015).
 */
export function openTransport(dial: Dial, certificate?: ClientCertificate): Http {
  const pools = new Map<string, Pool>()
  const resumes = certificate === undefined
  // The key lives in the caller's buffer and in OpenSSL, and nowhere else.
  let own = certificate
  let open = true
  const poolOf = (presented: ClientCertificate | undefined): Pool => {
    if (!open) throw new errors.ClientDestroyedError()
    const id = presented?.impressao ?? ''
    const pool = pools.get(id) ?? createPool(dial, presented, resumes)
    pools.set(id, pool)
    return pool
  }
  const withOwn = (ask: Ask): Ask => (own ? { ...ask, certificate: own } : ask)
  const dispatch: Dispatch = (ask, signal, silenceMs) => {
    const { method, url, body = null } = ask
    const cookie = ask.jar?.getCookieStringSync(url)
    const headers = { ...HEADERS, ...ask.headers, ...(cookie && { cookie }) }
    const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs }
    const { agent: dispatcher } = poolOf(ask.certificate)
    return request(url, { method, headers, body, signal, dispatcher, ...limits })
  }
  return {
    send: (ask) => exchange(withOwn(ask), dispatch),
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
type Dispatch = (ask: Ask, signal: AbortSignal | null, silenceMs: number) => Promise<Dispatcher.ResponseData>

/** Makes one exchange under its deadline. */
async function exchange(ask: Ask, dispatch: Dispatch): Promise<Reply> {
  const started = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DeadlineError()), ask.deadlineMs)
  const signal = ask.signal ? AbortSignal.any([ask.signal, deadline.signal]) : deadline.signal
  try {
    // Without this, an abort would wait: the pool notices it only when the request has its connection.
    const answer = follow(ask, (hop) => dispatchTwice(hop, signal, dispatch), started)
    return await untilAborted(answer, signal)
  } catch (error) {
    if (ask.signal?.aborted) throw ask.signal.reason
    throw toSourceError(deadline.signal.aborted ? new DeadlineError() : error, ask.source, since(started))
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
  signal: AbortSignal,
  dispatch: Dispatch,
): Promise<Dispatcher.ResponseData> {
  try {
    return await dispatch(ask, signal, 0)
  } catch (error) {
    const mayRepeat = ask.repeatable || isUnmade(error)
    if (!mayRepeat || signal.aborted || !isConnectionFailure(error)) throw error
    return dispatch(ask, signal, 0)
  }
}

/** Reads the answer, keeps its cookies and follows its redirects. */
async function follow(
  ask: Ask,
  dispatch: (ask: Ask) => Promise<Dispatcher.ResponseData>,
  started: number,
): Promise<Reply> {
  const { source, maxBytes = MAX_BYTES } = ask
  const { statusCode: status, headers, body: stream } = await dispatch(ask)
  const encoding = String(headers['content-encoding'] ?? '')
  const broken = (why: string) =>
    new SourceError('parse', `${source.nome} ${why}.`, {
      source: source.id,
      elapsedMs: since(started),
      status,
    })
  const body = await readBody(stream, encoding, maxBytes, broken)
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    ask.jar?.setCookieSync(cookie, ask.url, { ignoreError: true })
  const next = nextHop(ask, status, headers)
  if (next) return follow(next, dispatch, started)
  const type = String(headers['content-type'] ?? '')
  const text = () => decodeBody(body, type, ask.charset, broken)
  return { status, headers, url: ask.url, body, text, elapsedMs: since(started) }
}

/** Gives the head of an answer, with its body still to be read. */
async function openStream(ask: Ask, dispatch: Dispatch): Promise<Dispatcher.ResponseData> {
  const started = performance.now()
  try {
    const head = dispatch(ask, ask.signal ?? null, ask.deadlineMs)
    return await (ask.signal ? untilAborted(head, ask.signal) : head)
  } catch (error) {
    if (ask.signal?.aborted) throw ask.signal.reason
    throw toSourceError(error, ask.source, since(started))
  }
}

const since = (started: number): number => Math.round(performance.now() - started)
