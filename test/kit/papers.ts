import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { PDFFont, PDFPage, StandardFonts } from 'pdf-lib'
import PDFDocument from 'pdfkit'
import type { EspecieFederal } from '../../src/federal/rules.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'

/** A PDF with a page for each of `pages`, in the standard fonts. An empty line is a gap. */
export function pdfOf(pages: readonly string[][], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const doc = new PDFDocument({ size: 'A4', ...options, autoFirstPage: false })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.on('end', () => resolve(Buffer.concat(chunks)))
  for (const lines of pages) {
    doc.addPage()
    for (const line of lines) line ? doc.text(line) : doc.moveDown()
  }
  doc.end()
  return promise
}

export const CNPJ = '11222333000181'
export const AGORA = new Date('2026-11-20T15:00:00Z')

const MATERIA = 'DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO'

export const titulos: Readonly<Record<EspecieFederal, string>> = {
  negativa: `CERTIDÃO NEGATIVA ${MATERIA}`,
  positiva_com_efeitos_de_negativa: `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${MATERIA}`,
  positiva: `CERTIDÃO POSITIVA ${MATERIA}`,
}

export const especies: readonly EspecieFederal[] = [
  'negativa',
  'positiva_com_efeitos_de_negativa',
  'positiva',
]

const RESSALVA =
  'Ressalvado o direito de a Fazenda Nacional cobrar e inscrever quaisquer dívidas de responsabilidade do sujeito passivo acima identificado que vierem a ser apuradas, é certificado que'
const SUSPENSOS =
  '1. constam débitos administrados pela Secretaria da Receita Federal do Brasil (RFB) com exigibilidade suspensa nos termos do art. 151 da Lei nº 5.172, de 25 de outubro de 1966 - Código Tributário Nacional (CTN), ou objeto de decisão judicial que determina sua desconsideração para fins de certificação da regularidade fiscal, ou ainda não vencidos; e'
export const NADA_CONSTA =
  'não constam pendências em seu nome, relativas a créditos tributários administrados pela Secretaria da Receita Federal do Brasil (RFB) e a inscrições em Dívida Ativa da União (DAU) junto à Procuradoria-Geral da Fazenda Nacional (PGFN).'
export const EFEITOS =
  'Conforme disposto nos arts. 205 e 206 do CTN, este documento tem os mesmos efeitos da certidão negativa.'

/** The body of each kind. The second list is a variant whose debts are at the other office. */
export const corpos: Readonly<Record<EspecieFederal, readonly string[][]>> = {
  negativa: [[`${RESSALVA} ${NADA_CONSTA}`]],
  positiva_com_efeitos_de_negativa: [
    [
      `${RESSALVA}:`,
      SUSPENSOS,
      '2. não constam inscrições em Dívida Ativa da União (DAU) na Procuradoria-Geral da Fazenda Nacional (PGFN).',
      EFEITOS,
    ],
    [
      `${RESSALVA}:`,
      '1. não constam débitos administrados pela Secretaria da Receita Federal do Brasil (RFB); e',
      '2. constam nos sistemas da Procuradoria-Geral da Fazenda Nacional (PGFN) débitos inscritos em Dívida Ativa da União (DAU) com exigibilidade suspensa nos termos do art. 151 do CTN, ou garantidos mediante bens ou direitos, ou com embargos da Fazenda Pública em processos de execução fiscal.',
      EFEITOS,
    ],
    [`${RESSALVA}:`, SUSPENSOS, '2. não constam inscrições em Dívida Ativa da União (DAU).'],
  ],
  positiva: [
    [
      `${RESSALVA} constam débitos em seu nome, administrados pela Secretaria da Receita Federal do Brasil (RFB).`,
    ],
  ],
}

const RODAPE = [
  "Esta certidão é válida para o estabelecimento matriz e suas filiais e, no caso de ente federativo, para todos os órgãos e fundos públicos da administração direta a ele vinculados. Refere-se à situação do sujeito passivo no âmbito da RFB e da PGFN e abrange inclusive as contribuições sociais previstas nas alíneas 'a' a 'd' do parágrafo único do art. 11 da Lei nº 8.212, de 24 de julho de 1991.",
  'A aceitação desta certidão está condicionada à verificação de sua autenticidade na Internet, nos endereços <http://rfb.gov.br> e <http://www.pgfn.gov.br>.',
  'Certidão emitida gratuitamente com base na Portaria Conjunta RFB/PGFN nº 1.751, de 2/10/2014.',
]

/** The parts of a paper. What is left out is as in a good negative one. */
export type Papel = {
  especie?: EspecieFederal
  corpo?: readonly string[]
  titulo?: string
  nome?: string
  cnpj?: string
  emitida?: string
  valida?: string
  codigo?: string
}

/** The lines of a federal certificate, as public clients have seen its text (December 2025). */
export function linhasDe({ especie = 'negativa', ...partes }: Papel = {}): string[] {
  const [corpo = []] = corpos[especie]
  return [
    'MINISTÉRIO DA FAZENDA',
    'Secretaria da Receita Federal do Brasil',
    'Procuradoria-Geral da Fazenda Nacional',
    partes.titulo ?? titulos[especie],
    partes.nome ?? 'Nome: EMPRESA EXEMPLO LTDA',
    partes.cnpj ?? 'CNPJ: 11.222.333/0001-81',
    ...(partes.corpo ?? corpo),
    ...RODAPE,
    partes.emitida ?? 'Emitida às 10:11:12 do dia 20/11/2026 <hora e data de Brasília>.',
    partes.valida ?? 'Válida até 19/05/2027.',
    partes.codigo ?? 'Código de controle da certidão: 1A2B.3C4D.5E6F.7A8B',
    'Qualquer rasura ou emenda invalidará este documento.',
  ].filter(Boolean)
}

/** The input to the reading, for the CNPJ of these tests. */
export const leitura = (cnpj = CNPJ, now = AGORA) => ({
  cnpj,
  now,
  elapsedMs: 12,
  source: { id: 'BR/cnd-portal', nome: 'O portal de certidões da Receita Federal' },
})

/** Whether an error is a paper's that is not delivered, for this reason and with these words. */
export const isInvalida =
  (why: RegExp, dizeres: string = titulos.negativa) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SourceError, String(error))
    assert.match(error.message, why)
    assert.match(error.message, /^O portal de certidões da Receita Federal enviou .*[^.]\.$/)
    const { kind, codigo, source, elapsedMs, unavailable, retryS } = error
    assert.deepEqual(
      { kind, codigo, source, elapsedMs, unavailable, retryS, dizeres: error.dizeres },
      {
        kind: 'parse',
        codigo: 'certidao-invalida',
        source: 'BR/cnd-portal',
        elapsedMs: 12,
        unavailable: false,
        retryS: null,
        dizeres,
      },
    )
    return true
  }

/** Prints lines as a PDF. A long line is broken. */
type Produtor = (linhas: readonly string[]) => Promise<Buffer>

const [WIDTH, MARGIN, SIZE, LEADING] = [595, 60, 9, 13]

/** A font that comes with npm, so that it is there on every system: `soap` brings the package. */
const TRUETYPE = join(
  import.meta.dirname,
  '../../node_modules',
  'js-md4/doc/fonts/OpenSans-Regular-webfont.woff',
)

type Folha = PDFKit.PDFDocument

function comPdfkit(print: (doc: Folha, linhas: readonly string[]) => void, options = {}): Produtor {
  return (linhas) => {
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    const doc = new PDFDocument({ size: 'A4', margin: MARGIN, ...options })
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.fontSize(SIZE)
    print(doc, linhas)
    doc.end()
    return promise
  }
}

/** Breaks a line into rows of words that fit the page. */
function rowsOf(linha: string, widthOf: (text: string) => number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of linha.split(' ')) {
    const longer = row ? `${row} ${word}` : word
    if (row && widthOf(longer) > WIDTH - 2 * MARGIN) rows.push(row)
    row = row && widthOf(longer) > WIDTH - 2 * MARGIN ? word : longer
  }
  return [...rows, row]
}

type Desenho = (page: PDFPage, font: PDFFont, row: string, y: number) => void

function comPdfLib(
  font: keyof typeof StandardFonts,
  draw: Desenho,
  save: { useObjectStreams: boolean },
): Produtor {
  return async (linhas) => {
    // Most tests that print a paper do not print it with this package.
    const { PDFDocument, StandardFonts } = await import('pdf-lib')
    const pdf = await PDFDocument.create()
    const face = await pdf.embedFont(StandardFonts[font])
    let page = pdf.addPage([WIDTH, 842])
    let y = 842 - MARGIN
    for (const row of linhas.flatMap((linha) =>
      rowsOf(linha, (text) => face.widthOfTextAtSize(text, SIZE)),
    )) {
      if (y < MARGIN) [page, y] = [pdf.addPage([WIDTH, 842]), 842 - MARGIN]
      draw(page, face, row, y)
      y -= LEADING
    }
    return Buffer.from(await pdf.save(save))
  }
}

const inteira: Desenho = (page, font, row, y) => page.drawText(row, { font, size: SIZE, x: MARGIN, y })

/** Each word is placed alone, and no space is written. */
const porPalavra: Desenho = (page, font, row, y) => {
  let x = MARGIN
  for (const word of row.split(' ')) {
    page.drawText(word, { font, size: SIZE, x, y })
    x += font.widthOfTextAtSize(`${word} `, SIZE)
  }
}

const brokenTitle = (linhas: readonly string[]): string[] =>
  linhas.flatMap((linha) =>
    linha.startsWith('CERTIDÃO') ? linha.split(/ (?=DE DÉBITOS|AOS|E À|COM|ATIVA)/) : linha,
  )

/** The two producers, each in the ways in which papers differ. */
export const produtores: Readonly<Record<string, Produtor>> = {
  'pdfkit, standard font': comPdfkit((doc, linhas) => {
    for (const linha of linhas) doc.font('Times-Roman').text(linha)
  }),
  'pdfkit, justified, not compressed': comPdfkit(
    (doc, linhas) => {
      for (const linha of linhas) doc.text(linha, { align: 'justify' })
    },
    { compress: false },
  ),
  'pdfkit, embedded font': comPdfkit((doc, linhas) => {
    for (const linha of linhas) doc.font(TRUETYPE).text(linha)
  }),
  'pdfkit, word by word': comPdfkit((doc, linhas) => {
    for (const [row, linha] of linhas
      .flatMap((one) => rowsOf(one, (text) => doc.widthOfString(text)))
      .entries()) {
      let x = MARGIN
      for (const word of linha.split(' ')) {
        doc.text(word, x, MARGIN + row * LEADING, { lineBreak: false })
        x += doc.widthOfString(`${word} `)
      }
    }
  }),
  'pdfkit, words glued': comPdfkit((doc, linhas) => {
    for (const linha of linhas) doc.text(linha.replace(/(?<=\p{L}) (?=\p{L})/gu, ''))
  }),
  'pdfkit, accents lost': comPdfkit((doc, linhas) => {
    for (const linha of linhas) doc.text(linha.normalize('NFD').replace(/\p{M}/gu, ''))
  }),
  'pdfkit, title in broken and spaced lines': comPdfkit((doc, linhas) => {
    for (const linha of brokenTitle(linhas))
      doc.text(linha, { align: 'center', characterSpacing: linha === linha.toUpperCase() ? 4 : 0 })
  }),
  'pdfkit, two pages': comPdfkit((doc, linhas) => {
    for (const linha of linhas) {
      if (linha.startsWith('A aceitação')) doc.addPage()
      doc.text(linha)
    }
  }),
  'pdf-lib, standard font': comPdfLib('Helvetica', inteira, { useObjectStreams: true }),
  'pdf-lib, no object streams': comPdfLib('TimesRoman', inteira, { useObjectStreams: false }),
  'pdf-lib, word by word': comPdfLib('TimesRoman', porPalavra, { useObjectStreams: true }),
  'pdf-lib, title in broken lines': (linhas) =>
    comPdfLib('Courier', inteira, { useObjectStreams: true })(brokenTitle(linhas)),
}
