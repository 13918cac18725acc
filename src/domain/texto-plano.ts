/** The text on one line, with single spaces. */
export const collapse = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/**
 * The text as authorities' words are compared: in capitals, without accents, `º` for every ordinal sign, `-` for every
 * dash. Character by character, so that what is found at a place in it stands at the same place in `text`.
 */
export const fold = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, plainOf).replace(/[a-z]/g, (letter) => letter.toUpperCase())

function plainOf(character: string): string {
  if (/[ºª°]/.test(character)) return 'º'
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-'
  const plain = character.normalize('NFD').charAt(0).toUpperCase()
  return plain.length === 1 ? plain : character
}
