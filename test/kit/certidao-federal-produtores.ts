import { join } from 'node:path'
import { PDFDocument as Papel, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib'
import PDFDocument from 'pdfkit'

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

function comPdfLib(font: StandardFonts, draw: Desenho, save: { useObjectStreams: boolean }): Produtor {
  return async (linhas) => {
    const pdf = await Papel.create()
    const face = await pdf.embedFont(font)
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
  'pdf-lib, standard font': comPdfLib(StandardFonts.Helvetica, inteira, { useObjectStreams: true }),
  'pdf-lib, no object streams': comPdfLib(StandardFonts.TimesRoman, inteira, { useObjectStreams: false }),
  'pdf-lib, word by word': comPdfLib(StandardFonts.TimesRoman, porPalavra, { useObjectStreams: true }),
  'pdf-lib, title in broken lines': (linhas) =>
    comPdfLib(StandardFonts.Courier, inteira, { useObjectStreams: true })(brokenTitle(linhas)),
}
