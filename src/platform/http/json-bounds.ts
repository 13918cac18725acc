/** No body that we take has more: names and items together, and objects or lists within each other. */
const MAX_VALUES = 500
const MAX_DEPTH = 10

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/**
 * What is too much in a JSON text, in Portuguese; undefined when nothing is. It is one pass over the octets
 * before parsing, because a body full of names would block everybody.
 */
export function excessOf(json: Buffer): string | undefined {
  let values = 0
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const octet = json[at] ?? 0
    if (octet === QUOTE) {
      at = endOfText(json, at)
    } else if (octet === COMMA) {
      values += 1
    } else if (OPENING.includes(octet)) {
      values += 1
      depth += 1
    } else if (CLOSING.includes(octet)) {
      depth -= 1
    }
    if (values > MAX_VALUES) return `O corpo da requisição tem mais de ${MAX_VALUES} campos e itens.`
    if (depth > MAX_DEPTH) return `O corpo da requisição tem mais de ${MAX_DEPTH} níveis.`
  }
  return undefined
}

/** The end of the string that begins at `start`, or the end of the body if the string does not end. */
function endOfText(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end === -1 ? json.length : end
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = at
  while (json[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}
