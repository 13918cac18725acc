import { hash, randomBytes } from 'node:crypto'

/** A count of many keys in a fixed room. It may tell too much of a key, and never too little. */
export type Sketch = {
  /** Counts one more of a key. */
  add: (key: string) => void
  /** What the key has in the window that runs and the one before it, and when that is over. */
  look: (key: string) => { count: number; ends: number }
}

/** Each key has a place in each row; what others put there too is least in one of them. */
const ROWS = 4
const PLACES = 65_536
const MOST = 65_535

/**
 * Opens a sketch of two windows, 1 MiB. Where a key's places are depends on a secret of this process, so that
 * nobody can choose a network that shares them.
 */
export function openSketch({ windowMs, now }: { windowMs: number; now: () => Date }): Sketch {
  const salt = randomBytes(16).toString('hex')
  let current = new Uint16Array(ROWS * PLACES)
  let previous = new Uint16Array(ROWS * PLACES)
  let turn = Math.floor(now().getTime() / windowMs)

  /** Turns the windows where their time is over. A clock that went back forgets nothing. */
  function settle(): void {
    const running = Math.floor(now().getTime() / windowMs)
    if (running > turn) {
      if (running === turn + 1) [previous, current] = [current, previous]
      else previous.fill(0)
      current.fill(0)
    }
    turn = running
  }

  function placesOf(key: string): number[] {
    const bytes = hash('sha256', salt + key, 'buffer')
    return Array.from({ length: ROWS }, (_, row) => row * PLACES + bytes.readUInt16LE(row * 2))
  }

  const least = (windows: readonly Uint16Array[], places: readonly number[]): number =>
    Math.min(...places.map((at) => windows.reduce((sum, window) => sum + (window[at] ?? 0), 0)))

  return {
    add: (key) => {
      settle()
      for (const at of placesOf(key)) current[at] = Math.min(MOST, (current[at] ?? 0) + 1)
    },
    look: (key) => {
      settle()
      const places = placesOf(key)
      const end = (turn + 1) * windowMs
      const count = least([current, previous], places)
      return { count, ends: least([current], places) > 0 ? end + windowMs : end }
    },
  }
}
