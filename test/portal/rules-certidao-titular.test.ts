import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { classifyCertidao } from '../../src/portal/rules-certidao.ts'
import { withoutLetras, withoutNome } from '../../src/portal/rules-palavras.ts'
import { vezes } from '../kit/basics.ts'
import { type Papel, papeis } from '../kit/certidao-properties.ts'

/** The labels of a name that the papers have, and the name on them. */
const NOME =
  /^((?:Nome|NOME|Razão Social|RAZÃO SOCIAL|IDENTIFICACAO)\b[^:]{0,20}:? )(EMPRESA \w+(?: TESTE)? LTDA)/

const comNome: readonly Papel[] = papeis.filter(({ linhas }) => linhas.some((linha) => NOME.test(linha)))

/** A firm may have any of these in its name, and its founder chooses it. */
const palavras = [
  'CERTIDÃO POSITIVA',
  'CERTIDÃO NEGATIVA',
  'CERTIDÃO DE REGULARIDADE',
  'CERTIDÃO DE IRREGULARIDADE FISCAL',
  'COM EFEITOS DE NEGATIVA',
  'TEM OS MESMOS EFEITOS DA CERTIDÃO NEGATIVA',
  'PRODUZ EFEITOS DE NEGATIVA',
  'POSITIVA SEGUROS',
  'NEGATIVO FOTOS',
  'NÃO CONSTA',
  'NÃO CONSTAM DÉBITOS',
  'CONSTAM PENDÊNCIAS',
  'DÍVIDA ATIVA ASSESSORIA',
  'SEM DÉBITOS',
  'CANCELADA',
  'IRREGULAR',
  'BAIXADA SANTISTA',
  'OMISSO',
  'PROTESTADO',
  'CDA 9',
  'LOJA DE 1,99',
  'FUNDAMENTO LEGAL',
  'ERRO 500',
  'SANTA BÁRBARA D’OESTE',
  '& CIA',
  'S/A',
  'LTDA',
]
const nomes = fc
  .array(fc.constantFrom(...palavras), { minLength: 1, maxLength: 4 })
  .map((partes) => partes.join(' '))
  .filter(({ length }) => length <= 150)

const comoSai: readonly ((linhas: readonly string[]) => string)[] = [
  (linhas) => linhas.join('\n'),
  (linhas) => linhas.join('\r\n'),
  (linhas) => linhas.join('\n').normalize('NFD'),
  (linhas) => linhas.join('\n').replaceAll(' ', '\xa0'),
  (linhas) => linhas.join('\n').replaceAll(' ', '   '),
]

test('the holder’s name makes no paper better and none worse, whatever words it has', () => {
  assert.ok(comNome.length > 60, String(comNome.length))
  const papel = fc.constantFrom(...comNome)
  fc.assert(
    fc.property(papel, nomes, fc.constantFrom(...comoSai), ({ nome: qual, linhas, situacao }, nome, sai) => {
      const texto = sai(linhas.map((linha) => linha.replace(NOME, (_, rotulo) => rotulo + nome)))
      assert.equal(classifyCertidao(texto, 'pdf').situacao, situacao, `${qual}: ${nome}`)
    }),
    { numRuns: vezes(2000) },
  )
})

test('what follows the name on its line is read, also where the name has no line of its own', () => {
  for (const nome of ['EMPRESA EXEMPLO LTDA', 'TEM OS MESMOS EFEITOS DA CERTIDÃO NEGATIVA LTDA']) {
    const linha = `CERTIDÃO DE IRREGULARIDADE FISCAL Nome: ${nome} CNPJ: 11.222.333/0001-81 constam débitos.`
    assert.equal(classifyCertidao(linha, 'pdf').situacao, 'positiva')
  }
  for (const segue of ['Certificamos que constam débitos.', 'possui débitos. CNPJ: 11.222.333/0001-81'])
    assert.equal(
      classifyCertidao(`CERTIDÃO NEGATIVA\nNome: EMPRESA ${segue}`, 'pdf').situacao,
      'nao-entendido',
    )
})

/** Names whose end is hard to tell: they hold the words that follow a name, or end no line. */
const semFim = [
  'CERTIFICAMOS QUE NÃO CONSTAM DÉBITOS LTDA',
  'CERTIFICO QUE PRODUZ EFEITOS DE NEGATIVA LTDA',
  'INSCRIÇÃO ESTADUAL COM EFEITOS DE NEGATIVA LTDA',
  'CNPJ 11.222.333/0001-81 TEM OS MESMOS EFEITOS DA CERTIDÃO NEGATIVA',
  'DESPACHO: NÃO CONSTA DÉBITO',
  'NADA CONSTA. TEM OS MESMOS EFEITOS DA CERTIDÃO NEGATIVA. ME',
  'CERTIFICAMOS QUE CONSTAM DÉBITOS LTDA',
  'CERTIDÃO POSITIVA. LTDA',
  'PRODUZ EFEITOS DE NEGATIVA E '.repeat(6),
  'CONSTAM DÉBITOS POSITIVA '.repeat(8),
]

/** MT prints the name after the document. */
const semRotulo = ({ linhas }: Papel, nome: string): string[] =>
  linhas.filter((linha) => !NOME.test(linha)).map((linha) => linha.replace(/^(CNPJ: \S+)$/, `$1 ${nome}`))
const comRotulo = ({ linhas }: Papel, nome: string): string[] =>
  linhas.map((linha) => linha.replace(NOME, (_, rotulo) => rotulo + nome))

test('where the end of a name is in doubt, its words make no paper another: they leave it unread', () => {
  for (const papel of comNome)
    for (const nome of semFim)
      for (const linhas of [comRotulo(papel, nome), semRotulo(papel, nome)])
        for (const texto of [linhas.join('\n'), linhas.join(' ')]) {
          const { situacao } = classifyCertidao(texto, 'pdf')
          const isRight = situacao === papel.situacao || situacao === 'nao-entendido'
          assert.ok(isRight, `${papel.nome}: ${nome}: ${situacao}`)
        }
})

test('an ordinary name is read through wherever it stands: after its label, or after the document', () => {
  for (const papel of comNome)
    for (const nome of [
      'EMPRESA DE TESTE LTDA',
      'JOÃO DA SILVA 52998224725',
      `${'INDÚSTRIA E '.repeat(12)}LTDA`,
    ])
      for (const linhas of [comRotulo(papel, nome), semRotulo(papel, nome)])
        assert.equal(classifyCertidao(linhas.join('\n'), 'pdf').situacao, papel.situacao, papel.nome)
})

test('the letters of a CNPJ are no words: HA is none', () => {
  const raizes = ['D6.AIZ.HA8', 'NA.DA0.HA0', '00.000.NAO', 'SE.TEM.SEM', 'HA.NAO.TEM']
  for (const { nome, linhas, situacao } of papeis)
    for (const raiz of raizes) {
      const texto = linhas.map((linha) => linha.replace('11.222.333/', `${raiz}/`)).join('\n')
      assert.equal(classifyCertidao(texto, 'pdf').situacao, situacao, `${nome}: ${raiz}`)
    }
})

test('a name that takes three lines is no word of the authority, wherever they end', () => {
  const nome = 'FUNDO DE DIREITOS CREDITÓRIOS NÃO PADRONIZADOS PENDENTE DE PAGAMENTO'
  const certifica = 'É certificado que não constam débitos em seu nome.'
  fc.assert(
    fc.property(nomes, fc.integer({ min: 64, max: 80 }), (palavrasDele, largura) => {
      const todo = `Nome: SÍTIO BOA ESPERANÇA ${nome} ${palavrasDele}`.slice(0, 150)
      const texto = `CERTIDÃO NEGATIVA DE DÉBITOS\n${emLinhas(todo, largura)}\nCNPJ: 11.222.333/0001-81\n${certifica}`
      assert.equal(classifyCertidao(texto, 'pdf').situacao, 'negativa', texto)
    }),
  )
})

/** Breaks a text into lines of at most that many characters, as a paper does. */
const emLinhas = (texto: string, largura: number): string =>
  texto.replace(new RegExp(`(?=.{${largura + 1}})(.{1,${largura}}) `, 'g'), '$1\n')

/** What is left of a line, in capitals and without accents. */
const deixa = (linha: string): string => withoutNome(`${linha}\n`).slice(0, -1)

test('a name ends at its line, or at what a certificate may say behind it', () => {
  for (const rotulo of [
    'NOME:',
    'RAZAO SOCIAL:',
    'RAZAOSOCIAL :',
    'IDENTIFICACAO:',
    'NOME/RAZAO SOCIAL:',
    'RAZAO SOCIAL (NOME EMPRESARIAL):',
    'RAZAO SOCIAL',
    '12345 RAZAO SOCIAL',
  ])
    assert.equal(deixa(`${rotulo} ACME SA`), `${rotulo} XXXX XX`)
  for (const segue of [
    'CNPJ: 11.222.333/0001-81',
    'CPF/CNPJ NAO INFORMADO',
    'INSCRICAO ESTADUAL 12',
    'ESTABELECIMENTO INSCRITO NO CADASTRO',
    'CACEAL: 12',
    'R.G.: 12',
    'DESPACHO: 12',
    'DESPACHO (12)',
    'RESSALVADO O DIREITO',
    'E CERTIFICADO QUE NADA CONSTA',
    'CERTIFICADO QUE NADA CONSTA',
    'CERTIFICA QUE NADA CONSTA',
    'CERTIFICO QUE NADA CONSTA',
    'CERTIFICAMOS, PARA OS DEVIDOS FINS',
  ])
    assert.equal(deixa(`NOME: ACME SA ${segue}`), `NOME: XXXX XX ${segue}`)
  assert.equal(deixa('NOME: ACME NOME: OUTRA'), 'NOME: XXXX XXXXX XXXXX')
})

test('a name without a certain end stays: a sentence, a line beyond 170 letters, the end of the text', () => {
  const longo = 'A'.repeat(170)
  assert.equal(deixa(`NOME: ${longo}`), `NOME: ${'X'.repeat(170)}`)
  for (const linha of [`NOME: ${longo}A`, 'NOME: EMPRESA POSSUI DEBITOS. NADA MAIS'])
    assert.equal(deixa(linha), linha)
  assert.equal(withoutNome('NOME: ACME SA'), 'NOME: ACME SA')
})

test('a name that fills its line goes on in the next one, unless that says something else', () => {
  const [cheia, quase] = ['A'.repeat(55), 'A'.repeat(54)]
  const [x, y] = ['X'.repeat(55), 'X'.repeat(54)]
  assert.equal(deixa(`NOME: ${cheia}\nFILHOS LTDA\nFIM`), `NOME: ${x}\nXXXXXX XXXX\nFIM`)
  assert.equal(deixa(`NOME: ${quase}\nFAZ LTDA\nFIM`), `NOME: ${y}\nFAZ LTDA\nFIM`)
  assert.equal(deixa(`NOME: ${quase}\nFAZE LTDA\nFIM`), `NOME: ${y}\nXXXX XXXX\nFIM`, 'it had no place there')
  const segue = 'INSCRICAO ESTADUAL 12'
  assert.equal(deixa(`NOME: ${cheia}\n${segue}\nFIM`), `NOME: ${x}\n${segue}\nFIM`)
  const inteira = `NOME: ${quase} ${segue}\nFILHOS LTDA\nFIM`
  assert.equal(deixa(inteira), inteira.replace(quase, y))
})

test('the letters of a whole control code and of a CNPJ are zeros, and no others', () => {
  for (const [text, zeros] of [
    ['A1B2.C3D4.E5F6.0A0B', '0102.0304.0506.0000'],
    ['12.ABC.345/01DE-35', '12.000.345/0100-35'],
    ['CNPJ: 12ABC34501DE35', 'CNPJ: 12000345010035'],
    ['CNPJ:12.ABC.345', 'CNPJ:12.000.345'],
  ] as const)
    assert.equal(withoutLetras(text), zeros)
  for (const text of ['ZA1B2.C3D4.E5F6.0A0B', 'A1B2.C3D4.E5F6.0A0BF', 'CNPJ: CERTIDAO', '12ABC34501DE35'])
    assert.equal(withoutLetras(text), text)
})
