import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFiles } from './tree.ts'

const ROOMS = '{{src,simulator,test,bench,bin,tools}/**,clients/*,clients/*/cliente}/*.{ts,js}'

const WIDEST = 110
const LONGEST = 300
const MOST_SENTENCES = 2

/** A comment that begins a line: a block, or lines with two slashes one after the other. */
const COMMENT = /^[ \t]*(?:\/\*\*?[\s\S]*?\*\/|(?:\/\/.*(?:\n[ \t]*)?)+)/gm

/** The words of a comment, without its marks. */
const wordsOf = (comment: string): string =>
  comment
    .replace(/^[ \t]*(?:\/\/|\/\*+|\*\/|\*)/gm, '')
    .replace(/\*\/\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** How many sentences there are. Quotes, code and what is in brackets are no sentences. */
const sentencesIn = (words: string): number =>
  [
    ...words
      .replace(/\([^)]*\)|`[^`]*`|"[^"]*"/g, 'X')
      .replace(/\d\.(?=\d)/g, '')
      .matchAll(/[.!?](?=\s[A-Z`X]|$)/g),
  ].length

/** What is wrong with the comments of a file: `path:line: why`. */
function wrongIn(path: string, text: string): string[] {
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    if (comment.includes('biome-ignore')) return []
    // A tag, such as `@throws`, is a text of its own.
    const why = wordsOf(comment)
      .split(/ (?=@\w)/)
      .flatMap((words) => [
        words.length > LONGEST && `${words.length} characters`,
        sentencesIn(words) > MOST_SENTENCES && `${sentencesIn(words)} sentences`,
      ])
      .concat(comment.split('\n').some((line) => line.length > WIDEST) && `wider than ${WIDEST} columns`)
      .filter(Boolean)
    const line = text.slice(0, index).split('\n').length
    return why.map((one) => `${path}:${line}: ${one}`)
  })
}

const files = [...readFiles(ROOMS)].filter(([path]) => !path.endsWith('.d.ts'))

test('a comment has at most two sentences, 300 characters and 110 columns', () => {
  assert.ok(files.length > 800)
  assert.deepEqual(
    files.flatMap(([path, text]) => wrongIn(path, text)),
    [],
  )
})

test('a comment that breaks the rule is found', () => {
  assert.deepEqual(wrongIn('a.ts', '/** One fact. Another. A third. */\nconst a = 1\n'), [
    'a.ts:1: 3 sentences',
  ])
  assert.deepEqual(wrongIn('a.ts', `\n// ${'word '.repeat(30)}\n`), ['a.ts:2: wider than 110 columns'])
  assert.deepEqual(wrongIn('a.ts', `/**\n${' * some words\n'.repeat(30)} */\n`), ['a.ts:1: 329 characters'])
  assert.deepEqual(wrongIn('a.ts', '/** One (see a.b. C). Two "x. Y" and `z. W`. */\n'), [])
})
