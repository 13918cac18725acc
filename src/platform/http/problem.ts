import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { CommitUnknown, DatabaseAway } from '../db/outage.ts'
import { ApiError, type ErrorCode, errorCodes } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { codeOf, quandoRepetir, type RetryS, RotaNaoAtende, SourceError } from '../wire/fonte.ts'
import {
  type CodigoDoStatus,
  codigosDoStatus,
  isOutOfReach,
  noFailures,
  type SourceStatus,
  SourceStatusError,
} from '../wire/source-status.ts'
import { setCreditHeaders } from './answer.ts'
import type { Caller } from './exchange.ts'
import { ClientLeft, tallyOf } from './outcome.ts'

const INTERNAL =
  'Ocorreu um erro inesperado no serviço. Nada foi cobrado. Tente de novo em alguns segundos; se persistir, informe o request_id ao operador.'

const awayOf = (error: DatabaseAway): string =>
  `O banco de dados deste serviço não responde agora, ou não aceita gravações. ${error instanceof CommitUnknown ? 'Se esta chamada chegou a ser cobrada, o crédito volta sozinho.' : 'Nada foi cobrado.'} Tente de novo em alguns segundos.`

const FORM_TOO_OLD =
  'O formulário venceu, ou o navegador não guardou o cookie dele. Abra a página de novo e envie-o outra vez.'

const FORM_TOO_LARGE =
  'O formulário traz mais do que pede: um arquivo só, de até 64 KiB, e os campos que ele mostra.'

const refusals: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'TIPO_NAO_SUPORTADO',
    'Envie o corpo em JSON, com o cabeçalho Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: [
    'CORPO_INVALIDO',
    'O corpo da requisição não é um JSON válido: confira se há vírgula antes de } ou ], ou aspas que faltam. Aspas e quebras de linha dentro de um texto, como as de um XML, vão escapadas.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['CORPO_INVALIDO', 'O corpo da requisição está vazio; envie um objeto JSON.'],
  FST_CSRF_MISSING_SECRET: ['REQUISICAO_INVALIDA', FORM_TOO_OLD],
  FST_CSRF_INVALID_TOKEN: ['REQUISICAO_INVALIDA', FORM_TOO_OLD],
  FST_REQ_FILE_TOO_LARGE: ['CORPO_MUITO_GRANDE', FORM_TOO_LARGE],
  FST_FILES_LIMIT: ['CORPO_MUITO_GRANDE', FORM_TOO_LARGE],
  FST_FIELDS_LIMIT: ['CORPO_MUITO_GRANDE', FORM_TOO_LARGE],
  FST_PARTS_LIMIT: ['CORPO_MUITO_GRANDE', FORM_TOO_LARGE],
  FST_PROTO_VIOLATION: ['CORPO_INVALIDO', 'O formulário não pôde ser lido. Abra a página e envie-o de novo.'],
  FST_MP_PREMATURE_CLOSE: ['CORPO_INVALIDO', 'O formulário chegou pela metade. Envie-o de novo.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'CORPO_INVALIDO',
    'O corpo não tem o tamanho que Content-Length anuncia.',
  ],
}

function toApiError(error: unknown, { routeOptions }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseAway) return new ApiError('BANCO_INDISPONIVEL', awayOf(error))
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(routeOptions.bodyLimit)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && routeOptions.config.xmlBody) return jsonOrXml
  const refusal = refusals[code]
  if (refusal) return new ApiError(...refusal)
  return new ApiError('ERRO_INTERNO', INTERNAL)
}

const jsonOrXml = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'Envie o XML como ele é, com o cabeçalho Content-Type: application/xml, ou o corpo em JSON, com Content-Type: application/json.',
)

const tooLarge = (limit = 0): ApiError =>
  new ApiError('CORPO_MUITO_GRANDE', `O corpo da requisição pode ter no máximo ${limit / 1024} KiB.`)

export function problemBody(error: ApiError, request_id: string): string {
  const { status, title } = errorCodes[error.code]
  return JSON.stringify({
    type: `/erros#${error.code}`,
    title,
    status,
    detail: error.message,
    instance: `urn:uuid:${request_id}`,
    error_code: error.code,
    error_message: error.message,
    request_id,
    retryable: error.retryS !== null,
    ...error.extra,
  })
}

/**
 * Turns a failure into the ApiError that the client gets, and notes its code in the outcome. What is not an
 * ApiError is logged whole and told to nobody; of an outage of the database the log gets its reason.
 */
export function explainFailure(
  { log }: Pick<Platform, 'log'>,
  request: FastifyRequest,
  thrown: unknown,
): ApiError {
  const error = toApiError(thrown, request)
  const tally = tallyOf(request)
  tally.error_code = error.code
  // The log has no `retryable`: this code of the source says that to repeat the call is in vain.
  if (isOutOfReach({ error_code: error.code, retryable: error.retryS !== null }))
    tally.failures = { ...noFailures, source_code: 'SITE_INDISPONIVEL' }
  const { id: request_id } = request
  if (error.code === 'ERRO_INTERNO') log.error({ err: thrown, request_id }, 'unexpected failure')
  if (thrown instanceof DatabaseAway)
    log.error({ error_code: error.code, reason: thrown.message, request_id }, 'the database is away')
  return error
}

const SCHEMES = ['ApiKey realm="consulta-fiscal", header="X-API-Key"', 'Bearer realm="consulta-fiscal"']

export const errorHandler =
  (platform: Platform) =>
  async (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    if (isLeaving(thrown, request)) return ''
    const error = explainFailure(platform, request, thrown)
    const { status } = errorCodes[error.code]
    if (status === 401) reply.header('WWW-Authenticate', SCHEMES)
    setRetryAfter(error, reply)
    const { keyless } = request.routeOptions.config
    if (error.code !== 'BANCO_INDISPONIVEL') await creditsOfFailure(platform, request, reply)
    else if (!keyless) reply.header('X-Credits-Charged', 0)
    reply.code(status).header('Content-Type', 'application/problem+json; charset=utf-8')
    return problemBody(error, request.id)
  }

/** Sets `Retry-After` where repeating may help. A header that the lookup has set knows the time better. */
function setRetryAfter({ retryS }: ApiError, reply: FastifyReply): void {
  if (retryS === null) reply.removeHeader('Retry-After')
  else if (!reply.hasHeader('Retry-After')) reply.header('Retry-After', retryS)
}

/** The client closed its connection: nobody is there to answer, and nothing failed. */
export const isLeaving = (thrown: unknown, { raw }: FastifyRequest): boolean =>
  [thrown, Object(thrown).cause].some((one) => one instanceof ClientLeft) ||
  (codeOf(thrown) === 'ECONNRESET' && !raw.complete)

async function creditsOfFailure(
  { ledger }: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { conta } = tallyOf(request)
  if (!conta) return
  try {
    setCreditHeaders(reply, 0, await ledger.saldoVisto(conta))
  } catch {
    reply.header('X-Credits-Charged', 0)
  }
}

type Falha = { message: string; retryS: RetryS }

const told = ({ message, retryS }: Falha): string => `${message} ${quandoRepetir(retryS)}`.trimEnd()

/** `unavailable` if the source is out of reach, `failed` if it gave a wrong answer. */
export const failedSource =
  (unavailable: ErrorCode, failed: ErrorCode) =>
  (error: unknown): never => {
    if (!(error instanceof RotaNaoAtende || error instanceof SourceError)) throw error
    const code = error instanceof RotaNaoAtende || error.unavailable ? unavailable : failed
    throw new ApiError(code, `${told(error)} Nada foi cobrado.`, { retryS: error.retryS })
  }

/** Seconds until a failure of an authority may have passed. Null for one that never does, and for a bug. */
export const retryOf = (error: unknown): RetryS =>
  error instanceof RotaNaoAtende || error instanceof SourceError || error instanceof SourceStatusError
    ? error.retryS
    : null

export const fonteOfFailure = (error: unknown): string =>
  error instanceof SourceError && !error.unavailable ? error.source : ''

export function statusOfFailure(error: unknown): SourceStatus | undefined {
  if (error instanceof ApiError) {
    const code = codigosDoStatus.find((codigo) => codigo === error.code)
    return code && statusOf(code, error.message, error)
  }
  if (error instanceof SourceStatusError) return statusOf(error.code, told(error), error)
  if (error instanceof RotaNaoAtende) return statusOf('SITE_INDISPONIVEL', told(error), error)
  if (!(error instanceof SourceError)) return undefined
  const code = error.unavailable ? 'SITE_INDISPONIVEL' : 'PROCESSAMENTO_FALHOU'
  return statusOf(code, told(error), error, error.kind === 'timeout' ? 'timeout' : 'error')
}

const statusOf = (
  error_code: CodigoDoStatus,
  error_message: string,
  { retryS }: Pick<Falha, 'retryS'>,
  status: SourceStatus['status'] = 'error',
): SourceStatus => ({ status, error_code, error_message, retryable: retryS !== null })

/** For `status_raw`: members of the specification never carry our words. */
export const dizeresOf = (error: unknown): string => (error instanceof SourceError ? error.dizeres : '')

/** For HTTP 200: `source_status`, and `Retry-After`. An error that is none of a source is thrown. */
export function tellFailure(error: unknown, { header }: Pick<Caller, 'header'>): SourceStatus {
  const source_status = statusOfFailure(error)
  if (!source_status) throw error
  const retryS = retryOf(error)
  if (retryS !== null) header('retry-after', String(retryS))
  return source_status
}
