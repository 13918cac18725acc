import { DEAD_KEPT_MS, type JobOutcome, type Lease } from './kind.ts'
import { writeJson } from './payload.ts'

/** What a run leaves in its row. `keptMs` null: the job stays open, and may be claimed after `delayMs`. */
export type Ending = Lease & {
  state: 'aberto' | 'feito' | 'morto'
  result: string | null
  reason: string | null
  delayMs: number
  keptMs: number | null
  /** How many attempts do not count. */
  uncounted: number
}

const LONGEST_REASON = 500

/** The row that an outcome leaves. A result that is too large is a failure for good. */
export function endingOf({ id, token }: Lease, outcome: JobOutcome): Ending {
  const ending = { id, token, result: null, reason: null, delayMs: 0, keptMs: null, uncounted: 0 }
  if (outcome.type === 'done')
    try {
      return { ...ending, state: 'feito', result: writeJson(outcome.result), keptMs: outcome.keptMs }
    } catch {
      return { ...ending, state: 'morto', reason: 'o resultado não cabe no banco', keptMs: DEAD_KEPT_MS }
    }
  // PostgreSQL takes no NUL, and not the half of a character that a cut may leave.
  const reason = outcome.reason.replaceAll('\0', '').slice(0, LONGEST_REASON).toWellFormed()
  if (outcome.type === 'dead') return { ...ending, state: 'morto', reason, keptMs: DEAD_KEPT_MS }
  if (outcome.type === 'back') return { ...ending, state: 'aberto', reason, uncounted: 1 }
  return { ...ending, state: 'aberto', reason, delayMs: outcome.delayMs }
}
