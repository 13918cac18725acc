import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { parseEntradas } from '../../src/rejeicoes/catalogo.ts'
import type { Categoria, Periodo, Vigencia } from '../../src/rejeicoes/rules.ts'
import { lerTabela } from '../../tools/rejeicoes/tabelas.ts'
import { type House, start } from '../harness.ts'
import { notaBase, notas } from '../rejeicoes/notas.ts'

const PATH = '/api/v1/rejeicoes'
const PUBLIC = '/api/v1/public/rejeicoes'

/** A minute after the base notes were issued, and each call has a minute of its own. */
const clock = { instant: Date.parse('2026-11-10T10:16:00-03:00') }

let house: House
let key: string
before(async () => {
  house = await start({}, () => new Date(clock.instant))
  key = (await house.open('enterprise')).key
})
after(() => house.close())

type Entrada = Record<'titulo' | 'slug' | 'motivo' | 'url_blog', string> & {
  codigo: number
  categoria: string | null
}
type Lista = { total: number; page: number; page_size: number; results: Entrada[] }

async function list(query: Record<string, string>, path = PATH): Promise<Lista> {
  clock.instant += path === PUBLIC ? 61_000 : 0
  const { status, text } = await house.ask(`${path}?${new URLSearchParams(query)}`, {
    key: path === PUBLIC ? null : key,
  })
  assert.equal(status, 200, text.slice(0, 300))
  return JSON.parse(text)
}

const codesOf = ({ results }: Lista): number[] => results.map(({ codigo }) => codigo)

const detail = async (codigo: number): Promise<Record<string, unknown>> => {
  const { status, body } = await house.ask(`${PATH}/${codigo}`, { key })
  assert.equal(status, 200)
  return body
}

/** How many codes each category of the specification has. */
const CATEGORIES: Record<Categoria, number> = {
  'Chave de Acesso': 49,
  Pagamento: 35,
  Evento: 77,
  Destinatário: 60,
  Emitente: 56,
  'Certificado Digital': 28,
  Duplicidade: 15,
  'Schema XML': 22,
  'ICMS/Tributação': 234,
  'Produto/Item': 74,
  Transporte: 32,
  'Autorização/Contingência': 55,
  'Totalização/Valores': 97,
  'Data/Prazo': 26,
  'Número/Série': 12,
  'Operação/Fiscal': 143,
  Outros: 44,
}

describe('the list of the catalogue that comes with the service', () => {
  test('has all 1,059 entries over its pages, by code, with the official reason untouched', async () => {
    const pages = await Promise.all(
      ['1', '2', '3', '4', '5', '6', '7'].map((page) => list({ page, page_size: '200' })),
    )
    assert.deepEqual(
      pages.map(({ results }) => results.length),
      [200, 200, 200, 200, 200, 59, 0],
    )
    assert.ok(pages.every(({ total }) => total === 1_059))
    const all = pages.flatMap(({ results }) => results)
    const codes = all.map(({ codigo }) => codigo)
    assert.deepEqual(
      codes,
      [...new Set(codes)].sort((a, b) => a - b),
    )
    const official = new Map(
      lerTabela('oficiais.csv', ['codigo', 'motivo', 'fontes', 'tipo']).map(({ codigo, motivo }) => [
        Number(codigo),
        motivo,
      ]),
    )
    for (const { codigo, motivo, slug, url_blog } of all) {
      assert.equal(motivo, official.get(codigo))
      assert.equal(url_blog, `/blog/rejeicoes/${slug}/`)
    }
    assert.deepEqual([codes[0], codes.at(-1)], [110, 9_498])
  })

  test('has the 17 categories of the specification, and each entry of one is found by it', async () => {
    const found: Record<string, number> = {}
    for (const categoria of Object.keys(CATEGORIES)) {
      const { total, results } = await list({ categoria, page_size: '200' })
      found[categoria] = total
      assert.ok(
        results.every((one) => one.categoria === categoria),
        categoria,
      )
    }
    assert.deepEqual(found, CATEGORIES)
    assert.equal(
      Object.values(found).reduce((sum, one) => sum + one, 0),
      1_059,
    )
  })

  for (const path of [PATH, PUBLIC])
    test(`q and categoria narrow ${path}, whatever the accents, the case and the order of the words`, async () => {
      assert.deepEqual(codesOf(await list({ q: '539' }, path)), [539])
      const some = codesOf(await list({ q: 'destinatario NAO cadastrada' }, path))
      assert.ok(some.includes(233) && !some.includes(234))
      assert.deepEqual(codesOf(await list({ q: 'CADASTRADA não Destinatário' }, path)), some)
      const both = { q: 'duplicidade', categoria: 'Duplicidade' }
      const { total, results } = await list({ ...both, page_size: '2' }, path)
      assert.deepEqual([results.length, results[0]?.codigo], [2, 204])
      assert.equal((await list({ ...both, page: String(total), page_size: '1' }, path)).results.length, 1)
      assert.deepEqual((await list({ ...both, page: String(total + 1), page_size: '1' }, path)).results, [])
      assert.equal((await list({ categoria: 'Duplicidad' }, path)).total, 0)
    })
})

const SEM_DIAS = { de: '', de_talvez: '', ate: '', ate_talvez: '' }

/** The days of production, which are those of homologation where it has none of its own. */
const soDias = ({ texto, homologacao, ...dias }: Vigencia = {}): Periodo => dias

describe('one rejection of the catalogue that comes with the service', () => {
  test('539 tells that another note has the number, and what to do with it', async () => {
    const { categoria, causas, solucao_passos, campos } = await detail(539)
    assert.equal(categoria, 'Duplicidade')
    assert.match(String(causas), /série \(serie\) e número \(nNF\) iguais/)
    assert.match(String(solucao_passos), /chNFe.*número/)
    assert.ok(Object(campos).includes('ide/nNF'))
  })

  test('610 has a check that adds up the total of a note', async () => {
    const { verificacoes_analiticas } = await detail(610)
    const [check] = Object(verificacoes_analiticas)
    assert.deepEqual([check.id, check.fonte.regra, check.aplicacao], ['610-vnf-fecha', 'W16-10', 'uf'])
    assert.ok(check.campos.includes('total/ICMSTot/vNF'))
    assert.match(JSON.stringify(check.regra), /"fecha".*"tol":"0\.50?"/)
    assert.equal('par' in check, false)
  })

  test('each check is told with all that makes it run, and without the notes of its pair', async () => {
    const own = parseEntradas(readFileSync('data/rejeicoes.json', 'utf8')).filter(
      ({ verificacoes_analiticas }) => verificacoes_analiticas.length > 0,
    )
    assert.ok(own.flatMap((one) => one.verificacoes_analiticas).length >= 250)
    for (const { codigo, verificacoes_analiticas } of own)
      assert.deepEqual(
        (await detail(codigo)).verificacoes_analiticas,
        verificacoes_analiticas.map(({ exemplo, par, vigencia, ...check }) => ({
          modelos: ['55', '65'],
          escopo: '',
          quando: null,
          exceto: [],
          aplicacao: 'obrigatoria',
          ...check,
          vigencia: {
            ...SEM_DIAS,
            texto: '',
            ...vigencia,
            homologacao: { ...SEM_DIAS, ...(vigencia?.homologacao ?? soDias(vigencia)) },
          },
        })),
      )
  })

  test('1115 is of the tax reform, and has no check', async () => {
    const { causas, regras, verificacoes_analiticas } = await detail(1_115)
    assert.match(String(causas), /grupo do IBS e da CBS \(IBSCBS\)/)
    assert.deepEqual(regras, [{ regra: 'UB12-10', modelo: '55/65', documento: 'NT 2025.002 v1.50' }])
    assert.deepEqual(verificacoes_analiticas, [])
  })

  test('each of the 19 codes with two official meanings tells both', async () => {
    const two = lerTabela('duplos.csv', ['codigo', 'motivo', 'fonte'])
    assert.equal(two.length, 19)
    for (const { codigo, motivo, fonte } of two) {
      const { motivo: own, outro_significado, causas } = await detail(Number(codigo))
      assert.deepEqual(outro_significado, { motivo, fonte })
      assert.notEqual(own, motivo)
      assert.ok(String(causas).includes(motivo), codigo)
    }
  })

  test('229 and 246 tell since when their rule refuses nobody', async () => {
    for (const codigo of [229, 246]) {
      const { causas } = await detail(codigo)
      assert.match(String(causas), /novembro de 2026 \(dia 3 .*, dia 16 /, String(codigo))
    }
    const [check] = Object((await detail(229)).verificacoes_analiticas)
    assert.deepEqual(check.vigencia, {
      ...SEM_DIAS,
      de: '2014-03-10',
      ate: '2026-11-15',
      ate_talvez: '2026-11-02',
      texto: '',
      homologacao: { ...SEM_DIAS, de: '2014-02-03', ate: '2026-08-31' },
    })
    assert.deepEqual((await detail(246)).verificacoes_analiticas, [])
  })

  test('a status that is no refusal is no entry', async () => {
    for (const codigo of [100, 102, 135, 138, 150])
      assert.equal((await house.ask(`${PATH}/${codigo}`, { key })).body.error_code, 'REJEICAO_NAO_ENCONTRADA')
  })
})

describe('the public pages of the catalogue that comes with the service', () => {
  test('a category of more than one page has the codes of the list, page by page', async () => {
    const { results } = await list({ categoria: 'ICMS/Tributação', page_size: '200' })
    const path = '/blog/rejeicoes/categoria/icms-tributacao/'
    const codes: number[] = []
    for (const pagina of [1, 2, 3]) {
      const { text } = await house.ask(`${path}?pagina=${pagina}`, { key: null })
      const $ = load(text)
      codes.push(
        ...$('.rejeicoes b')
          .get()
          .map((one) => Number($(one).text())),
      )
    }
    assert.equal(codes.length, CATEGORIES['ICMS/Tributação'])
    assert.deepEqual(codes.slice(0, 200), codesOf({ total: 0, page: 1, page_size: 200, results }))
    assert.equal((await house.ask(`${path}?pagina=4`, { key: null })).status, 404)
  })

  test('each check is on the page of its rejection beside a pair, "errado" and "certo"', async () => {
    const all = parseEntradas(readFileSync('data/rejeicoes.json', 'utf8'))
    let pairs = 0
    for (const { url_blog, verificacoes_analiticas } of all.filter(
      (one) => one.verificacoes_analiticas.length,
    )) {
      const $ = load((await house.ask(url_blog, { key: null })).text)
      const pares = $('.par:not(.do-passo)')
      assert.equal(pares.length, verificacoes_analiticas.length, url_blog)
      for (const par of pares.get()) {
        const marked = ['.errado', '.certo'].map((side) => $(par).find(`${side} mark, ${side} .falta`).length)
        assert.ok(
          marked.some((one) => one > 0),
          url_blog,
        )
        assert.ok($(par).find('.errado').text() !== $(par).find('.certo').text(), url_blog)
        pairs++
      }
    }
    assert.ok(pairs >= 250, String(pairs))
  })
})

describe('the diagnosis with the catalogue that comes with the service', () => {
  const diagnose = async (xml: string): Promise<Record<string, unknown>> => {
    const { status, body, text } = await house.ask(`${PATH}/diagnosticar`, {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ xml }),
    })
    assert.equal(status, 200, text.slice(0, 300))
    return body
  }

  for (const [nome, xml] of notas)
    test(`finds nothing wrong in the base note ${nome}`, async () => {
      const { esquema, suspeitas, emendas, resumo } = await diagnose(xml)
      assert.deepEqual(Object(esquema).erros, [])
      assert.deepEqual([suspeitas, emendas], [[], []])
      assert.ok(Object(resumo).ok > 10 && Object(resumo).falha === 0, JSON.stringify(resumo))
    })

  test('names five errors of the schema in five places at once', async () => {
    const wrong = [
      ['ide/tpNF', /<tpNF>[^<]*/, '<tpNF>7'],
      ['emit/enderEmit/CEP', /<CEP>[^<]*/, '<CEP>1'],
      ['det[1]/prod/NCM', /<NCM>[^<]*/, '<NCM>620'],
      ['total/ICMSTot/vNF', /<vNF>[^<]*/, '<vNF>1,00'],
      ['transp/modFrete', /<modFrete>[^<]*/, '<modFrete>8'],
    ] as const
    const { esquema } = await diagnose(
      wrong.reduce((xml, [, from, to]) => xml.replace(from, to), notaBase('venda-interna')),
    )
    assert.deepEqual(
      Object(esquema).erros.map(({ caminho }: { caminho: string }) => caminho),
      wrong.map(([caminho]) => caminho),
    )
  })

  test('finds a wrong total, says by how much, and mends it', async () => {
    const { suspeitas, emendas } = await diagnose(
      notaBase('venda-interna').replace(/<vNF>[^<]*/, '<vNF>9999.99'),
    )
    const [first] = Object(suspeitas)
    assert.equal(first.codigo, 610)
    assert.match(first.url_blog, /^\/blog\/rejeicoes\/rejeicao-610-/)
    assert.match(first.ocorrencias[0].mensagem, /9999\.99/)
    assert.match(JSON.stringify(emendas), /total\/ICMSTot\/vNF/)
  })
})
