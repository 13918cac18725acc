import type { Feita } from '../consultar/respondida.ts'

/** `isWhole`: nothing threw on the way, as it does when the visitor leaves. */
export type FeitoDoDossie = { feitas: readonly Feita[]; guardado: boolean; isWhole: boolean }

/**
 * A form that is sent again while it is being answered gets the same answer. Where the first broke off, the
 * next goes on.
 */
export function openUmaVez() {
  const running = new Map<string, Promise<FeitoDoDossie>>()
  return async (
    chave: readonly string[],
    ask: (antes: readonly Feita[]) => Promise<FeitoDoDossie>,
  ): Promise<FeitoDoDossie> => {
    if (chave.at(-1) === '') return ask([])
    const id = JSON.stringify(chave)
    const before = running.get(id)
    const mine = before
      ? before.then(
          (feito) => (feito.isWhole ? feito : ask(feito.guardado ? [] : feito.feitas)),
          () => ask([]),
        )
      : ask([])
    running.set(id, mine)
    try {
      return await mine
    } finally {
      if (running.get(id) === mine) running.delete(id)
    }
  }
}
