import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseEntradas } from '../../src/rejeicoes/catalogo.ts'
import { lerTabela } from '../../tools/rejeicoes/tabelas.ts'
import { detail, official, PATH, SEM_DIAS, soDias, useOfficial } from '../kit/catalogo.ts'
import { notaBase, notas } from '../kit/rejeicoes.ts'

useOfficial()

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
      assert.equal(
        (await official().house.ask(`${PATH}/${codigo}`, { key: official().key })).body.error_code,
        'REJEICAO_NAO_ENCONTRADA',
      )
  })
})

describe('the diagnosis with the catalogue that comes with the service', () => {
  const diagnose = async (xml: string): Promise<Record<string, unknown>> => {
    const { status, body, text } = await official().house.ask(`${PATH}/diagnosticar`, {
      method: 'POST',
      key: official().key,
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
