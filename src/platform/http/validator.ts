import { parse } from 'node:querystring'
import buildAjv from '@fastify/ajv-compiler'
import buildStringify from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, preValidationHookHandler } from 'fastify'
import type {
  FastifySchemaValidationError,
  FastifySerializerCompiler,
  FastifyValidationResult,
} from 'fastify/types/schema.js'
import { type TObject, Type } from 'typebox'
import { formatoDaChaveProblem } from '../../documento/chave.ts'
import { diaProblem } from '../../documento/dia.ts'
import { cnpjProblem, cpfProblem } from '../../documento/documento.ts'
import { inscricaoProblem } from '../../documento/inscricao-estadual.ts'
import { ambitoProblem, findUf, ufProblem } from '../../documento/uf.ts'
import { ApiError, type ErrorCode, type ParameterError } from '../errors.ts'
import { enumerate } from '../texto.ts'
import { CODE, CODE_ABSENT, EMPTY_COUNTS, rangeOf, WHOLE, wholeProblem } from './parameters.ts'

export type Fault = ParameterError & { code: ErrorCode; detail?: string }

type Query = Readonly<Record<string, unknown>>

/** Rules between parameters: each gives the faults of `query` by the keyword's `value`. */
const queryRules: Readonly<Record<string, (query: Query, value: unknown) => Fault[]>> = {
  'x-exatamente-um': exactlyOne,
  'x-pelo-menos-um': atLeastOne,
  'x-sem-ie': noIe,
  'x-ie-da-uf': ieOfUf,
}

function exactlyOne(query: Query, value: unknown): Fault[] {
  const names = Array.isArray(value) ? value.map(String) : []
  const sent = names.filter((name) => Object.hasOwn(query, name))
  if (sent.length === 1) return []
  if (sent.length === 0) {
    const code = 'PARAMETRO_AUSENTE'
    const reason = `envie exatamente um: ${enumerate(names, 'ou')}`
    const detail = `Envie exatamente um destes parâmetros: ${enumerate(names, 'ou')}.`
    return names.map((parameter) => ({ code, parameter, reason, detail }))
  }
  const code = 'PARAMETRO_CONFLITANTE'
  const reason = `envie só um: ${enumerate(sent, 'ou')}`
  const detail = `Os parâmetros ${enumerate(sent)} foram enviados juntos; envie só um deles.`
  return sent.map((parameter) => ({ code, parameter, reason, detail }))
}

function atLeastOne(query: Query, value: unknown): Fault[] {
  const names = Array.isArray(value) ? value.map(String) : []
  if (names.some((name) => Object.hasOwn(query, name))) return []
  const reason = `envie ${enumerate(names, 'ou')}`
  const detail = `Envie ao menos um destes parâmetros: ${enumerate(names, 'ou')}.`
  return names.map((parameter) => ({ code: 'PARAMETRO_AUSENTE', parameter, reason, detail }))
}

function noIe(query: Query): Fault[] {
  if (!Object.hasOwn(query, 'ie')) return []
  const reason = 'uma inscrição é de um estado só; consulte-a em /api/consultar, com a uf'
  return [{ code: 'IE_NAO_SUPORTADO', parameter: 'ie', reason }]
}

/** The `ie` is a registration of the `uf`. If the UF itself is at fault, only that is told. */
function ieOfUf({ uf, ie }: Query): Fault[] {
  const known = typeof uf === 'string' ? findUf(uf) : undefined
  const reason = known && typeof ie === 'string' ? inscricaoProblem(known, ie) : undefined
  return reason ? [{ code: 'DOCUMENTO_INVALIDO', parameter: 'ie', reason }] : []
}

/** Which code a request gets when several apply: `decisions`, "order inside parameters". */
const order: ErrorCode[] = [
  'IE_NAO_SUPORTADO',
  'PARAMETRO_AUSENTE',
  'PARAMETRO_CONFLITANTE',
  'UF_NAO_SUPORTADA',
  'CHAVE_INVALIDA',
  'CERTIFICADO_INVALIDO',
  'DOCUMENTO_INVALIDO',
  'PARAMETRO_INVALIDO',
]

const formats: Record<string, (text: string) => string | undefined> = {
  cnpj: cnpjProblem,
  cpf: cpfProblem,
  uf: ufProblem,
  ambito: ambitoProblem,
  chave: formatoDaChaveProblem,
  dia: diaProblem,
  // One that is none has an empty list (specification, "Rejection catalogue").
  categoria: () => undefined,
}

/** Every error is reported, nothing coerced; our formats and keywords are known. */
export const validatorOptions = {
  allErrors: true,
  coerceTypes: false as const,
  removeAdditional: false as const,
  verbose: true,
  keywords: [
    CODE,
    CODE_ABSENT,
    EMPTY_COUNTS,
    {
      keyword: WHOLE,
      type: 'string' as const,
      errors: false,
      validate: (range: unknown, text: string) => wholeProblem(text, rangeOf(range)) === undefined,
    },
    ...Object.entries(queryRules).map(([keyword, faults]) => ({
      keyword,
      type: 'object' as const,
      errors: false,
      validate: (value: unknown, query: Readonly<Record<string, unknown>>) =>
        faults(query, value).length === 0,
    })),
  ],
  formats: Object.fromEntries(
    Object.entries(formats).map(([name, problem]) => [name, (text: string) => problem(text) === undefined]),
  ),
}

/**
 * Turns the validator's errors into one ApiError with every fault; the first code of `order` counts. It takes
 * the values out: Ajv keeps its last errors, and a body may hold a certificate and its password.
 */
export function toValidationError(errors: FastifySchemaValidationError[], part: string): ApiError {
  const error = explainErrors(errors, part)
  for (const each of errors) Reflect.deleteProperty(each, 'data')
  return error
}

function explainErrors(errors: FastifySchemaValidationError[], part: string): ApiError {
  if (errors.some(({ instancePath, keyword }) => instancePath === '' && keyword === 'type'))
    return new ApiError('CORPO_INVALIDO', 'O corpo da requisição deve ser um objeto JSON.')
  const faults = errors.flatMap((error) => toFaults(error, part))
  const code =
    order.find((candidate) => faults.some((fault) => fault.code === candidate)) ?? 'PARAMETRO_INVALIDO'
  const said = faults
    .filter((fault) => fault.code === code)
    .map(({ detail, parameter, reason }) => detail ?? `Parâmetro ${parameter}: ${reason}.`)
  const detail = [...new Set(said), ...explainCase(errors, faults)].join(' ')
  return new ApiError(code, detail || 'Há um parâmetro inválido.', {
    errors: faults.map(({ parameter, reason }) => ({ parameter, reason })),
  })
}

/** One sentence if names were sent in capitals (`UF`, `Cnpj`), which are other names, or that are none. */
function explainCase(errors: FastifySchemaValidationError[], faults: readonly Fault[]): string[] {
  const meant = new Set(faults.map(({ parameter }) => parameter))
  const whole = errors.filter(({ instancePath }) => instancePath === '').map((error) => verboseOf(error).data)
  const sent = new Set(whole.flatMap((data) => Object.keys(Object(data))))
  const capitals = [...sent].filter((name) => !meant.has(name) && meant.has(name.toLowerCase()))
  if (capitals.length > 0) return [`Escreva em minúsculas o nome de ${enumerate(capitals)}.`]
  const known = new Set(
    errors.flatMap((error) => Object.keys(Object(verboseOf(error).parentSchema?.properties))),
  )
  const isStrange = (name: string): boolean => !known.has(name) && !meant.has(name) && A_NAME.test(name)
  const strange = known.size > 0 ? [...sent].filter(isStrange) : []
  if (strange.length === 0) return []
  return [
    `${enumerate(strange.slice(0, 3))} não ${strange.length === 1 ? 'é parâmetro' : 'são parâmetros'} desta rota.`,
  ]
}

/** No number is told back: it may be a document. */
const A_NAME = /^[a-z_]{1,30}$/i

function toFaults(error: FastifySchemaValidationError, part: string): Fault[] {
  const { data, schema, parentSchema } = verboseOf(error)
  const rule = queryRules[error.keyword]
  if (rule) return rule({ ...Object(data) }, schema)
  if (error.keyword === 'required') {
    const parameter = String(error.params.missingProperty)
    const code = codeIn(propertyOf(parentSchema, parameter), CODE_ABSENT) ?? 'PARAMETRO_AUSENTE'
    return [{ code, parameter, reason: 'é obrigatório e não foi enviado' }]
  }
  const parameter = error.instancePath.split('/')[1] ?? ''
  // In a query, which repeats a parameter so; in a body, a list is one wrong value.
  if (part === 'querystring' && Array.isArray(data)) {
    const reason = 'foi enviado mais de uma vez; envie um só valor'
    return [{ code: 'PARAMETRO_INVALIDO', parameter, reason }]
  }
  return [{ code: codeIn(parentSchema, CODE) ?? 'PARAMETRO_INVALIDO', parameter, reason: reasonOf(error) }]
}

const codeIn = (schema: object, keyword: string): ErrorCode | undefined =>
  order.find((code) => Reflect.get(schema, keyword) === code)

function propertyOf({ properties }: Record<string, unknown>, name: string): object {
  return Object(Reflect.get(Object(properties), name))
}

function reasonOf(error: FastifySchemaValidationError): string {
  const { data, schema } = verboseOf(error)
  if (error.keyword === WHOLE) return wholeProblem(String(data), rangeOf(schema)) ?? 'valor inválido'
  if (error.keyword === 'format' && typeof data === 'string') {
    return formats[String(error.params.format)]?.(data) ?? 'valor inválido'
  }
  const { allowedValues, type } = error.params
  if (type === 'string') return 'envie um texto'
  if (type === 'integer') return 'envie um número inteiro, sem aspas'
  if (error.keyword === 'minimum') return `envie ${error.params.limit} ou mais`
  if (error.keyword === 'maximum') return `envie no máximo ${error.params.limit}`
  if (Array.isArray(allowedValues)) return `envie ${enumerate([...new Set(allowedValues.map(String))], 'ou')}`
  return 'valor inválido'
}

function verboseOf(error: object): { data: unknown; schema: unknown; parentSchema: Record<string, unknown> } {
  const data = 'data' in error ? error.data : undefined
  const schema = 'schema' in error ? error.schema : undefined
  const parent = 'parentSchema' in error && typeof error.parentSchema === 'object' ? error.parentSchema : {}
  return { data, schema, parentSchema: { ...parent } }
}

/** The query of a URL: an empty parameter (`cpf=`) counts as not sent, a repeated one becomes an array. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = parse(text)
  for (const name in query) if (query[name] === '') delete query[name]
  return query
}

/**
 * Drops texts left empty, and null for a text that must be sent: they count as not sent, unless the schema
 * says that empty is a value. In a field that is no text, empty is a wrong value.
 */
export const dropEmpty =
  ({ properties, required }: TObject): preValidationHookHandler =>
  ({ body }, _reply, done) => {
    const needed: readonly string[] = required ?? []
    if (typeof body === 'object' && body !== null)
      for (const [name, value] of Object.entries(body))
        if (isUnsent(value, properties[name], needed.includes(name))) Reflect.deleteProperty(body, name)
    done()
  }

function isUnsent(value: unknown, schema: object = {}, isRequired: boolean): boolean {
  if (Reflect.get(schema, 'type') !== 'string') return false
  return (value === '' && !(EMPTY_COUNTS in schema)) || (value === null && isRequired)
}

/** `manifesta`, `Manifestar` and `manifestacao` are taken for `manifestar`. */
const LETTERS = 5

const beginning = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, LETTERS)

/**
 * Refuses a misspelt optional field, and such a field in the URL, with PARAMETRO_INVALIDO; other unknown
 * names are ignored. A misspelt `manifestar: false` would register an event that cannot be undone.
 */
export function refuseMisnamed({ properties, required }: TObject, body: object, query: object): void {
  const isRequired = new Set<string>(required)
  const optional = Object.keys(properties).filter((name) => !isRequired.has(name))
  for (const [sent, isField] of namesOf(body, query)) {
    if (isField && sent in properties) continue
    const meant = optional.find((name) => beginning(name) === beginning(sent))
    if (meant === undefined) continue
    const reason = isField
      ? `não existe; o campo é ${meant}`
      : `envie ${meant} no corpo JSON, e não no endereço`
    throw new ApiError('PARAMETRO_INVALIDO', `Parâmetro ${sent}: ${reason}.`, {
      errors: [{ parameter: sent, reason }],
    })
  }
}

const namesOf = (body: object, query: object): [name: string, isField: boolean][] => [
  ...Object.keys(body).map((name): [string, boolean] => [name, true]),
  ...Object.keys(query).map((name): [string, boolean] => [name, false]),
]

type Parts = { params?: TObject; querystring: TObject }

const namesIn = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

export function partsOf(url: string, taken: TObject): Parts {
  const names = namesIn(url)
  if (names.length === 0) return { querystring: taken }
  return { params: Type.Pick(taken, names), querystring: Type.Omit(taken, names) }
}

const compileValidator = buildAjv()({}, { customOptions: validatorOptions })
const compileSerializer = buildStringify()({})

/** Each schema is compiled with its first use: most processes use few, and no start waits for the rest. */
export function compileSchemasLate(app: FastifyInstance): void {
  app.setValidatorCompiler(lateValidator)
  app.setSerializerCompiler(lateSerializer)
}

const lateValidator: FastifySchemaCompiler<object> = (route) => {
  let compiled: FastifyValidationResult | undefined
  const validate: FastifyValidationResult = (data) => {
    // Other applications get the same one: the compiler keeps what it compiled.
    compiled ??= compileValidator(route)
    const isValid = compiled(data)
    validate.errors = compiled.errors ?? null
    return isValid === true
  }
  return validate
}

type Serializer = (data: unknown) => string

const serializers = new WeakMap<object, Serializer>()

function serializerOf(route: Parameters<FastifySerializerCompiler<object>>[0]): Serializer {
  const known = serializers.get(route.schema)
  if (known) return known
  const made = compileSerializer({ ...route, httpStatus: route.httpStatus ?? '' })
  serializers.set(route.schema, made)
  return made
}

const lateSerializer: FastifySerializerCompiler<object> = (route) => {
  let compiled: Serializer | undefined
  return (data) => {
    compiled ??= serializerOf(route)
    return compiled(data)
  }
}
