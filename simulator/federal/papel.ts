import { openPdf } from '../certidao/papel.ts'
import { dataBrasileira, maskDocumento } from '../documento/documento.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { writePagina } from '../platform/soap.ts'
import type { CertidaoFederal } from './cenarios.ts'

/** A line of the paper. A centred one may break where the author broke it. */
type Linha = { texto: string; centrada: boolean; negrito: boolean }

const TITULO = {
  negativa: 'CERTIDÃO NEGATIVA',
  efeitos: 'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
  positiva: 'CERTIDÃO POSITIVA',
} as const
const DE_QUE = 'DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO'

const RESSALVA =
  'Ressalvado o direito de a Fazenda Nacional cobrar e inscrever quaisquer dívidas de responsabilidade do sujeito passivo acima identificado que vierem a ser apuradas, é certificado que'

const CORPO = {
  negativa: [
    `${RESSALVA} não constam pendências em seu nome, relativas a créditos tributários administrados pela Secretaria da Receita Federal do Brasil (RFB) e a inscrições em Dívida Ativa da União (DAU) junto à Procuradoria-Geral da Fazenda Nacional (PGFN).`,
  ],
  efeitos: [
    `${RESSALVA}:`,
    '1. constam débitos administrados pela Secretaria da Receita Federal do Brasil (RFB) com exigibilidade suspensa nos termos do art. 151 da Lei nº 5.172, de 25 de outubro de 1966 - Código Tributário Nacional (CTN), ou objeto de decisão judicial que determina sua desconsideração para fins de certificação da regularidade fiscal, ou ainda não vencidos; e',
    '2. não constam inscrições em Dívida Ativa da União (DAU) na Procuradoria-Geral da Fazenda Nacional (PGFN).',
    'Conforme disposto nos arts. 205 e 206 do CTN, este documento tem os mesmos efeitos da certidão negativa.',
  ],
  positiva: [
    `${RESSALVA} constam débitos administrados pela Secretaria da Receita Federal do Brasil (RFB) e inscrições em Dívida Ativa da União (DAU) na Procuradoria-Geral da Fazenda Nacional (PGFN).`,
  ],
} as const

const DE_TODOS = [
  "Esta certidão é válida para o estabelecimento matriz e suas filiais e, no caso de ente federativo, para todos os órgãos e fundos públicos da administração direta a ele vinculados. Refere-se à situação do sujeito passivo no âmbito da RFB e da PGFN e abrange inclusive as contribuições sociais previstas nas alíneas 'a' a 'd' do parágrafo único do art. 11 da Lei nº 8.212, de 24 de julho de 1991.",
  'A aceitação desta certidão está condicionada à verificação de sua autenticidade na Internet, nos endereços <http://rfb.gov.br> e <http://www.pgfn.gov.br>.',
  'Certidão emitida gratuitamente com base na Portaria Conjunta RFB/PGFN nº 1.751, de 2/10/2014.',
]

function linhasDe(certidao: CertidaoFederal): Linha[] {
  const { tipo, nome, codigo, emissao, hora, papel } = certidao
  const validade =
    papel === 'datas' ? `${Number(emissao.slice(0, 4)) - 1}${emissao.slice(4)}` : certidao.validade
  const corpo = CORPO[papel === 'contradiz' ? 'efeitos' : tipo]
  const linhas = [
    ...[
      'MINISTÉRIO DA FAZENDA',
      'Secretaria da Receita Federal do Brasil',
      'Procuradoria-Geral da Fazenda Nacional',
    ].map(centro),
    ...titulo(certidao).map((texto) => ({ ...centro(texto), negrito: true })),
    ...[`Nome: ${nome}`, `CNPJ: ${cnpjNoPapel(certidao)}`].map((texto) => ({
      ...comum(texto),
      negrito: true,
    })),
    ...[...corpo, ...DE_TODOS].map(comum),
    comum(`Emitida às ${hora} do dia ${dataBrasileira(emissao)} <hora e data de Brasília>.`),
    comum(`Válida até ${dataBrasileira(validade)}.`),
    ...(papel === 'sem-codigo' ? [] : [comum(`Código de controle da certidão: ${codigo}`)]),
    comum('Qualquer rasura ou emenda invalidará este documento.'),
  ]
  return papel === 'sem-acentos'
    ? linhas.map((linha) => ({ ...linha, texto: semAcentos(linha.texto) }))
    : linhas
}

const comum = (texto: string): Linha => ({ texto, centrada: false, negrito: false })
const centro = (texto: string): Linha => ({ texto, centrada: true, negrito: false })

function titulo({ tipo, papel }: CertidaoFederal): string[] {
  if (papel !== 'quebrado') return [`${TITULO[tipo]} ${DE_QUE}`]
  const meio = DE_QUE.indexOf(' FEDERAIS')
  return [TITULO[tipo], DE_QUE.slice(0, meio), DE_QUE.slice(meio + 1)]
}

function cnpjNoPapel({ cnpj, papel }: CertidaoFederal): string {
  const inteiro = maskDocumento(cnpj)
  return papel === 'raiz' ? inteiro.slice(0, 10) : inteiro
}

const semAcentos = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '')

const MARGEM = 64
const LARGURA = 467

/** The octets of a certificate's file: a PDF of one page or two, or what its `papel` puts in its place. */
export async function octetosDaCertidao(certidao: CertidaoFederal): Promise<Buffer> {
  switch (certidao.papel) {
    case 'html':
      return writePagina(200, 'Erro', 'Ocorreu um erro na geração do documento.').corpo
    case 'outro':
      return writePdf({ ...certidao, cnpj: OUTRO_DOCUMENTO })
    case 'corrompido': {
      const pdf = await writePdf(certidao)
      return pdf.subarray(0, pdf.length / 2)
    }
    default:
      return writePdf(certidao)
  }
}

async function writePdf(certidao: CertidaoFederal): Promise<Buffer> {
  const { papel } = certidao
  const { papel: documento, feito } = await openPdf(certidao, MARGEM)
  for (const linha of linhasDe(certidao)) {
    if (papel === 'duas-paginas' && linha.texto.startsWith('Emitida')) documento.addPage()
    documento.font(linha.negrito ? 'Times-Bold' : 'Times-Roman').fontSize(linha.centrada ? 12 : 11)
    if (papel === 'colado') writeColado(documento, linha)
    else documento.text(linha.texto, { align: linha.centrada ? 'center' : 'justify' })
    documento.moveDown(0.5)
  }
  documento.end()
  return feito
}

type Folha = {
  y: number
  text: (texto: string, x: number, y: number, opcoes: { lineBreak: false }) => unknown
  widthOfString: (texto: string) => number
  currentLineHeight: (comEspaco: boolean) => number
}

/** Points between two words: less than extractors take for a space. */
const VAO = 0.4

function writeColado(folha: Folha, { texto }: Linha): void {
  let [x, y] = [MARGEM, folha.y]
  for (const palavra of texto.split(' ')) {
    const largura = folha.widthOfString(palavra)
    if (x + largura > MARGEM + LARGURA) {
      x = MARGEM
      y += folha.currentLineHeight(true)
    }
    folha.text(palavra, x, y, { lineBreak: false })
    x += largura + VAO
  }
  folha.text('', MARGEM, y + folha.currentLineHeight(true), { lineBreak: false })
}
