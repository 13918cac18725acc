import type { Certidao } from './certidao.ts'
import { linhasDe } from './linhas.ts'

/** A new PDF on A4, dated as the certificate, and its octets once it has ended. */
export async function abrirPdf({ emissao, hora }: { emissao: string; hora: string }, margin: number) {
  // Loaded with the first certificate: that takes 70 ms, and many lives of the simulator print none.
  const { default: PDFDocument } = await import('pdfkit')
  const criada = new Date(`${emissao}T${hora}-03:00`)
  const papel = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: 'Certidão', Producer: 'Simulador', Creator: 'Simulador', CreationDate: criada },
  })
  const pedacos: Buffer[] = []
  const feito = new Promise<Buffer>((resolve, reject) => {
    papel.on('data', (pedaco: Buffer) => pedacos.push(pedaco))
    papel.on('end', () => resolve(Buffer.concat(pedacos)))
    papel.on('error', reject)
  })
  return { papel, feito }
}

/**
 * The certificate on paper: one page, standard fonts, text that can be read back; of whichever outcome, also
 * those that states do not print.
 */
export async function escreverPdf(certidao: Certidao): Promise<Buffer> {
  const { papel, feito } = await abrirPdf(certidao, 56)
  for (const linha of linhasDe(certidao)) {
    if (linha.startsWith('# '))
      papel.font('Helvetica-Bold').fontSize(11).text(linha.slice(2), { align: 'center' })
    else if (linha.startsWith('- ')) papel.font('Helvetica').fontSize(7).text(linha.slice(2))
    else papel.font('Helvetica').fontSize(10).text(linha)
    papel.moveDown(0.4)
  }
  papel.end()
  return feito
}
