import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { startCatalogo } from '../kit/catalogo.ts'
import type { House } from '../kit/house.ts'

const open = { key: null } as const

let house: House
before(async () => {
  house = await startCatalogo()
})
after(() => house.close())

const buscar = (q: string) => house.ask(`/blog/rejeicoes/busca.json?q=${encodeURIComponent(q)}`, open)
const codigosDe = async (q: string): Promise<number[]> => {
  const { status, body } = await buscar(q)
  assert.equal(status, 200)
  return Object(body).itens.map(({ codigo }: { codigo: number }) => codigo)
}

describe('the search box of the pages', () => {
  const found: [what: string, q: string, codigo: number][] = [
    ['a code', '610', 610],
    ['a code in a sentence', 'erro da rejeição 539', 539],
    ['words without their accents', 'diferenca chave', 539],
    ['words in capitals, in any order', 'CHAVE DUPLICIDADE', 539],
    ['a word that is misspelt', 'duplissidade', 539],
    ['the beginning of a word', 'duplic', 539],
    ['a field', 'vICMSDeson', 610],
    ['a category', 'totalização valores somatório', 610],
    ['words of which no entry has all', 'inutilizada banana', 206],
  ]
  for (const [what, q, codigo] of found)
    test(`finds by ${what}`, async () => {
      assert.equal((await codigosDe(q))[0], codigo)
    })

  test('puts a code before the codes that begin with it, and all else after', async () => {
    assert.deepEqual((await codigosDe('1012')).slice(0, 1), [1012])
    assert.deepEqual(await codigosDe('100'), [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009])
  })

  test('finds nothing where there is nothing, and says what to try', async () => {
    for (const q of ['xyzzyq', '', '   ', '???', '\u202e'])
      assert.deepEqual(await codigosDe(q), [], JSON.stringify(q))
    assert.match(String(Object((await buscar('xyzzyq')).body).texto), /^Nada encontrado\. Tente o código/)
  })

  test('shows at most 20, says how many there are, and reads no more than 100 characters', async () => {
    const { body, headers } = await buscar('campo informado')
    assert.equal(Object(body).itens.length, 20)
    assert.equal(Object(body).texto, 'As 20 mais próximas, de 230.')
    assert.equal(headers.get('cache-control'), 'public, max-age=60')
    const long = await codigosDe(`duplicidade ${' '.repeat(80)}${'chave '.repeat(1_000)}`)
    assert.equal(long[0], 539)
    assert.deepEqual(await codigosDe(`${'a b '.repeat(30)} duplicidade`), await codigosDe('a b '.repeat(25)))
  })

  test('answers the same without JavaScript, by the address alone', async () => {
    const { text, status } = await house.ask('/blog/rejeicoes/?q=duplissidade', open)
    assert.equal(status, 200)
    const $ = load(text)
    assert.equal($('#resultados li').first().find('b').text(), '539')
    assert.equal($('input[name="q"]').attr('value'), 'duplissidade')
    assert.equal($('meta[name="robots"]').attr('content'), 'noindex')
  })

  test('shows what was asked as the text that it is', async () => {
    for (const q of [
      '"><script>alert(1)</script>',
      "'onfocus=alert(1) x='",
      '</title><img src=x onerror=alert(1)>',
    ]) {
      const $ = load((await house.ask(`/blog/rejeicoes/?q=${encodeURIComponent(q)}`, open)).text)
      assert.equal($('img, [onfocus], script:not([src])').length, 0)
      assert.equal($('input[name="q"]').attr('value'), q)
      assert.ok($('#achadas').text().includes(q))
    }
    for (const query of ['?q=a&q=b', '?q[]=a', '?q=%ED%A0%80'])
      assert.equal((await house.ask(`/blog/rejeicoes/${query}`, open)).status, 200, query)
  })
})
