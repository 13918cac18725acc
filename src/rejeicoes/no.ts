/**
 * An element of a note as the checks read it. Names are local, without namespace and prefix; `texto` is the
 * text of an element that has no child elements, as it stands.
 */
export type No = {
  nome: string
  atributos: Readonly<Record<string, string>>
  filhos: readonly No[]
  /** Undefined for the root. */
  pai: No | undefined
  texto: string
}
