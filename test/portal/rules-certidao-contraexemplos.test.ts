import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'
import { type Leitor, nosso, nuncaMelhor } from '../kit/certidao-properties.ts'

/**
 * The essence of the rule until 2026-11-22: the title line decides, else the first of these marks in their
 * order. It believed a negative phrase before any positive one, and stays here to show that the property
 * finds that.
 */
const regraAntiga: Leitor = (texto) => {
  const linhas = texto.split(/\r?\n|\r/).map(plain)
  const titulo =
    linhas.find((linha) => /^CERTIDAO (?!N(?:º|O|R)?\.? ?:? ?\d|EMITIDA|VALIDA)[^.:]{3,160}$/.test(linha)) ??
    ''
  const inteiro = plain(texto)
  const doTitulo = first(titulo, titulos)
  const isDenied = doTitulo === 'negativa' && first(inteiro, [deve, positiva]) && !first(inteiro, [nadaDeve])
  if (isDenied) return { situacao: 'nao-entendido' }
  return { situacao: doTitulo ?? first(inteiro, corpo) ?? 'nao-entendido' }
}

type Marca = [SituacaoDita, RegExp]

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase()

const first = (text: string, marcas: readonly Marca[]): SituacaoDita | undefined =>
  marcas.find(([, se]) => se.test(text))?.[0]

const DEBITO = '\\b(?:DEBITOS?|DIVIDAS?|PENDENCIAS?)\\b'
const TEM = '(?:CONSTAM?|POSSUI|EXISTEM?|HA|APRESENTA|FO(?:I|RAM) ENCONTRAD[AO]S?)\\b'
const ENTRE = '(?:(?!CERTIDAO|NAO\\b|EXIST|POSSU|CONST)[^.:;!?]){0,200}?'

const efeitos: Marca = [
  'positiva_com_efeitos_de_negativa',
  /COM EFEITOS? (?:DE |DA )?(?:CERTIDAO )?NEGATIV[AO]/,
]
const nadaDeve: Marca = ['negativa', new RegExp(`\\bNAO ${TEM}${ENTRE}${DEBITO}|\\bNADA CONSTA\\b`)]
const negativa: Marca = ['negativa', /\bCERTIDAO NEGATIVA\b|- NEGATIVA\b/]
const deve: Marca = [
  'positiva',
  new RegExp(`(?<!\\b(?:NAO|NADA|SE) )\\b${TEM}${ENTRE}${DEBITO}|\\bE DEVEDORA?\\b`),
]
const positiva: Marca = ['positiva', /(?:\bCERTIDAO|-) POSITIVA\b(?! ?[,-]? ?COM EFEITO)/]
const regular: Marca = ['negativa', /\bCERTIDAO DE REGULARIDADE\b/]

const titulos: readonly Marca[] = [
  efeitos,
  ['positiva', /\bPOSITIVA\b|\bIRREGULARIDADE\b/],
  ['negativa', /\bNEGATIVA\b/],
]
const corpo: readonly Marca[] = [efeitos, nadaDeve, negativa, deve, positiva, regular]

const NOTA =
  'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.'
const NAO_CONSTAM = 'Certificamos que não constam débitos inscritos em dívida ativa.'

/**
 * Papers of debtors, each with its right outcome. The property found that the rule until 2026-11-22 read them
 * as a better one.
 */
const achados: [texto: string, situacao: 'positiva' | 'nao-entendido'][] = [
  [`CERTIDÃO\nPOSITIVA DE DÉBITOS\n${NOTA}`, 'positiva'],
  ['CERTIDÃO\nPOSITIVA DE DÉBITOS\nA certidão negativa não quita débito.', 'positiva'],
  ['CERTIDÃO\nPOSITIVA DE DÉBITOS\nNADA CONSTA', 'nao-entendido'],
  [`CERTIDÃO\nPOSITIVA DE DÉBITOS\n${NAO_CONSTAM}`, 'nao-entendido'],
  ['Serviço: Emissão de Certidão Negativa\nCERTIDÃO\nPOSITIVA DE DÉBITOS', 'positiva'],
  ['2026/000123 CERTIDÃO POSITIVA DE DÉBITOS\nServiço: Emissão de Certidão Negativa', 'positiva'],
  ['CERTIDÃO Nº 0064988861 - POSITIVA\nServiço: Emissão de Certidão Negativa', 'positiva'],
  ['CERTIDÃO Nº 12.345/2026\n- POSITIVA -\nServiço: Emissão de Certidão Negativa', 'positiva'],
  ['Certidão de Débitos: POSITIVA\nCERTIDÃO NEGATIVA DE DÉBITOS', 'nao-entendido'],
  ['Certidão de Débitos: POSITIVA CERTIDÃO NEGATIVA DE DÉBITOS', 'nao-entendido'],
  [`CERTIDÃO DE DÉBITOS TRIBUTÁRIOS POSITIVA ${NAO_CONSTAM}`, 'nao-entendido'],
  ['CERTIDÃO DE DÉBITO EM DÍVIDA ATIVA - POSITIVA Serviço: Emissão de Certidão Negativa', 'positiva'],
  ['CERTIDÃO\nPOSITIVA\nCERTIDÃO\nNEGATIVA\nDE\nDÉBITOS', 'nao-entendido'],
  ['CERTIDÃO POSI-\nTIVA\nCERTIDÃO NEGATIVA DE DÉBITOS', 'nao-entendido'],
  ['CERTIDÃ\x83O POSITIVA\nNADA CONSTA', 'nao-entendido'],
  [`P O S I T I V A\n${NAO_CONSTAM}`, 'nao-entendido'],
  [`CERTIDÃO POSI\u200bTI\xadVA\n${NAO_CONSTAM}`, 'nao-entendido'],
  ['CERTIDÃO DE IRREGULARIDADE FISCAL Serviço: Emissão de Certidão Negativa', 'positiva'],
  ['CERTIDÃO DE REGULARIDADE FISCAL\nCertificamos que o requerente encontra-se com débitos.', 'positiva'],
  ['CERTIDÃO DE REGULARIDADE FISCAL\nSituação do contribuinte: IRREGULAR', 'positiva'],
  ['CERTIDÃO DE REGULARIDADE FISCAL\nSITUAÇÃO: NÃO REGULAR', 'positiva'],
  ['CERTIDÃO NEGATIVA DE DÉBITOS\nO requerente encontra-se em situação irregular.', 'nao-entendido'],
  ['CERTIDÃO NEGATIVA DE DÉBITOS\nIdentificamos débitos em aberto.', 'nao-entendido'],
  ['CERTIDÃO NEGATIVA DE DÉBITOS\nDébito(s) encontrado(s): 3', 'nao-entendido'],
  ['CERTIDÃO NEGATIVA DE DÉBITOS\nO contribuinte está em débito com a Fazenda.', 'nao-entendido'],
  ['CERTIDÃO NEGATIVA DE DÉBITOS\nContribuinte inadimplente.', 'nao-entendido'],
  ['Este CNPJ é devedor.\nServiço: Emissão de Certidão Negativa', 'positiva'],
  ['Há débitos vencidos em nome do requerente.\nServiço: Emissão de Certidão Negativa', 'positiva'],
]

describe('papers of debtors that were once read as better', () => {
  for (const [texto, situacao] of achados)
    test(`${JSON.stringify(texto.slice(0, 90))} is ${situacao}`, () =>
      assert.equal(nosso(texto).situacao, situacao))
})

const TITULO = 'CERTIDÃO NEGATIVA DE DÉBITOS\n'

/**
 * Papers that were written by hand against the first word-by-word reading. It called each of them `negativa`,
 * or with effects.
 */
const escritos: string[] = [
  `${TITULO}Débitos: CONSTAM`,
  `${TITULO}Dívida ativa: R$ 1.234,56`,
  `${TITULO}Quantidade de pendências: 02`,
  `${TITULO}Débitos? SIM`,
  `${TITULO}Débitos (3)`,
  `${TITULO}Débitos: não quitados`,
  `${TITULO}Regularidade: NÃO`,
  `${TITULO}Pendências junto à PGE: SIM`,
  `${TITULO}Pendências .... 3`,
  `${TITULO}Apurou-se débito de ICMS.`,
  `${TITULO}Inscrito no CADIN`,
  `${TITULO}Regularize sua situação.`,
  `${TITULO}Situação: em cobrança judicial`,
  `${TITULO}Documento sem validade`,
  `${TITULO}Não é possível certificar a regularidade.`,
  'CERTIDÃO NÃO NEGATIVA',
  'CERTIDÃO DE DÉBITOS: NÃO TRIBUTÁRIOS\nConstam débitos.',
  'CERTIDÃO\nSerá negativa a quem esteja quite com a Fazenda. Caso esteja em dia com ela, procure a agência.',
  `${TITULO}Débito nº 12345`,
  `${TITULO}Saldo devedor: R$ 512,00`,
  `${TITULO}Quite: NÃO`,
  `${TITULO}O contribuinte não está em dia com suas obrigações.`,
  `${TITULO}Auto de Infração Valor Vencimento\n123456-7 1.000,00 10/10/2020`,
  `${TITULO}IPVA 2023 placa ABC1D23 R$ 1.500,00`,
  `${TITULO}O contribuinte deixou de recolher o ICMS de 01/2024.`,
  `${TITULO}CDA protestada`,
  `${TITULO}CDA 80611084`,
  `${TITULO}CDA nº 80 6 11 084234-50`,
  `${TITULO}CDA8.06110842`,
  `${TITULO}Parcelamento cancelado por falta de pagamento`,
  `${TITULO}Constam créditos tributários exigíveis em nome do requerente.`,
  `${TITULO}O contribuinte deve à Fazenda Estadual.`,
  `${TITULO}Resultado da consulta: POSITIVO`,
  `${TITULO}Certidão negativa NÃO EMITIDA por existirem débitos`,
  'CERTIDÃO\nNão constam débitos de ICMS, mas constam de IPVA.',
  'CERTIDÃO\nNada consta, exceto débitos parcelados.',
  'CERTIDÃO POSITIVA DE DÉBITOS\nSolicite a certidão positiva com efeitos de negativa após o parcelamento.',
  'CERTIDÃO POSITIVA DE DÉBITOS\nServiço: Certidão Positiva com Efeitos de Negativa',
  'CERTIDÃO DE DÉBITOS\nConstam débitos.\nIndeferido o pedido de certidão positiva com efeitos de negativa.',
  'CERTIDÃO DE DÉBITOS\nConstam débitos.\nArt. 206. Tem os mesmos efeitos da certidão negativa a de que conste a existência de créditos não vencidos.',
  'CERTIDÃO DE DÉBITOS\nConstam débitos.\nCom efeitos de negativa? NÃO',
]

describe('papers of debtors in words that were not known', () => {
  for (const texto of escritos)
    test(`${JSON.stringify(texto.slice(0, 110))} is nothing better than positive`, () =>
      assert.match(nosso(texto).situacao, /^positiva$|^nao-entendido$/))
})

/** What papers of somebody without debts say of debts, sums and other certificates. */
const genuinos: string[] = [
  `${TITULO}Total de débitos: 0\nValor: R$ 0,00`,
  `${TITULO}Débitos em aberto: R$ 0,00\nDébitos? NÃO\nPendências: nada consta`,
  'CERTIDÃO DE DÉBITOS\nDébitos: não há',
  'CERTIDÃO DE DÉBITOS\nPossui débito(s)? NÃO',
  `${TITULO}Possui débitos: NÃO\nValidade: 10/10/2026`,
  `${TITULO}Esta certidão abrange débitos declarados e não pagos.`,
  'CERTIDÃO NEGATIVA DE DÉBITOS Nº: 20260012345\nData: 10/08/2026',
  'CERTIDÃO NEGATIVA DE DÉBITOS: 20260012345',
  `${TITULO}Débitos pesquisados até: 10/08/2026`,
  `${TITULO}Descrição dos Débitos/Pendências:\nEsta certidão NÃO É VÁLIDA para comprovar a quitação de ITCD.`,
  `${TITULO}Taxa: R$ 25,00`,
  `${TITULO}Não constam débitos de valor superior a R$ 50,00.`,
  `${TITULO}A falta de pagamento de parcelas vencidas torna sem efeito a presente certidão.`,
  `${TITULO}Em caso de débito em atraso, a certidão perderá a validade.`,
  `${TITULO}Esta certidão engloba todos os estabelecimentos quanto à inexistência de débitos, inclusive os inscritos.`,
  `${TITULO}É meio de prova de existência ou não de débitos ou pendências.`,
  `${TITULO}Código de controle da certidão: CDA9.1092.67F7.6DC5`,
  `${TITULO}Código de controle da certidão: 711A.3D2C.913C.CDA5`,
  `${TITULO}Autenticação: 1A2B-CDA4-00F7-6DC5`,
  `${TITULO}Autenticação: CDA9F0B2C4D1`,
  'CERTIDÃO NEGATIVA\nNão consta execução fiscal nem protesto. Não há irregularidades.',
  'CERTIDÃO NEGATIVA\nCertificamos que o contribuinte não está inscrito em dívida ativa.',
  'CERTIDÃO\nCertificamos que o requerente encontra-se quite com a Fazenda Pública Estadual.',
]

describe('papers of those who owe nothing, in words near those of debts', () => {
  for (const texto of genuinos)
    test(`${JSON.stringify(texto.slice(0, 110))} is negative`, () =>
      assert.equal(nosso(texto).situacao, 'negativa'))
})

test('a list of debts changes nothing where the paper has its own words of effects', () => {
  const lista = 'Total de débitos: 3\nAuto de Infração nº 123456 R$ 1.000,00'
  for (const titulo of [
    'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
    'CERTIDÃO POSITIVA COM EFEITOS NEGATIVOS',
  ])
    assert.equal(nosso(`${titulo}\n${lista}`).situacao, 'positiva_com_efeitos_de_negativa')
  const titulo = 'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA\nA presente Certidão Positiva é gratuita.'
  assert.equal(nosso(titulo).situacao, 'positiva_com_efeitos_de_negativa')
  const sentence = 'Esta certidão, nos termos do art. 206 do CTN, tem os mesmos efeitos da certidão negativa.'
  assert.equal(
    nosso(`CERTIDÃO POSITIVA DE DÉBITOS\n${lista}\n${sentence}`).situacao,
    'positiva_com_efeitos_de_negativa',
  )
})

test('the property turns red on the old rule, put in the place of ours', () => {
  const { failed, counterexample } = fc.check(nuncaMelhor(regraAntiga), { numRuns: 500 })
  assert.equal(failed, true)
  const [texto = ''] = counterexample ?? []
  assert.match(regraAntiga(texto).situacao, /^negativa$|^positiva_com_efeitos_de_negativa$/)
  assert.match(nosso(texto).situacao, /^positiva$|^nao-entendido$/)
})
