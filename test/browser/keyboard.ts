import type { Page } from 'playwright-core'
import { dropFocus, readFocus } from './in-page.js'

/** Where the focus stops. `at` is its place in the document. */
type Stop = { name: string; inMain: boolean; isSeen: boolean; at: number; isRinged: boolean }

/** More stops than this are a page that holds the focus. */
const MOST = 500

/** Presses Tab from the top of the page until it is left. */
export async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = []
  const ringed = new Map<string, boolean>()
  while (stops.length < MOST) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(readFocus)
    if (!focus || focus.at === stops[0]?.at) return stops
    const { kind, ...stop } = focus
    const isRinged = ringed.get(kind) ?? (await looksOther(page))
    ringed.set(kind, isRinged)
    stops.push({ ...stop, isRinged })
  }
  throw new Error(`the focus stays in the page for ${MOST} stops`)
}

/** Whether a person sees where the focus is: the screen is another without it. */
async function looksOther(page: Page): Promise<boolean> {
  const focused = await page.evaluateHandle('document.activeElement')
  const withFocus = await page.screenshot()
  await page.evaluate(dropFocus)
  const without = await page.screenshot()
  await focused.asElement()?.focus()
  return !withFocus.equals(without)
}
