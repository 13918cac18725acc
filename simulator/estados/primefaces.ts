import { randomBytes } from 'node:crypto'
import { escapar } from '../platform/xml.ts'
import { campoErrado } from '../portal/exigencia.ts'
import { type Atributos, elemento } from '../portal/html.ts'
import { veioDoJsf } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

/** A `p:commandButton`. */
export function botaoPrime(id: string, texto: string, atributos: Atributos = {}): string {
  const miolo = `<span class="ui-button-text ui-c">${escapar(texto)}</span>`
  const classe = 'ui-button ui-widget ui-state-default ui-corner-all'
  return elemento('button', { id, name: id, class: classe, type: 'submit', ...atributos }, miolo)
}

/** The script of a button that asks by AJAX: itself, and the ids that the answer renews. */
export function porAjax(id: string, alvos: string): Atributos {
  return { onclick: `PrimeFaces.ab({s:"${id}",u:"${alvos}"});return false;` }
}

/** Whether a request is what that script sends. */
export function veioDoBotao<S>(pedido: PedidoPortal<S>, id: string, alvos: string): boolean {
  const errado = campoErrado(pedido.campos, {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': id,
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': alvos,
    [id]: id,
  })
  return !errado && veioDoJsf(pedido) && pedido.cabecalhos['x-requested-with'] === 'XMLHttpRequest'
}

/** A `p:messages` with one message, or with none; `info` is good news. */
export function mensagensPrime(id: string, aviso: string, grau: 'info' | 'error' = 'error'): string {
  const mensagem =
    aviso &&
    `<div class="ui-messages-${grau} ui-corner-all"><ul><li><span class="ui-messages-${grau}-detail">${escapar(aviso)}</span></li></ul></div>`
  return elemento('div', { id, class: 'ui-messages ui-widget', 'aria-live': 'polite' }, mensagem)
}

/** A `p:panel`. */
export function painel(titulo: string, conteudo: string): string {
  return `<div class="ui-panel ui-widget"><div class="ui-panel-titlebar"><span class="ui-panel-title">${titulo}</span></div><div class="ui-panel-content ui-widget-content">${conteudo}</div></div>`
}

/** The dynamic images of one visitor: `chave` is that of the last. */
export type ComImagem = { chave: string }

/** An image made anew, under a key of its own. */
export function imagemDinamica({ sessao }: PedidoPortal<ComImagem>, recurso: string, bean: string): string {
  sessao.dados.chave = randomBytes(12).toString('hex')
  const src = `${recurso}?ln=primefaces&primefaces_image=${sessao.dados.chave}&bean=${bean}`
  return elemento('img', { id: bean, src, alt: '' })
}
