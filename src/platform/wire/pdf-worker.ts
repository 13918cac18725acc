import { parentPort } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import { type MotivoDoPdf, PdfError, type PdfReply } from './pdf.ts'

const MAX_PAGES = 20
const MAX_CHARACTERS = 200_000

/** A line for each line of its pages; throws PdfError. The reader takes the memory of `bytes`. */
export async function extractText(bytes: Uint8Array): Promise<string> {
  const pdf = await open(bytes)
  try {
    if (pdf.numPages > MAX_PAGES) throw new PdfError('longo')
    let text = ''
    for (let page = 1; page <= pdf.numPages; page++) {
      text += `${await readPage(pdf, page)}\n`
      if (text.length > MAX_CHARACTERS) throw new PdfError('longo')
    }
    if (text.trim() === '') throw new PdfError('sem-texto')
    return text
  } catch (error) {
    throw error instanceof PdfError ? error : new PdfError('ilegivel')
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, useSystemFonts: false })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    const motivo: MotivoDoPdf = isLocked ? 'protegido' : 'ilegivel'
    throw new PdfError(motivo)
  }
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
}

async function attend(pdf: Uint8Array): Promise<void> {
  const answer = (reply: PdfReply): void => parentPort?.postMessage(reply)
  try {
    answer({ texto: await extractText(pdf) })
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    answer({ motivo: error.motivo })
  }
}

parentPort?.on('message', attend)
