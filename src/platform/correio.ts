import { createRequire } from 'node:module'
import type { Config } from './config/settings.ts'
import { StartError } from './start.ts'
import { codeOf } from './wire/fonte.ts'

export type Carta = { para: string; assunto: string; texto: string; html: string }

export type Correio = {
  /** `id` is the same when it is sent again. Throws CorreioError, and the reason of the signal. */
  send: (carta: Carta, call: { id: string; signal: AbortSignal }) => Promise<void>
}

export class CorreioError extends Error {
  override name = 'CorreioError'
  /** Whether the server will never take it (RFC 5321, 4.2.1: a code of 500 and above). */
  readonly isFinal: boolean
  constructor(message: string, { isFinal, cause }: { isFinal: boolean; cause: unknown }) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

const PORTS: Record<string, number> = { 'smtps:': 465, 'smtp:': 587 }
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
const TIMEOUTS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
} as const

const require = createRequire(import.meta.url)

/**
 * Opens the way to a mail server; no connection is made yet. `smtps:` speaks TLS from the first octet, and
 * `smtp:` must change to it unless the server is on this machine.
 */
function openCorreio({ url, de }: { url: string; de: string }): Correio {
  // 4 MB, which a service without letters does not need.
  const { createTransport }: typeof import('nodemailer') = require('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  const user = decodeURIComponent(username)
  // Parts of the address, and never its query: that could turn the check of certificates off.
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || PORTS[protocol],
    secure: protocol === 'smtps:',
    requireTLS: protocol === 'smtp:' && !LOOPBACK.test(hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(password) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  })
  return {
    send: async ({ para, assunto, texto, html }, { id, signal }) => {
      signal.throwIfAborted()
      const sent = transport.sendMail({
        from: de,
        // As an object it is one address, whatever stands in it.
        to: { name: '', address: para },
        subject: assunto,
        text: texto,
        html,
        messageId: `<${id}@consulta-fiscal>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await sent.catch((error: unknown) => {
        throw explained(error)
      })
    },
  }
}

/** The server's own words may hold the address: only its code is told, without the error itself. */
function explained(error: unknown): CorreioError {
  const answered = Number(Reflect.get(Object(error), 'responseCode'))
  const isFinal = answered >= 500 && codeOf(error) === 'EENVELOPE'
  const said = answered > 0 ? `respondeu ${answered}` : `não atendeu (${codeOf(error) || 'sem código'})`
  return new CorreioError(`O servidor de e-mail ${said}.`, { isFinal, cause: undefined })
}

/** Undefined where there is none. Throws StartError where letters are needed and cannot be sent. */
export function correioDe({
  AUTHORITIES,
  CADASTRO,
  SMTP_URL,
  SMTP_FROM,
  PUBLIC_URL,
}: Pick<Config, 'AUTHORITIES' | 'CADASTRO' | 'SMTP_URL' | 'SMTP_FROM' | 'PUBLIC_URL'>): Correio | undefined {
  const isOpen = AUTHORITIES === 'live' && CADASTRO === 'aberto'
  if (SMTP_URL === undefined) {
    if (isOpen)
      throw new StartError(
        'Com o cadastro aberto no modo live, as contas só recebem créditos depois de confirmarem o e-mail. Defina SMTP_URL e PUBLIC_URL, ou CADASTRO=convite.',
      )
    return undefined
  }
  if (PUBLIC_URL === undefined)
    throw new StartError(
      'As cartas levam endereços deste serviço. Defina PUBLIC_URL, como https://fiscal.exemplo.com.br, ou tire SMTP_URL.',
    )
  return openCorreio({ url: SMTP_URL, de: SMTP_FROM })
}
