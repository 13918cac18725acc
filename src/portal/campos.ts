/** Fields of a form: a later one of the same name takes the place of an earlier one. */
export type Campos = Readonly<Record<string, string>>

/** Encodes a form as a browser does, in the charset of its page. */
export function encodeForm(campos: Campos, charset = 'utf-8'): string {
  return Object.entries(campos)
    .map(([name, value]) => `${encodeText(name, charset)}=${encodeText(value, charset)}`)
    .join('&')
}

function encodeText(text: string, charset: string): string {
  if (charset === 'utf-8') return encodeURIComponent(text).replaceAll('%20', '+')
  return [...Buffer.from(text, 'latin1')].map(encodeByte).join('')
}

/** The rule is application/x-www-form-urlencoded (WHATWG URL, 5.2). */
function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte)
  if (/[A-Za-z0-9*._-]/.test(char)) return char
  return char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
