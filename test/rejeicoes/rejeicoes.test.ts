import assert from 'node:assert/strict'
import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { entradas, useCatalogo, writeCatalogo } from '../kit/catalogo.ts'
import { start, testFaults, testWhoAsksFirst } from '../kit/house.ts'

const PATH = '/api/v1/rejeicoes'
const house = useCatalogo()

type Entrada = { codigo: number }
const codigos = ({ results }: Record<string, unknown>): number[] =>
  Array.isArray(results) ? results.map(({ codigo }: Entrada) => codigo) : []

const list = async (query: Record<string, string>) =>
  (await house().ask(`${PATH}?${new URLSearchParams(query)}`)).body

test('the list has every entry, ordered by code, with the six members of the specification', async () => {
  const { status, body, headers } = await house().ask(PATH)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['total', 'page', 'page_size', 'results'])
  assert.deepEqual([body.total, body.page, body.page_size], [7, 1, 50])
  assert.deepEqual(codigos(body), [204, 208, 233, 234, 539, 610, 1115])
  const expected = entradas.find(({ codigo }) => codigo === 208)
  assert.deepEqual(Object(body.results)[1], {
    codigo: 208,
    titulo: expected?.titulo,
    slug: 'rejeicao-208-de-teste',
    motivo: expected?.motivo,
    categoria: null,
    url_blog: '/blog/rejeicoes/rejeicao-208-de-teste/',
  })
  assert.equal(headers.get('x-credits-charged'), '0')
})

const SEARCHES: [what: string, q: string, found: number[]][] = [
  ['a word of the reason', 'duplicidade', [204, 539]],
  ['every word must occur', 'duplicidade chave', [539]],
  ['in any order', 'CHAVE   duplicidade', [539]],
  ['words that no entry has together', 'duplicidade destinatário', []],
  ['accents and case do not matter', 'DESTINATARIO nao', [233, 234]],
  ['accents where the reason has none', 'dúplicidáde', [204, 539]],
  ['a code', '539', [539]],
  ['a part of a code', '11', [1115]],
  ['a word in the code and another in the reason', '610 total', [610]],
  ['signs are as they stand', 'ibs/cbs', [1115]],
  ['a blank q is no filter', '   ', [204, 208, 233, 234, 539, 610, 1115]],
  ['an empty q counts as not sent', '', [204, 208, 233, 234, 539, 610, 1115]],
  ['what no reason has', 'xyz', []],
]
for (const [what, q, found] of SEARCHES)
  test(`q: ${what}`, async () => {
    const body = await list({ q })
    assert.deepEqual(codigos(body), found)
    assert.equal(body.total, found.length)
  })

test('q looks at the code and the reason alone, not at slug, causes or category', async () => {
  for (const q of ['teste', 'causa', 'outros', 'blog']) assert.equal((await list({ q })).total, 0, q)
})

test('categoria matches exactly, accents respected; an unknown one is 200 with total 0', async () => {
  assert.deepEqual(codigos(await list({ categoria: 'Destinatário' })), [233, 234])
  for (const categoria of ['Destinatario', 'destinatário', 'Destinat', 'Nenhuma']) {
    const { status, body } = await house().ask(`${PATH}?${new URLSearchParams({ categoria })}`)
    assert.deepEqual([status, body.total, body.results], [200, 0, []], categoria)
  }
  assert.deepEqual(codigos(await list({ categoria: 'Destinatário', q: 'vinculada' })), [234])
})

test('pages: page_size of them each, and an empty list after the last', async () => {
  const page = (page: string) => list({ page, page_size: '3' })
  assert.deepEqual(codigos(await page('1')), [204, 208, 233])
  assert.deepEqual(codigos(await page('2')), [234, 539, 610])
  assert.deepEqual(codigos(await page('3')), [1115])
  const beyond = await page('4')
  assert.deepEqual([beyond.total, beyond.page, beyond.page_size, beyond.results], [7, 4, 3, []])
  assert.deepEqual(codigos(await list({ page: '2', page_size: '1', q: 'duplicidade' })), [539])
  assert.equal((await list({ page_size: '200' })).page_size, 200)
  assert.equal((await list({ page: '', page_size: '' })).page_size, 50)
})

testFaults(house, PATH, [
  ['page 0', 'page=0', 'PARAMETRO_INVALIDO', /page: envie um número inteiro, 1 ou mais/],
  ['a negative page', 'page=-1', 'PARAMETRO_INVALIDO', /page/],
  ['a page that is no whole number', 'page=1.5', 'PARAMETRO_INVALIDO', /page/],
  ['a page that is no number', 'page=dois', 'PARAMETRO_INVALIDO', /page/],
  ['page_size 0', 'page_size=0', 'PARAMETRO_INVALIDO', /page_size: envie um número inteiro de 1 a 200/],
  ['page_size above 200', 'page_size=201', 'PARAMETRO_INVALIDO', /de 1 a 200/],
  ['a repeated q', 'q=a&q=b', 'PARAMETRO_INVALIDO', /mais de uma vez/],
])
testWhoAsksFirst(house, PATH)

test('the answer is not sent again while it is the same', async () => {
  const { headers } = await house().ask(`${PATH}?q=IE`)
  const etag = headers.get('etag') ?? ''
  const again = await house().ask(`${PATH}?q=%20ie%20`, { headers: { 'If-None-Match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal((await house().ask(`${PATH}?q=nf`, { headers: { 'If-None-Match': etag } })).status, 200)
})

test('502 REJEICOES_INDISPONIVEL: without a good file the service starts, answers all else, and says why', async (t) => {
  let now = NOW
  const own = writeCatalogo()
  t.after(own.remove)
  const broken = await start({ REJEICOES_FILE: own.arquivo }, () => now)
  t.after(() => broken.close())
  const twoSeconds = (): void => {
    now = new Date(now.getTime() + 2_000)
  }
  const ready = async () => Object((await broken.ask('/ready', { key: null })).body.rejeicoes)
  const semPadrao = entradas.map((one) => ({
    ...one,
    verificacoes_analiticas: one.verificacoes_analiticas.map((check) => ({
      ...check,
      mensagem_falha: 'x',
      regra: { casa: [{ v: 'ide/mod' }, '(['] },
    })),
  }))
  for (const [text, why] of [
    [undefined, /ENOENT/],
    [JSON.stringify(semPadrao), /verificação que não pode ser usada .*610-vnf/],
    [`[${' '.repeat(17 * 1024 * 1024)}]`, /passa de 16 MiB/],
    ['[{', /JSON/],
    ['[]', /fora do formato/],
    [JSON.stringify([{ ...entradas[0], causas: 'uma' }]), /fora do formato em \/0\/causas/],
    [JSON.stringify([entradas[0], { ...entradas[0], slug: 'outro' }]), /duas vezes/],
    [JSON.stringify([entradas[0], { ...entradas[0], codigo: 9 }]), /duas vezes/],
  ] as const) {
    if (text === undefined) rmSync(own.arquivo)
    else own.write(text)
    twoSeconds()
    for (const path of [PATH, `${PATH}/539`, '/api/v1/public/rejeicoes']) {
      const { status, body, headers } = await broken.ask(path)
      assert.deepEqual([status, body.error_code, body.retryable], [502, 'REJEICOES_INDISPONIVEL', true], path)
      assert.equal(headers.get('retry-after'), '60')
    }
    const { total, versao, aviso } = await ready()
    assert.deepEqual([total, versao], [0, ''])
    assert.match(aviso, why)
    assert.equal((await broken.ask('/ready', { key: null })).status, 200)
  }
  rmSync(own.arquivo)
  mkdirSync(own.arquivo)
  twoSeconds()
  assert.match((await ready()).aviso, /não é um arquivo/)
  rmdirSync(own.arquivo)
  own.write(JSON.stringify(entradas))
  twoSeconds()
  assert.equal((await broken.ask(PATH)).body.total, 7)
  assert.deepEqual([(await ready()).total, (await ready()).aviso], [7, ''])
  // What is broken after it was good is told, and the good one goes on serving.
  own.write('[')
  twoSeconds()
  assert.equal((await broken.ask(PATH)).body.total, 7)
  assert.match((await ready()).aviso, /JSON/)
  own.write(JSON.stringify(entradas.slice(1)))
  twoSeconds()
  assert.equal((await broken.ask(PATH)).body.total, 6)
})
