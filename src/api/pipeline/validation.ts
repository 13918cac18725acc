import { parse } from 'node:querystring'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { Type } from 'typebox'
import { formatoDaChaveProblem } from '../../domain/documento/chave.ts'
import { cnpjProblem, cpfProblem, type Documento } from '../../domain/documento/documento.ts'
import { ApiError, type ErrorCode } from '../../domain/errors.ts'
import { ambitoProblem, findUf, type Uf, ufProblem } from '../../domain/uf.ts'
import { anyOf, type Fault, queryRules } from './query-rule.ts'

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

/** The keyword of a parameter's schema that says which code a wrong value raises, and the one for its absence. */
const CODE = 'x-erro'
const CODE_ABSENT = 'x-erro-ausente'

/** The keyword of a text that may be empty: elsewhere an empty one counts as not sent. */
export const EMPTY_COUNTS = 'x-vazio-vale'

/** A CNPJ as the specification takes it: 14 digits (or the alphanumeric form), with valid check digits. */
export const Cnpj = (description: string) =>
  Type.String({ format: 'cnpj', description, examples: ['00000000000191'], [CODE]: 'DOCUMENTO_INVALIDO' })

/** A CPF as the specification takes it: 11 digits, with valid check digits. */
export const Cpf = (description: string) =>
  Type.String({ format: 'cpf', description, examples: ['52998224725'], [CODE]: 'DOCUMENTO_INVALIDO' })

/** A state registration; `x-ie-da-uf` on the query has it checked by the rule of the `uf` sent with it. */
export const Ie = (description: string) => Type.String({ description, examples: ['110042490114'] })

/** One of the 27 UFs, in either case. Read it with `ufOf`. */
export const UfParam = (description: string) =>
  Type.String({ format: 'uf', description, examples: ['SP'], [CODE]: 'UF_NAO_SUPORTADA' })

/** One of the 27 UFs or BR, in either case. Read it with `findAmbito`. */
export const AmbitoParam = (description: string) =>
  Type.String({ format: 'ambito', description, examples: ['SP'], [CODE]: 'UF_NAO_SUPORTADA' })

/** The UF that a parameter names, in capitals. Throws UF_NAO_SUPORTADA where no schema has checked it before. */
export function ufOf(text: string): Uf {
  const uf = findUf(text)
  if (!uf) throw new ApiError('UF_NAO_SUPORTADA', `Parâmetro uf: ${ufProblem(text)}.`)
  return uf
}

/** The taxpayer of a checked query, which has at least one of them; where both are sent, the CNPJ is meant. */
export const documentoOf = ({ cpf = '', cnpj }: { cpf?: string; cnpj?: string }): Documento =>
  cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'cpf', documento: cpf }

/** The access key of an NF-e: 44 characters besides spaces and dots. What it says is not looked at. */
export const ChaveParam = (description: string) =>
  Type.String({ format: 'chave', description, [CODE]: 'CHAVE_INVALIDA' })

/** A part of a client's certificate: what is wrong with any of them is wrong with the certificate. */
export const CertificadoParam = (description: string, options: { [EMPTY_COUNTS]?: true } = {}) =>
  Type.String({
    description,
    [CODE]: 'CERTIFICADO_INVALIDO',
    [CODE_ABSENT]: 'CERTIFICADO_INVALIDO',
    ...options,
  })

/** A switch in a body: true or false, or as the query has it. Read it with `isOn`. */
export const BodySwitch = (description: string, standard: boolean) =>
  Type.Unsafe<boolean | 0 | 1 | string>({
    enum: [true, false, 'true', 'false', 1, 0, '1', '0'],
    description,
    default: standard,
  })

/** A switch in the query: true, false, 1 or 0. Read it with `isOn`. */
export const Switch = (description: string) =>
  Type.Enum(['true', 'false', '1', '0'], { description, default: 'false' })

export const isOn = (value: string | boolean | number | undefined): boolean =>
  ['true', '1'].includes(String(value))

/** Formats by name: what is wrong with a text, undefined when nothing is. */
const formats: Record<string, (text: string) => string | undefined> = {
  cnpj: cnpjProblem,
  cpf: cpfProblem,
  uf: ufProblem,
  ambito: ambitoProblem,
  chave: formatoDaChaveProblem,
}

/** How Fastify's validator is set up: every error reported, nothing coerced, our formats and keywords known. */
export const validatorOptions = {
  allErrors: true,
  coerceTypes: false as const,
  removeAdditional: false as const,
  verbose: true,
  keywords: [
    CODE,
    CODE_ABSENT,
    EMPTY_COUNTS,
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
 * The validator's errors as one ApiError: the first code in the order of the decisions, every fault listed. Takes the values
 * out of them: Ajv keeps its last errors until it is asked again, and the body of one may hold a certificate and its password.
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
  return new ApiError(code, [...new Set(said)].join(' ') || 'Há um parâmetro inválido.', {
    errors: faults.map(({ parameter, reason }) => ({ parameter, reason })),
  })
}

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
  return [
    { code: codeIn(parentSchema, CODE) ?? 'PARAMETRO_INVALIDO', parameter, reason: reasonOf(error, data) },
  ]
}

const codeIn = (schema: object, keyword: string): ErrorCode | undefined =>
  order.find((code) => Reflect.get(schema, keyword) === code)

/** The schema of a property, in the schema of its object. */
function propertyOf({ properties }: Record<string, unknown>, name: string): object {
  return Object(Reflect.get(Object(properties), name))
}

function reasonOf(error: FastifySchemaValidationError, data: unknown): string {
  if (error.keyword === 'format' && typeof data === 'string') {
    return formats[String(error.params.format)]?.(data) ?? 'valor inválido'
  }
  const { allowedValues, type } = error.params
  if (type === 'string') return 'envie um texto'
  if (Array.isArray(allowedValues)) return `envie ${anyOf([...new Set(allowedValues.map(String))])}`
  return 'valor inválido'
}

/** The query of a URL: an empty parameter (`cpf=`) counts as not sent, a repeated one becomes an array. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = parse(text)
  for (const name in query) if (query[name] === '') delete query[name]
  return query
}

/** What Ajv's `verbose` option adds to an error: the value, the keyword's own value and the schema around it. */
function verboseOf(error: object): { data: unknown; schema: unknown; parentSchema: Record<string, unknown> } {
  const data = 'data' in error ? error.data : undefined
  const schema = 'schema' in error ? error.schema : undefined
  const parent = 'parentSchema' in error && typeof error.parentSchema === 'object' ? error.parentSchema : {}
  return { data, schema, parentSchema: { ...parent } }
}
