import { codeOf } from '../../domain/fonte/error-code.ts'

/** SQLSTATE classes of a lost server: 08 (connection failure) and 57P (shutdown or start). */
const LOST_STATES = /^(08...|57P0.)$/
const LOST_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
/** The messages of `pg` for a lost connection without a code. */
const LOST_MESSAGES = /connection terminated|not queryable|timeout exceeded when trying to connect/i

/** Whether a query failed because the database could not be reached. It may then be sent again. */
export function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return LOST_STATES.test(code) || LOST_CODES.test(code) || LOST_MESSAGES.test(error.message)
}
