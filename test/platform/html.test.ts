import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Content, html, json, jsonLd, url } from '../../src/platform/pages/html.ts'

const MAU = '"><script>alert(1)</script>'
const x: Content = 'x'

test('what a template holds is escaped, and what is Html already is not', () => {
  assert.equal(
    String(html`<p title="${MAU}">${['<b>', html`<i>i</i>`, 3, undefined, false]}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&lt;b&gt;<i>i</i>3</p>',
  )
})

test('a value may be a part of an attribute, and follow others in it', () => {
  assert.equal(String(html`<p class="a ${x} ${'"'}b" id='${1}'></p>`), `<p class="a x &quot;b" id='1'></p>`)
})

describe('a hole where escaping does not help is refused at the first use', () => {
  const templates: [onde: string, usar: () => unknown][] = [
    ['an attribute without quotes', () => html`<a title=${x}>a</a>`],
    ['an attribute without quotes, after a space', () => html`<a title= ${x}>a</a>`],
    ['a tag', () => html`<a ${x}>a</a>`],
    ['a tag after an attribute', () => html`<a title="a" ${x}>a</a>`],
    ['the name of a tag', () => html`<${x}>a`],
    ['the rest of a name', () => html`<scr${x}>a`],
    ['an end tag', () => html`<p></${x}>`],
    ['the name of an attribute', () => html`<a data-${x}="a">a</a>`],
    ['a script', () => html`<script>${x}</script>`],
    ['a script in capitals', () => html`<SCRIPT>${x}</SCRIPT>`],
    ['a comment inside a script', () => html`<script><!--<script>${x}</script>--></script>`],
    ['a style', () => html`<style>p{color:${x}}</style>`],
    ['a style in an SVG', () => html`<svg><style>${x}</style></svg>`],
    ['an event', () => html`<a onclick="${x}">a</a>`],
    ['an event in capitals', () => html`<a ONCLICK="${x}">a</a>`],
    ['an event after a stroke', () => html`<a/onclick="${x}">a</a>`],
    ['an event after a value without a space', () => html`<a title="a"onclick="${x}">a</a>`],
    ['a style attribute', () => html`<a style="${x}">a</a>`],
    ['a srcdoc', () => html`<iframe srcdoc="${x}"></iframe>`],
    ['a refresh', () => html`<meta http-equiv="refresh" content="${x}">`],
    ['an address that an animation sets', () => html`<a><set attributeName="href" to="${x}"></set></a>`],
    ['a comment', () => html`<!-- ${x} -->`],
    ['what follows a comment that is closed at once', () => html`<!--><a title=' -->${x}'>a</a>`],
    ['an element whose content is no text', () => html`<xmp>${x}</xmp>`],
    ['an element that a title would hold in an SVG', () => html`<svg><title><a b=${x}></title></svg>`],
    ['an address that is a text', () => html`<a href="${x}">a</a>`],
    ['an address after another hole', () => html`<p>${x}</p><img src="${x}">`],
    ['a part of an address', () => html`<a href="/${url('/evil.test')}">a</a>`],
    ['the beginning of an address', () => html`<a href="${url('/a')}/b">a</a>`],
    ['the end of an entity', () => html`<p>&${x}</p>`],
    ['the end of a number of a character', () => html`<p title="&#x${x};"></p>`],
    ['HTML in an attribute', () => html`<p title="${html`<b title="a">b</b>`}"></p>`],
    ['HTML in a title', () => html`<title>${html`<b>b</b>`}</title>`],
    ['HTML in a list in a text area', () => html`<textarea>${[html`<b>b</b>`]}</textarea>`],
  ]
  for (const [onde, usar] of templates) test(onde, () => assert.throws(usar))
})

describe('a template that would change what stands beside it is refused', () => {
  const templates: [onde: string, usar: () => unknown][] = [
    ['a tag that does not end', () => html`<a title="a"`],
    ['a value that does not end', () => html`<a title="a`],
    ['a text area that does not end', () => html`<textarea>a`],
    ['a script in the page', () => html`<script>alert(1)</script>`],
    ['a style in the page', () => html`<style>p{}</style>`],
    ['a value without quotes', () => html`<a title=a>a</a>`],
    ['a "<" that is no element', () => html`<p>1 < 2</p>`],
    ['a piece of XML', () => html`<?xml version="1.0"?>`],
  ]
  for (const [onde, usar] of templates) test(onde, () => assert.throws(usar))
})

test('an address leads to this host or to the web', () => {
  for (const good of ['/', '/sefaz/sp/?doc=nfe', '#conteudo', '?doc=cte', 'https://example.com/a']) url(good)
  const bad = [
    'javascript:alert(1)',
    ' /a',
    '//example.com',
    '/\\example.com',
    'data:text/html,a',
    '',
    'a\tb',
  ]
  const hidden = ['/\t/example.com', '/a\nb', '\0/a', '/a\x7f', 'https://', 'HTTPS://a.test', 'sefaz/']
  for (const one of [...bad, ...hidden]) assert.throws(() => url(one), one)
})

test('data in a page cannot end its element, and is the same to who parses it', () => {
  const data = { a: '</script><!-- & \u2028' }
  for (const [type, made] of [
    ['application/json', json(data)],
    ['application/ld+json', jsonLd(data)],
  ]) {
    const [start, end] = [`<script type="${type}">`, '</script>']
    const text = String(made)
    assert.ok(text.startsWith(start) && text.endsWith(end))
    const inside = text.slice(start.length, -end.length)
    assert.doesNotMatch(inside, /[<>&]/)
    assert.deepEqual(JSON.parse(inside), data)
  }
})
