import type { Socket } from 'node:net'
import { type ClientHello, lerClientHello } from './client-hello.ts'

/** The protocol that a connection speaks. */
export type Fala = { tipo: 'http' } | ({ tipo: 'tls' } & ClientHello)

/** A client that says nothing for this long, in milliseconds, is not waited for. */
const PACIENCIA = 20_000

/**
 * Looks at a connection's first octets without consuming them: the next reader gets them again. An
 * unintelligible connection is broken off, and `ouvir` is not called.
 */
export function espiar(socket: Socket, ouvir: (fala: Fala) => void): void {
  let recebido = Buffer.alloc(0)
  const desistir = (): void => {
    socket.destroy()
  }
  const ler = (): void => {
    const pedaco: unknown = socket.read()
    if (!Buffer.isBuffer(pedaco)) return
    recebido = Buffer.concat([recebido, pedaco])
    const fala = classificar(recebido)
    if (fala === 'incompleto') return
    socket.off('readable', ler).off('timeout', desistir).setTimeout(0)
    if (fala === 'invalido') desistir()
    else {
      socket.unshift(recebido)
      ouvir(fala)
    }
  }
  socket.on('readable', ler).on('timeout', desistir).setTimeout(PACIENCIA)
}

function classificar(octetos: Buffer): Fala | 'incompleto' | 'invalido' {
  // A method of HTTP never starts with the content type of a TLS handshake record (22).
  if (octetos[0] !== 22) return { tipo: 'http' }
  const hello = lerClientHello(octetos)
  return typeof hello === 'string' ? hello : { tipo: 'tls', ...hello }
}
