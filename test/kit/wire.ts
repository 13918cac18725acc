import type { CDPSession, Page } from 'playwright-core'
import { readTiming } from './in-page.js'

/** The bytes that a page takes on the wire, headers included, in all and by path. */
export type Weight = { bytes: number; parts: ReadonlyMap<string, number> }

/** Opens an address with an empty cache, and weighs what came until it was loaded. */
export async function weigh(page: Page, address: string): Promise<Weight> {
  const session = await openSession(page)
  const paths = new Map<string, string>()
  const parts = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId)
    if (path !== undefined) parts.set(path, encodedDataLength)
  })
  await page.goto(address)
  await session.detach()
  return { bytes: [...parts.values()].reduce((sum, bytes) => sum + bytes, 0), parts }
}

/** A slow line: 1.6 Mbit a second, 150 ms from each question to the first byte of its answer. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/**
 * Opens an address with an empty cache on a slow line. A page is usable once its largest part is painted and
 * its modules have run.
 */
export async function usableIn(
  page: Page,
  address: string,
): Promise<{ paintedMs: number; usableMs: number }> {
  const session = await openSession(page)
  await session.send('Network.emulateNetworkConditions', LINE)
  await page.goto(address)
  const { firstMs, largestMs, loadedMs } = await page.evaluate(readTiming)
  await session.detach()
  return { paintedMs: firstMs, usableMs: Math.max(largestMs, loadedMs) }
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return session
}
