/**
 * Whether a certificate (its text as `fold` gives it) names a document or one of the registrations: in digits or
 * punctuated, a CPF also with its ends hidden (`***.456.789-**`), a branch also under its head office where the
 * certificate says that it is for all of them (PR, GO).
 */
export function namesDocumento(text: string, documento: string, inscricoes: readonly string[] = []): boolean {
  if (holds(text, [...documento])) return true
  if (inscricoes.some((inscricao) => holdsInscricao(text, inscricao))) return true
  if (documento.length === 11) return holds(text, [...hidden, ...documento.slice(3, 9), ...hidden.slice(1)])
  return forAllBranches.test(text) && holds(text, [...documento.slice(0, 8), '0', '0', '0', '1'], '')
}

const forAllBranches = /\bMATRIZ E (?:SUAS |AS )?FILIAIS\b/

const hidden = ['[*X]', '[*X]', '[*X]']

/** MT prints the last 9 of 11 digits, others leave zeros out. */
function holdsInscricao(text: string, inscricao: string): boolean {
  const digits = inscricao.replace(/^0+/, '')
  return digits.length >= 6 && holds(text, ['0*', ...digits])
}

/** The characters in a row, whatever punctuation is between them, and no longer number around them. */
function holds(text: string, characters: readonly string[], after = '(?!\\d)'): boolean {
  return new RegExp(`(?<!\\d)${characters.join('[./ -]{0,2}')}${after}`).test(text)
}
