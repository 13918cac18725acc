import { domainToASCII } from 'node:url'

/** The most that an address may have: RFC 5321, 4.5.3.1.3, less the angle brackets. */
const MAIOR_EMAIL = 254
const MAIOR_NOME = 64

const NOME = /^[^\s@<>()[\],;:"\\\p{C}]+$/u
/** What a person may write of a domain. Of other signs a part would be lost on the way to ASCII. */
const DOMINIO_DITO = /^[\p{L}\p{M}\p{N}.。-]+$/u
const DOMINIO = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Without spaces around it, in lower case, NFC, the domain in ASCII. Undefined for no e-mail. */
export function normalizeEmail(text: string): string | undefined {
  // No form of a longer text is short enough.
  if (text.length > 4 * MAIOR_EMAIL) return undefined
  const [nome = '', dominio = '', ...mais] = text.trim().normalize('NFC').toLowerCase().split('@')
  const ascii = DOMINIO_DITO.test(dominio) ? domainToASCII(dominio) : ''
  const email = `${nome}@${ascii}`
  const isEmail =
    mais.length === 0 && nome.length <= MAIOR_NOME && email.length <= MAIOR_EMAIL && NOME.test(nome)
  return isEmail && DOMINIO.test(ascii) ? email : undefined
}

export const EMAIL_ERRADO = `envie um e-mail como nome@exemplo.com.br, de até ${MAIOR_EMAIL} caracteres`

/** `fk_`, 32 random characters and their CRC-32, in base62: scanners of leaked secrets know it by itself. */
const PREFIX = 'fk_'
const RANDOM = 32
const CHECKSUM = 6
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`)

/** `formatApiKey` skips bytes of 248 and above, so that no character is likelier. */
export const API_KEY_BYTES = 64

/** Throws RangeError in the (negligible) case that too many bytes are skipped. */
export function formatApiKey(random: Uint8Array): string {
  const fair = [...random].filter((byte) => byte < ALPHABET.length * 4).slice(0, RANDOM)
  if (fair.length < RANDOM) throw new RangeError('not enough random bytes for a key')
  const body = PREFIX + fair.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
  return body + checksum(body)
}

export function isApiKey(text: string): boolean {
  const split = text.length - CHECKSUM
  return SHAPE.test(text) && checksum(text.slice(0, split)) === text.slice(split)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < CHECKSUM; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** CRC-32 as in ISO 3309 and ZIP, over ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
