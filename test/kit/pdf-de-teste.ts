import PDFDocument from 'pdfkit'

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
