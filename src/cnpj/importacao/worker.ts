import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../platform/errors.ts'
import { ImportError, type Setup } from './entradas.ts'
import type { PoolReply, PoolRequest } from './importacao.ts'
import { mergeStretch } from './merge.ts'
import { type ReadTask, readZip } from './read-zip.ts'

/** Bytes of CSV between two messages of progress. */
const TELL_EVERY = 8 << 20

const setup: Setup = workerData

function answer(reply: PoolReply, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, transfer)
}

async function read(task: ReadTask): Promise<void> {
  let bytes = 0
  let lines = 0
  const run = await readZip(setup, task, (moreBytes, moreLines) => {
    bytes += moreBytes
    lines += moreLines
    if (bytes < TELL_EVERY) return
    answer({ kind: 'progress', bytes, lines })
    bytes = 0
    lines = 0
  })
  answer({ kind: 'progress', bytes, lines })
  answer({ kind: 'run', run })
}

async function attend(request: PoolRequest): Promise<void> {
  if (request.kind === 'read') return read(request.task)
  const merged = mergeStretch(request.task)
  const { buffer } = merged.dados
  answer({ kind: 'merged', merged }, buffer instanceof ArrayBuffer ? [buffer] : [])
}

parentPort?.on('message', (request: PoolRequest) => {
  attend(request).catch((error: unknown) => {
    const message = messageOf(error)
    answer({ kind: 'failure', message, expected: error instanceof ImportError })
  })
})
