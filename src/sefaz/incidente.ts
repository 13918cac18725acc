import { type Uf, ufs } from '../documento/uf.ts'
import { autorizadorPorId, type Doc, docs, nomeDaCasa } from './rules.ts'
import type { Incidente, Queda } from './rules-rodada.ts'

/** A fall as a reader needs it. Instants are in milliseconds since 1970. */
export type QuedaContada = {
  autorizador: string
  doc: Doc
  estados: readonly Uf[]
  inicio: number
  fim: number | null
  codigo: number | null
  motivo: string
}

/** An incident as a reader needs it: one cause, with all that fell by it. */
export type IncidenteContado = {
  id: string
  casa: string
  inicio: number
  fim: number | null
  /** Until now, where it lasts. */
  duracaoS: number
  autorizadores: string[]
  documentos: Doc[]
  estados: Uf[]
  /** Of the first fall, as its last failure told them. */
  codigo: number | null
  motivo: string
  quedas: QuedaContada[]
}

/** Tells an incident with names, documents and states; what fell first comes first. */
export function contarIncidente(
  { id, casa, inicio, fim, quedas }: Incidente,
  agora: number,
): IncidenteContado {
  const told = quedas.flatMap(contarQueda).toSorted((a, b) => a.inicio - b.inicio)
  return {
    id,
    casa: nomeDaCasa(casa),
    inicio,
    fim,
    duracaoS: Math.max(0, Math.round(((fim ?? agora) - inicio) / 1_000)),
    autorizadores: [...new Set(told.map(({ autorizador }) => autorizador))],
    documentos: docs.filter((doc) => told.some((queda) => queda.doc === doc)),
    estados: ufs.filter((uf) => told.some(({ estados }) => estados.includes(uf))),
    codigo: told[0]?.codigo ?? null,
    motivo: told[0]?.motivo ?? '',
    quedas: told,
  }
}

/** An authorizer that is not there any more has no name: its fall is left out. */
function contarQueda({ autorizador, inicio, fim, cStat, motivo }: Queda): QuedaContada[] {
  const fell = autorizadorPorId(autorizador)
  return fell
    ? [{ autorizador: fell.nome, doc: fell.doc, estados: fell.ufs, inicio, fim, codigo: cStat, motivo }]
    : []
}
