import { type Content, type Html, html, url } from '../../platform/pages/html.ts'

/** A sealed file of an answer: the page hands it back to open it, so that nothing is asked again. */
export type Papel = {
  /** `pdf` or `xml`. */
  tipo: 'pdf' | 'xml'
  /** What the file is called, without its ending. */
  nome: string
  selado: string
  /** Where it is opened. */
  endereco: string
}

/** The most octets of a file that a page hands back. */
export const MAIOR_PAPEL = 2 * 1024 * 1024

/** What a form with a file weighs: four characters for three octets, and what stands around it. */
export const MAIOR_FORMULARIO_DE_PAPEL = Math.ceil((MAIOR_PAPEL * 4) / 3) + 16 * 1024

/** The button that opens a certificate in a new tab, or saves an XML. */
export function escreverPapel({ tipo, nome, selado, endereco }: Papel, campoCsrf: Content): Html {
  const hidden = html`${campoCsrf}<input type="hidden" name="tipo" value="${tipo}"/><input type="hidden" name="nome" value="${nome}"/><input type="hidden" name="papel" value="${selado}"/>`
  return tipo === 'pdf'
    ? html`<form class="papel" method="post" action="${url(endereco)}" target="_blank">${hidden}<button class="discreto" type="submit">Abrir o PDF<span class="so-leitor"> ${nome}, em outra aba</span></button></form>`
    : html`<form class="papel" method="post" action="${url(endereco)}">${hidden}<button class="botao" type="submit">Baixar o XML</button></form>`
}
