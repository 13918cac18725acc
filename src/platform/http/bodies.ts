import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { ApiError } from '../errors.ts'
import { type TextoLido, textoDosBytes, textoLatin1, textoUtf8 } from './bytes.ts'
import { compressed } from './json-body.ts'

/** The media types of an XML that is sent as it is (RFC 7303). */
export const XML_TYPES = ['application/xml', 'text/xml'] as const

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint takes an XML too: which field of its body that is, and what else the body may have. */
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

const notUtf8 = new ApiError(
  'CORPO_INVALIDO',
  'O corpo da requisição não está em UTF-8, como Content-Type diz. Envie o XML em UTF-8, ou tire o charset do cabeçalho.',
)

const notices = new WeakMap<object, readonly string[]>()

/** What the sender of a body should know of how its XML was read. Empty for a body in JSON. */
export const noticesOf = (body: object): readonly string[] => notices.get(body) ?? []

/** Whether a request has an XML as its body, and its options in the query. */
export const isXml = ({ headers }: FastifyRequest): boolean =>
  XML_TYPES.some((type) => headers['content-type']?.trimStart().toLowerCase().startsWith(type))

/**
 * Takes an XML as it is where an endpoint says so: the body becomes the object that the same request in JSON
 * would send, with the options of the query, and is validated by the same schema.
 */
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
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Labels of the two encodings that are taken (WHATWG Encoding, 4.2). */
const UTF_8 = /^utf-?8$/i
const LATIN_1 = /^(?:iso-?8859-?1|iso-?8859-?15|latin-?1|windows-1252|cp-?1252|us-ascii|ascii)$/i

/** A charset that is named counts (RFC 7303, 3); else the bytes are looked at, as in a file. */
function textOf(bytes: Buffer, type: string): TextoLido {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? []
  if (charset === undefined) return textoDosBytes(bytes)
  if (LATIN_1.test(charset)) return textoLatin1(bytes)
  if (!UTF_8.test(charset)) throw otherCharset
  const text = textoUtf8(bytes)
  if (!text) throw notUtf8
  return text
}

/** The options of a query as JSON has them: a whole number is a number. */
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
