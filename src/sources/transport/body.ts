import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { SourceError } from '../../domain/source-error.ts'
import type { Source } from '../transport.ts'

/** Reads a body of at most `maxBytes`, before and after decompression. Throws SourceError `parse` beyond. */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  encoding: string,
  maxBytes: number,
  tooLarge: () => SourceError,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return decompress(Buffer.concat(chunks), encoding, maxBytes)
}

/** We ask for no compression; a server may compress all the same. */
function decompress(body: Buffer, encoding: string, maxOutputLength: number): Buffer {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, { maxOutputLength })
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength })
  return encoding === 'deflate' ? inflateSync(body, { maxOutputLength }) : body
}

/**
 * The text of a body: in the charset that the source's description gives, else its Content-Type's, else UTF-8. Throws
 * SourceError `parse` for bytes that the charset does not have: a name with the wrong letters is a wrong answer.
 */
export function decodeBody(
  body: Buffer,
  contentType: string,
  charset: string | undefined,
  source: Source,
): string {
  const label = charset ?? /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label, { fatal: true }).decode(body)
  } catch (cause) {
    const message = `${source.nome} respondeu com caracteres que não são do conjunto anunciado (${label}).`
    throw new SourceError('parse', message, { source: source.id, elapsedMs: 0, cause })
  }
}
