import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { redirecionar } from '../portal/mensagem.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import type { Nota } from './nota.ts'

/** How the national portal writes. */
export const ESCRITA = { charset: 'utf-8', motor: 'asp.net' } as const

/** The contents that every address of a consultation names; real links carry the same text (2026-11). */
export const TIPO_CONTEUDO = '7PhJ+gAVw2g='

/** The title of all its pages. */
export const TITULO = 'Portal da Nota Fiscal Eletrônica'

/**
 * What the portal keeps of a visitor: the note that was found, and what the address of its download has to
 * carry.
 */
export type Visita = { consulta: { nota: Nota; a: string } | undefined }

/** A request as the pages of the portal see it. */
export type PedidoNacional = Pick<
  PedidoPortal<Visita>,
  | 'metodo'
  | 'caminho'
  | 'consulta'
  | 'chamador'
  | 'campos'
  | 'campo'
  | 'sessao'
  | 'captcha'
  | 'pagina'
  | 'expirada'
> & {
  /**
   * The note of the key that is typed in, or of the consultation that is open; undefined when there is no
   * such note.
   */
  nota: Nota | undefined
}

/** The full name of a field or a button: `txtChaveAcessoResumo`. */
export function nomeDe(controle: string): string {
  return `ctl00$ContentPlaceHolder1$${controle}`
}

/** A page of the portal that says one thing. */
export function avisar({ pagina }: Pick<PedidoNacional, 'pagina'>, texto: string): Mensagem {
  return pagina(TITULO, `<div id="conteudoDinamico"><p>${escapar(texto)}</p></div>`)
}

/** HTTP 302 to a page of the portal: `erro.aspx`. */
export function irPara(pagina: string): Mensagem {
  return redirecionar(ESCRITA, `/portal/${pagina}`)
}
