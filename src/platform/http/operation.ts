import type { FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { type ErrorCode, errorCodes } from '../errors.ts'
import type { CodigoDoStatus } from '../wire/source-status.ts'
import type { Tag } from './document.ts'
import {
  ageDescribed,
  answerHeaders,
  type Header,
  headersOfFailure,
  keylessHeaders,
  type Price,
  type RefusalCodes,
  standardCodes,
  textHeader,
} from './exchange.ts'
import { onceDescribed } from './once.ts'
import { count, Problema, problemaWith } from './schemas.ts'
import type { Stream } from './stream.ts'

const Creditos = Type.Object(
  {
    cobrados: count('Créditos cobrados por esta chamada'),
    restantes: count('Créditos que restam: cota do mês e extras'),
  },
  { title: 'CreditosDaChamada', description: 'No lugar dos cabeçalhos `X-Credits-…`' },
)

const nameOf = (response: TObject): string => String(Reflect.get(response, 'title')).replace(/^Resposta/, '')

/** Outside the responses, where it would make a union of a client's answer. */
const eventosOf = (response: TObject, { piece, event }: Stream): TObject =>
  Type.Object(
    { [event]: piece, creditos: Creditos, resultado: response, erro: Problema },
    {
      title: `Eventos${nameOf(response)}`,
      description: 'O que vem em data de cada evento, pelo nome do evento, com "Accept: text/event-stream"',
    },
  )

const explainStream = (response: TObject, { described: { pieces, leaver, example } }: Stream): string =>
  `**Em partes.** Com \`Accept: text/event-stream\`: ${pieces}; ` +
  'depois `creditos`, com cobrados e restantes, no lugar dos cabeçalhos `X-Credits-…`; por último `resultado`, com o mesmo corpo da resposta JSON. ' +
  'Uma falha depois do primeiro evento vem como o evento `erro`, com o problema (RFC 9457). Feche a conexão ao receber `resultado` ou `erro`: ' +
  `reconectar é fazer outra consulta. Quem sai antes paga ${leaver}. ` +
  `O que vem em \`data\` de cada evento está no modelo \`Eventos${nameOf(response)}\`.\n\n` +
  `\`\`\`\n${example}${END}\n\`\`\``

const END =
  'event: creditos\ndata: {"cobrados":...,"restantes":...}\n\nevent: resultado\ndata: {"request_id":"...","results":[...]}'

/** The keyword of an operation's codes of `source_status`. */
const SOURCE_CODES = 'x-codigos-da-fonte'

/** What an endpoint says of itself, in Portuguese. */
export type Words = {
  /** What it is called wherever a person reads of it: lists, pages, the reference, the terminal. */
  nome: string
  tag: Tag
  /** What a call costs, where it may cost something: in the description it stands where `{custo}` does. */
  custo?: string
  description: string
  /** Its name in the document, where the last segment of the path is another one's. */
  id?: string
}

/** The codes that it may raise by itself: with HTTP, and in `source_status`. */
export type Raised = Partial<RefusalCodes> & {
  http: readonly ErrorCode[]
  source?: readonly CodigoDoStatus[]
}

export type Described<R extends TObject> = {
  url: `/api/${string}`
  words: Words
  response: R
  headers?: Readonly<Record<string, Header | string>>
  errors: Raised
}

type Kind = {
  price: Price
  keyless?: boolean
  body?: object
  /** What comes as events: a piece at a time, or, of an answer that is prepared, all that ever happens. */
  stream?: Stream | TObject
  prepared?: boolean
  once?: object
  anew?: boolean
}

export function describeLookup<R extends TObject>(endpoint: Described<R> & Kind): FastifySchema {
  const { url, words, response, keyless, stream, prepared, once, anew, errors } = endpoint
  const { id = url.split('/').at(-1) ?? '', tag, nome, custo = '' } = words
  const description = words.description.replace('{custo}', () => custo)
  const pieces = stream && 'piece' in stream ? stream : undefined
  const eventos = pieces ? eventosOf(response, pieces) : stream
  const { answerHeaders: age, requestHeaders: cacheControl, hasAge } = ageDescribed
  const headers = {
    ...endpoint.headers,
    ...(hasAge(response) && age),
    ...(once && onceDescribed.answerHeaders),
  }
  const own = described(headers)
  const sent = { ...(anew && cacheControl.properties), ...(once && onceDescribed.requestHeaders.properties) }
  return {
    operationId: id,
    tags: [tag],
    summary: nome,
    description: pieces ? `${description}\n\n${explainStream(response, pieces)}` : description,
    security: keyless ? [] : [{ chave: [] }, { login: [] }],
    ...((anew || once) && { headers: Type.Object(sent) }),
    ...(errors.source && { [SOURCE_CODES]: errors.source }),
    ...(eventos && { 'x-eventos': eventos }),
    response: {
      200: {
        description: 'Sucesso',
        headers: { ...headersOf(endpoint), ...own },
        content: { 'application/json': { schema: response } },
      },
      ...(prepared && { 304: { ...notModified, headers: { ...headersOf(endpoint), ...own } } }),
      ...failuresOf(endpoint),
    },
  }
}

export const codesOf = ({
  rate = standardCodes.rate,
  credits = standardCodes.credits,
}: Raised): RefusalCodes => ({ rate, credits })

const described = (headers: Readonly<Record<string, Header | string>>): Readonly<Record<string, Header>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      typeof header === 'string' ? textHeader(header) : header,
    ]),
  )

const notModified = {
  type: 'null',
  description: 'Nada mudou desde a resposta com o ETag que veio em If-None-Match; sem corpo',
}

const headersOf = ({ keyless }: Kind): Readonly<Record<string, Header>> =>
  keyless ? keylessHeaders : answerHeaders

function failuresOf(endpoint: Described<TObject> & Kind): object {
  const { errors, price, body, once, keyless, prepared } = endpoint
  const { rate, credits } = codesOf(errors)
  const all: ErrorCode[] = keyless ? [] : ['NAO_AUTENTICADO', 'CONTA_BLOQUEADA']
  all.push(rate, 'ERRO_INTERNO')
  // What is ready before the question asks no database.
  if (!(keyless && prepared)) all.push('BANCO_INDISPONIVEL')
  if (price !== 'free') all.push(credits)
  all.push(...errors.http)
  if (body) all.push(...ofBodies)
  if (once) all.push(...onceDescribed.errors)
  const byStatus = Object.groupBy(new Set(all), (code) => errorCodes[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: group.join(', '),
        headers: headersOfFailure(status, headersOf(endpoint), described(endpoint.headers ?? {})),
        content: { 'application/problem+json': { schema: problemaWith(group) } },
      },
    ]),
  )
}

const ofBodies: readonly ErrorCode[] = [
  'PARAMETRO_INVALIDO',
  'CORPO_INVALIDO',
  'CORPO_MUITO_GRANDE',
  'TIPO_NAO_SUPORTADO',
]

type AnsweredBy = { http: readonly string[]; source: readonly string[] }

export function readAnswers(document: { paths?: object }): (code: string) => AnsweredBy {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      http: new Set(failuresDeclaredIn(Object(operation)).flatMap(codesIn)),
      source: new Set(listOf(Reflect.get(Object(operation), SOURCE_CODES))),
    })),
  )
  const named = (declares: (operation: (typeof operations)[number]) => boolean): string[] =>
    operations.filter(declares).map(({ name }) => name)
  return (code) => ({
    http: named(({ http }) => http.has(code)),
    source: named(({ source }) => source.has(code)),
  })
}

const failuresDeclaredIn = ({ responses }: { responses?: object }): unknown[] =>
  Object.entries(responses ?? {})
    .filter(([status]) => !status.startsWith('2'))
    .map(([, response]) => response)

function codesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(codesIn)
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'error_code' ? listOf(Reflect.get(Object(value), 'enum')) : codesIn(value),
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
