import { codeOf } from '../../domain/fonte/error-code.ts'

/** SQLSTATE classes in which the server, or the way to it, went away: 08 (connection) and 57P (shutdown, starting up). */
const LOST_STATES = /^(08...|57P0.)$/
const LOST_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
/** What `pg` says without a code. */
const LOST_MESSAGES = /connection terminated|not queryable|timeout exceeded when trying to connect/i

/** Whether a query failed because the database could not be reached, so that asking again may succeed. */
export function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return LOST_STATES.test(code) || LOST_CODES.test(code) || LOST_MESSAGES.test(error.message)
}
