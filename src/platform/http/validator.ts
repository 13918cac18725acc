import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { formatoDaChaveProblem } from '../../documento/chave.ts'
import { diaProblem } from '../../documento/dia.ts'
import { cnpjProblem, cpfProblem } from '../../documento/documento.ts'
import { ambitoProblem, ufProblem } from '../../documento/uf.ts'
import { enumerar } from '../enumerar.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { CODE, CODE_ABSENT, EMPTY_COUNTS, WHOLE } from './parameters.ts'
import { type Fault, queryRules } from './query-rules.ts'
import { rangeOf, wholeProblem } from './whole.ts'

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

/** Formats by name: what is wrong with a text, undefined when nothing is. */
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

/**
 * The settings of Fastify's validator: it reports every error, coerces nothing, and knows our formats and
 * keywords.
 */
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

/** One sentence if names at fault were sent in capitals (`UF`, `Cnpj`), which are other names. */
function explainCase(errors: FastifySchemaValidationError[], faults: readonly Fault[]): string[] {
  const meant = new Set(faults.map(({ parameter }) => parameter))
  const whole = errors.filter(({ instancePath }) => instancePath === '').map((error) => verboseOf(error).data)
  const sent = new Set(whole.flatMap((data) => Object.keys(Object(data))))
  const capitals = [...sent].filter((name) => !meant.has(name) && meant.has(name.toLowerCase()))
  return capitals.length > 0 ? [`Escreva em minúsculas o nome de ${enumerar(capitals)}.`] : []
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
  return [{ code: codeIn(parentSchema, CODE) ?? 'PARAMETRO_INVALIDO', parameter, reason: reasonOf(error) }]
}

const codeIn = (schema: object, keyword: string): ErrorCode | undefined =>
  order.find((code) => Reflect.get(schema, keyword) === code)

/** The schema of a property, in the schema of its object. */
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
  if (Array.isArray(allowedValues)) return `envie ${enumerar([...new Set(allowedValues.map(String))], 'ou')}`
  return 'valor inválido'
}

/**
 * What Ajv's `verbose` option adds to an error: the value, the keyword's own value and the schema around it.
 */
function verboseOf(error: object): { data: unknown; schema: unknown; parentSchema: Record<string, unknown> } {
  const data = 'data' in error ? error.data : undefined
  const schema = 'schema' in error ? error.schema : undefined
  const parent = 'parentSchema' in error && typeof error.parentSchema === 'object' ? error.parentSchema : {}
  return { data, schema, parentSchema: { ...parent } }
}
