import assert from 'node:assert/strict'
import fc from 'fast-check'
import { moldura as molduraDeGo } from '../../src/estados/go.ts'
import type { Classificacao } from '../../src/portal/rules-certidao.ts'
import { classifyCertidao, type MolduraDaCertidao } from '../../src/portal/rules-certidao.ts'
import { papeis } from './papeis.ts'
import { ruido } from './ruido.ts'

/** A reader of certificates: ours, or one that a test plants in its place. */
export type Leitor = (texto: string, moldura?: MolduraDaCertidao) => Pick<Classificacao, 'situacao'>

export const nosso: Leitor = (texto, moldura) => classifyCertidao(texto, 'pdf', moldura)

/** Each of these sentences alone says that there are debts. */
export const marcas = [
  'CERTIDÃO\nPOSITIVA DE DÉBITOS',
  'CERTIDÃO POSITIVA',
  '2026/000123 CERTIDÃO POSITIVA DE DÉBITOS',
  'CERTIDÃO Nº 0064988861 - POSITIVA',
  'CERTIDÃO Nº 12.345/2026\n- POSITIVA -',
  'Certidão de Débitos: POSITIVA',
  'CERTIDÃO DE DÉBITOS TRIBUTÁRIOS\nPOSITIVA',
  'CERTIDÃO CONJUNTA POSITIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS ESTADUAIS',
  'CERTIDÃO DE DÉBITO EM DÍVIDA ATIVA - POSITIVA',
  'CERTIDÃO DE IRREGULARIDADE FISCAL',
  'CERTIDÃO DE REGULARIDADE FISCAL\nCertificamos que o requerente encontra-se com débitos perante a Fazenda Estadual.',
  'CERTIDÃO DE REGULARIDADE FISCAL\nSituação do contribuinte: IRREGULAR',
  'CERTIDÃO DE REGULARIDADE FISCAL\nSITUAÇÃO: NÃO REGULAR',
  'O contribuinte não se encontra em situação regular perante a Fazenda Estadual.',
  'O requerente encontra-se em situação irregular.',
  'Certificamos que constam débitos de tributos estaduais em nome do requerente.',
  'Fica certificado que constam, até a presente data, pendências de responsabilidade da pessoa acima.',
  'Certificamos que existem pendências em nome do contribuinte, nesta data.',
  'DESPACHO: POSSUI DÉBITO INSCRITO NA DÍVIDA ATIVA, RELATIVO A 2 PROCESSO(S)',
  'Identificamos débitos em aberto.',
  'Foram encontrados débitos em nome do requerente.',
  'Débito(s) encontrado(s): 3',
  'O contribuinte está em débito com a Fazenda Pública Estadual.',
  'Este CNPJ é devedor.',
  'Contribuinte inadimplente.',
  'Há débitos vencidos em nome do requerente.',
  'DÉBITOS: constam',
  'Os seguintes débitos constam em nome do requerente:',
  'Consta(m) o(s) seguinte(s) débito(s) em nome do requerente:',
  'Total de débitos: 3',
  'Débitos em aberto: R$ 1.234,56',
  'Débitos tributários no valor de R$ 1.234,56',
  'Possui débito(s)? SIM',
  'Débitos em dívida ativa: CONSTA',
  'Foram encontradas irregularidades.',
  'Situação: EM DÉBITO',
  'Situação fiscal: COM PENDÊNCIAS',
  'O requerente não está quite com a Fazenda Estadual.',
] as const

/** Each of these speaks of a debtor without naming a debt. Beside negative words it is a contradiction. */
export const indicios = [
  'Auto de Infração nº 123456 Valor 1.000,00 Vencimento 10/10/2020',
  'Tributo Período Valor\nICMS 01/2024 1.234,00',
  'O contribuinte deixou de recolher o imposto.',
  'Inscrito em dívida ativa sob nº 123456',
  'CDA protestada em 10/10/2025',
  'Parcelamento rescindido em 10/10/2025',
  'Parcelamento com parcelas em atraso',
  'ICMS declarado e não pago',
  'Situação fiscal: com restrição',
  'Indeferida a certidão negativa.',
  'Três débitos em aberto.',
  'Débitos do contribuinte: ICMS, IPVA',
  'Há processo de execução em curso.',
  'CERTIDÃO POSITVA',
  '3 débitos inscritos',
  'Débito de IPVA do exercício de 2024',
] as const

const antes = [
  'ESTADO DE EXEMPLO\nSECRETARIA DE ESTADO DA FAZENDA',
  'CERTIDÃO NEGATIVA DE DÉBITOS',
  'Serviço: Emissão de Certidão Negativa',
  'Nome: EMPRESA DE TESTE LTDA\nCNPJ: 11.222.333/0001-81',
  'Certidão nº: 0064988861',
] as const

const depois = [
  'Certificamos que não constam débitos inscritos em dívida ativa.',
  'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas, pendência, em nome do sujeito passivo acima indicado.',
  'NADA CONSTA',
  'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.',
  'Ressalvado o direito de a Fazenda Pública cobrar quaisquer dívidas que vierem a ser apuradas.',
  'A certidão negativa não quita débito.',
  'O contribuinte poderá requerer certidão positiva com efeitos de negativa.',
  'Válida até: 19/11/2026\nCódigo de autenticidade: T7BTLL22TUKKB2K2',
] as const

/** A paper with a positive marker among sentences that say the opposite, and noise over it all. */
const positivo = fc
  .record({
    marca: fc.constantFrom(...marcas, ...indicios),
    antes: fc.subarray([...antes]),
    depois: fc.subarray([...depois]),
    suja: ruido,
  })
  .map(({ suja, ...partes }) => suja([...partes.antes, partes.marca, ...partes.depois].join('\n')))

/**
 * No paper with a positive marker is read as negative. Nor is it read as one with effects, since it lacks the
 * words for that.
 */
export const nuncaMelhor = (ler: Leitor) =>
  fc.property(positivo, (texto) => {
    const { situacao } = ler(texto)
    assert.ok(
      situacao === 'positiva' || situacao === 'nao-entendido',
      `${situacao}: ${JSON.stringify(texto)}`,
    )
  })

/** Every genuine paper keeps its class. GO's keeps it within its frame too. */
export const classeSua = (ler: Leitor) =>
  fc.property(
    fc.constantFrom(...papeis),
    ruido,
    fc.boolean(),
    ({ nome, linhas, situacao, uf }, suja, framed) => {
      const moldura = framed && uf === 'GO' ? molduraDeGo : {}
      const texto = suja(linhas.join('\n'))
      assert.equal(ler(texto, moldura).situacao, situacao, `${nome}: ${JSON.stringify(texto)}`)
    },
  )
