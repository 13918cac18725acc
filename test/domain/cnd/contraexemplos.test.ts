import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nosso, nuncaMelhor } from './propriedade.ts'
import { regraAntiga } from './regra-antiga.ts'

const NOTA =
  'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.'
const NAO_CONSTAM = 'Certificamos que não constam débitos inscritos em dívida ativa.'

/** What the property found on the rule of step 4: papers of debtors that it read as a better outcome; and what each is. */
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

test('the property finds the rule of step 4 out: planted in the place of ours, it turns red', () => {
  const { failed, counterexample } = fc.check(nuncaMelhor(regraAntiga), { numRuns: 500 })
  assert.equal(failed, true)
  const [texto = ''] = counterexample ?? []
  assert.match(regraAntiga(texto).situacao, /^negativa$|^positiva_com_efeitos_de_negativa$/)
  assert.match(nosso(texto).situacao, /^positiva$|^nao-entendido$/)
})
