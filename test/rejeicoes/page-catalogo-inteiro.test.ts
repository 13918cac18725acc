import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { XMLValidator } from 'fast-xml-parser'
import { type Catalogo, readCatalogo } from '../../src/rejeicoes/catalogo.ts'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { searchCatalogo } from '../../src/rejeicoes/page-busca.ts'
import { paginaDoLaudo } from '../../src/rejeicoes/page-laudo.ts'
import { writeRejeicao } from '../../src/rejeicoes/page-paginas.ts'
import { notaBase } from '../kit/rejeicoes.ts'

const ARQUIVO = fileURLToPath(new URL('../../data/rejeicoes.json', import.meta.url))

const moldura = {
  prefixo: '',
  publico: 'https://exemplo.com.br',
  estilo: '/estatico/estilo.css',
  icone: '/estatico/icone.svg',
  modulo: '/estatico/moldura.js',
  simulador: false,
  contato: undefined,
  cadastro: true,
}

describe('the catalogue that comes with the service', () => {
  let catalogo: Catalogo
  let pages: readonly [codigo: number, text: string][]
  before(() => {
    catalogo = readCatalogo(ARQUIVO)
    pages = catalogo.rejeicoes.map((one) => [one.codigo, writeRejeicao(catalogo, one, moldura)])
  })

  test('has a page for each code, which is well formed and links to pages that are there', () => {
    assert.ok(pages.length > 1_000)
    for (const [codigo, text] of pages) {
      assert.equal(XMLValidator.validate(text.replace('<!DOCTYPE html>', '')), true, String(codigo))
      for (const [, slug = ''] of text.matchAll(/href="\/blog\/rejeicoes\/([a-z0-9-]+)\/"/g))
        assert.ok(catalogo.porSlug.has(slug) || slug === 'diagnostico', `${codigo}: ${slug}`)
    }
  })

  test('has titles and descriptions that differ, and data that can be parsed', () => {
    const titles = pages.map(([, text]) => /<title>(.*?)<\/title>/s.exec(text)?.[1])
    assert.equal(new Set(titles).size, pages.length)
    const descriptions = pages.map(([, text]) => /name="description" content="([^"]*)"/.exec(text)?.[1] ?? '')
    assert.equal(new Set(descriptions).size, pages.length)
    for (const one of descriptions) assert.ok(one.length > 50, one)
    for (const [codigo, text] of pages) {
      const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
      assert.deepEqual(
        data['@graph'].map((one: Record<string, unknown>) => one['@type']),
        ['FAQPage', 'HowTo', 'BreadcrumbList'],
        String(codigo),
      )
    }
  })

  test('has pages of at most 30 kB, compressed', () => {
    for (const [codigo, text] of pages) assert.ok(gzipSync(text).length < 30_000, String(codigo))
  })

  test('says who names which day of a disputed schema, and of a vNF alone that the total is wrong', () => {
    const pageOf = (xml: string): string => {
      const laudo = makeLaudo({ xml, agora: new Date('2026-11-24T12:00:00-03:00'), catalogo: ARQUIVO })
      return String(paginaDoLaudo({ laudo, xml, catalogo, avisos: [], rejeicao: undefined }, ''))
    }
    const notaNoDia = (dia: string): string =>
      notaBase('venda-interna').replace(/<dhEmi>[^<]*/, `<dhEmi>${dia}T10:15:00-03:00`)
    const soTotal = notaBase('venda-interna').replace(/<vNF>[^<]*/, '<vNF>9999.99')
    const certas = 'As parcelas conferem com os itens: o errado é o total.'
    assert.equal(pageOf(soTotal).split(certas).length, 2)
    const troca =
      'A nota técnica marca a troca para 03/11 e o aviso do portal para 16/11: conferimos pelos dois.'
    assert.equal(pageOf(notaNoDia('2026-11-10')).includes(troca), true)
    assert.equal(pageOf(notaNoDia('2026-11-17')).includes('marca a troca'), false)
    assert.ok(!pageOf(soTotal.replace(/<vFrete>[^<]*(?=.*<vSeg>.*<vNF>)/s, '<vFrete>70.00')).includes(certas))
  })

  test('is found by what people type', async () => {
    const found: [q: string, codigo: number][] = [
      ['539', 539],
      ['rejeição 610', 610],
      ['duplicidade nota', 204],
      ['certificado vencido', 281],
      ['ncm inexistente', 778],
      ['soma dos pagamentos', 865],
      ['ie do destinatario nao cadastrada', 233],
      ['falha esquema xml', 225],
      ['digito chave de aceso', 253],
    ]
    for (const [q, codigo] of found) {
      const first = (await searchCatalogo(catalogo, q)).slice(0, 8).map((one) => one.codigo)
      assert.ok(first.includes(codigo), `${q}: ${first}`)
    }
  })
})
