import { ApiError, type ErrorCode } from '../errors.ts'
import { quandoRepetir, type RetryS, RotaNaoAtende, SourceError } from '../wire/fonte.ts'
import {
  type CodigoDoStatus,
  codigosDoStatus,
  type SourceStatus,
  SourceStatusError,
} from '../wire/source-status.ts'
import type { Caller } from './exchange.ts'

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
