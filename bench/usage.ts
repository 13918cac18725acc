import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The use of this process so far: CPU of all its threads in ms, resident memory and heap in MB. */
export function usage(): { cpuMs: number; rssMb: number; heapMb: number } {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
  return { cpuMs: (user + system) / 1000, rssMb: mb(rss), heapMb: mb(heapUsed) }
}

/** The same after a collection, so that only live memory counts. */
export function live(): ReturnType<typeof usage> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return usage()
}
