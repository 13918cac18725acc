/**
 * Loaded before a program that is measured (`--import`), whichever tree it is of. To whoever connects to the
 * socket PROBE and sends a word it tells what the process has used, or how its event loop stood still.
 */
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** A process's use so far: CPU of all its threads, resident memory and heap. */
export type Usage = { cpuMs: number; rssMb: number; heapMb: number }

/** Lengths of stops of an event loop, in milliseconds, by which they are counted. */
export const STOPS_MS = [1, 2, 4, 8, 16, 32, 64]

/** How an event loop stood still: `upTo` says how many looks found a stop of at most each of STOPS_MS. */
export type Stops = { longestMs: number; looks: number; upTo: number[] }

/** How often the loop is looked at: a stop is known to be this much shorter than what was seen. */
const EVERY_MS = 1

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
  return { cpuMs: (user + system) / 1000, rssMb: mb(rss), heapMb: mb(heapUsed) }
}

/** The same after a collection, so that only live memory counts. */
function live(): Usage {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return usage()
}

type Delays = ReturnType<typeof monitorEventLoopDelay>

/** How many of the looks found no longer stop, by halving: the histogram tells percentiles alone. */
function looksUpTo(delays: Delays, stopMs: number): number {
  const value = (stopMs + EVERY_MS) * 1e6
  if (delays.max <= value) return delays.count
  let [low, high] = [0, 100]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (delays.percentile(middle) <= value) low = middle
    else high = middle
  }
  return Math.round((low / 100) * delays.count)
}

/** The stops since they were last asked for. */
function stopsOf(delays: Delays): Stops {
  const counts = STOPS_MS.map((ms) => looksUpTo(delays, ms))
  const longestMs = delays.count > 0 ? Math.max(0, delays.max / 1e6 - EVERY_MS) : 0
  const stops = { longestMs, looks: delays.count, upTo: counts }
  delays.reset()
  return stops
}

const { PROBE } = process.env
if (PROBE && isMainThread) {
  // The processes that this one starts are not the one that is measured.
  delete process.env.PROBE
  const delays = monitorEventLoopDelay({ resolution: EVERY_MS })
  delays.enable()
  const answers: Record<string, () => Usage | Stops> = { usage, live, stops: () => stopsOf(delays) }
  createServer((socket) => {
    socket.once('data', (word) => socket.end(JSON.stringify(answers[String(word)]?.())))
    socket.on('error', () => {})
  })
    .listen(PROBE)
    .unref()
}
