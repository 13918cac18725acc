import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { load } from 'cheerio'
import { parDaVerificacao } from '../../src/rejeicoes/page-trecho.ts'

/** The lines of both sides: `>` before one that is marked, `-` before one that is missing. */
function sidesOf(errado: string, certo: string): string[][] {
  const $ = load(String(parDaVerificacao({ par: { errado, certo } }, 610)))
  return $('figure')
    .get()
    .map((figure) =>
      $(figure)
        .find('.l')
        .map((_, one) => {
          const mark = $(one).hasClass('mudou') ? '>' : $(one).hasClass('falta') ? '-' : ''
          return mark + $(one).text().trim()
        })
        .get(),
    )
}

const nota = (inside: string): string => `<infNFe>\n  …\n  ${inside}\n</infNFe>`

describe('the pair of a check, side by side', () => {
  test('marks a value that differs on both sides', () => {
    assert.deepEqual(sidesOf(nota('<ide><serie>1</serie></ide>'), nota('<ide><serie>2</serie></ide>')), [
      ['…', '<ide>', '><serie>1</serie>', '</ide>'],
      ['…', '<ide>', '><serie>2</serie>', '</ide>'],
    ])
  })

  test('says once of a group that one side lacks that it is missing', () => {
    const group = '<b><c>1</c><d>2</d></b>'
    const [errado, certo] = sidesOf(nota(`<a>x</a>`), nota(`<a>x</a>${group}<e>1</e>`))
    assert.deepEqual(errado, ['…', '<a>x</a>', '-falta b', '-falta e'])
    assert.deepEqual(certo, ['…', '<a>x</a>', '><b>', '><c>1</c>', '><d>2</d>', '></b>', '><e>1</e>'])
  })

  test('shows the element that holds what is missing, which differs in nothing else', () => {
    const [errado] = sidesOf(nota('<dest>\n …\n</dest>'), nota('<dest>\n …\n<IE>1</IE></dest>'))
    assert.deepEqual(errado, ['…', '<dest>', '…', '-falta IE', '</dest>'])
  })

  test('shows the element of the whole note where its attributes differ', () => {
    const withId = (id: string): string => `<infNFe Id="NFe${id}">\n  …\n</infNFe>`
    assert.deepEqual(sidesOf(withId('1'), withId('2')), [
      ['><infNFe Id="NFe1">', '…'],
      ['><infNFe Id="NFe2">', '…'],
    ])
  })

  test('shows order that differs, a side without anything, and elements without an end', () => {
    const [errado, certo] = sidesOf(nota('<b>1</b><a>1</a>'), nota('<a>1</a><b>1</b>'))
    assert.equal(errado?.filter((line) => line.startsWith('>')).length, 1)
    assert.equal(certo?.filter((line) => line.startsWith('>')).length, 1)
    assert.deepEqual(sidesOf('', nota('<a>1</a>'))[0], ['-falta infNFe'])
    assert.deepEqual(sidesOf(nota('<a/>'), nota('<a></a>')), [
      ['…', '><a/>'],
      ['…', '><a></a>'],
    ])
  })

  test('shows whatever it is given as text', () => {
    const evil = '1/2<a>&lt;img src=x&gt;</a><script>alert(1)</script><!-- x --><![CDATA[<b>]]>'
    const text = String(parDaVerificacao({ par: { errado: nota(evil), certo: nota('') } }, 610))
    assert.equal(load(text)('script, img, b').length, 0)
    assert.ok(load(text).text().includes('<script>alert(1)</script>'))
  })
})
