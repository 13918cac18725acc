import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** An answer as it came, with what was asked. */
type Vinda = {
  path: string
  method: string
  status: number
  headers: Headers
  text: string
}

type Parametro = { schema?: { type?: string; enum?: string[]; minimum?: number } }
type Resposta = { headers?: Record<string, Parametro & { $ref?: string }>; content?: Record<string, object> }
type Operacao = { responses: Record<string, Resposta>; 'x-eventos'?: { $ref: string } }
type Documento = {
  paths: Record<string, Record<string, Operacao>>
  components: { headers: Record<string, Parametro> }
}

/** What a request may be refused with at any address, before an operation is reached. */
const BEFORE: ReadonlySet<unknown> = new Set([
  'REQUISICAO_INVALIDA',
  'ROTA_NAO_ENCONTRADA',
  'METODO_NAO_PERMITIDO',
  'TEMPO_ESGOTADO',
  'CABECALHOS_MUITO_GRANDES',
])

/** The headers that say something of a call. The others are of HTTP, or of the browser's safety. */
const SAID =
  /^(?:x-(?!content-type-options$|frame-options$|accel-)|ratelimit|retry-after$|www-authenticate$|age$|etag$|idempotency-)/

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Holds the answers of a service against the OpenAPI document that it serves. Ajv is told nothing of our
 * serializer: each schema is compiled once, with its formats.
 */
export type Contrato = { conferir: (vinda: Vinda) => void }

let contrato: Promise<Contrato> | undefined

/** The contract of the code under test, read from the first service that is asked in this process. */
export const contratoDe = (address: string): Promise<Contrato> =>
  (contrato ??= fetch(`${address}/openapi.json`)
    .then((answer) => answer.text())
    .then((text) => abrirContrato(JSON.parse(text))))

/** Opens the contract of a document. `conferir` throws what of an answer is not as the document says. */
export function abrirContrato(documento: Documento): Contrato {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  addFormats.default(ajv)
  ajv.removeKeyword('contentEncoding')
  ajv.addKeyword({
    keyword: 'contentEncoding',
    type: 'string',
    validate: (encoding: unknown, text: string) => encoding === 'base64' && BASE64.test(text),
  })
  ajv.addSchema(documento, 'documento')
  const compiled = new Map<string, ValidateFunction>()
  const paths = Object.entries(documento.paths).map(([path, methods]) => ({
    shape: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    path,
    methods,
  }))

  function validar(pointer: string, value: unknown, told: string): void {
    const known = compiled.get(pointer)
    const validate = known ?? ajv.compile({ $ref: `documento#${pointer}` })
    if (!known) compiled.set(pointer, validate)
    if (validate(value)) return
    const faults = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params, data }) => {
      const found = JSON.stringify(data)?.slice(0, 80)
      return `${instancePath} ${message} ${JSON.stringify(params)} ${found ?? ''}`
    })
    assert.fail(`${told}: the answer is not as the document says:\n${faults.join('\n')}`)
  }

  function conferirCabecalhos(declared: Resposta['headers'], headers: Headers, told: string): void {
    const known = new Map(
      Object.entries(declared ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        documento.components.headers[header.$ref?.split('/').at(-1) ?? ''] ?? header,
      ]),
    )
    for (const [name, value] of headers) {
      if (!SAID.test(name)) continue
      const header = known.get(name)
      assert.ok(header, `${told}: the document says nothing of the header ${name}`)
      const { type, enum: words, minimum } = header.schema ?? {}
      if (type === 'integer') assert.match(value, /^-?\d+$/, `${told}: ${name}`)
      if (minimum !== undefined) assert.ok(Number(value) >= minimum, `${told}: ${name} ${value}`)
      if (words) assert.ok(words.includes(value), `${told}: ${name} ${value}`)
    }
  }

  function conferirEventos(reference: string | undefined, text: string, told: string): void {
    assert.ok(reference, `${told}: the document says nothing of events`)
    for (const block of text.split('\n\n').slice(0, -1)) {
      const name = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (name === undefined || data === undefined) continue
      validar(`${reference.slice(1)}/properties/${name}`, JSON.parse(data), `${told} event ${name}`)
    }
  }

  return {
    conferir: ({ path, method, status, headers, text }) => {
      const type = headers.get('content-type')?.split(';')[0] ?? ''
      const told = `${method} ${path} ${status}`
      const [address = ''] = path.split('?')
      const found = paths.find(({ shape }) => shape.test(address))
      const operation = found?.methods[method.toLowerCase()]
      const body: unknown = /json$/.test(type) && text !== '' ? JSON.parse(text) : undefined
      const isBefore = BEFORE.has(Object(body).error_code)
      if (!found || !operation || isBefore) {
        if (type === 'application/problem+json' && body !== undefined)
          validar('/components/schemas/Problema', body, told)
        return
      }
      const response = operation.responses[status]
      assert.ok(response, `${told}: the document has no such status`)
      conferirCabecalhos(response.headers, headers, told)
      if (type === 'text/event-stream') conferirEventos(operation['x-eventos']?.$ref, text, told)
      if (body === undefined) return
      assert.ok(response.content?.[type], `${told}: the document has no answer of ${type}`)
      const place = [
        'paths',
        found.path,
        method.toLowerCase(),
        'responses',
        status,
        'content',
        type,
        'schema',
      ]
      validar(place.map(pointerOf).join(''), body, told)
    },
  }
}

/** A step of a JSON pointer in a fragment (RFC 6901, 6). */
const pointerOf = (name: string | number): string =>
  `/${encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'))}`
