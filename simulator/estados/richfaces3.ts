import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import type { Exigencias } from '../portal/exigencia.ts'
import { elemento } from '../portal/html.ts'
import { camposDaVista } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

/** The script by which RichFaces 3 sends the form. `id` is the asking component, and is sent as a field. */
export function submeter(form: string, id: string): string {
  return `A4J.AJAX.Submit('_viewRoot','${form}',event,{'similarityGroupingId':'${id}','parameters':{'${id}':'${id}'}})`
}

/** What that script adds to the form's fields. */
export function camposDoAjax(id: string): Exigencias {
  return { AJAXREQUEST: '_viewRoot', [id]: id }
}

/** The ViewState where AJAX answers put another one in its place. */
export function lugarDaVista<S>(pedido: PedidoPortal<S>, etapa: string): string {
  return elemento('span', { id: 'ajax-view-state' }, camposDaVista(pedido, etapa))
}

/**
 * An AJAX answer of RichFaces 3: a whole page of elements to be put in the place of those with their ids.
 *
 * @param trocas HTML by id
 * @param aoTerminar the script that runs once they are in place; none when left out
 */
export function respostaAjax<S>(
  pedido: PedidoPortal<S>,
  etapa: string,
  trocas: Readonly<Record<string, string>>,
  aoTerminar = '',
): Mensagem {
  const corpo = Object.entries(trocas).map(([id, html]) => elemento('span', { id }, html))
  const script = aoTerminar && `<span id="org.ajax4jsf.oncomplete"><![CDATA[${aoTerminar}]]></span>`
  const ids = escapar(Object.keys(trocas).join(','))
  const mensagem = pedido.texto(
    'text/xml',
    `<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="Ajax-Update-Ids" content="${ids}"/></head>` +
      `<body>${emXhtml(corpo.join(''))}${script}${emXhtml(lugarDaVista(pedido, etapa))}</body></html>`,
  )
  return { ...mensagem, cabecalhos: { ...mensagem.cabecalhos, 'ajax-response': 'true' } }
}

/** It is XML: void elements are closed. */
function emXhtml(html: string): string {
  return html.replace(/<(input|img|br)([^>]*)>/g, '<$1$2 />')
}
