import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** How long a tick of /proc is (USER_HZ). */
const TICK_MS = 10

type Spent = { parent: number; own: number; ended: number }

/** What a process and the children that it has buried have used of the processor, in ticks (Linux). */
function spentBy(pid: string): Spent | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/)
    const fields = rest.split(' ').map(Number)
    const [parent = 0] = fields.slice(1)
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    return { parent, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return undefined
  }
}

/** Gives what all processes of a PostgreSQL on this machine have used of the processor so far, in ms. */
export async function openDatabaseCpu(address: string): Promise<() => number> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const postmaster = spentBy(String(rows[0]?.pid))?.parent ?? 0
  await client.end()
  return () => {
    const { own = 0, ended = 0 } = spentBy(String(postmaster)) ?? {}
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => spentBy(pid) ?? [])
      .filter(({ parent }) => parent === postmaster)
    return children.reduce((sum, child) => sum + child.own, own + ended) * TICK_MS
  }
}
