import type { Mensagem } from '../platform/mensagem.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

/** The session of an iBusinessPortal form: the name of the last image that the visitor saw. */
export type Visto = { cdImagem: string }

/** The picture of the name in the address: from then on the session answers for it. */
export function mostrarImagem(pedido: PedidoPortal<Visto>): Mensagem {
  pedido.sessao.dados.cdImagem = (pedido.consulta.get('cdImagem') ?? '').slice(0, 10)
  return pedido.captcha.imagem()
}

/**
 * A new name for an image, out of nothing that the session knows: form and picture may be of different hosts.
 */
export function nomearImagem({ sessao }: PedidoPortal<Visto>): string {
  return sessao.emitirToken('nome', (octetos) => String(octetos.readUInt32BE() + 1_000_000))
}

/** Whether `dsImagem` is the text of that image, in small letters as the page's script makes it. */
export function conferirImagem(pedido: PedidoPortal<Visto>): boolean {
  const { dados } = pedido.sessao
  const [nome, texto] = [pedido.campo('cdImagem'), pedido.campo('dsImagem')]
  const mesma = nome !== '' && nome === dados.cdImagem
  dados.cdImagem = ''
  return mesma && texto === texto.toLowerCase() && pedido.captcha.conferirTexto(texto)
}
