import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { lookups } from '../../src/painel/chamadas.ts'
import { perguntas } from '../../src/painel/consultar/perguntas.ts'
import { capituloDaConsulta } from '../../src/site/guia-capitulos.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'
import { fiscalHere } from '../kit/processes.ts'

/** The one name of each lookup, by its path. */
const nomes = new Map(lookups.map(({ declared: { url, words } }) => [url, words.nome]))

const nomeEm = (caminho: string): string => nomes.get(caminho) ?? assert.fail(caminho)

const open = { key: null }

type Operacao = { id: string; nome: string; caminho: string; metodo: string; isOfAccount: boolean }

let house: House
let member: Member
let operacoes: Operacao[]
before(async () => {
  house = await start()
  member = await enterPainel(house)
  const { body } = await house.ask('/openapi.json', open)
  operacoes = Object.entries<Record<string, Record<string, unknown>>>(Object(body.paths)).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, summary, security = [] }]) => ({
        id: String(operationId),
        nome: String(summary),
        caminho: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        metodo: method.toUpperCase(),
        isOfAccount: [security].flat().length > 0 && operationId !== 'sair',
      })),
  )
})
after(() => house.close())

const page = async (path: string, visitor: Pick<Member, 'get'> | null = null): Promise<CheerioAPI> => {
  const { status, text } = await (visitor ? visitor.get(path) : house.ask(path, open))
  assert.equal(status, 200, `${path}: ${text.slice(0, 500)}`)
  return load(text)
}

const textsOf = ($: CheerioAPI, selector: string): string[] =>
  $(selector)
    .get()
    .map((one) => $(one).text().trim())

test('a lookup is declared with one name, which no other has, and the OpenAPI document says it', () => {
  const ofAccounts = operacoes.filter(({ isOfAccount }) => isOfAccount)
  assert.deepEqual(
    new Map(ofAccounts.map(({ caminho, nome }) => [caminho, nome])),
    new Map(ofAccounts.map(({ caminho }) => [caminho, nomeEm(caminho)])),
  )
  assert.equal(ofAccounts.length, nomes.size)
  assert.equal(new Set(operacoes.map(({ nome }) => nome)).size, operacoes.length)
  assert.deepEqual(
    operacoes.map(({ nome }) => nome).filter((nome) => nome.length > 30 || /^[a-z]|[.:]/.test(nome)),
    [],
  )
})

test('the list and the headings of the reference are these names', async () => {
  const $ = await page('/documentacao')
  for (const { id, nome, metodo } of operacoes) {
    const links = textsOf($, `nav[aria-label="Chamadas da API"] a[href="#${id}"]`)
    assert.deepEqual(new Set(links), new Set([metodo === 'GET' ? nome : `${nome} ${metodo}`]))
    assert.equal($(`article[id="${id}"] h3`).text(), nome)
  }
})

test('the chapter of a lookup has its name, in the list of the guide and as its title', async () => {
  const $ = await page('/docs/')
  const bySlug = Map.groupBy(operacoes, ({ id }) => capituloDaConsulta(id))
  for (const [caminho, suas] of bySlug) {
    if (caminho === '/docs/autenticacao/') continue
    const [primeira] = suas.filter(({ isOfAccount }) => isOfAccount)
    const links = textsOf($, `nav a[href="${caminho}"]`)
    assert.deepEqual(new Set(links), new Set([primeira?.nome]), caminho)
    assert.equal((await page(caminho))('article h1').text(), primeira?.nome)
  }
})

test('what is offered, and what the log and the use are filtered by, are these names', async () => {
  const $ = await page('/painel/consultar/', member)
  const offered = new Map(
    $('.oferta button')
      .get()
      .map((one) => [$(one).attr('value'), $(one).closest('.oferta').find('h4').text()]),
  )
  for (const { id, endpoint } of perguntas)
    assert.equal(offered.get(id), `${nomeEm(endpoint)}${id === 'cnpj-ao-vivo' ? ', ao vivo' : ''}`)
  assert.ok(textsOf($, '.oferta h4').includes(nomeEm('/api/v1/rejeicoes/diagnosticar')))
  for (const path of ['/painel/registro/', '/painel/uso/']) {
    const list = await page(path, member)
    const options = list('select[name="endpoint"] option')
      .get()
      .map((one) => [list(one).attr('value'), list(one).text()] as const)
    assert.deepEqual(new Map(options.slice(1)), nomes, path)
  }
})

test('the search finds every lookup by its name', async () => {
  for (const [cookie, where] of [
    ['', ''],
    [member.cookie, 'with a session'],
  ])
    for (const nome of nomes.values()) {
      const path = `/busca/achados.json?q=${encodeURIComponent(nome)}`
      const { body } = await house.ask(path, { ...open, headers: cookie ? { cookie } : {} })
      const [grupo] = [body.grupos].flat().filter((one) => Object(one).titulo === 'Consultas')
      const found: unknown[] = Object(grupo).achados.map((one: { nome: unknown }) => one.nome)
      assert.equal(found[0], nome, where)
      for (const one of found) assert.ok([...nomes.values()].includes(String(one)), String(one))
    }
})

test('a call has its name in the log, on its page, in the use, in the statement and in their files', async () => {
  const who = await enterPainel(house)
  const nome = nomeEm('/api/consultar-cnpj')
  const path = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
  const { status, headers } = await house.ask(path, { key: who.key })
  assert.equal(status, 200)
  const id = headers.get('x-request-id') ?? assert.fail('no id')
  for (const list of ['/painel/', '/painel/registro/', '/painel/uso/'])
    assert.ok(textsOf(await page(list, who), 'tbody th').includes(nome), list)
  assert.equal((await page(`/painel/registro/${id}/`, who))('h1').text(), nome)
  const [mes = ''] = /\/painel\/extrato\/\d{4}-\d\d\//.exec((await who.get('/painel/extrato/')).text) ?? []
  assert.match((await page(mes, who))('main').text(), new RegExp(RegExp.escape(nome)))
  for (const file of ['/painel/registro/registro.csv', '/painel/uso/uso.csv', `${mes}extrato.csv`])
    assert.ok((await who.get(file)).text.includes(nome), file)
})

test('the verdict is headed by the name of what was asked, and by where', async () => {
  const cnpj = '99001002000162'
  const fields: Readonly<Record<string, Record<string, string>>> = {
    ie: { documento: cnpj, uf: 'SP' },
    cnd: { documento: cnpj, uf: 'SP' },
    cnir: { documento: '74677237417' },
    sigef: { documento: '16316645228' },
  }
  for (const { id, nome } of perguntas) {
    if (id === 'nota') continue
    const sent = await member.post('/painel/consultar/', { documento: cnpj, pergunta: id, ...fields[id] })
    assert.equal(sent.status, 303, id)
    const $ = await page(sent.headers.get('location') ?? '', member)
    $('.veredito .assunto .selo').remove()
    const [said = '', where = ''] = $('.veredito .assunto').text().split(' · ')
    assert.equal(said, nome, id)
    if (id === 'ie' || id === 'cnd') assert.equal(where, 'São Paulo')
  }
})

test('the prices, the text for models and the terminal have these names', async () => {
  const prices = await page('/docs/consultas-e-precos/')
  const { text } = await house.ask('/llms-full.txt', open)
  for (const { id, nome, caminho, metodo, isOfAccount } of operacoes) {
    const path = caminho.replaceAll(/:(\w+)/g, '{$1}')
    assert.ok(text.includes(`- \`${metodo} ${path}\`: ${nome}.`), path)
    if (isOfAccount) assert.ok(textsOf(prices, `td a[href="${capituloDaConsulta(id)}"]`).includes(nome), nome)
  }
  const { stdout } = await fiscalHere({ columns: 300 }, 'consultar', '--help')
  for (const { endpoint } of perguntas) assert.ok(stdout.includes(nomeEm(endpoint)), stdout)
})
