import { isUtf8 as isValidUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { codeOf } from './error-code.ts'
import type { SourceError } from './fonte.ts'

/** Makes the failure of a body that cannot be read. `why` follows the authority's name. */
type Broken = (why: string) => SourceError

/**
 * Reads a body of at most `maxBytes`, before and after decompression. Throws `broken` if it is larger or
 * corrupt.
 */
export async function readBody(
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

/** We ask for no compression, but a server may compress all the same. */
function decompress(body: Buffer, encoding: string, maxOutputLength: number): Buffer {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, { maxOutputLength })
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength })
  if (encoding !== 'deflate') return body
  // Some servers leave out the two bytes of zlib's header (RFC 9110, 8.4.1.2).
  const wrapped = ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
  return wrapped ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength })
}

/**
 * Decodes a body in the source's charset, else the Content-Type's, the XML declaration's (RFC 7303, 3) or
 * UTF-8. Throws `broken` for bytes that the charset lacks.
 */
export function decodeBody(
  body: Buffer,
  contentType: string,
  charset: string | undefined,
  broken: Broken,
): string {
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

/**
 * The charset of an XML declaration, if it has one byte a character. UTF-16 is ignored, because .NET declares
 * it of any XML that it wrote into a string.
 */
const declaredIn = (body: Buffer): string | undefined =>
  /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']((?:iso-8859|windows)-\d+)["']/i.exec(
    body.subarray(0, 200).toString('latin1'),
  )?.[1]
