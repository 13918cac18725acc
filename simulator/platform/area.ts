import { NFE } from './nfe-xml.ts'
import { type Elemento, percorrer } from './xml.ts'

/** Namespace of signatures (xmldsig-core-schema_v1.01.xsd). */
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

/**
 * Rules 404, 587 and 588, about the text of a message as it was sent (MOC 7.0, "Validação da Área de Dados"):
 * no prefixes, the project's namespace only, and that of signatures inside them; nothing between tags. `area`
 * is the text, `elementos` its roots.
 */
export function conferirTexto(area: string, elementos: readonly Elemento[]): number | undefined {
  const todos = elementos.flatMap(percorrer)
  if (todos.some(({ prefixo }) => prefixo)) return 404
  const declara = todos.some(({ atributos }) =>
    Object.keys(atributos).some((nome) => nome.startsWith('xmlns:')),
  )
  if (declara || !elementos.every((elemento) => temNamespace(elemento, NFE))) return 587
  return /^\s|>\s+<|\s$/.test(area) ? 588 : undefined
}

function temNamespace(elemento: Elemento, herdado: string): boolean {
  const seu = elemento.nome === 'Signature' ? DSIG : herdado
  return elemento.namespace === seu && elemento.filhos.every((filho) => temNamespace(filho, seu))
}

/** The names of an element's attributes, declarations of namespaces aside. */
export function atributosDe({ atributos }: Elemento): string[] {
  return Object.keys(atributos).filter((nome) => !/^xmlns(?::|$)/.test(nome))
}

/** Whether an element holds text only: no children, no attributes. */
export function ehFolha(elemento: Elemento): boolean {
  return elemento.filhos.length === 0 && atributosDe(elemento).length === 0
}

/** Whether an element holds children only. */
export function semTexto({ texto }: Elemento): boolean {
  return texto.trim() === ''
}
