import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'
import { classifyCertidao } from '../../src/portal/rules-certidao.ts'

type Caso = [uf: string, texto: string, situacao: SituacaoDita]

const MT_TITULO =
  'DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS\nGERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA'
const MT_CORPO =
  'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.'
const GO_PE =
  'FUNDAMENTO LEGAL: a certidao de debito inscrito em divida ativa nao impede a cobranca de qualquer debito que venha a ser apurado.'

const certidoes: Caso[] = [
  ['AL', 'ESTADO DE ALAGOAS\nCERTIDÃO NEGATIVA\nde débitos', 'negativa'],
  ['AL', 'CERTIDÃO POSITIVA', 'positiva'],
  ['AL', 'CERTIDÃO POSITIVA COM EFEITO DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  ['AM', 'CND - CERTIDÃO NEGATIVA DE DÉBITOS\nVálida até: 01/10/2026', 'negativa'],
  ['AM', 'CPD – CERTIDÃO POSITIVA DE DÉBITOS', 'positiva'],
  ['AM', 'CPN – CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  [
    'BA',
    'Certidão de Débitos Tributários\nFica certificado que não constam, até a presente data, pendências de responsabilidade da pessoa',
    'negativa',
  ],
  [
    'BA',
    'Certidão de Débitos Tributários\nFica certificado que constam, até a presente data, pendências de responsabilidade',
    'positiva',
  ],
  [
    'BA',
    'Certidão Especial de Débitos Tributários\n(Positiva com efeito de Negativa)',
    'positiva_com_efeitos_de_negativa',
  ],
  ['DF', 'Certidão Negativa de Débitos', 'negativa'],
  [
    'CE',
    'Certidão\nrevendo os registros do Cadastro de Inadimplentes, CADINE, verificou-se nada existir em nome do requerente',
    'negativa',
  ],
  ['DF', 'CERTIDÃO DE DÉBITOS\nPOSITIVA COM EFEITO DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  ['ES', 'CERTIDÃO NEGATIVA DE DÉBITOS PARA COM A FAZENDA PÚBLICA ESTADUAL\nNÃO CONSTA DÉBITO', 'negativa'],
  ['ES', 'POSITIVA COM EFEITO de negativa', 'positiva_com_efeitos_de_negativa'],
  [
    'GO',
    `CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA\nDESPACHO (Certidao valida para a matriz e suas filiais):\nNAO CONSTA DEBITO\n${GO_PE}`,
    'negativa',
  ],
  [
    'GO',
    `CERTIDAO DE DEBITO EM DIVIDA ATIVA - POSITIVA\nDESPACHO:\nPOSSUI DEBITO INSCRITO NA DIVIDA ATIVA, RELATIVO A 3 PROCESSO(S)\n${GO_PE}`,
    'positiva',
  ],
  [
    'GO',
    `CERTIDAO DE DEBITO EM DIVIDA ATIVA - POSITIVA\nCOM EFEITO NEGATIVO (PARCELAMENTO)\n${GO_PE}`,
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'MA',
    'CERTIDÃO NEGATIVA DE DÉBITO\nCERTIFICAMOS que não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria',
    'negativa',
  ],
  [
    'MA',
    'CERTIDÃO NEGATIVA DE DÉBITO\nnão constam débitos relativos aos tributos estaduais. CPF/CNPJ não inscrito no cadastro de contribuintes',
    'negativa',
  ],
  ['MS', 'Certidão Negativa', 'negativa'],
  ['MS', 'Certidão Positiva com efeito de Negativa', 'positiva_com_efeitos_de_negativa'],
  ['MT', `CERTIDÃO NEGATIVA ${MT_TITULO}\nCND Nº 0064988861\n${MT_CORPO}`, 'negativa'],
  [
    'MT',
    `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${MT_TITULO}\nCPEND Nº 0064988861`,
    'positiva_com_efeitos_de_negativa',
  ],
  ['PA', 'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA', 'negativa'],
  ['PA', 'CERTIDÃO NEGATIVA DE NATUREZA NÃO TRIBUTÁRIA', 'negativa'],
  ['PA', 'CERTIDÃO POSITIVA DE NATUREZA TRIBUTÁRIA', 'positiva'],
  [
    'PA',
    'CERTIDÃO POSITIVA COM EFEITO DE NEGATIVA DE NATUREZA TRIBUTÁRIA',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'PE',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCertificamos que o contribuinte está em situação regular',
    'negativa',
  ],
  [
    'PE',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCertidão positiva com efeitos de negativa',
    'positiva_com_efeitos_de_negativa',
  ],
  ['PE', 'CERTIDÃO DE IRREGULARIDADE FISCAL', 'positiva'],
  ['PR', 'Certidão Negativa\nde Débitos Tributários e de Dívida Ativa Estadual', 'negativa'],
  [
    'PR',
    'Certidão Positiva com Efeitos de Negativa\nde Débitos Tributários e de Dívida Ativa Estadual',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'PR',
    'Certidão de Débitos Tributários e de Dívida Ativa Estadual\nCertidão Positiva com Efeitos de Negativa',
    'positiva_com_efeitos_de_negativa',
  ],
  [
    'RJ',
    'CERTIDÃO DE REGULARIDADE FISCAL\nCERTIFICO que não constam débitos perante a Receita Estadual',
    'negativa',
  ],
  [
    'RJ',
    'CERTIDÃO DE REGULARIDADE FISCAL - POSITIVA COM EFEITOS DE NEGATIVA',
    'positiva_com_efeitos_de_negativa',
  ],
  ['RS', 'Certidão de Situação Fiscal nº 123\nCERTIDÃO NEGATIVA', 'negativa'],
  ['RS', 'Certidão de Situação Fiscal nº 123\nCERTIDÃO POSITIVA', 'positiva'],
  [
    'RS',
    'Certidão de Situação Fiscal nº 123\nCERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
    'positiva_com_efeitos_de_negativa',
  ],
  ['SC', 'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS', 'negativa'],
  ['SC', 'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA', 'positiva_com_efeitos_de_negativa'],
  [
    'SP',
    'Débitos Tributários Não Inscritos na Dívida Ativa do Estado de São Paulo\nnão constam débitos declarados ou apurados pendentes de inscrição na Dívida Ativa',
    'negativa',
  ],
]

describe('the outcome of a certificate', () => {
  for (const [uf, texto, situacao] of certidoes)
    test(`${uf}: "${texto.replace(/\n/g, ' / ').slice(0, 70)}" is ${situacao}`, () =>
      assert.equal(classifyCertidao(texto, 'pdf').situacao, situacao))
})
