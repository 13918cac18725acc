import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DitoFederal, namesOther, recusaOf } from '../../src/federal/rules.ts'
import { vezes } from '../kit/basics.ts'
import { ruido } from '../kit/certidao-properties.ts'

const CNPJ = '11222333000181'
const COM_LETRAS = '12ABC34501DE35'

type Sentido = Exclude<DitoFederal, object> | 'positiva' | 'nao_contribuinte' | 'erro' | undefined

const sentidoOf = (texto: string, cnpj = CNPJ): Sentido => {
  const dito = recusaOf(texto, cnpj)
  return typeof dito === 'object' ? dito.status : dito
}

/** The sentences of public clients, as they print them. */
const textos: [texto: string, sentido: Sentido][] = [
  [
    'As informações disponíveis na Receita Federal sobre o contribuinte 11.222.333/0001-81 são insuficientes para emitir a certidão pela Internet.',
    'positiva',
  ],
  [
    'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB sobre o contribuinte 11.222.333/0001-81 são insuficientes para a emissão de certidão por meio da Internet.',
    'positiva',
  ],
  [
    'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB e na Procuradoria-Geral da Fazenda Nacional - PGFN sobre o contribuinte 11222333000181 são insuficientes para a emissão de certidão por meio da Internet.',
    'positiva',
  ],
  [
    'Inscrição no CNPJ 11.222.333/0001-81 Inapta - Omissão de declarações, emissão de certidão não permitida.',
    'positiva',
  ],
  ['A certidão deve ser emitida para o CNPJ da matriz – 11.222.334/0001-26', 'erro'],
  ['A certidão deve ser emitida para o CNPJ da matriz.', 'erro'],
  ['O número informado não consta do cadastro CNPJ.', 'nao_contribuinte'],
  ['Estamos analisando seu pedido de emissão de certidão. Aguarde.', 'em-processamento'],
  ['Retorne em alguns minutos para o resultado.', 'em-processamento'],
  [
    'Não foi possível concluir a ação para o contribuinte informado. Por favor, tente novamente dentro de alguns minutos. 033 - 20/11/2026 12:00:00',
    'falha',
  ],
]

describe('the texts of the portal, in the place of a certificate', () => {
  for (const [texto, sentido] of textos)
    test(`${texto.slice(0, 110)}: ${sentido}`, () => {
      assert.equal(sentidoOf(texto), sentido)
    })

  test('a refusal carries the words as the portal wrote them', () => {
    const [[texto] = ['']] = textos
    assert.deepEqual(recusaOf(`\n ${texto}  `, CNPJ), { status: 'positiva', dizeres: texto })
    const dito = recusaOf(`${texto} ${'Nova consulta. '.repeat(100)}`, CNPJ)
    assert.equal(typeof dito === 'object' && dito.dizeres.length, 500)
  })

  test('a CNPJ with letters stands in a sentence as any does', () => {
    const said = (cnpj: string): string =>
      `As informações disponíveis na Receita Federal sobre o contribuinte ${cnpj} são insuficientes para emitir a certidão pela Internet.`
    assert.equal(sentidoOf(said('12.ABC.345/01DE-35'), COM_LETRAS), 'positiva')
    assert.equal(sentidoOf(said('12.ABC.345/01DF-35'), COM_LETRAS), undefined)
  })

  test('a masked or shortened number, or none, tells nothing against the sentence', () => {
    const [[texto] = ['']] = textos
    for (const doc of ['CNPJ 11.222.333/0001-81', '11.222.333', '**.222.333/0001-**', ''])
      assert.equal(sentidoOf(texto.replace('11.222.333/0001-81', doc)), 'positiva', doc)
  })

  test('words about another CNPJ are no answer, but the head office may be named', () => {
    for (const [texto, sentido] of textos)
      if (/11\.?222\.?333/.test(texto) && sentido !== 'erro')
        assert.equal(sentidoOf(texto, '11222334000126'), undefined, texto)
  })

  test('every status of a registration that prevents a certificate is told so', () => {
    for (const status of ['Baixada', 'Suspensa', 'Nula', 'INAPTA'])
      assert.equal(
        sentidoOf(`Inscrição no CNPJ 11.222.333/0001-81 ${status}, emissão de certidão não permitida.`),
        'positiva',
      )
    assert.equal(
      sentidoOf('Inscrição no CNPJ 11.222.333/0001-81 Ativa, emissão de certidão não permitida.'),
      undefined,
    )
  })
})

describe('words that mean no refusal', () => {
  const nada = [
    '',
    'Certidão',
    'Não foi possível emitir a certidão.',
    'A certidão foi emitida com sucesso para o CNPJ 11.222.333/0001-81.',
    'As informações disponíveis na Receita Federal sobre o contribuinte 11.222.333/0001-81 não são insuficientes para emitir a certidão pela Internet.',
    'As informações disponíveis na Receita Federal sobre o contribuinte raramente são insuficientes para emitir a certidão pela Internet.',
    'Se as informações disponíveis na Receita Federal sobre o contribuinte são insuficientes para emitir a certidão pela Internet, procure uma unidade.',
    'Quando a certidão deve ser emitida para o CNPJ da matriz?',
    'O número informado consta do cadastro CNPJ.',
    'Não estamos analisando seu pedido de emissão de certidão.',
    'É engano que o número informado não consta do cadastro CNPJ.',
    'Caso o número informado não consta do cadastro CNPJ, verifique-o.',
    'As informações disponíveis na Prefeitura sobre o contribuinte são insuficientes para emitir a certidão pela Internet.',
    'Insuficientes',
    `O número informado não consta do cadastro CNPJ. ${'Menu '.repeat(400)}`,
  ]
  for (const texto of nada)
    test(`"${texto.slice(0, 100)}" is unknown`, () => {
      assert.equal(recusaOf(texto, CNPJ), undefined)
    })

  test('two sentences of different meaning are a contradiction, whichever comes first', () => {
    const all: [string, string | undefined][] = [
      ...textos,
      ['A certidão foi emitida com sucesso para o CNPJ 11.222.333/0001-81.', 'emitida'],
    ]
    for (const [a, um] of all)
      for (const [b, outro] of all)
        if (um !== outro) assert.equal(recusaOf(`${a} ${b}`, CNPJ), undefined, `${a} ${b}`)
  })

  test('two sentences of one meaning are one answer', () => {
    for (const [a, um] of textos)
      for (const [b, outro] of textos) if (um === outro) assert.equal(sentidoOf(`${a} ${b}`), um)
  })
})

/** Sentences that stand on the portal's pages beside its messages. */
const vizinhas = [
  'MINISTÉRIO DA FAZENDA',
  'Emitir Certidão de Regularidade Fiscal',
  'CERTIDÃO NEGATIVA DE DÉBITOS',
  'Atenção!',
  'Consultar Certidão',
  'Para mais informações, acesse o e-CAC e consulte a sua Situação Fiscal.',
  'Nova consulta',
]

test('every text keeps its meaning under the noise of extractors and pages, with accents, case and spaces lost', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...textos),
      fc.subarray(vizinhas),
      fc.subarray(vizinhas),
      ruido,
      fc.constantFrom<((text: string) => string)[]>(
        (text) => text,
        (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
        (text) => text.replace(/ /g, ''),
      ),
      ([texto, sentido], antes, depois, suja, perde) => {
        const dito = suja(perde([...antes, texto, ...depois].join('\n')))
        assert.equal(sentidoOf(dito), sentido, JSON.stringify(dito))
      },
    ),
    { numRuns: vezes(1500) },
  )
})

test('a sentence that is cut before its deciding words means nothing', () => {
  for (const [texto] of textos)
    assert.equal(recusaOf(texto.slice(0, texto.length / 3), CNPJ), undefined, texto)
})

test('words are about others where they name CNPJs, and the one that was asked for is not among them', () => {
  const outros = ['11.222.333/0002-62', '11222333000262', 'CNPJ 11.222.333/0002-62 e 12.ABC.345/01DE-35.']
  for (const texto of outros) assert.equal(namesOther(texto, CNPJ), true, texto)
  const seus = ['', 'Protocolo 20261114115800.', `${outros[0]}, consultado ${CNPJ}`, '12.abc.345/01de-35']
  for (const texto of seus) assert.equal(namesOther(texto, texto.includes('abc') ? COM_LETRAS : CNPJ), false)
})
