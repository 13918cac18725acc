import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { createPathReader } from '../../src/platform/wire/xml.ts'

test('texts and attributes are found by their path, in order, without those of the elements inside', () => {
  const read = createPathReader(['a', 'a/b', 'a/b/@k', 'a/c/b', 'x'])
  const xml =
    '<?xml version="1.0"?>\n<p:a xmlns:p="u" k="0"> t<b k="1" j="9"> u </b><c><b>v</b></c><b q:k=\'2\'/>w</p:a>\n'
  assert.deepEqual(
    [...(read(xml) ?? [])].toSorted(),
    [
      ['a', ['tw']],
      ['a/b', ['u', '']],
      ['a/b/@k', ['1', '2']],
      ['a/c/b', ['v']],
    ].toSorted(),
  )
})

test('references are read in texts and attributes, CDATA as it is, and once only', () => {
  const read = createPathReader(['a', 'a/@b'])
  const found = read('<a b="&lt;&#225;&amp;lt;">&amp;amp;&#x1F600;<![CDATA[&amp;<]]>&quot;&apos;&gt;</a>')
  assert.deepEqual(found?.get('a/@b'), ['<á&lt;'])
  assert.deepEqual(found?.get('a'), ['&amp;😀&amp;<"\'>'])
})

for (const xml of [
  '',
  ' ',
  'a',
  '<a>',
  '</a>',
  '<a></b>',
  '<a><b></a></b>',
  '<a/><a/>',
  '<a/>b',
  'b<a/>',
  '<a b></a>',
  '<a b=c/>',
  '<a b="<"/>',
  '<a b="c/>',
  '<a>&</a>',
  '<a>&nbsp;</a>',
  '<a>&#99999999;</a>',
  '<a><!-- </a>',
  '<a><![CDATA[</a>',
  '<a></a x="1">',
  '<a></a/>',
  '<a>\u0000</a>',
  '<!DOCTYPE a><a/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
]) {
  test(`not well-formed: ${JSON.stringify(xml)}`, () => {
    assert.equal(createPathReader(['a'])(xml), undefined)
  })
}

const name = fc.constantFrom('a', 'b', 'ns:c', 'infNFe')
const text = fc.string({ unit: fc.constantFrom('x', 'é', '&', '<', '"', "'", '>', ' ', '\n', ']') })
const escaped = text.map((raw) =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
)
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      name,
      fc.option(escaped, { nil: undefined }),
      fc.array(fc.oneof({ maxDepth: 3 }, escaped, tie('element')), { maxLength: 3 }),
    )
    .map(([tag, k, inside]) => `<${tag}${k === undefined ? '' : ` k="${k}"`}>${inside.join('')}</${tag}>`),
}))

test('whatever is well-formed is read, and what is made of it by chance only if another reader takes it too', () => {
  const read = createPathReader(['a', 'a/b/@k', 'a/b', 'infNFe'])
  fc.assert(
    fc.property(element, fc.nat(), fc.nat(9), (xml, at, length) => {
      assert.ok(read(xml), xml)
      const start = at % (xml.length + 1)
      const cut = xml.slice(0, start) + xml.slice(start + length)
      if (read(cut)) assert.equal(XMLValidator.validate(cut), true, cut)
    }),
  )
})

test('the time to read grows with the length alone, whatever is left open', () => {
  const read = createPathReader(['a'])
  for (const open of ['<!--', '<![CDATA[', '<a b="', "<a b='", '<?', '<a ', '<', '&', '</a '])
    assert.equal(read(`<a>${open.repeat(100_000)}`), undefined)
})
