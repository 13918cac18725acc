import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What this process has used so far: CPU of all its threads in ms, resident memory and heap in MB. */
export function usage(): { cpuMs: number; rssMb: number; heapMb: number } {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
  return { cpuMs: (user + system) / 1000, rssMb: mb(rss), heapMb: mb(heapUsed) }
}

/** The same with what is alive alone, after a collection. */
export function live(): ReturnType<typeof usage> {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return usage()
}
