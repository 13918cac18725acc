import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A letter as the mail server took it. */
export type Recebida = { de: string; para: string[]; texto: string }

/** A mail server in this process. */
export type Carteiro = {
  url: string
  recebidas: Recebida[]
  /** Waits until so many letters have come. */
  espera: (count: number) => Promise<Recebida[]>
}

/** Starts a mail server, which is closed with the test. `options` may make it refuse. */
export async function abrirCarteiro(t: TestContext, options: SMTPServerOptions = {}): Promise<Carteiro> {
  const recebidas: Recebida[] = []
  const waiting: { count: number; resolve: (letters: Recebida[]) => void }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        recebidas.push({
          de: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          para: envelope.rcptTo.map(({ address }) => address),
          texto: Buffer.concat(parts).toString(),
        })
        for (const { count, resolve } of waiting) if (recebidas.length >= count) resolve(recebidas)
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = Object(server.server.address())
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    recebidas,
    espera: (count) =>
      recebidas.length >= count
        ? Promise.resolve(recebidas)
        : new Promise((resolve) => waiting.push({ count, resolve })),
  }
}

/** The body of a letter, without its transfer encoding: quoted-printable (RFC 2045, 6.7). */
export const corpoDe = ({ texto }: Recebida): string =>
  Buffer.from(
    texto
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** The code in the address of a letter. */
export const codigoDe = (letter: Recebida): string => /\?codigo=([\w-]+)/.exec(corpoDe(letter))?.[1] ?? ''
