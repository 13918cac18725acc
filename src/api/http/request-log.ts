import type { Logger } from 'pino'
import type { OutcomeSink } from '../../domain/outcome.ts'

/** One log line a request, at level `info`. The raw URL is never logged. */
export const logOutcomes =
  (log: Logger): OutcomeSink =>
  ({ request_id, conta, method, endpoint, sent, http, error_code, creditos, ms }) => {
    if (!log.isLevelEnabled('info')) return
    log.info({
      request_id,
      conta,
      method,
      endpoint,
      ...sent,
      http,
      error_code: error_code || undefined,
      creditos,
      ms,
    })
  }
