import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/**
 * A challenge of ALTCHA's proof of work, v1: find the number that, after the salt, hashes to `challenge`
 * (altcha.org, "Proof-of-Work Captcha").
 */
type Challenge = { challenge: string; salt: string; signature: string; maxnumber: number }

/** A million hashes take about half a second. A form is not worth more work. */
const MOST_WORK = 1_000_000
/** The most letters of a text in a challenge. Each hash reads the whole salt. */
const LONGEST = 1_000
/** Hashes between two pauses for the rest of the process: some 8 ms. */
const BATCH = 20_000

/**
 * Solves a challenge (JSON text) and gives the payload, JSON in base64. Undefined if it is no challenge or
 * has no solution.
 */
export async function solveAltcha(json: string): Promise<string | undefined> {
  const challenge = parseChallenge(json)
  if (!challenge) return undefined
  const { maxnumber, ...rest } = challenge
  for (let number = 0; number <= maxnumber; number++) {
    if (hash('sha256', rest.salt + number) === rest.challenge) {
      const payload = { algorithm: 'SHA-256', ...rest, number }
      return Buffer.from(JSON.stringify(payload)).toString('base64')
    }
    if (number % BATCH === BATCH - 1) await setImmediate()
  }
  return undefined
}

function parseChallenge(json: string): Challenge | undefined {
  try {
    const { algorithm, challenge, salt, signature, maxnumber = MOST_WORK } = JSON.parse(json)
    const texts = [challenge, salt, signature].every(
      (one) => typeof one === 'string' && one.length <= LONGEST,
    )
    if (algorithm !== 'SHA-256' || !texts || !(maxnumber <= MOST_WORK)) return undefined
    return { challenge, salt, signature, maxnumber }
  } catch {
    return undefined
  }
}
