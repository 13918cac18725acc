/**
 * An element with a text or elements in it; none when undefined. The name may carry attributes: `det
 * nItem="1"`.
 */
export type Campo = readonly [nome: string, valor: string | readonly Campo[] | undefined]

/** The namespace of everything about an NF-e. */
export const NFE = 'http://www.portalfiscal.inf.br/nfe'

/**
 * Elements as Canonical XML writes them: no white space between tags, no short form for what is empty (C14N
 * 1.0, 1.1).
 */
export function escreverCampos(campos: readonly Campo[]): string {
  return campos.map(escreverCampo).join('')
}

function escreverCampo([nome, valor]: Campo): string {
  if (valor === undefined) return ''
  const conteudo = typeof valor === 'string' ? escaparTexto(valor) : escreverCampos(valor)
  return `<${nome}>${conteudo}</${nome.split(' ')[0]}>`
}

/** A text as Canonical XML writes it in an element. */
function escaparTexto(texto: string): string {
  return texto.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
