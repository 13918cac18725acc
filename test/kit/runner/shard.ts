/**
 * Runs the files that the runner hands out, one after another, each as a suite: its hooks run with it alone,
 * while --test-isolation=none runs them with all files. Parts that files share (a simulator, databases, the
 * sample base, a browser) are imported here first, so their hooks end with the process.
 */
import { on } from 'node:events'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import '../browser.ts'
import '../databases.ts'
import { forget } from '../house.ts'
import '../simulator.ts'
import { openFollowing, openForgetting, stopFollowing } from './follow.ts'
import type { Order, Told } from './report.ts'

/** The longest time that a timer can hold. The tests inside have the limit of --test-timeout. */
const timeout = 2 ** 31 - 1

const orphaned = (): never => process.exit(1)
process.on('disconnect', orphaned)
// The runner, whose output it is too, ends as well.
process.stdout.on('error', orphaned)

test('shard', { timeout }, async () => {
  const following = openFollowing()
  const forgetTests = openForgetting()
  const ready: Told = { kind: 'ready' }
  const orders: AsyncIterable<Order[]> = on(process, 'message')
  process.send?.(ready)
  for await (const [order] of orders) {
    const file = order?.file
    if (file === undefined) break
    // The runner sends its next order when all of the last file has been told.
    forgetTests()
    const { href } = pathToFileURL(file)
    const declare = async (): Promise<void> => {
      await import(href)
      stopFollowing()
    }
    await following(() => describe(file, { timeout }, declare))
    forget()
  }
  // Without a listener the channel does not keep the process alive.
  process.off('disconnect', orphaned)
})
