/** The most bytes of a certificate. A whole answer has at most 2 MiB, and base64 takes a third of it. */
const MOST_BYTES = 1024 * 1024

/**
 * Decodes a PDF that JSON carries as base64, also with white space or as a `data:` address (open clients
 * strip both). Undefined if it is no base64, empty, or over 1 MiB.
 */
export function decodePdf(text: string): Buffer | undefined {
  if (text.length > MOST_BYTES * 2) return undefined
  const base64 = text.replace(/^\s*data:[^,]{0,100},/, '').replace(/\s+/g, '')
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length <= MOST_BYTES && isWhole(base64, bytes) ? bytes : undefined
}

/** Whether nothing was cut off: Node decodes a text that ends in the middle without a word. */
const isWhole = (base64: string, bytes: Buffer): boolean =>
  bytes.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '')
