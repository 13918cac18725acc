import { parentPort } from 'node:worker_threads'
import { parseA1 } from './a1.ts'
import { CertificadoError } from './certificado.ts'
import type { PfxReply, PfxTask } from './pfx.ts'

function attend({ pfx, senha, rounds }: PfxTask): void {
  try {
    const { key, ...rest } = parseA1(Buffer.from(pfx.buffer, pfx.byteOffset, pfx.length), senha, rounds)
    const { buffer } = key
    // The key is transferred and not copied, so this thread keeps none.
    answer({ key, ...rest }, buffer instanceof ArrayBuffer ? [buffer] : [])
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    answer({ motivo: error.motivo, mensagem: error.message })
  } finally {
    pfx.fill(0)
  }
}

function answer(reply: PfxReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transfer)
}

parentPort?.on('message', attend)
