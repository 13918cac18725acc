import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, readFiles } from './tree.ts'

/** The tag itself, and the favicon: an icon of ours with what a file of its own needs. */
const MAY = ['src/platform/pages/html.ts', 'src/platform/pages/estaticos.ts']

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
  return OF_TEXT.test(line) || (path.endsWith('.ts') && MARKUP.test(line))
}

test('no page writes HTML in another way than by the tag', () => {
  const pages = readFiles('src/web/**/*.{ts,js}')
  assert.ok(pages.size > 10)
  assert.deepEqual(otherWays(pages), [])
})

test('another way that is planted is found', () => {
  const planted: Files = new Map([
    ['src/web/a.ts', 'const a = `<b>a</b>`'],
    ['src/web/b.ts', "reply.send('<p>' + x)"],
    ['src/web/c.ts', 'new Html(x)'],
    ['src/platform/pages/estatico/d.js', 'one.innerHTML = text'],
    ['src/web/e.ts', 'html`<b>a</b>`'],
  ])
  assert.deepEqual(
    otherWays(planted),
    ['a.ts', 'b.ts', 'c.ts', 'estatico/d.js'].map((name) => `src/web/${name}:1`),
  )
})
