/**
 * Whether a certificate (as `fold` gives it) names the document or one of the registrations. A CPF may have
 * its ends hidden (`***.456.789-**`), and a branch may stand under its head office if the certificate is for
 * all of them (PR, GO).
 */
export function namesDocumento(text: string, documento: string, inscricoes: readonly string[] = []): boolean {
  if (holds(text, [...documento])) return true
  if (inscricoes.some((inscricao) => holdsInscricao(text, inscricao))) return true
  if (documento.length === 11) return holds(text, [...hidden, ...documento.slice(3, 9), ...hidden.slice(1)])
  return forAllBranches.test(text) && holds(text, [...documento.slice(0, 8), '0', '0', '0', '1'], '')
}

const forAllBranches = /\bMATRIZ E (?:SUAS |AS )?FILIAIS\b/

const hidden = ['[*X]', '[*X]', '[*X]']

/** MT prints the last 9 of 11 digits, and other states leave zeros out. */
function holdsInscricao(text: string, inscricao: string): boolean {
  const digits = inscricao.replace(/^0+/, '')
  return digits.length >= 6 && holds(text, ['0*', ...digits])
}

/**
 * Whether the characters stand in a row, with any punctuation between them, and are not part of a longer
 * number.
 */
function holds(text: string, characters: readonly string[], after = '(?!\\d)'): boolean {
  return new RegExp(`(?<!\\d)${characters.join('[./ -]{0,2}')}${after}`).test(text)
}
