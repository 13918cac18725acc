import type { EventoRegistrado, Livro } from './nota.ts'
import { notaDe } from './notas.ts'

const HORA_MS = 3_600_000

/**
 * A book that holds what its scenario says was registered before: by the recipient, an hour after the authorization. It
 * lives as long as the simulator.
 */
export function criarLivro(): Livro {
  const porChave = new Map<string, EventoRegistrado[]>()
  const eventosDe = (chave: string): readonly EventoRegistrado[] => porChave.get(chave) ?? anteriores(chave)
  return {
    eventosDe,
    registrar(chave, evento) {
      porChave.set(chave, [...eventosDe(chave), evento])
    },
  }
}

function anteriores(chave: string): EventoRegistrado[] {
  const nota = notaDe(chave)
  const registrados = nota?.cenario.eventos ?? []
  return registrados.map((tpEvento, indice) => ({
    tpEvento,
    nSeqEvento: 1,
    autor: nota?.destinatario.documento ?? '',
    registro: new Date((nota?.autorizacao.getTime() ?? 0) + HORA_MS),
    nProt: `891${chave.slice(2, 4)}${`${indice}${chave.slice(35, 43)}`.padStart(10, '0')}`,
  }))
}
