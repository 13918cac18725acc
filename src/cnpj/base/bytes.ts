/** Keys of the file: a root (8 characters) and an order (4), as numbers that sort and fit a double. */

const NUMERIC_RAIZES = 1e8
const NUMERIC_ORDENS = 1e4

/**
 * One more than the largest key of a root. Roots of digits come first, then those with letters, in base 36.
 */
export const RAIZ_KEY_LIMIT = NUMERIC_RAIZES + 36 ** 8

function keyOf(bytes: Uint8Array, at: number, length: number, numeric: number): number {
  let decimal = 0
  let base36 = 0
  let letters = false
  for (let i = at; i < at + length; i++) {
    const c = bytes[i] ?? 0
    let value = c - 48
    if (c >= 65 && c <= 90) {
      value = c - 55
      letters = true
    } else if (value < 0 || value > 9) return -1
    decimal = decimal * 10 + value
    base36 = base36 * 36 + value
  }
  return letters ? numeric + base36 : decimal
}

/**
 * Key of the 8 characters at `at`: the value of digits, or 10^8 plus the value in base 36. -1 when they are
 * not `[0-9A-Z]{8}`.
 */
export const raizKey = (bytes: Uint8Array, at: number): number => keyOf(bytes, at, 8, NUMERIC_RAIZES)

/**
 * Key of the 4 characters at `at`: the value of digits, or 10^4 plus the value in base 36. -1 when they are
 * not `[0-9A-Z]{4}`.
 */
export const ordemKey = (bytes: Uint8Array, at: number): number => keyOf(bytes, at, 4, NUMERIC_ORDENS)

function textOf(key: number, length: number, numeric: number): string {
  const digits = key < numeric ? String(key) : (key - numeric).toString(36).toUpperCase()
  return digits.padStart(length, '0')
}

/** The root whose key `raizKey` gave. */
export const raizOfKey = (key: number): string => textOf(key, 8, NUMERIC_RAIZES)

/** The order whose key `ordemKey` gave. */
export const ordemOfKey = (key: number): string => textOf(key, 4, NUMERIC_ORDENS)

const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Whether the 12 characters at `at` (root and order, side by side) have the check digits at `dv`. Modulus 11
 * over character code - 48, as IN RFB 2.229/2024 says.
 */
export function digitosConferem(bytes: Uint8Array, at: number, dv: number): boolean {
  let first = 0
  let second = 0
  for (let i = 0; i < 12; i++) {
    const value = (bytes[at + i] ?? 0) - 48
    first += value * (WEIGHTS[i + 1] ?? 0)
    second += value * (WEIGHTS[i] ?? 0)
  }
  const rest = first % 11
  const d1 = rest < 2 ? 0 : 11 - rest
  const rest2 = (second + d1 * 2) % 11
  const d2 = rest2 < 2 ? 0 : 11 - rest2
  return bytes[dv] === 48 + d1 && bytes[dv + 1] === 48 + d2
}
