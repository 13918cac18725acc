/**
 * The remainder modulus 11 of the weighted sum of the characters before `end`; the last one has the last
 * weight. The value of a character is its code - 48, so a letter weighs 17 to 42.
 */
export function remainder(text: string, end: number, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < end; i++) sum += (text.charCodeAt(i) - 48) * (weights[weights.length - end + i] ?? 0)
  return sum % 11
}

/** The check digit of the characters before `end`: 11 minus the remainder, where 10 and 11 give 0. */
function checkDigit(text: string, end: number, weights: readonly number[]): number {
  const rest = remainder(text, end, weights)
  return rest < 2 ? 0 : 11 - rest
}

/**
 * Whether the last `count` characters are the check digits of those before them. `weights` are those of the
 * last one.
 */
export function hasCheckDigits(text: string, weights: readonly number[], count = 2): boolean {
  for (let at = text.length - count; at < text.length; at++) {
    if (checkDigit(text, at, weights) !== text.charCodeAt(at) - 48) return false
  }
  return true
}
