import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { lerTabela } from '../../tools/rejeicoes/tabelas.ts'
import { checkNota, notaBase, verificacoes } from '../kit/rejeicoes.ts'

const simplificado: Mudanca = { campo: 'ide/tpImp', valor: '6' }

const noItem: Mudanca = {
  campo: 'det[1]/imposto',
  xml: '<DFeReferenciado><chaveAcesso>35261011222333000181550010000011501529183745</chaveAcesso><nItem>1</nItem></DFeReferenciado>',
  onde: 'depois',
}

const porProvedor: Mudanca[] = [
  { campo: 'ide/procEmi', valor: '4' },
  { campo: 'ide/serie', valor: '970' },
  { recalcular: 'chave' },
]

/** Goods that go from one branch to another with the company's own transport. */
const entreFiliais = (modFrete: string): Mudanca[] => [
  { campo: 'transp/modFrete', valor: modFrete },
  { campo: 'transp/transporta/CNPJ', valor: '11222333000181' },
  { campo: 'dest/CNPJ', valor: '11222333000262' },
]

/** Changes that a rule lets pass, by the check that must not refuse them, with what excuses the note. */
const dispensas: readonly [string, string, Mudanca[]][] = [
  ['719-sem-destinatario', 'tpImp=6', [simplificado, { campo: 'dest', valor: null }]],
  ['724-sem-nome', 'tpImp=6', [simplificado, { campo: 'dest/xNome', valor: null }]],
  ['726-sem-endereco', 'tpImp=6', [simplificado, { campo: 'dest/enderDest', valor: null }]],
  ['503-serie-cnpj', 'procEmi=4', porProvedor],
  [
    '495-serie-cpf',
    'procEmi=4',
    [
      { campo: 'emit/CNPJ', xml: '<CPF>52998224725</CPF>', onde: 'antes' },
      { campo: 'emit/CNPJ', valor: null },
      ...porProvedor,
    ],
  ],
  [
    '701-exportacao-indireta-sem-referencia',
    'the note that the item names',
    [{ campo: 'det[1]/prod/CFOP', valor: '7501' }, noItem],
  ],
  [
    '864-fora-do-estabelecimento',
    'the note that the item names',
    [{ campo: 'ide/indPres', valor: '5' }, noItem],
  ],
  [
    '434-intermediador-ausente',
    'a buyer who is there',
    [
      { campo: 'ide/indPres', valor: '1' },
      { campo: 'ide/indIntermed', valor: null },
    ],
  ],
  ['210-destinatario-ie', 'an empty field, which the schema tells', [{ campo: 'dest/IE', valor: '' }]],
  [
    '544-transportador-ie',
    'an empty field, which the schema tells',
    [{ campo: 'transp/transporta/IE', valor: '' }],
  ],
  ['847-frete-remetente', 'a recipient of the same company', entreFiliais('4')],
  ['849-frete-destinatario', 'a recipient of the same company', entreFiliais('3')],
]

const resultadoDe = (xml: string, id: string): string | undefined =>
  checkNota(xml).find((achado) => achado.id === id)?.resultado

describe('the checks of the rejection catalogue', () => {
  for (const [id, motivo, mudancas] of dispensas)
    it(`${id} does not apply, because of ${motivo}`, () => {
      assert.equal(resultadoDe(aplicarMudancas(notaBase('venda-interna'), mudancas), id), 'nao_aplicavel')
    })

  it('leave the GTIN of a MEI blank (NT 2024.001)', () => {
    const xml = aplicarMudancas(notaBase('mei'), [
      { campo: 'det[1]/prod/cEAN', valor: '' },
      { campo: 'det[1]/prod/cEANTrib', valor: '' },
    ])
    const codigos = checkNota(xml).flatMap(({ codigo, resultado }) => (resultado === 'falha' ? [codigo] : []))
    assert.deepEqual(codigos, [])
  })

  it('leave the CFOP of an NFC-e to the rules of the NFC-e', () => {
    const xml = aplicarMudancas(notaBase('nfce'), [{ campo: 'det[1]/prod/CFOP', valor: '1102' }])
    assert.equal(resultadoDe(xml, '518-cfop-de-entrada-em-saida'), 'nao_aplicavel')
  })

  it('let RJ and ES have taxpayers without an inscription (NT 2025.001 v1.02)', () => {
    for (const uf of ['RJ', 'ES']) {
      const xml = aplicarMudancas(notaBase('venda-interna'), [
        { campo: 'dest/indIEDest', valor: '2' },
        { campo: 'dest/enderDest/UF', valor: uf },
      ])
      assert.equal(resultadoDe(xml, '805-isento-na-uf'), 'ok', uf)
    }
  })

  it('refuse nothing by a rule of later days', () => {
    const xml = aplicarMudancas(notaBase('venda-interna'), [
      { campo: 'pag/detPag[1]/tPag', valor: '99' },
      { campo: 'ide/indPres', valor: '9' },
      { campo: 'ide/indIntermed', valor: null },
    ])
    const falhas = (dia: string): number[] =>
      checkNota(xml, { regencia: { dia, ambiente: '1' } })
        .filter(({ codigo, resultado }) => [434, 441].includes(codigo) && resultado === 'falha')
        .map(({ codigo }) => codigo)
    assert.deepEqual(falhas('2021-08-31'), [])
    assert.deepEqual(falhas('2021-09-01'), [441])
    assert.deepEqual(falhas('2022-04-04'), [434, 441])
  })

  it('count five years of a customs clearance from the day in Brazil, not in Greenwich', () => {
    const xml = aplicarMudancas(notaBase('importacao'), [
      { campo: 'det[1]/prod/DI/dDesemb', valor: '2021-11-10' },
    ])
    const achados = checkNota(xml, { agora: '2026-11-11T01:30:00.000Z' })
    assert.equal(achados.find(({ codigo }) => codigo === 376)?.resultado, 'ok')
  })

  it('say of each rule that a state may leave out that it depends on the state', () => {
    const colunas = ['codigo', 'regra', 'modelo', 'aplicacao', 'regra_de_validacao', 'fonte'] as const
    const linhas = lerTabela('regras.csv', colunas)
    const facultativas = new Set(
      linhas
        .filter(({ aplicacao }) => aplicacao === 'Facult')
        .map(({ codigo, regra, fonte }) => `${codigo} ${regra} ${fonte}`),
    )
    const diferentes = verificacoes.filter(
      ({ codigo, fonte, aplicacao }) =>
        facultativas.has(`${codigo} ${fonte.regra} ${fonte.documento}`) && aplicacao !== 'uf',
    )
    assert.deepEqual(
      diferentes.map(({ id }) => id),
      [],
    )
    assert.ok(verificacoes.filter(({ aplicacao }) => aplicacao === 'uf').length > 80)
  })

  it('tell in the message that a rule depends on the state', () => {
    const xml = aplicarMudancas(notaBase('venda-interna'), [{ campo: 'total/ICMSTot/vFrete', valor: '9.99' }])
    const falha = checkNota(xml).find(({ codigo }) => codigo === 535)
    assert.equal(falha?.aplicacao, 'uf')
    assert.match(falha?.ocorrencias[0]?.mensagem ?? '', /conforme a UF\.$/)
  })
})
