import { parentPort } from 'node:worker_threads'
import type { PdfReply } from './pdf.ts'
import { PdfError } from './pdf-erro.ts'
import { extractText } from './pdf-worker.ts'

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
