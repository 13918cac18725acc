import { domainToASCII } from 'node:url'

/** The most that an address may have: RFC 5321, 4.5.3.1.3, less the angle brackets. */
const MAIOR_EMAIL = 254
const MAIOR_NOME = 64

const NOME = /^[^\s@<>()[\],;:"\\\p{C}]+$/u
/** What a person may write of a domain. Of other signs a part would be lost on the way to ASCII. */
const DOMINIO_DITO = /^[\p{L}\p{M}\p{N}.。-]+$/u
const DOMINIO = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * An e-mail as accounts have it: without spaces around it, in lower case, in one Unicode form (NFC), with the
 * domain in ASCII. Undefined for a text that is no e-mail.
 */
export function normalizarEmail(text: string): string | undefined {
  // No form of a longer text is short enough.
  if (text.length > 4 * MAIOR_EMAIL) return undefined
  const [nome = '', dominio = '', ...mais] = text.trim().normalize('NFC').toLowerCase().split('@')
  const ascii = DOMINIO_DITO.test(dominio) ? domainToASCII(dominio) : ''
  const email = `${nome}@${ascii}`
  const isEmail =
    mais.length === 0 && nome.length <= MAIOR_NOME && email.length <= MAIOR_EMAIL && NOME.test(nome)
  return isEmail && DOMINIO.test(ascii) ? email : undefined
}

/** What is said of a text that is no e-mail. */
export const EMAIL_ERRADO = `envie um e-mail como nome@exemplo.com.br, de até ${MAIOR_EMAIL} caracteres`
