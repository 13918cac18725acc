import type { Chamador } from '../platform/autoridade.ts'
import type { Cenario } from './cenario.ts'

/** One NF-e of the simulated world; all of it follows from its key and the scenario that the key names. */
export type Nota = {
  chave: string
  cenario: Cenario
  /** When it was issued and authorized, to the second: the key says so (see chave.ts). */
  autorizacao: Date
  /** When the national environment got it: the 90 days of the distribution are counted from here. */
  recepcao: Date
  situacao: 'autorizada' | 'cancelada' | 'denegada'
  emitente: Chamador
  destinatario: Chamador
  transportador: Chamador | undefined
  /** Those named in autXML. */
  autorizados: readonly Chamador[]
}

/** An event that the national environment registered for the recipient of a note. */
export type EventoRegistrado = { tpEvento: string; nSeqEvento: number }

/**
 * The events registered so far, by key; one for a simulator, shared by the distribution, the events and the
 * portal.
 */
export type Livro = {
  eventosDe: (chave: string) => readonly EventoRegistrado[]
  registrar: (chave: string, evento: EventoRegistrado) => void
}
