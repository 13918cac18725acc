import type { FastifySchema } from 'fastify'
import { type TObject, Type } from 'typebox'
import { type ErrorCode, errorCodes } from '../../domain/errors.ts'
import { type RefusalCodes, standardCodes } from './exchange.ts'
import { onceDescribed } from './once.ts'
import type { Stream } from './stream.ts'

const problem = Type.Object(
  {
    type: Type.String({ description: 'Endereço da explicação do código, em /erros' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'O que houve e o que fazer, em português' }),
    instance: Type.String(),
    error_code: Type.String({ description: 'Código estável, para programas' }),
    error_message: Type.String({ description: 'Igual a detail' }),
    request_id: Type.String(),
    errors: Type.Optional(
      Type.Array(Type.Object({ parameter: Type.String(), reason: Type.String() }), {
        description: 'Os parâmetros com problema (400)',
      }),
    ),
    required: Type.Optional(Type.Integer({ description: 'Créditos que a consulta custa (402)' })),
    remaining: Type.Optional(Type.Integer({ description: 'Créditos que a conta tem (402)' })),
    resets_at: Type.Optional(Type.String({ description: 'Quando a cota renova, ISO 8601 (402)' })),
  },
  { title: 'Problema', description: 'RFC 9457' },
)

const text = (description: string) => ({ description, type: 'string' })
const answerHeaders = {
  'X-Request-Id': text('Igual a request_id'),
  'X-Ambiente': text('producao, homologacao ou simulador'),
  'RateLimit-Policy': text('Limite do plano: "minuto";q=limite;w=60'),
  RateLimit: text('O que resta na janela: "minuto";r=restantes;t=segundos até renovar'),
  'X-RateLimit-Limit': text('Requisições por minuto do plano'),
  'X-RateLimit-Remaining': text('Requisições que restam na janela'),
  'X-RateLimit-Reset': text('Segundos até a janela renovar'),
  'X-Credits-Charged': text('Créditos cobrados por esta chamada'),
  'X-Credits-Remaining': text('Créditos que restam: cota do mês e extras'),
  'X-Base-Cnpj': text('Mês da base CNPJ que respondeu, AAAA-MM'),
}

/** The headers of a failure, by its HTTP status. Credits and limit are told only once the key is known. */
function headersOfFailure(status: string): object {
  const { 'X-Request-Id': id, 'X-Ambiente': ambiente, 'X-Base-Cnpj': _ofAnswers, ...known } = answerHeaders
  const always = { 'X-Request-Id': id, 'X-Ambiente': ambiente }
  if (status === '401') return { ...always, 'WWW-Authenticate': text('ApiKey: a chave vai em X-API-Key') }
  const waits = { 'Retry-After': text('Segundos até valer a pena repetir a requisição') }
  return { ...always, ...known, ...(['409', '429', '503'].includes(status) && waits) }
}

const answered = { description: 'Sucesso', headers: answerHeaders }

/** An answer that comes as JSON, or as events where the client prefers them. */
const streamable = (response: TObject, { piece, described }: Pick<Stream<never>, 'piece' | 'described'>) => ({
  ...answered,
  content: {
    'application/json': { schema: response },
    'text/event-stream': {
      schema: { ...piece, description: streamText(described) },
      example: described.example + STREAM_END,
    },
  },
})

const streamText = ({ pieces, leaver }: Stream<never>['described']): string =>
  `Com "Accept: text/event-stream": ${pieces}; ` +
  'depois creditos, com cobrados e restantes, no lugar dos cabeçalhos X-Credits; por último resultado, com o mesmo corpo da resposta JSON. ' +
  'Uma falha depois do primeiro evento vem como o evento erro, com o problema (RFC 9457). Feche a conexão ao receber resultado ou erro: ' +
  `reconectar é fazer outra consulta. Quem sai antes paga ${leaver}.`
const STREAM_END =
  'event: creditos\ndata: {"cobrados":17,"restantes":983}\n\nevent: resultado\ndata: {"request_id":"...","results":[...]}\n\n'

/** What the documentation says of an endpoint, besides what it takes. */
export type Described<R extends TObject> = {
  url: `/api/${string}`
  summary: string
  description: string
  response: R
  /** Headers of its answers besides those of all, each with what it says. */
  headers?: Readonly<Record<string, string>>
  /** The codes that its own work may raise; those of the pipeline are documented by themselves. */
  errors: readonly ErrorCode[]
}

/** What else an endpoint says of itself that the documentation tells. */
type Kind = {
  price: unknown
  codes?: RefusalCodes
  body?: TObject
  stream?: Pick<Stream<never>, 'piece' | 'described'>
  once?: object
}

/**
 * The Fastify schema of an endpoint, but for its query or body: its answer, and one response for each HTTP
 * status of its codes.
 */
export function describeLookup<R extends TObject>(endpoint: Described<R> & Kind): FastifySchema {
  const { url, summary, description, response, stream, once } = endpoint
  const headers = { ...endpoint.headers, ...(once && onceDescribed.answerHeaders) }
  const own = Object.entries(headers).map(([name, meaning]) => [name, text(meaning)])
  const ok = { ...answered, headers: { ...answerHeaders, ...Object.fromEntries(own) } }
  return {
    operationId: url.split('/').at(-1) ?? '',
    tags: ['consultas'],
    summary,
    description,
    security: [{ chave: [] }],
    ...(once && { headers: onceDescribed.requestHeaders }),
    response: {
      200: stream ? streamable(response, stream) : { ...response, ...ok },
      ...failuresOf(endpoint),
    },
  }
}

/** One response for each HTTP status that the codes of an endpoint have. */
function failuresOf({ errors, price, codes = standardCodes, body, once }: Described<TObject> & Kind): object {
  const { rate, credits } = codes
  const all: ErrorCode[] = ['NAO_AUTENTICADO', 'CONTA_BLOQUEADA', rate, 'ERRO_INTERNO']
  if (price !== 'free') all.push(credits)
  all.push(...errors)
  if (body) all.push(...ofBodies)
  if (once) all.push(...onceDescribed.errors)
  const byStatus = Object.groupBy(new Set(all), (code) => errorCodes[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: group.join(', '),
        headers: headersOfFailure(status),
        content: { 'application/problem+json': { schema: problem } },
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
