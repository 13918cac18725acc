import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { excessOf } from './json-bounds.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What a compressed body is refused with. */
export const compressed = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'Envie o corpo sem compressão, sem o cabeçalho Content-Encoding.',
)

const notUtf8 = new ApiError(
  'CORPO_INVALIDO',
  'O corpo da requisição não está em UTF-8. Codifique em UTF-8 o JSON inteiro, acentos inclusive, qualquer que seja o charset de Content-Type.',
)

/**
 * Parses JSON as Fastify does, but refuses bytes that are not UTF-8 (RFC 8259, 8.1), because a password
 * without its accents is another one. It also refuses compressed bodies, and too many names or levels.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return done(compressed)
    let text: string
    try {
      const excess = excessOf(body)
      if (excess !== undefined) return done(new ApiError('CORPO_INVALIDO', excess))
      text = utf8.decode(body)
    } catch {
      return done(notUtf8)
    } finally {
      // It may hold a certificate and its password.
      body.fill(0)
    }
    void parse(request, text, done)
  })
}
