import { Worker } from 'node:worker_threads'
import { type Gravacao, runGravacao } from './gravacao/merge-stretch.ts'
import type { TarefaDeGravacao } from './gravacao/plan.ts'
import { ImportError } from './import-error.ts'
import { runLeitura, type TarefaDeLeitura } from './leitura/read-zip.ts'
import type { Leitura } from './leitura/run.ts'
import type { Preparo } from './prepare.ts'

/** Who does the work: worker threads, or this thread when there is little of it. */
export type Equipe = {
  width: number
  leitura(tarefa: TarefaDeLeitura): Promise<Leitura>
  gravacao(tarefa: TarefaDeGravacao): Promise<Gravacao>
  close(): Promise<void>
}

/** Told while a zip is read: bytes and lines more. */
export type OuvinteDeLeitura = (bytes: number, linhas: number) => void

export type Pedido = { leitura: TarefaDeLeitura } | { gravacao: TarefaDeGravacao }

export type Resposta =
  | { tipo: 'andamento'; bytes: number; linhas: number }
  | { tipo: 'leitura'; leitura: Leitura }
  | { tipo: 'gravacao'; gravacao: Gravacao }
  | { tipo: 'erro'; mensagem: string; esperado: boolean }

type Espera = { pedido: Pedido; done(resposta: Resposta): void; fail(error: Error): void }

/** All in this thread: no start-up, no copies; for small imports. */
export function createEquipeLocal(preparo: Preparo, onPiece: OuvinteDeLeitura): Equipe {
  return {
    width: 1,
    leitura: (tarefa) => runLeitura(preparo, tarefa, onPiece),
    gravacao: async (tarefa) => runGravacao(tarefa),
    close: async () => undefined,
  }
}

type Membro = { worker: Worker; espera: Espera | undefined }

function listen(
  membro: Membro,
  onPiece: OuvinteDeLeitura,
  next: () => void,
  fail: (error: Error) => void,
): void {
  membro.worker.on('message', (resposta: Resposta) => {
    if (resposta.tipo === 'andamento') {
      onPiece(resposta.bytes, resposta.linhas)
      return
    }
    const { espera } = membro
    membro.espera = undefined
    if (resposta.tipo === 'erro') {
      espera?.fail(resposta.esperado ? new ImportError(resposta.mensagem) : new Error(resposta.mensagem))
    } else espera?.done(resposta)
    next()
  })
  membro.worker.on('error', fail)
}

/** Young generation of a worker: rows make no garbage, and the default is twice as large for nothing. */
const JOVENS_MB = 12

/** `threads` worker threads that take requests as they come free. */
export function createEquipeDeThreads(preparo: Preparo, threads: number, onPiece: OuvinteDeLeitura): Equipe {
  const fila: Espera[] = []
  let broken: Error | undefined
  const membros: Membro[] = Array.from({ length: threads }, () => ({
    worker: new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: preparo,
      resourceLimits: { maxYoungGenerationSizeMb: JOVENS_MB },
    }),
    espera: undefined,
  }))

  function next(): void {
    for (const membro of membros) {
      if (membro.espera !== undefined) continue
      membro.espera = fila.shift()
      if (membro.espera !== undefined) membro.worker.postMessage(membro.espera.pedido)
    }
  }

  function fail(error: Error): void {
    broken = error
    for (const espera of [...fila.splice(0), ...membros.map((membro) => membro.espera)]) espera?.fail(error)
  }

  function ask(pedido: Pedido): Promise<Resposta> {
    if (broken !== undefined) return Promise.reject(broken)
    return new Promise((done, reject) => {
      fila.push({ pedido, done, fail: reject })
      next()
    })
  }

  for (const membro of membros) listen(membro, onPiece, next, fail)
  return {
    width: threads,
    async leitura(tarefa) {
      const resposta = await ask({ leitura: tarefa })
      if (resposta.tipo !== 'leitura') throw new Error(`resposta inesperada: ${resposta.tipo}`)
      return resposta.leitura
    },
    async gravacao(tarefa) {
      const resposta = await ask({ gravacao: tarefa })
      if (resposta.tipo !== 'gravacao') throw new Error(`resposta inesperada: ${resposta.tipo}`)
      return resposta.gravacao
    },
    async close() {
      await Promise.all(membros.map((membro) => membro.worker.terminate()))
      fail(new ImportError('Importação interrompida: rode o mesmo comando para continuar de onde parou.'))
    },
  }
}
