import { availableParallelism } from 'node:os'

/**
 * The memory limits of the service. Left alone, V8 lets the heap grow where memory is plenty: 200 calls to
 * all states at once took 615 MB with 80 MB alive (decision 101).
 */
export const FLAGS = [
  // The young part, of which a collection of all copies what is in use: with 16 MB it stops the loop for
  // longer (decision 100).
  '--max-semi-space-size=8',
  // By how much of itself the heap may grow between two collections.
  '--heap-growing-percent=30',
  // V8 finds kinds of objects that outlive the young heap, and makes them in the old one from then on. There
  // one that has died still holds the whole request that it is of (decision 100).
  '--no-allocation-site-pretenuring',
  // Under load V8 marks the old heap for 150 ms beside the program. By itself it collects nothing young until
  // then, and copies at once what has gathered, some 15 MB, while nothing else runs (decision 116).
  '--no-separate-gc-phases',
  // Threads of V8 for collections: with as many as processors, they take the one that answers (decision 100).
  `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`,
  '--expose-gc',
]

/**
 * What glibc reads as a process begins. It gives each thread an arena of its own, some 6 MB of an idle
 * service, and raises by itself, up to 64 MB, what it keeps of freed memory: another 6.
 */
export const ARENAS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: String(512 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
}

/** Gives the garbage of the start, some 35 MB, back to the system. An idle service would keep it for ever. */
export function collectOnce() {
  const collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setImmediate(collect)
}
