import type { Livro, Nota } from './nota.ts'

/** The recipient's events that release the whole note: all but Desconhecimento (NT 2014.002 v1.21, 3). */
const LIBERAM: readonly string[] = ['210200', '210210', '210240']

/** Whether an event of the recipient released the note to it. */
export function liberadaPorEvento({ chave }: Nota, livro: Livro): boolean {
  return livro.eventosDe(chave).some(({ tpEvento }) => LIBERAM.includes(tpEvento))
}

/** Whether an event was registered after the simulator began. */
export function temEventoNovo({ chave, cenario }: Nota, livro: Livro): boolean {
  return livro.eventosDe(chave).length > (cenario.eventos?.length ?? 0)
}
