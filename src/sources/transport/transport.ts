import { type Dispatcher, errors, request } from 'undici'
import { SourceError } from '../../domain/fonte/source-error.ts'
import { decodeBody, readBody } from './body.ts'
import { type ClientCertificate, createPool, type Dial, isUnmade, type Pool } from './dial.ts'
import { DeadlineError, isConnectionFailure, toSourceError } from './failure.ts'
import type { Ask, Http, Reply } from './http.ts'
import { nextHop } from './redirect.ts'
import { untilAborted } from './until-aborted.ts'

const MAX_BYTES = 2 * 1024 * 1024

/** An authority that wants to complain of us finds a name. */
const HEADERS = { 'user-agent': 'consulta-fiscal', 'accept-encoding': 'identity' }

/**
 * Opens the door out: connections are pooled by host and certificate, kept alive, and resume their TLS sessions. With a
 * `certificate`, each request presents it and no session is kept: a client's certificate has a door of its own, closed when
 * its request ends (docs/decisions/0015). The key then lives in the caller's buffer and in OpenSSL alone.
 */
export function openTransport(dial: Dial, certificate?: ClientCertificate): Http {
  const pools = new Map<string, Pool>()
  const resumes = certificate === undefined
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

/** Sends one request; `silenceMs` without a byte ends it, 0 waits as long as the signal lets it. */
type Dispatch = (ask: Ask, signal: AbortSignal | null, silenceMs: number) => Promise<Dispatcher.ResponseData>

/** One exchange under its deadline. */
async function exchange(ask: Ask, dispatch: Dispatch): Promise<Reply> {
  const started = performance.now()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DeadlineError()), ask.deadlineMs)
  const signal = ask.signal ? AbortSignal.any([ask.signal, deadline.signal]) : deadline.signal
  try {
    // The pool hears of an abort only once a request has its connection; while one is made, or all are taken, it would wait on.
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
 * A second try, at once, after a connection that failed: most often one that the server had closed while it was idle, of
 * which nobody knows what was read. What must not be asked twice is tried again only if there was no connection to ask on.
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

/** Reads the answer; while redirects are left, goes where it says, with the cookies it set. */
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

/** The answer's head, with the body still to be read. */
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
