import { openSketch, type Sketch } from './sketch.ts'

/** What was counted of a key, and when its window ends, in milliseconds since 1970. */
type Window = { count: number; ends: number }

/**
 * Counts events by a key, each in a window that begins with its first event. It lives in the memory of this
 * node, takes a fixed room, and no number of other keys makes it forget a window that runs.
 */
export type WindowCount = {
  /** The window of a key that runs; undefined where none does. */
  look: (key: string) => Window | undefined
  /** Counts one more event. */
  add: (key: string) => Window
  /** Takes back an event that was counted and is none. */
  takeBack: (key: string) => void
}

/** `exact`: the keys that are counted one by one. What comes beyond them shares a sketch, until they end. */
type Options = { windowMs: number; now: () => Date; exact?: number }

/** Opens a count of events. */
export function openWindowCount({ windowMs, now, exact = 10_000 }: Options): WindowCount {
  /** In the order of their ends, for all windows are equally long. */
  const windows = new Map<string, Window>()
  let sketch: Sketch | undefined
  /** Until when the sketch may have something. */
  let sketchedUntil = 0

  // A clock that went back must not make a window longer.
  const runs = ({ ends }: Window, instant: number): boolean => ends > instant && ends - instant <= windowMs

  function dropEnded(instant: number): void {
    for (const [key, window] of windows) {
      if (runs(window, instant)) return
      windows.delete(key)
    }
  }

  function sketched(key: string, instant: number): Window | undefined {
    if (!sketch || instant >= sketchedUntil) return undefined
    const window = sketch.look(key)
    return window.count > 0 ? window : undefined
  }

  function look(key: string): Window | undefined {
    const instant = now().getTime()
    const known = windows.get(key)
    return known && runs(known, instant) ? known : sketched(key, instant)
  }

  function begin(key: string): Window {
    const instant = now().getTime()
    windows.delete(key)
    if (windows.size >= exact) dropEnded(instant)
    if (windows.size >= exact) {
      sketch ??= openSketch({ windowMs, now })
      sketch.add(key)
      sketchedUntil = Math.max(sketchedUntil, instant + 2 * windowMs)
      return sketch.look(key)
    }
    const window = { count: (sketched(key, instant)?.count ?? 0) + 1, ends: instant + windowMs }
    windows.set(key, window)
    return window
  }

  return {
    look,
    add: (key) => {
      const known = windows.get(key)
      if (!known || !runs(known, now().getTime())) return begin(key)
      known.count += 1
      return known
    },
    takeBack: (key) => {
      const known = windows.get(key)
      if (known && known.count > 0) known.count -= 1
    },
  }
}
