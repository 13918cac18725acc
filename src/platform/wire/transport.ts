import { isUtf8 as isValidUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import {
  type ClientCertificate,
  type Clock,
  type Cronometro,
  createPool,
  type Dial,
  errors,
  type Medida,
  openCronometro,
  type Pool,
  requestBy,
} from './dial.ts'
import { codeOf, isUnmade, SourceError } from './fonte.ts'
import {
  type Ask,
  DeadlineError,
  type Http,
  isConnectionFailure,
  type Reply,
  toSourceError,
  untilAborted,
} from './http.ts'

type Broken = (why: string) => SourceError

/** Before and after decompression. Throws `broken` if it is larger or corrupt. */
async function readBody(
  stream: AsyncIterable<Buffer>,
  encoding: string,
  maxBytes: number,
  broken: Broken,
): Promise<Buffer> {
  const tooLarge = `enviou uma resposta maior que ${Math.round(maxBytes / 1024)} KiB`
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) throw broken(tooLarge)
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (size === 0) return body
  try {
    return decompress(body, encoding.trim().toLowerCase(), maxBytes)
  } catch (error) {
    throw broken(
      codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : 'enviou uma resposta comprimida que não se lê',
    )
  }
}

function decompress(body: Buffer, encoding: string, maxOutputLength: number): Buffer {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, { maxOutputLength })
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength })
  if (encoding !== 'deflate') return body
  // Some servers leave out the two bytes of zlib's header (RFC 9110, 8.4.1.2).
  const wrapped = ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
  return wrapped ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength })
}

/** Ours, the Content-Type's, the declaration's (RFC 7303, 3) or UTF-8. Throws `broken`. */
function decodeBody(body: Buffer, contentType: string, charset: string | undefined, broken: Broken): string {
  const said = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? declaredIn(body) ?? 'utf-8'
  // Valid UTF-8 beyond ASCII wins: some of GO's answers are UTF-8 among pages in ISO-8859-1 (2026).
  const isUtf8 = !/^utf-?16/i.test(charset ?? said) && body.some((byte) => byte > 0x7f) && isValidUtf8(body)
  const label = isUtf8 ? 'utf-8' : (charset ?? said)
  try {
    return new TextDecoder(label, { fatal: true }).decode(body)
  } catch {
    throw broken(`respondeu com caracteres que não são do conjunto anunciado (${label.slice(0, 20)})`)
  }
}

/** Of one byte a character. .NET declares UTF-16 of any XML that it wrote into a string. */
const declaredIn = (body: Buffer): string | undefined =>
  /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']((?:iso-8859|windows)-\d+)["']/i.exec(
    body.subarray(0, 200).toString('latin1'),
  )?.[1]

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Gives the next exchange of a redirect; undefined if there is none, none is left, or `ask.within` refuses
 * the address. As in browsers, all but 307 and 308 become a GET, and another origin gets no certificate, body
 * or credentials.
 */
function nextHop(ask: Ask, status: number, headers: Dispatcher.ResponseData['headers']): Ask | undefined {
  const location = headers.location
  const redirects = ask.redirects ?? 0
  if (!REDIRECTS.has(status) || typeof location !== 'string' || redirects === 0) return undefined
  if (!URL.canParse(location, ask.url)) return undefined
  const url = new URL(location, ask.url)
  if (ask.within && !ask.within(url)) return undefined
  const rest = { ...ask, url: url.href, redirects: redirects - 1 }
  const sameOrigin = url.origin === new URL(ask.url).origin
  if (status >= 307 && sameOrigin) return rest
  const { body: _body, certificate, headers: sent = {}, ...bare } = rest
  const dropped = sameOrigin ? ['content-type'] : ['content-type', 'authorization', 'cookie']
  const kept = Object.entries(sent).filter(([name]) => !dropped.includes(name.toLowerCase()))
  return {
    ...bare,
    method: 'GET',
    headers: Object.fromEntries(kept),
    certificate: sameOrigin ? certificate : undefined,
  }
}

const MAX_BYTES = 2 * 1024 * 1024

/** An authority that wants to complain about us finds a name. */
const HEADERS = { 'user-agent': 'consulta-fiscal', 'accept-encoding': 'identity' }

type Porta = {
  /** Presented in each request. Such a door keeps no TLS session and ends with its request (decision 15). */
  certificate?: ClientCertificate | undefined
  idleMs?: number
  clock?: Clock
}

/** Connections are pooled by host and certificate, and resume their TLS sessions. */
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
    return requestBy(url, { method, headers, body, signal, dispatcher, ...limits })
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

type Troca = { signal: AbortSignal; dispatch: Dispatch; medida: Medida | undefined; elapsedMs: () => number }

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

function since(clock: Clock = () => performance.now()): () => number {
  const started = clock()
  return () => Math.round(clock() - started)
}
