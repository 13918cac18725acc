import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsIn } from '../../tools/casa/ordem.ts'
import { type Files, readFiles } from './tree.ts'

const TAG = 'src/platform/pages/html.ts'

/** The tag itself, and the favicon: an icon of ours with what a file of its own needs. */
const MAY = [TAG, 'src/platform/pages/moldura.ts']

/** The one room whose HTML a library makes, of files that nobody outside can write. */
const LIBRARY = /^src\/site\/guia(?:-worker)?\.ts$/

/** Markup at the beginning of a string that is no template of the tag. */
const MARKUP = /(?<!html)['"`](?:\\n)?<[a-z!/]/i

/** What makes a piece of HTML, here or in a browser, of any text. */
const OF_TEXT =
  /\bnew (?:Html|Url)\(|(?:inner|outer|Adjacent|set)HTML|document\.write|FromString|Fragment\(|\beval\b|new Function/

/** The lines of the pages' files that write HTML in another way than by the tag. */
const otherWays = (files: Files): string[] =>
  [...files]
    .filter(([path]) => !MAY.includes(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => (isOther(path, line) ? [`${path}:${at + 1}`] : [])),
    )

function isOther(path: string, line: string): boolean {
  if (/^\s*(?:\*|\/[/*])/.test(line)) return false
  if (line.includes('fromLibrary(') && !LIBRARY.test(path)) return true
  return OF_TEXT.test(line) || (path.endsWith('.ts') && MARKUP.test(line))
}

/** Whatever draws with the tag, and what runs in the browser. */
const pages: Files = new Map([
  ...[...readFiles('src/**/*.ts')].filter(([path, text]) => importsIn(path, text).includes(TAG)),
  ...readFiles('src/platform/pages/estatico/*.js'),
])

test('no page writes HTML in another way than by the tag', () => {
  assert.ok(pages.size > 40)
  assert.deepEqual(otherWays(pages), [])
})

test('another way that is planted is found', () => {
  const planted: Files = new Map([
    ['src/painel/a.ts', 'const a = `<b>a</b>`'],
    ['src/painel/b.ts', "reply.send('<p>' + x)"],
    ['src/painel/c.ts', 'new Html(x)'],
    ['src/platform/pages/estatico/d.js', 'one.innerHTML = text'],
    ['src/painel/f.ts', 'fromLibrary(x)'],
    ['src/painel/e.ts', 'html`<b>a</b>`'],
    ['src/site/guia.ts', 'fromLibrary(x)'],
  ])
  assert.deepEqual(
    otherWays(planted),
    [...planted.keys()].slice(0, 5).map((path) => `${path}:1`),
  )
})
