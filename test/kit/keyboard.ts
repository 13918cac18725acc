import type { ElementHandle, Page } from 'playwright-core'
import { dropFocus, readFocus } from './in-page.js'

/** Where the focus stops. `at` is its place in the document. */
type Stop = { name: string; inMain: boolean; isSeen: boolean; at: number; isRinged: boolean }

/** More stops than this are a page that holds the focus. */
const MOST = 500

/** Presses Tab once, and reads where the focus is. Null outside the page. */
export async function tabOn(page: Page): Promise<ReturnType<typeof readFocus>> {
  await page.keyboard.press('Tab')
  return page.evaluate(readFocus)
}

/** Presses Tab from the top of the page until it is left. */
export async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = []
  const ringed = new Map<string, boolean>()
  while (stops.length < MOST) {
    const focus = await tabOn(page)
    if (!focus || focus.at === stops[0]?.at) return stops
    const { kind, ...stop } = focus
    const isRinged = ringed.get(kind) ?? (await looksOther(page))
    ringed.set(kind, isRinged)
    stops.push({ ...stop, isRinged })
  }
  throw new Error(`the focus stays in the page for ${MOST} stops`)
}

/** Pixels around an element that are looked at first. A ring further off is found on the whole screen. */
const AROUND = 24

/** Whether a person sees where the focus is: the screen is another without it. */
async function looksOther(page: Page): Promise<boolean> {
  const focused = (await page.evaluateHandle('document.activeElement')).asElement()
  const box = await focused?.boundingBox()
  const near = box && around(page, box)
  return (near && (await changesIn(page, focused, near))) || changesIn(page, focused)
}

type Rect = { x: number; y: number; width: number; height: number }

/** Whether a part of the screen, or all of it, is another without the focus. */
async function changesIn(page: Page, focused: ElementHandle | null, clip?: Rect): Promise<boolean> {
  const options = clip ? { clip } : {}
  const withFocus = await page.screenshot(options)
  await page.evaluate(dropFocus)
  const without = await page.screenshot(options)
  await focused?.focus()
  return !withFocus.equals(without)
}

/** The part of the screen around a box. Undefined where it is none of the screen. */
function around(page: Page, { x, y, width, height }: Rect): Rect | undefined {
  const screen = page.viewportSize() ?? { width: 0, height: 0 }
  const [left, top] = [Math.max(0, x - AROUND), Math.max(0, y - AROUND)]
  const right = Math.min(screen.width, x + width + AROUND)
  const bottom = Math.min(screen.height, y + height + AROUND)
  return right > left && bottom > top
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined
}
