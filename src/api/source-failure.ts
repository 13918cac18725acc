import { ApiError, type ErrorCode } from '../domain/errors.ts'
import { RotaNaoAtende } from '../domain/rota-nao-atende.ts'
import { SourceError } from '../domain/source-error.ts'

/**
 * Turns the failure of a source into what a client is told: `unavailable` when the source as a whole is out of reach,
 * `failed` when it answered otherwise than it should. Whatever else was thrown passes through.
 */
export const failedSource =
  (unavailable: ErrorCode, failed: ErrorCode) =>
  (error: unknown): never => {
    if (error instanceof RotaNaoAtende) throw new ApiError(unavailable, `${error.message} Nada foi cobrado.`)
    if (!(error instanceof SourceError)) throw error
    throw new ApiError(error.unavailable ? unavailable : failed, `${error.message} Nada foi cobrado.`)
  }
