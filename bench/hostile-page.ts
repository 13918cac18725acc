/**
 * Measures how long the reading of one page blocks, for pages just within the limits and beyond them. Prints
 * the median of some rounds: `node bench/hostile-page.ts [rounds]`.
 */

import { parseXml } from '../src/platform/wire/xml.ts'
import { normalize, parseHtml, textosOf } from '../src/portal/pagina.ts'
import { machineLine, median } from './machine.ts'

const [rounds = 9] = process.argv.slice(2).map(Number)
const MIB = 1024 * 1024
const fill = (piece: string, characters: number): string =>
  piece.repeat(Math.floor(characters / piece.length))
const numbered = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

const pages: [name: string, text: string][] = [
  ['120,000 characters of words', fill('Certidão de débitos ', 120_000)],
  [
    '29,000 elements in 9 tables',
    fill(`<table>${'<tr><td>Bairro:</td></tr>'.repeat(1_000)}</table>`, 700_000),
  ],
  ['3,900 fields in one form', `<form>${'<input name="a">'.repeat(3_900)}</form>`],
  ['29,000 attributes', `<a ${numbered(29_000, (at) => `b${at}=1 `)}>`],
  ['elements 500 deep', fill(`${'<b>'.repeat(500)}x${'</b>'.repeat(500)}`, 100_000)],
  ['59,000 pieces of text', fill('a&amp;', 354_000)],
  ['1 MiB in one attribute', `<input type="hidden" value="${'x'.repeat(MIB - 100)}">`],
  ['beyond: 2 MiB of <', fill('<', 2 * MIB)],
  ['beyond: 150,000 attributes', `<a ${numbered(150_000, (at) => `b${at}=1 `)}>`],
  ['beyond: 29,000 fields in one form', `<form>${'<input name="a">'.repeat(29_000)}</form>`],
]
const documents: [name: string, text: string][] = [
  ['9,000 elements of XML', `<r>${numbered(4_500, (at) => `<a${at}>1</a${at}>`)}</r>`],
  ['beyond: 2 MiB of elements of XML', `<r>${fill('<a/>', 2 * MIB)}</r>`],
]

function readPage(text: string): void {
  try {
    const $ = parseHtml(text)
    normalize(textosOf($.root()).join(' '))
    $('form').first().find('input[name=b]').length
    $('[data-sitekey]').first().attr('data-sitekey')
  } catch {
    // The reader refuses it, since it is larger than a page may be.
  }
}

console.log(machineLine())
for (const [list, read] of [
  [pages, readPage],
  [documents, parseXml],
] as const)
  for (const [name, text] of list) {
    const times = Array.from({ length: rounds }, () => {
      const started = performance.now()
      read(text)
      return performance.now() - started
    })
    console.log(
      `${name}: ${median(times.sort((a, b) => a - b)).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
    )
  }
