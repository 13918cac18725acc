/** What a message quotes of an authority is no longer. */
const LONGEST_QUOTE = 200
/** How much is read of it: two megabytes would take a third of a second. */
const MOST_READ = 4_000

/** A number that may be a document: a CNPJ with letters, else digits with or without punctuation. */
const NUMBER =
  /(?<![0-9A-Z])(?:[0-9A-Z]{12}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-)\d\d(?!\d)|\d{4,}|\d[\d./-]{5,}\d/g

/** What no database takes as text, and what turns round the words beside it. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]+/gu

/**
 * Shortens an authority's words for a message, hides numbers that may be a document, and drops the last full
 * stop. A long text ends after a sentence, else after a word with an ellipsis.
 */
export function quoteOf(words: string): string {
  const read = words.slice(0, MOST_READ).toWellFormed()
  const masked = read.replace(UNSEEN, ' ').replace(NUMBER, '…').trim()
  return shortened(masked).replace(/(?<!\.)\.$/, '')
}

function shortened(words: string): string {
  if (words.length <= LONGEST_QUOTE) return words
  // Half of a character that takes two places is none.
  const start = words.slice(0, LONGEST_QUOTE).replace(/[\ud800-\udbff]$/, '')
  const sentence = /^.*[\p{L}\d)"…][.!?](?=\s)/su.exec(start)?.[0]
  const at = start.lastIndexOf(' ')
  return sentence ?? `${at > 0 ? start.slice(0, at) : start}…`
}
