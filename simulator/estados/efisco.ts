import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

/** A button whose script posts the form. */
export function apertar(name: string, value: string): string {
  return elemento('input', { type: 'button', name, value })
}

/** The page that says one thing, without the form. */
export function avisar<S>(pedido: PedidoPortal<S>, titulo: string, aviso: string): Mensagem {
  return pedido.pagina(titulo, elemento('div', { class: 'mensagem' }, escapar(aviso)))
}
