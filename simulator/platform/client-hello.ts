/** A ClientHello's server name; undefined in `nome` when it asks for none. */
export type ClientHello = { nome: string | undefined }

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0

/** No client's is near this: OpenSSL 3.5's, with its post-quantum key share, takes some 1,500 octets. */
const MAXIMO = 32_768

/**
 * Reads the server name out of the first octets of a TLS connection (RFC 8446, 4.1.2 and 5.1; RFC 6066, 3),
 * in any number of records and segments. Gives `incompleto` while more octets are needed, `invalido` when no
 * more would help.
 */
export function lerClientHello(octetos: Buffer): ClientHello | 'incompleto' | 'invalido' {
  const mensagem = juntarRegistros(octetos)
  if (typeof mensagem === 'string') return mensagem
  try {
    return { nome: lerNome(mensagem) }
  } catch (error) {
    if (error instanceof RangeError) return 'invalido'
    throw error
  }
}

/** The handshake message with its header, out of the records that carry it. Octets after it do not matter. */
function juntarRegistros(octetos: Buffer): Buffer | 'incompleto' | 'invalido' {
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
function lerNome(mensagem: Buffer): string | undefined {
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
