import { modelos } from '../../simulator/certidao/papel.ts'
import { type Uf, ufs } from '../../src/documento/uf.ts'
import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'

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
