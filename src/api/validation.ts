import { parse } from 'node:querystring'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { Type } from 'typebox'
import { cnpjProblem } from '../domain/documento.ts'
import { ApiError, type ErrorCode, type ParameterError } from '../domain/errors.ts'

/** Which code a request gets when several apply: `decisions`, "order inside parameters". */
const order: ErrorCode[] = [
  'PARAMETRO_AUSENTE',
  'PARAMETRO_CONFLITANTE',
  'IE_NAO_SUPORTADO',
  'UF_NAO_SUPORTADA',
  'DOCUMENTO_INVALIDO',
  'PARAMETRO_INVALIDO',
]

/** The keyword of a parameter's schema that says which code a wrong value raises. */
const CODE = 'x-erro'

/** A CNPJ as the specification takes it: 14 digits (or the alphanumeric form), with valid check digits. */
export const Cnpj = (description: string) =>
  Type.String({ format: 'cnpj', description, examples: ['00000000000191'], [CODE]: 'DOCUMENTO_INVALIDO' })

/** A switch in the query: true, false, 1 or 0. Read it with `isOn`. */
export const Switch = (description: string) =>
  Type.Enum(['true', 'false', '1', '0'], { description, default: 'false' })

export const isOn = (value: string | undefined): boolean => value === 'true' || value === '1'

/** Formats by name: what is wrong with a text, undefined when nothing is. */
const formats: Record<string, (text: string) => string | undefined> = { cnpj: cnpjProblem }

/** How Fastify's validator is set up: every error reported, nothing coerced, our formats and keyword known. */
export const validatorOptions = {
  allErrors: true,
  coerceTypes: false as const,
  removeAdditional: false as const,
  verbose: true,
  keywords: [CODE],
  formats: Object.fromEntries(
    Object.entries(formats).map(([name, problem]) => [name, (text: string) => problem(text) === undefined]),
  ),
}

/** One parameter at fault, with the code that it raises. */
type Fault = ParameterError & { code: ErrorCode }

/** The validator's errors as one ApiError: the first code in the order of the decisions, every fault listed. */
export function toValidationError(errors: FastifySchemaValidationError[]): ApiError {
  const faults = errors.map(toFault)
  const code =
    order.find((candidate) => faults.some((fault) => fault.code === candidate)) ?? 'PARAMETRO_INVALIDO'
  const first = faults.find((fault) => fault.code === code)
  const detail = first ? `Parâmetro ${first.parameter}: ${first.reason}.` : 'Há um parâmetro inválido.'
  return new ApiError(code, detail, {
    errors: faults.map(({ parameter, reason }) => ({ parameter, reason })),
  })
}

function toFault(error: FastifySchemaValidationError): Fault {
  if (error.keyword === 'required') {
    const parameter = String(error.params.missingProperty)
    return { code: 'PARAMETRO_AUSENTE', parameter, reason: 'é obrigatório e não foi enviado' }
  }
  const parameter = error.instancePath.split('/')[1] ?? ''
  const { data, parentSchema } = verboseOf(error)
  if (Array.isArray(data)) {
    return { code: 'PARAMETRO_INVALIDO', parameter, reason: 'foi enviado mais de uma vez; envie um só valor' }
  }
  const code = order.find((candidate) => candidate === parentSchema[CODE]) ?? 'PARAMETRO_INVALIDO'
  return { code, parameter, reason: reasonOf(error, data) }
}

function reasonOf(error: FastifySchemaValidationError, data: unknown): string {
  if (error.keyword === 'format' && typeof data === 'string') {
    return formats[String(error.params.format)]?.(data) ?? 'valor inválido'
  }
  const { allowedValues } = error.params
  if (Array.isArray(allowedValues)) return `envie ${allowedValues.join(', ').replace(/, ([^,]*)$/, ' ou $1')}`
  return 'valor inválido'
}

/** The query of a URL: an empty parameter (`cpf=`) counts as not sent, a repeated one becomes an array. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = parse(text)
  for (const name in query) if (query[name] === '') delete query[name]
  return query
}

/** What Ajv's `verbose` option adds to an error: the value and the schema it failed. */
function verboseOf(error: object): { data: unknown; parentSchema: Record<string, unknown> } {
  const data = 'data' in error ? error.data : undefined
  const schema = 'parentSchema' in error && typeof error.parentSchema === 'object' ? error.parentSchema : {}
  return { data, parentSchema: { ...schema } }
}
