import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createBlocos, endBloco } from '../../formato/bloco.ts'
import type { Conjunto } from '../../zips/conjuntos.ts'
import { readRegistros } from '../leitura/run-record.ts'
import { createFila, type Fila, mergeFilas } from './merge.ts'
import type { Pedaco, TarefaDeGravacao } from './plan.ts'

/** A stretch of the final file: its blocks, the index of them, what was counted and which keys had rows that differ. */
export type Gravacao = {
  dados: Uint8Array
  crc32: number
  raizes: Float64Array
  tamanhos: Uint32Array
  ordens: Uint32Array
  contagens: Record<string, number>
  repetidos: string[]
  /** Largest root written; 0 when none was. */
  ultima: number
}

/** Buffers are kept from task to task: one for each set. */
const lidos = new Map<Conjunto, Buffer>()

function roomFor(conjunto: Conjunto, bytes: number): Buffer {
  const known = lidos.get(conjunto)
  if (known !== undefined && known.length >= bytes) return known
  const larger = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25))
  lidos.set(conjunto, larger)
  return larger
}

const bytesOf = (pedacos: Pedaco[]): number =>
  pedacos.flatMap((pedaco) => pedaco.trechos).reduce((sum, trecho) => sum + trecho.bytes, 0)

function readPedaco(pedaco: Pedaco, buffer: Buffer, at: number): number {
  const fd = openSync(pedaco.path, 'r')
  try {
    let end = at
    for (const trecho of pedaco.trechos) {
      const read = readSync(fd, buffer, end, trecho.bytes, trecho.at)
      if (read !== trecho.bytes) throw new Error(`${pedaco.path}: leitura incompleta`)
      end += read
    }
    return end
  } finally {
    closeSync(fd)
  }
}

function readFila(tarefa: TarefaDeGravacao, conjunto: Conjunto): Fila {
  const pedacos = tarefa.pedacos.filter((pedaco) => pedaco.conjunto === conjunto)
  const buffer = roomFor(conjunto, bytesOf(pedacos))
  let end = 0
  for (const pedaco of pedacos) end = readPedaco(pedaco, buffer, end)
  return createFila(readRegistros(buffer, end, tarefa.low, tarefa.high))
}

/** Reads a stretch of roots back from the run files, sorts, merges, and makes its blocks. */
export function runGravacao(tarefa: TarefaDeGravacao): Gravacao {
  const blocos = createBlocos(bytesOf(tarefa.pedacos) + 4096)
  const agrupado = mergeFilas(
    {
      empresas: readFila(tarefa, 'empresas'),
      estabelecimentos: readFila(tarefa, 'estabelecimentos'),
      socios: readFila(tarefa, 'socios'),
      simples: readFila(tarefa, 'simples'),
    },
    blocos,
  )
  endBloco(blocos)
  const dados = blocos.out.bytes.subarray(0, blocos.out.at)
  return {
    dados,
    crc32: crc32(dados),
    raizes: Float64Array.from(blocos.raizes),
    tamanhos: Uint32Array.from(blocos.tamanhos),
    ordens: Uint32Array.from(blocos.ordens),
    ...agrupado,
    ultima: blocos.last,
  }
}
