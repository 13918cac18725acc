import { parentPort } from 'node:worker_threads'
import { PdfError } from './erro.ts'
import { extractText } from './extrair.ts'
import type { PdfReply } from './texto.ts'

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
