/**
 * The service with so many accounts that none meets its plan's limit, and a clock that the parent may move.
 * It tells the parent its address, the keys and, when asked, what it has used.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { issueKey } from '../src/contas/store-chaves.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { startServer } from '../src/server.ts'
import { newConta } from '../test/kit/account.ts'
import { feita } from '../test/kit/sefaz.ts'
import { live, usage } from './usage.ts'

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000)
/** How late the event loop comes to a timer of a millisecond, from one question to the next. */
const stops = monitorEventLoopDelay({ resolution: 1 })
let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
const server = await startServer(parseConfig(process.env), now)
const { db, secret, ledger, monitor } = server.rooms.sefaz
if (process.env.BOARD) await monitor.keep(feita(Date.now()))
const keys: string[] = []
for (let i = 0; i < ACCOUNTS; i++) {
  const conta = await newConta(db, 'enterprise', now())
  keys.push(await issueKey(db, secret, conta.id, { now: now() }))
}
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.on('message', async (message) => {
  if (message === 'usage') return process.send?.(usage())
  if (message === 'live') return process.send?.(live())
  if (message === 'stops') {
    process.send?.({ p99Ms: stops.percentile(99) / 1e6, mostMs: stops.max / 1e6 })
    stops.reset()
    return stops.enable()
  }
  aheadMs = Object(message).aheadMs
  // By this clock its last heartbeat is hours old, so its holds would look like a dead process's.
  await ledger.heartbeat()
  return process.send?.({ aheadMs })
})
process.send?.({
  address: server.address,
  keys,
  simulador: server.rooms.platform.simulador,
  figures: server.figures,
})
