import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { ApiError, errorOf } from '../errors.ts'

/** No body that we take has more: names and items together, and objects or lists within each other. */
const MAX_VALUES = 500
const MAX_DEPTH = 10

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/** In Portuguese. One pass before parsing, because a body full of names would block everybody. */
export function excessOf(json: Buffer): string | undefined {
  let values = 0
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const octet = json[at] ?? 0
    if (octet === QUOTE) {
      at = endOfText(json, at)
    } else if (octet === COMMA) {
      values += 1
    } else if (OPENING.includes(octet)) {
      values += 1
      depth += 1
    } else if (CLOSING.includes(octet)) {
      depth -= 1
    }
    if (values > MAX_VALUES) return `O corpo da requisição tem mais de ${MAX_VALUES} campos e itens.`
    if (depth > MAX_DEPTH) return `O corpo da requisição tem mais de ${MAX_DEPTH} níveis.`
  }
  return undefined
}

function endOfText(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: Buffer, at: number): boolean {
  let before = at
  while (json[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const compressed = new ApiError(
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

export type TextoLido = { xml: string; avisos: readonly string[] }

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const latin1 = new TextDecoder('windows-1252')

const NAO_E_UTF8 =
  'O arquivo não está em UTF-8, como a SEFAZ exige (rejeição 402). Nós o lemos como Windows-1252; grave-o em UTF-8 antes de transmitir.'

/** Reads the bytes of a file: UTF-8, or else the encoding of old programs for Windows. */
export function textoDosBytes(bytes: Uint8Array): TextoLido {
  return textoUtf8(bytes) ?? textoLatin1(bytes)
}

/** Undefined where the bytes are no UTF-8. A mark of the byte order is no part of the text. */
function textoUtf8(bytes: Uint8Array): TextoLido | undefined {
  try {
    return { xml: strictUtf8.decode(bytes), avisos: [] }
  } catch {
    return undefined
  }
}

/** Windows-1252, of which ISO-8859-1 is a part. What has no accent is the same in UTF-8. */
const textoLatin1 = (bytes: Uint8Array): TextoLido => ({
  xml: latin1.decode(bytes),
  avisos: bytes.some((byte) => byte > 0x7f) ? [NAO_E_UTF8] : [],
})

export const XML_TYPES = ['application/xml', 'text/xml'] as const

declare module 'fastify' {
  interface FastifyContextConfig {
    xmlBody?: { field: string; body: TObject }
  }
}

const onlyJson = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'Envie o corpo em JSON, com o cabeçalho Content-Type: application/json.',
)

const otherCharset = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'O charset de Content-Type não é aceito. Envie o XML em UTF-8, ou em ISO-8859-1 com charset=ISO-8859-1.',
)

const xmlNotUtf8 = new ApiError(
  'CORPO_INVALIDO',
  'O corpo da requisição não está em UTF-8, como Content-Type diz. Envie o XML em UTF-8, ou tire o charset do cabeçalho.',
)

const notices = new WeakMap<object, readonly string[]>()

/** What the sender of a body should know of how its XML was read. Empty for a body in JSON. */
export const noticesOf = (body: object): readonly string[] => notices.get(body) ?? []

export const isXml = ({ headers }: FastifyRequest): boolean =>
  XML_TYPES.some((type) => headers['content-type']?.trimStart().toLowerCase().startsWith(type))

/** The body becomes the object that the same request in JSON would send. */
export function readXmlBodies(app: FastifyInstance): void {
  app.addContentTypeParser<Buffer>([...XML_TYPES], { parseAs: 'buffer' }, (request, bytes, done) => {
    const { xmlBody } = request.routeOptions.config
    const type = request.headers['content-type'] ?? ''
    if (!xmlBody) return done(onlyJson)
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return done(compressed)
    try {
      const { xml, avisos } = textOf(bytes, type)
      const body = { ...optionsOf(Object(request.query), xmlBody), [xmlBody.field]: xml }
      notices.set(body, avisos)
      done(null, body)
    } catch (error) {
      done(errorOf(error))
    }
  })
}

const UTF_8 = /^utf-?8$/i
const LATIN_1 = /^(?:iso-?8859-?1|iso-?8859-?15|latin-?1|windows-1252|cp-?1252|us-ascii|ascii)$/i

/** A charset that is named counts (RFC 7303, 3); else the bytes are looked at, as in a file. */
function textOf(bytes: Buffer, type: string): TextoLido {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? []
  if (charset === undefined) return textoDosBytes(bytes)
  if (LATIN_1.test(charset)) return textoLatin1(bytes)
  if (!UTF_8.test(charset)) throw otherCharset
  const text = textoUtf8(bytes)
  if (!text) throw xmlNotUtf8
  return text
}

function optionsOf(
  query: Readonly<Record<string, unknown>>,
  { field, body: { properties } }: { field: string; body: TObject },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (name === field) throw wrong(name, 'o XML é o corpo da requisição; não o envie no endereço')
      if (!Object.hasOwn(properties, name)) return [name, value]
      if (typeof value !== 'string') throw wrong(name, 'foi enviado mais de uma vez; envie um só valor')
      const isWhole =
        Reflect.get(Object(properties[name]), 'type') === 'integer' && /^-?\d{1,15}$/.test(value)
      return [name, isWhole ? Number(value) : value]
    }),
  )
}

const wrong = (parameter: string, reason: string): ApiError =>
  new ApiError('PARAMETRO_INVALIDO', `Parâmetro ${parameter}: ${reason}.`, {
    errors: [{ parameter, reason }],
  })
