import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import type { Chamador } from './autoridade.ts'
import { readTitular } from './icp/catalogo.ts'
import type { Icp } from './icp/icp.ts'

/** One name for every context: OpenSSL resumes no session that asked for a certificate without it. */
const SESSAO = { sessionIdContext: 'simulador', sessionTimeout: 3600 } as const

/** When a client certificate is asked for: in the handshake, once a request is there, or never. */
export type PedeCertificado = 'no-handshake' | 'depois' | 'nunca'

export type Cifrar = (cru: Socket, opcoes: { nome: string; asksCertificado: PedeCertificado }) => void

export type Cifrada = { socket: TLSSocket; cru: Socket; nome: string; asksCertificado: PedeCertificado }

/** Node decides before SNI whether to ask for a client certificate, so each way has a server. */
export function createLadoTls(icp: Icp, pronto: (cifrada: Cifrada) => void): Cifrar {
  const contextos = new Map<string, SecureContext>()
  const contexto = (nome: string): SecureContext => {
    const feito =
      contextos.get(nome) ??
      createSecureContext({ ...icp.servidor(nome), ca: [...icp.cadeia], minVersion: 'TLSv1.2', ...SESSAO })
    contextos.set(nome, feito)
    return feito
  }
  // tls.Server gives no way from its socket to the one below it. Both have the same peer.
  const abertas = new Map<string, Omit<Cifrada, 'socket'>>()
  const servidor = (asks: PedeCertificado): Server =>
    createServer({
      requestCert: asks === 'no-handshake',
      // A renegotiation that resumes the session of its own connection would show no certificate (OpenSSL
      // 3.5, 2026-11).
      secureOptions: asks === 'depois' ? constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION : 0,
      rejectUnauthorized: false,
      ca: [...icp.cadeia],
      minVersion: 'TLSv1.2',
      // TLS 1.3 has no renegotiation. Such hosts also serve clients that prefer 1.3, so the hosts cannot
      // speak it.
      maxVersion: asks === 'depois' ? 'TLSv1.2' : 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: 20_000,
      SNICallback: (nome, answer) => answer(null, contexto(nome.toLowerCase())),
      ...SESSAO,
    })
      .on('secureConnection', (socket) => {
        const aberta = abertas.get(par(socket))
        if (aberta) pronto({ socket, ...aberta })
        else socket.destroy()
      })
      .on('tlsClientError', (_erro, socket) => {
        socket.destroy()
      })
  const servidores = {
    'no-handshake': servidor('no-handshake'),
    depois: servidor('depois'),
    nunca: servidor('nunca'),
  } as const satisfies Record<PedeCertificado, Server>
  return (cru, { nome, asksCertificado }) => {
    const chave = par(cru)
    abertas.set(chave, { cru, nome, asksCertificado })
    cru.once('close', () => abertas.delete(chave))
    servidores[asksCertificado].emit('connection', cru)
  }
}

const par = ({ localAddress, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${remoteAddress} ${remotePort}`

export type ClientHello = { nome: string | undefined }

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0

/** No client's is near this: OpenSSL 3.5's, with its post-quantum key share, takes some 1,500 octets. */
const MAXIMO = 32_768

/** The server name out of a connection's first octets (RFC 8446, 4.1.2 and 5.1; RFC 6066, 3). */
export function readClientHello(octetos: Buffer): ClientHello | 'incompleto' | 'invalido' {
  const mensagem = joinRegistros(octetos)
  if (typeof mensagem === 'string') return mensagem
  try {
    return { nome: readNome(mensagem) }
  } catch (error) {
    if (error instanceof RangeError) return 'invalido'
    throw error
  }
}

/** The handshake message with its header, out of the records that carry it. Octets after it do not matter. */
function joinRegistros(octetos: Buffer): Buffer | 'incompleto' | 'invalido' {
  let mensagem = Buffer.alloc(0)
  for (let i = 0; i < octetos.length; ) {
    if (octetos[i] !== HANDSHAKE) return 'invalido'
    if (octetos.length < i + 5) break
    const fim = i + 5 + octetos.readUInt16BE(i + 3)
    if (octetos.length < fim) break
    mensagem = Buffer.concat([mensagem, octetos.subarray(i + 5, fim)])
    i = fim
    if (mensagem.length < 4) continue
    const tamanho = 4 + mensagem.readUIntBE(1, 3)
    if (mensagem[0] !== CLIENT_HELLO || tamanho > MAXIMO) return 'invalido'
    if (mensagem.length >= tamanho) return mensagem.subarray(0, tamanho)
  }
  return octetos.length > MAXIMO ? 'invalido' : 'incompleto'
}

/** Throws RangeError where a length points outside of the message. */
function readNome(mensagem: Buffer): string | undefined {
  let i = 4 + 2 + 32
  i += 1 + mensagem.readUInt8(i)
  i += 2 + mensagem.readUInt16BE(i)
  i += 1 + mensagem.readUInt8(i)
  if (i === mensagem.length) return undefined
  const fim = i + 2 + mensagem.readUInt16BE(i)
  for (i += 2; i < fim; i += 4 + mensagem.readUInt16BE(i + 2)) {
    if (mensagem.readUInt16BE(i) !== SERVER_NAME) continue
    const tamanho = mensagem.readUInt16BE(i + 7)
    return mensagem.toString('latin1', i + 9, i + 9 + tamanho).toLowerCase()
  }
  return undefined
}

export type Fala = { tipo: 'http' } | ({ tipo: 'tls' } & ClientHello)

const PACIENCIA = 20_000

/** Looks at a connection's first octets without consuming them, and breaks off what it cannot understand. */
export function peek(socket: Socket, listen: (fala: Fala) => void): void {
  let recebido = Buffer.alloc(0)
  const giveUp = (): void => {
    socket.destroy()
  }
  const read = (): void => {
    const pedaco: unknown = socket.read()
    if (!Buffer.isBuffer(pedaco)) return
    recebido = Buffer.concat([recebido, pedaco])
    const fala = classify(recebido)
    if (fala === 'incompleto') return
    socket.off('readable', read).off('timeout', giveUp).setTimeout(0)
    if (fala === 'invalido') giveUp()
    else {
      socket.unshift(recebido)
      listen(fala)
    }
  }
  socket.on('readable', read).on('timeout', giveUp).setTimeout(PACIENCIA)
}

function classify(octetos: Buffer): Fala | 'incompleto' | 'invalido' {
  // A method of HTTP never starts with the content type of a TLS handshake record (22).
  if (octetos[0] !== 22) return { tipo: 'http' }
  const hello = readClientHello(octetos)
  return typeof hello === 'string' ? hello : { tipo: 'tls', ...hello }
}

const ESPERA_DO_CERTIFICADO = 20_000

/** A resumed session without any certificate counts as authorized, so `authorized` alone is not enough. */
export function readChamador(socket: TLSSocket): Chamador | undefined {
  const certificado = socket.authorized ? socket.getPeerX509Certificate() : undefined
  return certificado && readTitular(certificado)
}

/** Asks once for the client certificate by renegotiation (RFC 5246, 7.4.1.1); who refuses is broken off. */
export function createPedidoDeChamador(
  socket: TLSSocket,
  renegociado: () => void,
): () => Promise<Chamador | undefined> {
  let pedido: Promise<Chamador | undefined> | undefined
  const request = async (): Promise<Chamador | undefined> => {
    if (await renegotiate(socket)) renegociado()
    return readChamador(socket)
  }
  return () => {
    pedido ??= request()
    return pedido
  }
}

const renegotiate = (socket: TLSSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const giveUp = setTimeout(() => socket.destroy(), ESPERA_DO_CERTIFICADO).unref()
    const finish = (feito: boolean): void => {
      clearTimeout(giveUp)
      socket.off('close', onClose)
      resolve(feito)
    }
    const onClose = (): void => finish(false)
    socket.once('close', onClose)
    socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, (erro) => finish(!erro))
  })
