import autocannon from 'autocannon'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import type { Stops } from './probe.ts'
import { stopsOf, type Target, usageOf } from './target.ts'

/**
 * A request whose path may be another for each target, and the CPU of its database so far, in ms. `headersOf`
 * gives those of account `n` in place of its key; `isRefused` says that no answer is a good one.
 */
export type Measured = {
  target: Target
  paths: readonly string[]
  databaseCpu?: () => number
  headersOf?: (n: number) => Record<string, string>
  isRefused?: boolean
}

/** One round of a target; CPU in microseconds a request. */
export type Round = {
  requests: number
  rps: number
  p50: number
  p99: number
  nodeUs: number
  databaseUs: number
  stops: Stops
}

const CONNECTIONS = 50
/** After so many requests V8 has compiled what it will; a slow machine stops earlier, by tries of 3 s. */
const [WARM_REQUESTS, WARM_TRIES, WARM_S] = [20_000, 4, 3]

/** Asks a target for some seconds. Each connection has accounts and paths of its own. */
export async function load(
  { target, paths, databaseCpu, headersOf, isRefused = false }: Measured,
  duration: number,
): Promise<Round> {
  const { address, keys } = target
  const withKey = (n: number) => ({ 'X-API-Key': keys[n] ?? '' })
  // Every key asks, and every path is asked.
  const requests = Array.from({ length: Math.max(keys.length, paths.length, CONNECTIONS) }, (_, n) => ({
    method: 'GET' as const,
    path: paths[n % paths.length] ?? '/',
    headers: (headersOf ?? withKey)(n % keys.length),
  }))
  let connection = 0
  await stopsOf(target)
  const [before, databaseBefore] = [await usageOf(target), databaseCpu?.() ?? 0]
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration,
    // Without it, it asks a server that has ended for ever.
    bailout: 1,
    setupClient: (client) => {
      const own = connection++
      client.setRequests(requests.filter((_, n) => n % CONNECTIONS === own))
    },
  })
  const [after, databaseAfter] = [await usageOf(target), databaseCpu?.() ?? 0]
  if ((isRefused ? result['2xx'] : result.non2xx) > 0 || result.errors > 0)
    throw new Error(
      `${target.name}: ${result['2xx']} answered, ${result.non2xx} refused, ${result.errors} failed`,
    )
  const perRequest = (ms: number): number => (ms * 1000) / result.requests.total
  return {
    requests: result.requests.total,
    rps: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    nodeUs: perRequest(after.cpuMs - before.cpuMs),
    databaseUs: perRequest(databaseAfter - databaseBefore),
    stops: await stopsOf(target),
  }
}

export async function warm(one: Measured): Promise<void> {
  let done = 0
  for (let tries = 0; tries < WARM_TRIES && done < WARM_REQUESTS; tries++)
    done += (await load(one, WARM_S)).requests
}

/**
 * Asks each target in turn, after warming up, and tells of each: requests a second beside the
 * first target's in the same round, CPU of a request over the first's, latencies, stops. The order of the
 * turns changes with each round.
 */
export async function compareByTurns(
  everything: readonly Measured[],
  { rounds, seconds, about, name = '' }: { rounds: number; seconds: number; about: string; name?: string },
): Promise<void> {
  console.log(
    `${machineLine()}; ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s in turn, ${about}`,
  )
  const measured = everything.map((one) => ({ ...one, all: [] as Round[] }))
  for (const one of measured) await warm(one)
  for (let round = 0; round < rounds; round++)
    // The first finds the machine as others left it.
    for (const one of round % 2 ? measured.toReversed() : measured) one.all.push(await load(one, seconds))
  const bare = measured[0]?.all ?? []
  for (const { target, databaseCpu, all } of measured) {
    const say = (what: string, of: (round: Round, bare: Round) => number, unit: string): void =>
      report(
        `${name}${target.name}: ${what}`,
        median(all.map((round, n) => of(round, bare[n] ?? round))),
        unit,
      )
    say('requests', ({ rps }) => rps, 'a second')
    say('CPU', ({ nodeUs }) => nodeUs, 'µs a request')
    if (all !== bare) {
      say('requests, of bare', ({ rps }, base) => rps / base.rps, '')
      say('CPU over bare', ({ nodeUs }, base) => nodeUs - base.nodeUs, 'µs a request')
    }
    if (databaseCpu) {
      say('CPU of the database', ({ databaseUs }) => databaseUs, 'µs a request')
      say(
        'CPU over bare, with the database',
        ({ nodeUs, databaseUs }, base) => nodeUs + databaseUs - base.nodeUs,
        'µs a request',
      )
    }
    say('p50', ({ p50 }) => p50, 'ms')
    say('p99', ({ p99 }) => p99, 'ms')
    report(
      `${name}${target.name}: longest stop of the loop`,
      Math.max(...all.map(({ stops }) => stops.longestMs)),
      'ms',
    )
  }
}
