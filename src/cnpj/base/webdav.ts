import { setTimeout as delay } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { codeOf, type Source, SourceError } from '../../platform/wire/fonte.ts'
import type { Ask, Http } from '../../platform/wire/http.ts'
import { child, children, parseXml, textOf } from '../../platform/wire/xml.ts'

/** How to reach a public share (Nextcloud) over WebDAV. */
export type ShareOptions = {
  url: string
  /** The user of Basic authentication, with an empty password. */
  token: string
  signal: AbortSignal
  /** Milliseconds without a byte after which a connection counts as dead; 60,000 by default. */
  idleMs?: number
  /** Failures in a row, without a new byte in between, before giving up; 8 by default. */
  attempts?: number
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** `bytes` is undefined for folders. */
type ShareEntry = { nome: string; bytes: number | undefined }

/** Every call throws SourceError. */
export type Share = {
  list: (path: string) => Promise<ShareEntry[]>
  /** Both ends included. It tries once: the caller holds what came and asks for the rest. */
  get: (path: string, from: number, to?: number) => Promise<Dispatcher.ResponseData>
  read: (response: Dispatcher.ResponseData) => AsyncGenerator<Buffer>
  /** Waits longer each time. `progress` tells whether the last try moved on. */
  retry: <T>(run: () => Promise<T>, progress?: () => boolean) => Promise<T>
}

const SOURCE = 'receita-federal'
const receitaFederal: Source = { id: SOURCE, nome: 'A Receita Federal' }
const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000] as const
const PROPFIND =
  '<?xml version="1.0"?><d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/><d:getcontentlength/></d:prop></d:propfind>'

export function openShare(http: Http, options: ShareOptions): Share {
  const send = createSend(http, options)
  const read = (response: Dispatcher.ResponseData): AsyncGenerator<Buffer> =>
    readBody(response, options.signal)

  async function list(path: string): Promise<ShareEntry[]> {
    const started = performance.now()
    const headers = { depth: '1', 'content-type': 'application/xml' }
    const response = await send('PROPFIND', path, { headers, body: PROPFIND })
    const xml = Buffer.concat(await Array.fromAsync(read(response))).toString()
    const entries = response.statusCode === 207 ? parseListing(xml) : undefined
    if (entries) return entries
    const message = `O endereço ${rootOf(options)}${path} não respondeu como WebDAV. ${CHECK_ADDRESS}`
    throw new SourceError('parse', message, { source: SOURCE, elapsedMs: performance.now() - started })
  }

  return {
    list: (path) => retry(() => list(path), options),
    get: (path, from, to) => send('GET', path, { headers: { range: `bytes=${from}-${to ?? ''}` } }),
    read,
    retry: (run, progress) => retry(run, options, progress),
  }
}

type Send = (
  method: 'GET' | 'PROPFIND',
  path: string,
  more: { headers: Record<string, string>; body?: string },
) => Promise<Dispatcher.ResponseData>

function createSend(http: Http, options: ShareOptions): Send {
  const { token, signal, idleMs = 60_000 } = options
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  return async (method, path, more) => {
    const started = performance.now()
    const target = new URL(path, rootOf(options))
    const ask: Ask = {
      ...more,
      source: receitaFederal,
      method,
      url: target.href,
      headers: { authorization, ...more.headers },
      deadlineMs: idleMs,
      repeatable: false,
      signal,
    }
    try {
      const response = await http.open(ask)
      if (response.statusCode < 300) return response
      await response.body.dump()
      throw refused(response.statusCode, target, performance.now() - started)
    } catch (error) {
      throw asSourceError(error, performance.now() - started, signal)
    }
  }
}

function rootOf({ url }: ShareOptions): string {
  return url.endsWith('/') ? url : `${url}/`
}

async function* readBody(response: Dispatcher.ResponseData, signal: AbortSignal): AsyncGenerator<Buffer> {
  const started = performance.now()
  try {
    yield* response.body
  } catch (error) {
    throw asSourceError(error, performance.now() - started, signal)
  }
}

const CHECK_ADDRESS =
  'O endereço dos dados abertos pode ter mudado: confira e ajuste CNPJ_WEBDAV_URL e CNPJ_WEBDAV_TOKEN.'

/** What the share itself said passes through, and so does an interruption that the user asked for. */
function asSourceError(thrown: unknown, elapsedMs: number, signal: AbortSignal): unknown {
  const wire = thrown instanceof SourceError && ['network', 'timeout'].includes(thrown.kind)
  if (signal.aborted || (thrown instanceof SourceError && !wire)) return thrown
  const error = wire ? thrown.cause : thrown
  const code = codeOf(error)
  const isLate = /TIMEOUT|TIMEDOUT/.test(code)
  const message = isLate
    ? 'A Receita Federal parou de responder. Tente de novo mais tarde: o que já foi baixado é aproveitado.'
    : `Falha de rede ao falar com a Receita Federal (${code || error}). Verifique a conexão e tente de novo: o que já foi baixado é aproveitado.`
  return new SourceError(isLate ? 'timeout' : 'network', message, { source: SOURCE, elapsedMs, cause: error })
}

function refused(status: number, target: URL, elapsedMs: number): SourceError {
  const why =
    status === 401 || status === 403
      ? `recusou o token do compartilhamento (HTTP ${status}). O token pode ter mudado: ajuste CNPJ_WEBDAV_TOKEN.`
      : status === 404
        ? `não tem ${target.pathname} (HTTP 404). ${CHECK_ADDRESS}`
        : `respondeu HTTP ${status} para ${target.pathname}. Tente de novo mais tarde.`
  return new SourceError('http', `A Receita Federal ${why}`, { source: SOURCE, elapsedMs, status })
}

async function retry<T>(run: () => Promise<T>, options: ShareOptions, progress?: () => boolean): Promise<T> {
  const { signal, attempts = 8, wait = (ms, stop) => delay(ms, undefined, { signal: stop }) } = options
  for (let failures = 0; ; ) {
    try {
      return await run()
    } catch (error) {
      failures = progress?.() ? 1 : failures + 1
      if (!isTransient(error) || failures >= attempts) throw error
      await wait(BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0, signal)
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false
  if (error.kind === 'network' || error.kind === 'timeout') return true
  return error.status === 429 || (error.status ?? 0) >= 500
}

/** Undefined when it is not a multistatus (HTTP 207). */
function parseListing(xml: string): ShareEntry[] | undefined {
  const multistatus = child(parseXml(xml), 'multistatus')
  if (multistatus === undefined) return undefined
  return children(multistatus, 'response').flatMap((response) => {
    const nome = decodeURIComponent(textOf(response, 'href')).split('/').findLast(Boolean)
    const sizes = children(response, 'propstat').map((stat) =>
      textOf(child(stat, 'prop'), 'getcontentlength'),
    )
    const size = sizes.find((text) => /^\d+$/.test(text))
    return nome ? [{ nome, bytes: size === undefined ? undefined : Number(size) }] : []
  })
}
