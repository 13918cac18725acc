import { LRUCache } from 'lru-cache'
import { soltar } from '../platform/xml.ts'
import type { EventoRegistrado, Livro } from './nota.ts'
import { notaDe } from './notas.ts'

/**
 * How many notes' events are remembered. Older ones are forgotten, because a simulator may run for months.
 */
const MAXIMO = 10_000

/** A book that holds what its scenario says was registered before. It lives as long as the simulator. */
export function criarLivro(): Livro {
  const porChave = new LRUCache<string, readonly EventoRegistrado[]>({ max: MAXIMO })
  const eventosDe = (chave: string): readonly EventoRegistrado[] => porChave.get(chave) ?? anteriores(chave)
  return {
    eventosDe,
    registrar(chave, { tpEvento, nSeqEvento }) {
      porChave.set(soltar(chave), [...eventosDe(chave), { tpEvento, nSeqEvento }])
    },
  }
}

function anteriores(chave: string): EventoRegistrado[] {
  return (notaDe(chave)?.cenario.eventos ?? []).map((tpEvento) => ({ tpEvento, nSeqEvento: 1 }))
}
