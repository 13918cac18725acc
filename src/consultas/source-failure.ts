import { ApiError, type ErrorCode } from '../domain/errors.ts'
import { RotaNaoAtende } from '../domain/fonte/rota-nao-atende.ts'
import { SourceError } from '../domain/fonte/source-error.ts'
import type { SourceStatus } from '../domain/fonte/source-status.ts'

/**
 * Turns the failure of a source into an error for the client: `unavailable` if the source is out of reach,
 * `failed` if it gave a wrong answer. Any other error passes through.
 */
export const failedSource =
  (unavailable: ErrorCode, failed: ErrorCode) =>
  (error: unknown): never => {
    if (error instanceof RotaNaoAtende) throw new ApiError(unavailable, `${error.message} Nada foi cobrado.`)
    if (!(error instanceof SourceError)) throw error
    throw new ApiError(error.unavailable ? unavailable : failed, `${error.message} Nada foi cobrado.`)
  }

/** The source that gave a wrong answer. Empty if none answered. */
export const fonteOfFailure = (error: unknown): string =>
  error instanceof SourceError && !error.unavailable ? error.source : ''

/** The `source_status` of a failure of an authority, or of the way to it. Undefined for any other error. */
export function statusOfFailure(error: unknown): SourceStatus | undefined {
  const told = (status: 'error' | 'timeout', error_code: ErrorCode, error_message: string) => ({
    status,
    error_code,
    error_message,
  })
  if (error instanceof RotaNaoAtende) return told('error', 'SITE_INDISPONIVEL', error.message)
  if (error instanceof ApiError) return told('error', error.code, error.message)
  if (!(error instanceof SourceError)) return undefined
  const status = error.kind === 'timeout' ? 'timeout' : 'error'
  return told(status, error.unavailable ? 'SITE_INDISPONIVEL' : 'PROCESSAMENTO_FALHOU', error.message)
}

/**
 * The authority's own words in a failure, for `status_raw`; empty if it said none. Members of the
 * specification never carry our words.
 */
export const dizeresOf = (error: unknown): string => (error instanceof SourceError ? error.dizeres : '')
