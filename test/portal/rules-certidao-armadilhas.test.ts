import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'
import { classifyCertidao, type OrigemDoTexto } from '../../src/portal/rules-certidao.ts'

const armadilhas: [porque: string, texto: string, origem: OrigemDoTexto, situacao: SituacaoDita][] = [
  ['a debt that is denied is none', 'Certidão\nNão consta débito', 'pdf', 'negativa'],
  [
    'a debt denied across a clause is none',
    'Certidão\nnão constam, em nome de FULANO S.A., débitos',
    'pdf',
    'negativa',
  ],
  [
    'a denial of something else denies no debt',
    'Certidão\nNão consta pagamento. Constam débitos',
    'pdf',
    'positiva',
  ],
  [
    'a denial does not reach into the next sentence',
    'Não consta inscrição. Existem débitos',
    'pagina',
    'positiva',
  ],
  [
    'the name of the service is no outcome',
    'Emissão de Certidão Negativa de Débitos',
    'pagina',
    'nao-entendido',
  ],
  [
    'the name of the service does not hide a debt',
    'Certidão Negativa de Débitos Possui débito inscrito',
    'pagina',
    'positiva',
  ],
  [
    'a certificate that a message names is no debt',
    'Consta uma Certidão Negativa de Débitos vigente',
    'pagina',
    'nao-entendido',
  ],
  ['the menu of outcomes is no outcome', 'Certidão Positiva Certidão Negativa', 'pagina', 'nao-entendido'],
  [
    'what happens if there are debts is no debt',
    'Se existem débitos, procure a agência',
    'pagina',
    'sem_certidao',
  ],
  [
    'a title of the service with debts in the body is not understood',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nO contribuinte é devedor',
    'pdf',
    'nao-entendido',
  ],
  [
    'legal notes about the other kind change nothing',
    `CERTIDÃO NEGATIVA DE DÉBITOS\nCERTIFICAMOS que não consta, nas bases informatizadas, pendência\nA Certidão Positiva com Efeitos de Negativa tem validade de 60 dias`,
    'pdf',
    'negativa',
  ],
  [
    'the effects may be named the wrong way round',
    'Certidão Negativa com efeito de Positiva',
    'pdf',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'a comma before the effects changes nothing',
    'CERTIDÃO POSITIVA, COM EFEITOS DE NEGATIVA',
    'pdf',
    'positiva_com_efeitos_de_negativa',
  ],
  ['irregularity holds regularity, and is not it', 'Certidão de Irregularidade', 'pdf', 'positiva'],
  ['a PDF without an outcome is never a guess', 'Recibo de pagamento', 'pdf', 'nao-entendido'],
  [
    'debts not inscribed are not a taxpayer not inscribed',
    'Débitos não inscritos na dívida ativa',
    'pagina',
    'sem_certidao',
  ],
  ['a session that does not exist is no taxpayer', 'Sessão inexistente', 'pagina', 'nao-entendido'],
  ['a user who is not registered is no taxpayer', 'Usuário não cadastrado', 'pagina', 'nao-entendido'],
  ['debts that do not exist are no debts', 'Certidão\nInexistem débitos', 'pdf', 'negativa'],
  [
    'an HTML page may be the certificate',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nCERTIFICO que não constam débitos',
    'pagina',
    'negativa',
  ],
  ['a long page without a known phrase is not understood', 'menu '.repeat(300), 'pagina', 'nao-entendido'],
  ['the title of an empty box is not understood', 'Atenção', 'pagina', 'nao-entendido'],
  [
    'a form that still wants a field has not been asked',
    'Selecione o tipo de documento',
    'pagina',
    'nao-entendido',
  ],
  ['an empty page is not understood', ' \n ', 'pagina', 'nao-entendido'],
]

describe('the traps', () => {
  for (const [porque, texto, origem, situacao] of armadilhas)
    test(porque, () => assert.equal(classifyCertidao(texto, origem).situacao, situacao))

  test('a state whose prose is the same in all outcomes is read by what stands above its foot', () => {
    const titulo = /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA - (?:NEGATIVA|POSITIVA)|DESPACHO.{0,120}/
    const nota = 'Observacoes: quem possui debito pode parcelar, com efeito negativo'.padStart(300, '.')
    const text = `CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA\nDESPACHO: NAO CONSTA DEBITO ${nota}`
    assert.equal(classifyCertidao(text, 'pdf', { titulo, rodape: /OBSERVACOES/ }).situacao, 'negativa')
    assert.equal(classifyCertidao('CERTIDAO NEGATIVA', 'pdf', { titulo }).situacao, 'nao-entendido')
  })

  test('the words that decided come back as they were written', () => {
    assert.deepEqual(classifyCertidao('Aviso:\n este CPF/CNPJ  é devedor.', 'pagina'), {
      situacao: 'positiva',
      frase: 'é devedor',
    })
  })
})

/** What may fill a hostile page or paper of 200 kB, the longest text that is read. */
const cheios = [
  'A ',
  'a- ',
  '\n',
  'Ã£',
  '\u200b',
  '\xad\n',
  'CERTIDÃO ',
  'CERTIDAOPOSITIVA',
  'NAO',
  'POSITIVA, ',
  'COM EFEITOS DE NEGATIVA ',
  'NÃO CONSTA ',
  'DÉBITO SE ',
  'NOME: ',
  'REQUERIMENTO ',
  'MAIS DE 100 CNPJ ',
  'DÉBITOS NÃO DE ',
  'DÉBITOS: ',
  'NÃO DEIXOU DE RECOLHER ',
  'NÃO HÁ A CRÉDITO TRIBUTÁRIO ',
  'NEGATIVA, POSITIVA COM EFEITOS DE NEGATIVA ',
  'TAXA 1,11 ',
  '1.111',
  '.',
  '9',
  '0',
  'CERTIDÃO - ',
  'CERTIDÃO NEGATIVA DE DÉBITOS E DA ',
  'CERTIDÃO A1/',
  '(MODELO ',
  'VÁLIDA ATÉ 01/01/2027 EMITIDA EM ',
]

const certifica = 'Certificamos que não constam débitos em nome do requerente.'

test('a paper that says of itself that it is none decides nothing, whatever its title says', () => {
  for (const titulo of [
    'CERTIDÃO NEGATIVA DE DÉBITOS - NÃO EMITIDA',
    'CERTIDÃO NEGATIVA DE DÉBITOS NÃO FOI EMITIDA',
    'CERTIDÃO NEGATIVA DE DÉBITOS SEM VALIDADE',
    'CERTIDÃO NEGATIVA Nº 123456/2026 - SEM EFEITO',
    'CERTIDÃO NEGATIVA DE DÉBITOS (CANCELADA)',
    'CERTIDÃO NEGATIVA DE DÉBITOS TRIBUTÁRIOS\nCANCELADA',
    'CERTIDÃO NEGATIVA DE DÉBITOS (MODELO)',
    'CERTIDÃO NEGATIVA DE DÉBITOS - MODELO',
    'MODELO DE CERTIDÃO NEGATIVA DE DÉBITOS',
    'CERTIDÃO NEGATIVA DE DÉBITOS (EXEMPLO)',
    'RASCUNHO\nCERTIDÃO NEGATIVA DE DÉBITOS',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nRASCUNHO',
    'CERTIDÃO NEGATIVA DE DÉBITOS\nDOCUMENTO SEM VALOR LEGAL',
    'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA - NÃO EMITIDA',
  ])
    assert.equal(classifyCertidao(`${titulo}\n${certifica}`, 'pdf').situacao, 'nao-entendido', titulo)
})

test('a firm called Modelo, the model of a form and a note on rasures leave a certificate as it is', () => {
  for (const linha of [
    'Nome: MODELO COMERCIO DE ROUPAS LTDA',
    'Nome: RASCUNHO LIVRARIA LTDA',
    'Razão Social: CANCELADA DISTRIBUIDORA LTDA',
    'Certidão emitida conforme modelo aprovado pela Portaria nº 12/2020.',
    'Qualquer rasura torna a certidão sem validade.',
    'Esta certidão perde a validade se forem apurados débitos.',
  ])
    assert.equal(
      classifyCertidao(`CERTIDÃO NEGATIVA DE DÉBITOS\n${linha}\n${certifica}`, 'pdf').situacao,
      'negativa',
      linha,
    )
})

test('no text makes the reading fail, nor take more than its length', () => {
  for (const cheio of cheios) {
    const texto = cheio.repeat(Math.floor(199_000 / cheio.length))
    for (const origem of ['pdf', 'pagina'] as const) classifyCertidao(texto, origem)
    classifyCertidao(`CERTIDÃO NEGATIVA\n${texto}`, 'pdf')
  }
})

test('a text longer than any paper is not understood', () => {
  assert.equal(classifyCertidao(`CERTIDÃO NEGATIVA${' '.repeat(200_000)}`, 'pdf').situacao, 'nao-entendido')
})

test('a paper that says both is not understood, and tells the words of both', () => {
  const texto = 'CERTIDÃO NEGATIVA DE DÉBITOS\nCertificamos que constam débitos.'
  assert.deepEqual(classifyCertidao(texto, 'pdf'), {
    situacao: 'nao-entendido',
    frase: 'NEGATIVA … constam débitos',
  })
})
