import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** A challenge of ALTCHA's proof of work, v1: the number that, after the salt, hashes to `challenge` (altcha.org, "Proof-of-Work Captcha"). */
type Challenge = { challenge: string; salt: string; signature: string; maxnumber: number }

/** More work than a form is worth is not done: a million hashes take about half a second. */
const MOST_WORK = 1_000_000
/** Letters of a text of a challenge: each hash reads the whole salt. */
const LONGEST = 1_000
/** Hashes between two looks at everything else that this process has to do: some 8 ms. */
const BATCH = 20_000

/** The payload that solves a challenge (JSON text), in base64 of JSON; undefined where it is no such challenge or has no solution. */
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
