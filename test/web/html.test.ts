import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { load } from 'cheerio'
import fc from 'fast-check'
import { type Content, html, json, url } from '../../src/web/html.ts'

const MAU = '"><script>alert(1)</script>'

test('what a template holds is escaped, and what is Html already is not', () => {
  assert.equal(
    String(html`<p title="${MAU}">${['<b>', html`<i>i</i>`, 3, undefined, false]}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&lt;b&gt;<i>i</i>3</p>',
  )
})

test('whatever the text is, a parser reads it back as one text and one attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), (text, address) => {
      // A parser changes these by rule: NUL, and the two ends of a line.
      fc.pre(!/[\0\r\ufffe\uffff]|[\ud800-\udfff]/.test(text))
      const $ = load(String(html`<p title="${text}">${text}</p><a href="${url(address)}">a</a>`))
      assert.equal($('p').text(), text)
      assert.equal($('p').attr('title'), text)
      assert.equal($('a').attr('href'), address)
      assert.equal($('*').length, 5)
    }),
  )
})

describe('a hole where escaping does not help is refused at the first use', () => {
  const x: Content = 'x'
  const templates: [onde: string, usar: () => unknown][] = [
    ['an attribute without quotes', () => html`<a title=${x}>a</a>`],
    ['a tag', () => html`<a ${x}>a</a>`],
    ['the name of a tag', () => html`<${x}>a`],
    ['a script', () => html`<script>${x}</script>`],
    ['a style', () => html`<style>p{color:${x}}</style>`],
    ['an event', () => html`<a onclick="${x}">a</a>`],
    ['a style attribute', () => html`<a style="${x}">a</a>`],
    ['a srcdoc', () => html`<iframe srcdoc="${x}"></iframe>`],
    ['a comment', () => html`<!-- ${x} -->`],
    ['an address that is a text', () => html`<a href="${x}">a</a>`],
    ['an address after another hole', () => html`<p>${x}</p><img src="${x}">`],
  ]
  for (const [onde, usar] of templates) test(onde, () => assert.throws(usar))
})

test('an address leads to this host or to the web', () => {
  for (const good of ['/', '/sefaz/sp/?doc=nfe', '#conteudo', '?doc=cte', 'https://example.com/a']) url(good)
  for (const bad of [
    'javascript:alert(1)',
    ' /a',
    '//example.com',
    '/\\example.com',
    'data:text/html,a',
    '',
    'a\tb',
  ])
    assert.throws(() => url(bad), bad)
})

test('data for a script cannot end its element', () => {
  assert.equal(
    String(json({ a: '</script>' })),
    '<script type="application/json">{"a":"\\u003c/script>"}</script>',
  )
})
