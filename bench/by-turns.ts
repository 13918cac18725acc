import autocannon from 'autocannon'
import { machineLine, median } from './machine.ts'
import type { Target } from './target.ts'

/** A request whose path may be another for each target. */
type Measured = { target: Target; paths: readonly string[] }

type Round = { rps: number; p50: number; p99: number }

const CONNECTIONS = 50

async function measure(
  { target: { name, address, keys }, paths }: Measured,
  duration: number,
): Promise<Round> {
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration,
    bailout: 1,
    // Every key asks, and every path is asked.
    requests: Array.from({ length: Math.max(keys.length, paths.length) }, (_, n) => ({
      method: 'GET' as const,
      path: paths[n % paths.length] ?? '/',
      headers: { 'X-API-Key': keys[n % keys.length] ?? '' },
    })),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/**
 * Asks each target in turn, after 3 seconds of warming up, and prints requests a second, their ratio to the
 * first target's in the same round, and latencies. The order of the turns changes with each round.
 */
export async function compareByTurns(
  everything: readonly Measured[],
  { rounds, seconds, about }: { rounds: number; seconds: number; about: string },
): Promise<void> {
  console.log(
    `${machineLine()}; ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s in turn, ${about}`,
  )
  const measured = everything.map((one) => ({ ...one, all: [] as Round[] }))
  for (const one of measured) await measure(one, 3)
  for (let round = 0; round < rounds; round++)
    // The first finds the machine as others left it.
    for (const one of round % 2 ? measured.toReversed() : measured) one.all.push(await measure(one, seconds))
  const bare = measured[0]?.all ?? []
  console.table(
    measured.map(({ target: { name }, all }) => {
      const ratios = all.map(({ rps }, round) => rps / (bare[round]?.rps ?? 1))
      return {
        target: name,
        'requests/s': Math.round(median(all.map(({ rps }) => rps))),
        'of bare': median(ratios).toFixed(3),
        'least, most': `${Math.min(...ratios).toFixed(3)}, ${Math.max(...ratios).toFixed(3)}`,
        'p50 ms': median(all.map(({ p50 }) => p50)),
        'p99 ms': median(all.map(({ p99 }) => p99)),
      }
    }),
  )
}
