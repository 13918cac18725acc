import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load } from 'cheerio'
import fc from 'fast-check'
import { html, json, url } from '../../src/platform/pages/html.ts'
import { vezes } from '../kit/basics.ts'
import { noBrowser, visit } from '../kit/browser.ts'
import { readShapes } from '../kit/in-page.js'
import { anyPoint, anyWebUrl } from '../kit/points.ts'

/** A parser changes these by rule: NUL, the two ends of a line, what is no character. */
const isKept = (text: string): boolean => !/[\0\r\ufdd0-\ufdef\ufffe\uffff]|[\ud800-\udfff]/.test(text)

const texts = fc
  .oneof(
    fc.string({ unit: anyPoint }),
    fc.string(),
    fc.constantFrom('"><b c="', "'><b c='", '</p><b>', '-->', '&lt;'),
  )
  .filter(isKept)

test('whatever the text is, a parser reads it back as one text and one attribute', () => {
  fc.assert(
    fc.property(texts, anyWebUrl, (text, address) => {
      const $ = load(
        String(html`<p title="${text}" class='${text}'>${text}</p><a href="${url(address)}">a</a>`),
      )
      assert.equal($('p').text(), text)
      assert.equal($('p').attr('title'), text)
      assert.equal($('p').attr('class'), text)
      assert.equal($('a').attr('href'), address)
      assert.equal($('*').length, 5)
    }),
  )
})

test('a text in a title, a text area or an SVG is read back as it was', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const page = html`<title>${text}</title><svg><title>${text}</title><text x="${text}">${text}</text></svg><textarea>.${text}</textarea>`
      const $ = load(String(page))
      assert.equal($('head > title').text(), text)
      assert.equal($('svg > title').text(), text)
      assert.equal($('svg > text').text(), text)
      assert.equal($('svg > text').attr('x'), text)
      assert.equal($('textarea').text(), `.${text}`)
    }),
  )
})

test('whatever the address is, it is refused or leads to this host or to the web', () => {
  const starts = fc.constantFrom(
    '',
    '/',
    '//',
    '/\\',
    '\\',
    'javascript:',
    'JaVa\nscript:',
    'data:',
    ' ',
    '\t',
    'http:',
    'https://',
    '?',
    '#',
  )
  fc.assert(
    fc.property(starts, fc.string({ unit: anyPoint }), (start, rest) => {
      let text: string
      try {
        text = String(url(start + rest))
      } catch {
        return
      }
      const isWeb = /^https?:\/\//.test(text)
      if (isWeb && !URL.canParse(text)) return
      const { protocol, host } = new URL(text, 'https://casa.test/sefaz/')
      assert.match(protocol, /^https?:$/)
      if (!isWeb) assert.equal(host, 'casa.test')
    }),
    { numRuns: vezes(1_000) },
  )
})

test('whatever the data are, a script reads them back, and their element ends once', () => {
  const data = fc.anything({
    values: [fc.string({ unit: anyPoint }), fc.constantFrom('</script>', '<!--<script>', ']]>')],
  })
  fc.assert(
    fc.property(data, (value) => {
      const island = { value: JSON.stringify(value) }
      const $ = load(`<body>${json(island)}<p>depois</p>`)
      assert.deepEqual(JSON.parse($('script').text()), JSON.parse(JSON.stringify(island)))
      assert.equal($('script').next().text(), 'depois')
    }),
  )
})

/** Markup of all kinds, most of it broken. `null` is a hole. */
const BITS = [
  ...[
    '<p>',
    '</p>',
    '<a ',
    '<a title="',
    '"',
    "'",
    '>',
    '/>',
    ' ',
    '=',
    'a',
    '\n',
    '\t',
    '<',
    '</',
    '&',
    '&#',
    '&lt;',
  ],
  ...[
    '<textarea>',
    '</textarea>',
    '<TITLE>',
    '</title >',
    '<script>',
    '<script src="/a">',
    '</script>',
    '<style>',
    '</style>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math>',
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '<!DOCTYPE html>',
  ],
  ...[
    '<table>',
    '<td>',
    '<select>',
    '<option>',
    '<xmp>',
    '<iframe>',
    '<plaintext>',
    '<br/>',
    ' onclick="',
    " class='",
    ' href=',
  ],
]
const WHOLE = [
  ['<p title="', null, '">'],
  ["<b class='a ", null, "'>"],
  ['<title>', null, '</title>'],
  ['<i>', null, '</i>'],
]
const bits = fc.oneof(fc.constantFrom(...BITS.map((bit) => [bit]), [null]), fc.constantFrom(...WHOLE))
const templates = fc.array(bits, { maxLength: 8, size: 'max' }).map((some) => some.flat())

/** The template with a value in all its holes; undefined where it is refused. */
function fill(template: readonly (string | null)[], value: string): string | undefined {
  const parts = ['']
  for (const bit of template) {
    if (bit === null) parts.push('')
    else parts[parts.length - 1] += bit
  }
  const strings = Object.assign(parts, { raw: parts })
  try {
    return String(html(strings, ...parts.slice(1).map(() => value)))
  } catch {
    return undefined
  }
}

/** What stands in the place of a value while the shape of a template is read. */
const WORD = 'Qxqxq'

/** Templates that are not refused and have a hole, with a text for it that begins as the word does. */
const accepted = fc
  .record({ template: templates, text: texts.map((text) => `Q${text}`) })
  .map(({ template, text }) => ({ text, plain: fill(template, WORD), filled: fill(template, text) }))
  .filter(({ plain }) => plain?.includes(WORD) === true)

const shapeOf = (page: string): unknown => {
  const read = (node: object): unknown => {
    const { name, data, attribs, children } = Object(node)
    return [name, data, attribs && Object.entries(attribs), children?.map(read)]
  }
  return load(page).root().toArray().map(read)
}

const putIn = (shape: unknown, text: string): unknown =>
  JSON.parse(JSON.stringify(shape).replaceAll(WORD, () => JSON.stringify(text).slice(1, -1)))

test('whatever template is not refused, no value changes more of the page than its own place', () => {
  fc.assert(
    fc.property(accepted, ({ text, plain = '', filled = '' }) => {
      assert.deepEqual(JSON.parse(JSON.stringify(shapeOf(filled))), putIn(shapeOf(plain), text))
    }),
    { numRuns: vezes(2_000) },
  )
})

test('a browser reads them in the same way', { skip: noBrowser }, async () => {
  const samples = fc.sample(accepted, 1_000)
  await using visitor = await visit()
  const page = await visitor.newPage()
  const plain = await page.evaluate(
    readShapes,
    samples.map((one) => one.plain ?? ''),
  )
  const filled = await page.evaluate(
    readShapes,
    samples.map((one) => one.filled ?? ''),
  )
  for (const [at, { text }] of samples.entries()) assert.deepEqual(filled[at], putIn(plain[at], text))
})
