import { formatInstante } from '../platform/wire/certificado.ts'
import { nomeNaFrase, type Source } from '../platform/wire/fonte.ts'

/** The place and the instant at which a text was read. */
export type Carimbo = { source: Source; url: string; now: Date }

const MARGIN = 56
/** From the page's edge to its first line. The mark stands above it. */
const TOP = 84
const BODY_SIZE = 9
const MARK_SIZE = 7

/**
 * Prints a text as a PDF (base64); equal input gives an equal file. Each page says that we made it, from
 * which address and when.
 */
export async function printTexto(linhas: readonly string[], leitura: Carimbo): Promise<string> {
  // Loading takes 70 ms, and most processes never print.
  const { default: PDFDocument } = await import('pdfkit')
  const info = { Title: 'Impressão', Producer: 'Consulta Fiscal', CreationDate: leitura.now }
  const margins = { top: TOP, bottom: MARGIN, left: MARGIN, right: MARGIN }
  const paper = new PDFDocument({ size: 'A4', margins, bufferPages: true, info })
  const chunks: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  paper.on('data', (chunk: Buffer) => chunks.push(chunk))
  paper.on('end', () => resolve(Buffer.concat(chunks).toString('base64')))
  paper.on('error', reject)
  paper.font('Helvetica').fontSize(BODY_SIZE)
  for (const linha of linhas) paper.text(toWinAnsi(linha), { paragraphGap: 2 })
  const { start, count } = paper.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    paper.switchToPage(page)
    paper.fontSize(MARK_SIZE).text(toWinAnsi(markOf(leitura)), MARGIN, MARGIN / 2)
  }
  paper.end()
  return promise
}

/** The mark of a page. It gives the address up to its path, because a session or the document may follow. */
function markOf({ source, url, now }: Carimbo): string {
  const { origin, pathname } = new URL(url)
  const address = `${origin}${pathname.replace(/;.*/, '')}`
  return `Impressão feita por este serviço do texto que ${nomeNaFrase(source)} mostrou em ${address} em ${formatInstante(now)}; não é o documento original.`
}

/**
 * The standard fonts of PDF have only the letters of windows-1252 (ISO 32000-1, annex D). Other letters lose
 * their marks, or become `?`.
 */
const toWinAnsi = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(/[^\x20-\x7e\xa1-\xff–—‘’“”•…€]/gu, (letter) => {
      const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '')
      return /^[\x20-\x7e]+$/.test(plain) ? plain : '?'
    })
