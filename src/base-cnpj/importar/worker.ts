import { parentPort, workerData } from 'node:worker_threads'
import { runGravacao } from './gravacao/merge-stretch.ts'
import { ImportError } from './import-error.ts'
import { runLeitura } from './leitura/read-zip.ts'
import type { Pedido, Resposta } from './pool.ts'
import type { Preparo } from './prepare.ts'

/** Progress is told once in so many bytes. */
const ANDAMENTO = 8 << 20

const preparo: Preparo = workerData

function answer(resposta: Resposta, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(resposta, transfer)
}

async function readZip(tarefa: Extract<Pedido, { leitura: unknown }>['leitura']): Promise<void> {
  let bytes = 0
  let linhas = 0
  const leitura = await runLeitura(preparo, tarefa, (more, lines) => {
    bytes += more
    linhas += lines
    if (bytes < ANDAMENTO) return
    answer({ tipo: 'andamento', bytes, linhas })
    bytes = 0
    linhas = 0
  })
  answer({ tipo: 'andamento', bytes, linhas })
  answer({ tipo: 'leitura', leitura })
}

async function attend(pedido: Pedido): Promise<void> {
  if ('leitura' in pedido) return readZip(pedido.leitura)
  const gravacao = runGravacao(pedido.gravacao)
  const { buffer } = gravacao.dados
  answer({ tipo: 'gravacao', gravacao }, buffer instanceof ArrayBuffer ? [buffer] : [])
}

parentPort?.on('message', (pedido: Pedido) => {
  attend(pedido).catch((error: unknown) => {
    const mensagem = error instanceof Error ? error.message : String(error)
    answer({ tipo: 'erro', mensagem, esperado: error instanceof ImportError })
  })
})
