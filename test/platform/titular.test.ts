import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createCadeia, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { issue, nomeEmail, nomesAlternativos, outroNome } from '../../simulator/platform/icp/certificado.ts'
import { bmp, der, imprimivel, octetos, utf8 } from '../../simulator/platform/icp/der.ts'
import { findTitular } from '../../src/platform/wire/a1.ts'

const CNPJ = '11222333000181'
const CPF = '52998224725'
const OUTRO_CPF = '11144477735'
const ICP = '2.16.76.1.3'

/** The content of 1.3.1 and 1.3.4: birth date, CPF, NIS, RG and its issuer. */
const pessoa = (cpf: string): string => `01011980${cpf}${'0'.repeat(11)}${'0'.repeat(15)}SSPSP`

type Nomes = readonly (readonly [last: number, value: string | Buffer])[]

let emit: (cn: string, nomes: Nomes) => Buffer
before(async () => {
  const { intermediaria, fim } = await createCadeia(NOSSOS_NOMES, new Date(Date.now() + 86_400_000))
  emit = (cn, nomes) => {
    const outros = nomes.map(([last, value]) =>
      outroNome(`${ICP}.${last}`, typeof value === 'string' ? octetos(Buffer.from(value)) : value),
    )
    const extensoes = nomes.length > 0 ? [nomesAlternativos(nomeEmail('a@exemplo.test'), ...outros)] : []
    const { publica } = intermediaria
    return issue({ nome: [['CN', cn]], publica, inicio: new Date(), fim, extensoes }, intermediaria)
  }
})

const EMPRESA: Nomes = [
  [4, pessoa(OUTRO_CPF)],
  [2, 'QUEM RESPONDE'],
  [3, CNPJ],
  [7, '000000000000'],
]

const cases: [what: string, cn: string, nomes: Nomes, documento: string | undefined][] = [
  ['an e-CNPJ', `EMPRESA:${CNPJ}`, EMPRESA, CNPJ],
  ['an e-CNPJ whose CN says another', 'EMPRESA:48271936000183', EMPRESA, CNPJ],
  ['an e-CNPJ whose CN says nothing', 'EMPRESA', EMPRESA, CNPJ],
  ['an application of a company', 'sistema.exemplo.test', [...EMPRESA, [8, 'EMPRESA LTDA']], CNPJ],
  [
    'an e-CPF',
    `PESSOA:${CPF}`,
    [
      [1, pessoa(CPF)],
      [6, '000000000000'],
      [5, '0'.repeat(19)],
    ],
    CPF,
  ],
  ['a person without birth date', 'PESSOA', [[1, `        ${pessoa(CPF).slice(8)}`]], CPF],
  [
    'a company and a person: the company',
    'X',
    [
      [1, pessoa(CPF)],
      [3, CNPJ],
    ],
    CNPJ,
  ],
  ['letters in the CNPJ', 'X', [[3, '12ABC34501DE35']], '12ABC34501DE35'],
  ['blanks around it', 'X', [[3, imprimivel(` ${CNPJ}  `)]], CNPJ],
  ['PrintableString', 'X', [[3, imprimivel(CNPJ)]], CNPJ],
  ['UTF8String', 'X', [[3, utf8(CNPJ)]], CNPJ],
  ['IA5String', 'X', [[3, der(0x16, Buffer.from(CNPJ))]], CNPJ],
  ['BMPString', 'X', [[3, bmp(CNPJ)]], CNPJ],
  ['the CN alone, a company', `EMPRESA: A & B:${CNPJ}`, [], CNPJ],
  ['the CN alone, a person', `PESSOA:${CPF}`, [], CPF],
  [
    'zeros, and the CN',
    `EMPRESA:${CNPJ}`,
    [
      [3, '0'.repeat(14)],
      [1, pessoa('0'.repeat(11))],
    ],
    CNPJ,
  ],
  ['who answers for the company, never', 'EMPRESA', [[4, pessoa(OUTRO_CPF)]], undefined],
  ['who answers for the company, not even beside its CN', `E:${CNPJ}`, [[4, pessoa(OUTRO_CPF)]], CNPJ],
  ['wrong check digits', 'EMPRESA:11222333000182', [[3, '11222333000182']], undefined],
  ['a CN without colon', CNPJ, [], undefined],
]
for (const [what, cn, nomes, documento] of cases)
  test(`the holder by ${what}`, () => {
    assert.equal(findTitular(emit(cn, nomes))?.documento, documento)
  })

test('the name of a holder is the CN without the number, letters and marks as they are', () => {
  for (const nome of ['AÇAÍ & CIA <LTDA> "X"', 'A:B', "D'ÁVILA \u2013 ME", '日本'])
    assert.equal(findTitular(emit(`${nome}:${CNPJ}`, EMPRESA))?.nome, nome)
})
