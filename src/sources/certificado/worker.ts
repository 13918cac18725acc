import { parentPort } from 'node:worker_threads'
import { CertificadoError } from '../../domain/certificado.ts'
import { parseA1 } from './a1.ts'
import type { Pedido, Resposta } from './pfx.ts'

function attend({ pfx, senha, rounds }: Pedido): void {
  try {
    const { key, ...rest } = parseA1(Buffer.from(pfx.buffer, pfx.byteOffset, pfx.length), senha, rounds)
    const { buffer } = key
    // Transferred, not copied: this thread keeps no key.
    answer({ key, ...rest }, buffer instanceof ArrayBuffer ? [buffer] : [])
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    answer({ motivo: error.motivo, mensagem: error.message })
  } finally {
    pfx.fill(0)
  }
}

function answer(resposta: Resposta, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(resposta, transfer)
}

parentPort?.on('message', attend)
