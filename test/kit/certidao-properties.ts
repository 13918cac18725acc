import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { modelos } from '../../simulator/certidao/papel.ts'
import { type Uf, ufs } from '../../src/documento/uf.ts'
import { moldura as molduraDeGo } from '../../src/estados/go.ts'
import {
  type Classificacao,
  classifyCertidao,
  type MolduraDaCertidao,
  type SituacaoDita,
} from '../../src/portal/rules-certidao.ts'

/** A throw of dice: an integer from 0 to below `faces`. */
type Dado = (faces: number) => number
type Ruido = (text: string, dado: Dado) => string

/** The same seed throws the same dice, so that a counter-example can be played again. */
function dadoOf(seed: number): Dado {
  let state = seed >>> 0
  return (faces) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * faces)
  }
}

const spaced = (text: string): string => [...text].join(' ')
const chance = (dado: Dado, of: number): boolean => dado(of) === 0

const layouts: readonly Ruido[] = [
  (text) => text,
  (text) => text.replace(/\n/g, ' '),
  (text) => text.replace(/\n/g, '\r\n'),
  (text) => text.replace(/\s+/g, '\n'),
  (text, dado) => text.replace(/\s/g, () => (chance(dado, 3) ? '\n' : ' ')),
  (text) => text.replace(/ /g, '   '),
]

const espacos: readonly Ruido[] = [
  (text) => text,
  (text) => text,
  // The titles, the whole paper with its gaps, each word alone, and all with one distance.
  (text) => text.replace(/^[^a-z]{6,}$/gm, spaced),
  spaced,
  (text, dado) => text.replace(/\p{L}{4,}/gu, (word) => (chance(dado, 2) ? spaced(word) : word)),
  (text) =>
    text
      .split('\n')
      .map((line) => spaced(line.replace(/ /g, '')))
      .join('\n'),
]

const hifens: readonly Ruido[] = [
  (text) => text,
  (text, dado) => divided(text, dado, '-\n'),
  (text, dado) => divided(text, dado, '- '),
  (text, dado) => divided(text, dado, '\xad\n'),
]

const divided = (text: string, dado: Dado, mark: string): string =>
  text.replace(/\p{L}{5,}/gu, (word) => {
    const at = 2 + dado(word.length - 3)
    return chance(dado, 2) ? word.slice(0, at) + mark + word.slice(at) : word
  })

const sprinkled =
  (mark: string, of: number): Ruido =>
  (text, dado) =>
    text.replace(/(?<=\S)(?=\S)/g, () => (chance(dado, of) ? mark : ''))

const sinais: readonly Ruido[] = [
  (text) => text,
  (text, dado) => text.replace(/ /g, () => (chance(dado, 2) ? '\xa0' : ' ')),
  sprinkled('\u200b', 3),
  sprinkled('\u2060', 4),
  sprinkled('\ufeff', 6),
  sprinkled('\xad', 3),
]

const bytes: readonly Ruido[] = [
  (text) => text,
  (text) => text.normalize('NFD'),
  (text) => Buffer.from(text).toString('latin1'),
  (text) => new TextDecoder('windows-1252').decode(Buffer.from(text)),
  (text) => text.toUpperCase(),
]

/** Layout noise: one of each kind, in the order in which a paper gets them. Its text names the changes. */
export const ruido: fc.Arbitrary<(text: string) => string> = fc
  .tuple(
    ...[hifens, espacos, layouts, sinais, bytes].map((kind) => fc.nat({ max: kind.length - 1 })),
    fc.nat(),
  )
  .map(([hifen = 0, espaco = 0, layout = 0, sinal = 0, byte = 0, seed = 0]) => {
    const dado = dadoOf(seed)
    // Spaced letters are not also divided at the end of a line, with a hyphen or without.
    const isSpaced = espaco > 1
    const chosen = [
      hifens[isSpaced ? 0 : hifen],
      espacos[espaco],
      layouts[isSpaced ? layout % 4 : layout],
      sinais[sinal],
      bytes[byte],
    ]
    return (text: string) => chosen.reduce((noisy, noise) => noise?.(noisy, dado) ?? noisy, text)
  })

/** A genuine paper, as lines, and its class. */
export type Papel = { nome: string; linhas: readonly string[]; situacao: SituacaoDita; uf?: Uf }

const VALORES: Readonly<Record<string, string>> = {
  numero: '0064988861',
  codigo: 'T7BTLL22TUKKB2K2',
  nome: 'EMPRESA DE TESTE LTDA',
  documento: '11.222.333/0001-81',
  tipo: 'CNPJ',
  inscricao: '13.123.456-7',
  emissao: '21/09/2026',
  hora: '10:11:12',
  minuto: '10:11',
  validade: '19/11/2026',
  prazo: '60 (sessenta) dias',
  extenso: '21 SETEMBRO DE 2026',
  sigla: 'CND',
  naoInscrito: 'CPF/CNPJ não inscrito no cadastro de contribuintes do ICMS.',
}

const DESFECHOS = [
  ['negativa', 'negativa'],
  ['positiva', 'positiva'],
  ['efeitos', 'positiva_com_efeitos_de_negativa'],
] as const

/** Every outcome of every state's paper, as the simulator prints them. */
const dosModelos: Papel[] = ufs.flatMap((uf) =>
  DESFECHOS.map(([desfecho, situacao]) => {
    const { linhas, titulo, texto } = modelos[uf]
    const fill = (linha: string): string =>
      linha
        .replace('{titulo}', titulo[desfecho])
        .replace('{texto}', texto[desfecho])
        .replace(/^[#-] /, '')
        .replace(/\{(\w+)\}/g, (_, nome: string) => VALORES[nome] ?? '')
    return { nome: `${uf} ${desfecho}`, uf, linhas: linhas.map(fill), situacao }
  }),
)

const ABERTURA =
  'Ressalvado o direito de a Fazenda Nacional cobrar e inscrever quaisquer dívidas de responsabilidade do sujeito passivo acima identificado que vierem a ser apuradas, é certificado que'
const UNIAO = 'DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO'

const federal = (titulo: string, ...corpo: string[]): string[] => [
  'MINISTÉRIO DA FAZENDA',
  'Secretaria da Receita Federal do Brasil',
  'Procuradoria-Geral da Fazenda Nacional',
  titulo,
  UNIAO,
  'Nome: EMPRESA EXEMPLO LTDA',
  'CNPJ: 11.222.333/0001-81',
  ABERTURA,
  ...corpo,
  'Esta certidão é válida para o estabelecimento matriz e suas filiais e, no caso de ente federativo, para todos os órgãos e fundos públicos da administração direta a ele vinculados.',
  'Certidão emitida gratuitamente com base na Portaria Conjunta RFB/PGFN nº 1.751, de 2/10/2014.',
  'Emitida às 10:11:12 do dia 07/08/2026 <hora e data de Brasília>.',
  'Válida até 03/02/2027.',
  'Código de controle da certidão: 0A1B.2C3D.4E5F.6071',
  'Qualquer rasura ou emenda invalidará este documento.',
]

/** Papers whose words were seen: those of the federal bodies, and the states' own sentences. */
const vistos: Papel[] = [
  {
    nome: 'União negativa',
    situacao: 'negativa',
    linhas: federal(
      'CERTIDÃO NEGATIVA',
      'não constam pendências em seu nome, relativas a créditos tributários administrados pela Secretaria da Receita Federal do Brasil (RFB) e a inscrições em Dívida Ativa da União (DAU) junto à Procuradoria-Geral da Fazenda Nacional (PGFN).',
    ),
  },
  {
    nome: 'União com efeitos',
    situacao: 'positiva_com_efeitos_de_negativa',
    linhas: federal(
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
      '1. constam débitos administrados pela Secretaria da Receita Federal do Brasil (RFB) com exigibilidade suspensa nos termos do art. 151 da Lei nº 5.172, de 25 de outubro de 1966 - Código Tributário Nacional (CTN), ou objeto de decisão judicial que determina sua desconsideração para fins de certificação da regularidade fiscal, ou ainda não vencidos; e',
      '2. não constam inscrições em Dívida Ativa da União (DAU) na Procuradoria-Geral da Fazenda Nacional (PGFN).',
      'Conforme disposto nos arts. 205 e 206 do CTN, este documento tem os mesmos efeitos da certidão negativa.',
    ),
  },
  {
    nome: 'SP negativa, sem título',
    situacao: 'negativa',
    linhas: [
      'Débitos Tributários Não Inscritos na Dívida Ativa do Estado de São Paulo',
      'CNPJ Base: 11.222.333',
      'Ressalvado o direito da Secretaria da Fazenda de apurar débitos, é certificado que não constam débitos declarados ou apurados pendentes de inscrição na Dívida Ativa.',
    ],
  },
  {
    nome: 'BA de quem não tem inscrição',
    situacao: 'positiva',
    linhas: [
      'Certidão Positiva de Débitos Tributários',
      'RAZÃO SOCIAL XXXXXXXXXXXX',
      'Emissão: 25/07/2026 09:10',
    ],
  },
  {
    nome: 'RN conjunta negativa',
    situacao: 'negativa',
    linhas: [
      'Certidão Conjunta Negativa de Débitos relativos aos Tributos Estaduais e à Dívida Ativa do Estado',
      'AUTENTICAÇÃO: 123456789012345678901234',
    ],
  },
  {
    nome: 'RN e AP conjunta com efeitos',
    situacao: 'positiva_com_efeitos_de_negativa',
    linhas: [
      'Certidão Conjunta Positiva com Efeitos de Negativa de Débitos relativos a Tributos Estaduais e à Dívida Ativa do Estado',
    ],
  },
  {
    nome: 'RO negativa de tributos',
    situacao: 'negativa',
    linhas: [
      'Certidão Negativa de Tributos Estaduais',
      'Ressalvado seu direito de cobrar quaisquer valores que venham a ser apurados, a Fazenda certifica que não constam débitos.',
    ],
  },
  {
    nome: 'MT negativa, com a nota que cita os efeitos',
    situacao: 'negativa',
    linhas: [
      'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS',
      'CND Nº 0064988861',
      'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.',
    ],
  },
]

export const papeis: readonly Papel[] = [...dosModelos, ...vistos]

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

/** Checks a case unless it has held before: noise gives many a paper the same text again. */
export function openHeld(): (name: string, check: () => void) => void {
  const held = new Set<string>()
  return (name, check) => {
    const mark = hash('sha1', name, 'base64')
    if (held.has(mark)) return
    check()
    held.add(mark)
  }
}

/** Every genuine paper keeps its class. GO's keeps it within its frame too. */
export const classeSua = (ler: Leitor) => {
  const unlessHeld = openHeld()
  return fc.property(
    fc.constantFrom(...papeis),
    ruido,
    fc.boolean(),
    ({ nome, linhas, situacao, uf }, suja, framed) => {
      const isFramed = framed && uf === 'GO'
      const texto = suja(linhas.join('\n'))
      unlessHeld(`${isFramed} ${nome} ${texto}`, () =>
        assert.equal(
          ler(texto, isFramed ? molduraDeGo : {}).situacao,
          situacao,
          `${nome}: ${JSON.stringify(texto)}`,
        ),
      )
    },
  )
}
