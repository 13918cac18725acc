import type { FastifySchema } from 'fastify'
import type { TObject } from 'typebox'
import { XML_TYPES } from './bodies.ts'
import { rangeOf, WHOLE } from './parameters.ts'
import { partsOf } from './validator.ts'

type Example = Readonly<Record<string, unknown>>

/** What an endpoint takes, and an example of it. */
type Taken = { url: string; query?: TObject; body?: TObject; xmlIn?: string; example: Example }

/** A parameter that the example leaves out has none, so that a reference page does not send it. */
export function describeSent({ url, query, body, xmlIn, example }: Taken): FastifySchema {
  // @fastify/swagger makes `example` of the only one of `examples`.
  if (body && xmlIn !== undefined) return describeXml(body, xmlIn, example)
  if (body) return { body: { ...body, examples: [example] } }
  if (!query) return {}
  const { params, querystring } = partsOf(url, query)
  return {
    querystring: withExamples(querystring, example),
    ...(params && { params: withExamples(params, example) }),
  }
}

function describeXml(body: TObject, xmlIn: string, example: Example): FastifySchema {
  const { [xmlIn]: xml, ...options } = { ...body.properties }
  const type = { schema: { type: 'string', description: Reflect.get(Object(xml), 'description') } }
  const properties = Object.entries(options).map(([name, schema]) => [name, inQuery(schema)])
  return {
    querystring: { type: 'object', properties: Object.fromEntries(properties) },
    body: {
      content: {
        'application/json': { schema: { ...body, examples: [example] } },
        ...Object.fromEntries(XML_TYPES.map((name) => [name, type])),
      },
    },
  }
}

/** A reference page sends each default and the first word of each list: none is told. */
function inQuery(schema: object): object {
  const { description, enum: words, default: standard, ...rest }: Record<string, unknown> = { ...schema }
  const said = `Só com o XML como corpo. ${String(description)}`
  if (!Array.isArray(words)) return { ...rest, description: said }
  return { type: 'string', description: `${said}. true ou false; ${String(standard)} se não vier` }
}

function withExamples(taken: TObject, example: Example): object {
  const properties = Object.entries({ ...taken.properties }).map(([name, schema]) => [
    name,
    { ...asNumber(schema), ...(name in example && { examples: [example[name]] }) },
  ])
  return { ...taken, properties: Object.fromEntries(properties) }
}

function asNumber(schema: object): object {
  if (!(WHOLE in schema)) return schema
  const { [WHOLE]: range, default: standard, ...rest }: Record<string, unknown> = { ...schema }
  const number = standard === undefined ? {} : { default: Number(standard) }
  return { ...rest, type: 'integer', ...rangeOf(range), ...number }
}

export type Shown = {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: { examples?: Record<string, { value: Example }> }
}
type Operation = { requestBody?: Content; responses?: Record<string, Content & { description?: string }> }
type Content = { content?: Readonly<Record<string, Media>> }
type Media = { example?: object; examples?: Record<string, { $ref: string }> }

type Examples = Readonly<Record<string, Example>>

/** `known`: members that only the running service knows; an answer that repeats one has its value. */
export function addExamples(document: Shown, answers: Examples, known: Examples): void {
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const { requestBody, responses = {} } of Object.values(operations)) {
      const sent = mediaOf(requestBody)
      const answered = mediaOf(responses[200])
      const renewed = sent ? known[path] : undefined
      if (answered && answers[path]) answered.example = renew(answers[path], Object(sent?.example), renewed)
      if (sent) sent.example = { ...sent.example, ...renewed }
      for (const failure of Object.values(responses)) addFailures(failure, answers)
    }
  const failures = Object.entries(answers).filter(([name]) => !name.startsWith('/'))
  const examples = Object.fromEntries(failures.map(([code, value]) => [code, { value }]))
  document.components = { ...document.components, examples }
}

function addFailures({ description = '', content }: Content & { description?: string }, answers: Examples) {
  const media = content?.['application/problem+json']
  const codes = description.split(', ').filter((code) => code in answers)
  if (media)
    media.examples = Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    )
}

const mediaOf = (content: Content | undefined) => content?.content?.['application/json']

function renew(answer: Example, before: Example, after: Example = {}): object {
  let text = JSON.stringify(answer)
  for (const [name, value] of Object.entries(after))
    if (name in before) text = text.replaceAll(JSON.stringify(before[name]), () => JSON.stringify(value))
  return JSON.parse(text)
}
