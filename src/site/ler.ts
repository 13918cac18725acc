import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Bloco } from './blocos.ts'
import { type Capitulo, comEndereco, lerCapitulos } from './guia-capitulos.ts'

/** What the reading program takes: the chapters as Markdown, in their order. */
export type PedidoDeLeitura = { textos: readonly string[] }

/** Each chapter with its blocks. */
export type GuiaLido = ReadonlyMap<Capitulo, readonly Bloco[]>

const PROGRAMA = fileURLToPath(new URL('./guia-worker.ts', import.meta.url))
const PRAZO_MS = 60_000
/**
 * Below the service, which may have one core: whoever asks for something else does not wait for the
 * guide.
 */
const PRIORIDADE = 10

/**
 * Reads all chapters, with this address of the service in them, in a process of its own without our
 * settings, because the highlighter takes 50 MB and a thread would leave them behind. `signal` ends it.
 */
export async function lerGuia(base: string, signal?: AbortSignal): Promise<GuiaLido> {
  const capitulos = lerCapitulos()
  const pedido: PedidoDeLeitura = { textos: capitulos.map(({ texto }) => comEndereco(texto, base)) }
  const leitor = spawn(process.execPath, [PROGRAMA], { env: {}, timeout: PRAZO_MS, signal })
  if (leitor.pid !== undefined) setPriority(leitor.pid, PRIORIDADE)
  // A program that ends before it has read all tells why by itself.
  leitor.stdin.on('error', () => undefined)
  const [lidos, queixa, [codigo]] = await Promise.all([
    text(leitor.stdout),
    text(leitor.stderr),
    once(leitor, 'close'),
    leitor.stdin.end(JSON.stringify(pedido)),
  ])
  if (codigo !== 0) throw new Error(`the guide could not be read: ${queixa}`)
  // The program is ours, and each block of its answer is one that `marcado.ts` makes.
  const blocos: readonly (readonly Bloco[])[] = JSON.parse(lidos)
  return new Map(capitulos.map((capitulo, at) => [capitulo, blocos[at] ?? []]))
}
