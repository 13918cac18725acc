import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import type { EntradaCnd } from '../../src/certidao/lookup.ts'
import { diaDe } from '../../src/documento/dia.ts'
import type { EntradaIe } from '../../src/inscricao/lookup.ts'
import { planos, writeReais } from '../../src/platform/ledger/rules.ts'
import { trusted } from '../../src/platform/trusted.ts'
import { casos } from '../../src/site/prova.ts'
import { estadoDaCertidao, estadoDaInscricao } from '../../src/site/prova-estados.ts'
import { openFixedSimulator } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { type Answer, type House, start } from '../kit/house.ts'

const FROM_HERE = { 'sec-fetch-site': 'same-origin' }

const CASOS = ['empresa', 'produtor', 'debitos', 'fora']

const tryAt = (house: House, fields: Record<string, string>, headers: Record<string, string> = FROM_HERE) =>
  house.ask('/', { key: null, method: 'POST', headers, body: new URLSearchParams(fields) })

/** The states of a page, by how they are painted. */
const coresDe = ({ text }: Pick<Answer, 'text'>): Record<string, string[]> => {
  const $ = load(text)
  const painted = $('.pintado path')
    .get()
    .map((one) => ({ uf: $(one).attr('data-uf') ?? '', cor: $(one).attr('class') ?? '' }))
  return Object.fromEntries(
    [...Map.groupBy(painted, ({ cor }) => cor)].map(([cor, all]) => [cor, all.map(({ uf }) => uf).sort()]),
  )
}

describe('the first page', () => {
  let house: House
  let agora = NOW.getTime()
  before(async () => {
    house = await start({}, () => new Date(agora))
  })
  after(() => house.close())

  const tryIt = (fields: Record<string, string>, headers?: Record<string, string>) =>
    tryAt(house, fields, headers)
  const minuteLater = () => {
    agora += 60_000
  }

  test('it asks, answers, says three prices and has three ways in, all of which are there', async () => {
    const { status, headers, text } = await house.ask('/', { key: null })
    assert.equal(status, 200)
    assert.match(headers.get('cache-control') ?? '', /public/)
    const $ = load(text)
    assert.match($('h1').text(), /^A situação fiscal de qualquer empresa/)
    assert.equal($('main input[type="text"]').length, 1)
    // What is shown is the answer to the question that stands in the field.
    assert.equal($('.pintado path').length, 27)
    assert.equal($('#documento-perguntado').text(), $('#documento').attr('value'))
    assert.match($('#quem').text(), /Resposta gravada em 14\/11\/2026, do simulador/)
    assert.match($('.achado').text(), /MG · Ativa.*SEFAZ-MG.*e mais 2 estados/)
    assert.equal($('#cores').text(), 'ativa 3sem inscrição 22não consultável 2')
    assert.equal($('#por-estado tr').length, 27)
    const precos = [planos.starter, planos.pro, planos.enterprise].map(({ reaisPorXml }) =>
      writeReais(reaisPorXml),
    )
    assert.deepEqual(
      $('.tres-precos strong')
        .get()
        .map((one) => $(one).text()),
      precos,
    )
    assert.match(
      $('.precos').text(),
      /A conta começa no Lite: 100 créditos por mês, XML a R\$ 2,00\. .* a partir de 1 crédito/,
    )
    assert.equal($('.tres-portas h2').length, 3)
    // A refused note is one step away, before all that one scrolls to.
    assert.equal($('.apresentacao a[href="/blog/rejeicoes/diagnostico/"]').length, 1)
    assert.match($('.tres-portas').text(), /npm ci\s+npm start/)
    $('.tres-portas section').each((_, one) => assert.ok($(one).find('pre.trecho-de-codigo, a').length > 0))
    assert.equal($('link[rel="canonical"]').attr('href'), '/')
    const links = $('main a')
      .get()
      .flatMap((one) => $(one).attr('href') ?? [])
    for (const link of new Set(links.filter((one) => !one.startsWith('#')))) {
      const { status: found } = await house.ask(link, { key: null })
      assert.ok(found < 400, `${link}: ${found}`)
    }
    const again = await house.ask('/', { key: null, headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  })

  test('each question that it proposes is answered by the simulator, without an account or a session', async () => {
    minuteLater()
    const answers = await Promise.all(CASOS.map((caso) => tryIt({ caso })))
    for (const { status, text, headers } of answers) {
      assert.equal(status, 200)
      const $ = load(text)
      assert.match($('#quem').text(), /Respondido agora, pelo simulador/)
      assert.equal($('#documento').attr('value'), $('#documento-perguntado').text())
      assert.equal(headers.get('set-cookie'), null)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    const [empresa, produtor, debitos, fora] = answers.map(coresDe)
    assert.deepEqual(empresa?.bom, ['MG', 'PE', 'SP'])
    assert.deepEqual(empresa?.fora, ['DF', 'PA'])
    assert.deepEqual(produtor?.bom, ['MT', 'RR'])
    assert.ok((produtor?.fora?.length ?? 0) > 5)
    assert.ok((debitos?.ruim?.length ?? 0) > 15)
    assert.ok((fora?.falhou?.length ?? 0) > 5 && (fora?.bom?.length ?? 0) > 10)
    const rows = await house.rooms.platform.db.kysely.selectFrom('lancamentos').selectAll().execute()
    assert.deepEqual(
      rows.filter(({ endpoint }) => endpoint !== null && endpoint !== ''),
      [],
    )
  })

  test('a document of the list may be typed, with its mask or without, and asked for either thing', async () => {
    minuteLater()
    for (const documento of ['99.034.721/0001-80', '99034721000180', ' 99034721 0001-80 ']) {
      const answer = await tryIt({ documento, pergunta: 'inscricoes' })
      assert.deepEqual(coresDe(answer).bom, ['RS'])
      assert.match(load(answer.text)('.achado').text(), /RS · Ativa096\/692278-6/)
    }
    const certidoes = load((await tryIt({ documento: '99034721000180', pergunta: 'certidoes' })).text)
    assert.match(certidoes('.achado').text(), /PA · Negativa.*Válida até \d\d\/\d\d\/\d{4}/)
    assert.equal(certidoes('input[name="pergunta"][checked]').attr('value'), 'certidoes')
  })

  test('the page is told each state as it answers, and then what it came to', async () => {
    minuteLater()
    const headers = { ...FROM_HERE, accept: 'text/event-stream' }
    const answer = await tryIt({ caso: 'empresa' }, headers)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
    const sent = answer.text.split('\n\n').flatMap((part) => {
      const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? []
      return event === undefined ? [] : [{ event, data: JSON.parse(data) }]
    })
    const ufs = new Set(sent.filter(({ event }) => event === 'uf').map(({ data }) => data.uf))
    assert.equal(ufs.size, 27)
    const { event, data } = sent.at(-1) ?? {}
    assert.equal(event, 'fim')
    assert.deepEqual(data.achados, ['MG', 'PE', 'SP'])
    assert.equal(data.andamento, '25 de 27 responderam')
    const dita = (uf: string) => sent.find(({ data: one }) => one.uf === uf)?.data.classe
    assert.deepEqual(['MG', 'RS', 'DF'].map(dita), ['ativa', 'sem inscrição', 'não consultável'])
    assert.deepEqual(data.cores.at(-1), ['fora', 'não consultável', 2])
    const refused = await tryIt({ documento: '11222333000181' }, headers)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /só conhece documentos fictícios/)
  })

  test('what is not on the list is not asked, nor what another page sends', async () => {
    minuteLater()
    for (const [fields, why] of [
      [{ documento: '' }, /Escreva um CPF ou um CNPJ/],
      [{ documento: '11.222.333/0001-81' }, /só conhece documentos fictícios/],
      [{ documento: '99.034.721/0001-81' }, /CNPJ: o dígito verificador não confere/],
      [{ documento: '921.867.642-38' }, /CPF: o dígito verificador não confere/],
      [{ caso: 'outro' }, /Escolha um dos exemplos/],
      [{}, /Escreva um CPF ou um CNPJ/],
    ] as const) {
      const { status, text } = await tryIt(fields)
      const $ = load(text)
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match($('#falha-da-prova').text(), why)
      assert.equal($('#documento').attr('value'), 'documento' in fields ? fields.documento : '')
    }
    assert.equal((await tryIt({ caso: 'empresa' }, { 'sec-fetch-site': 'cross-site' })).status, 400)
    assert.equal((await tryIt({ caso: 'empresa' }, {})).status, 400)
    assert.equal((await tryIt({ documento: 'x'.repeat(2_000) })).status, 413)
  })

  test('an address may ask a little a minute', async () => {
    minuteLater()
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await tryIt({ caso: 'empresa' })).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
    const { headers, text } = await tryIt({ caso: 'empresa' })
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /perguntas por minuto/)
    minuteLater()
    assert.equal((await tryIt({ caso: 'empresa' })).status, 200)
  })

  test('another method is refused with those that it has', async () => {
    const { status, headers } = await house.ask('/', { key: null, method: 'DELETE', headers: FROM_HERE })
    assert.equal(status, 405)
    assert.match(headers.get('allow') ?? '', /GET.*POST/)
  })
})

describe('live', () => {
  let house: House
  before(async () => {
    house = await start({ AUTHORITIES: 'live' })
  })
  after(() => house.close())

  test('each question that it proposes has an answer that was recorded, and says so', async () => {
    const opened = load((await house.ask('/', { key: null })).text)
    assert.match(opened('#quem-responde').text(), /respostas gravadas/)
    assert.match(opened('#quem').text(), /Resposta gravada em 14\/11\/2026, do simulador/)
    for (const caso of CASOS) {
      assert.equal(opened(`button[value="${caso}"]`).length, 1)
      const { status, text } = await tryAt(house, { caso })
      assert.equal(status, 200)
      assert.match(load(text)('#quem').text(), /Resposta gravada em 14\/11\/2026, do simulador/)
      assert.doesNotMatch(load(text)('#resposta').text(), /respondeu às/)
    }
  })

  test('nobody is asked: a document without a recorded answer leads to an account', async () => {
    for (const documento of ['00.000.000/0001-91', '99034721000180']) {
      const { status, text } = await tryAt(house, { documento })
      assert.equal(status, 400)
      assert.match(load(text)('#falha-da-prova').text(), /crie uma conta para perguntar aos órgãos/)
    }
  })
})

/** `npm test -- --test-update-snapshots test/site/inicio.test.ts` writes them anew. */
const KEPT = join(import.meta.dirname, '../../data/provas.json')

test('the recorded answers are those that the simulator gives', async (t) => {
  const simulator = await openFixedSimulator()
  const house = await start({ SIMULATOR_URL: simulator.endereco }, () => NOW)
  t.after(async () => {
    await house.close()
    await simulator.close()
  })
  const provas: Record<string, unknown> = {}
  for (const [caso, { pergunta, documento }] of Object.entries(casos)) {
    const path = pergunta === 'inscricoes' ? 'consultar-ie-todos' : 'consultar-cnd-todos'
    const { body } = await house.ask(`/api/${path}?${documento.length === 11 ? 'cpf' : 'cnpj'}=${documento}`)
    const results = trusted<(EntradaIe & EntradaCnd)[]>(body.results)
    const estados = results.map((one) =>
      pergunta === 'inscricoes' ? estadoDaInscricao(one) : estadoDaCertidao(one),
    )
    provas[caso] = { nome: estados.find(({ nome }) => nome !== '')?.nome ?? '', estados }
  }
  assert.deepEqual(Object.keys(provas), CASOS)
  const serializers = [(value: unknown) => `${JSON.stringify(value, null, 1)}\n`]
  t.assert.fileSnapshot({ gravada: diaDe(NOW.getTime()), provas }, KEPT, { serializers })
})
