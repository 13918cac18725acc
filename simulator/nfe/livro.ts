import type { EventoRegistrado, Livro } from './nota.ts'

/** A book of events with nothing in it. It lives as long as the simulator. */
export function criarLivro(): Livro {
  const porChave = new Map<string, EventoRegistrado[]>()
  return {
    eventosDe: (chave) => porChave.get(chave) ?? [],
    registrar(chave, evento) {
      const seus = porChave.get(chave)
      if (seus) seus.push(evento)
      else porChave.set(chave, [evento])
    },
  }
}
