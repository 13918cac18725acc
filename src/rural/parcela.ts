import type { Uf } from '../documento/uf.ts'

/** A certified parcel as SIGEF shows it. Specification, "SIGEF parcel". */
export type ParcelaDoSigef = {
  /** The UUID of the parcel. */
  codigo_parcela: string
  denominacao: string
  /** Hectares, as decimal text. */
  area_ha: string
  municipio: string
  uf: Uf
  /** Several holders are joined by "; ". */
  detentor: string
  matricula: string
  status: string
  natureza: string
}

/** A parcel, with the holders' masked documents as its page shows them. */
export type ParcelaLida = { parcela: ParcelaDoSigef; documentos: string[] }

/**
 * Whether the masked documents of a parcel's holders allow that the document is of one of them. Where no
 * document is shown, nothing contradicts it.
 */
export const isDetentor = (documentos: readonly string[], documento: string): boolean =>
  documentos.length === 0 || documentos.some((mascarado) => fits(mascarado, documento))

/** `***.123.456**` and `**.*12.345/0001**`: a star hides one character. */
function fits(mascarado: string, documento: string): boolean {
  const shown = mascarado.replace(/[./\s-]/g, '').toUpperCase()
  return (
    shown.length === documento.length &&
    [...shown].every((character, at) => character === '*' || character === documento[at])
  )
}
