import { CHAVE_RAIZ_LIMITE } from '../../formato/key.ts'
import type { Conjunto } from '../../zips/conjuntos.ts'
import type { Leitura, Trecho } from '../leitura/run.ts'
import { createFatias, firstOf } from '../leitura/slices.ts'

/** What to read of one run file. */
export type Pedaco = { conjunto: Conjunto; path: string; trechos: Trecho[] }

/** One stretch of roots [low, high) to merge and write: what to read for it, in the order of the zips. */
export type TarefaDeGravacao = { low: number; high: number; pedacos: Pedaco[] }

/** A run file and what it holds. */
export type Corrida = { path: string; leitura: Leitura }

function bytesOf(corridas: Corrida[], fatia: number): number {
  let bytes = 0
  for (const { leitura } of corridas) {
    for (const trecho of leitura.particao.fatias[fatia] ?? []) bytes += trecho.bytes
  }
  return bytes
}

/** Stretches that follow each other become one. */
function join(trechos: Trecho[]): Trecho[] {
  const joined: Trecho[] = []
  for (const trecho of trechos) {
    const last = joined.at(-1)
    if (last !== undefined && last.at + last.bytes === trecho.at) last.bytes += trecho.bytes
    else joined.push({ ...trecho })
  }
  return joined
}

function pedacosOf(corridas: Corrida[], from: number, to: number): Pedaco[] {
  return corridas
    .map(({ path, leitura }) => ({
      conjunto: leitura.conjunto,
      path,
      trechos: join(leitura.particao.fatias.slice(from, to).flat()),
    }))
    .filter((pedaco) => pedaco.trechos.length > 0)
}

/**
 * Divides the slices among tasks that read about `trecho` bytes: small neighbours go together, a slice far larger (whatever way
 * roots come to be issued) is read several times, a range of its roots each.
 */
export function planTarefas(corridas: Corrida[], count: number, trecho: number): TarefaDeGravacao[] {
  const fatias = createFatias(count)
  const total = count * 2
  const limit = (fatia: number): number => (fatia < total ? firstOf(fatias, fatia) : CHAVE_RAIZ_LIMITE)
  const tarefas: TarefaDeGravacao[] = []
  for (let from = 0; from < total; ) {
    let bytes = bytesOf(corridas, from)
    let to = from + 1
    while (to < total && bytes + bytesOf(corridas, to) <= trecho) bytes += bytesOf(corridas, to++)
    const pedacos = bytes > 0 ? pedacosOf(corridas, from, to) : []
    const goes = Math.ceil(bytes / (trecho * 4))
    const step = (limit(to) - limit(from)) / Math.max(goes, 1)
    for (let go = 0; go < goes; go++) {
      const low = limit(from) + Math.floor(step * go)
      tarefas.push({
        low,
        high: go === goes - 1 ? limit(to) : limit(from) + Math.floor(step * (go + 1)),
        pedacos,
      })
    }
    from = to
  }
  return tarefas
}
