/**
 * A process that runs test files one after another, as the runner hands them out.
 *
 * Each file is a suite, so that its hooks run with it and not, as under --test-isolation=none, with all files.
 * What files share (a simulator, a PostgreSQL) is imported here first: its hooks then end with the process.
 */
import { on } from 'node:events'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import '../simulator.ts'
import '../store/databases.ts'
import type { Order, Told } from './told.ts'

/** What a timer can hold at most. The tests inside have the limit of --test-timeout. */
const timeout = 2 ** 31 - 1

const orphaned = (): never => process.exit(1)
process.on('disconnect', orphaned)

test('shard', { timeout }, async () => {
  const ready: Told = { kind: 'ready' }
  const orders: AsyncIterable<Order[]> = on(process, 'message')
  process.send?.(ready)
  for await (const [order] of orders) {
    const file = order?.file
    if (file === undefined) break
    const { href } = pathToFileURL(file)
    await describe(file, { timeout }, async () => void (await import(href)))
  }
  // Without a listener the channel does not keep the process alive.
  process.off('disconnect', orphaned)
})
