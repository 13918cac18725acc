import type { Uf } from '../documento/molde.ts'
import type { Opcoes } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { CaptchaPedido, Captchas } from './captcha.ts'
import type { PedidoPortal } from './pedido.ts'
import type { DesenhoDoWidget } from './tokens.ts'

/**
 * Where a portal keeps the session's id: a cookie of that name, or a segment of the path, `/(S(...))/`, as
 * ASP.NET does without cookies.
 */
type LugarDaSessao = { em: 'cookie'; nome: string } | { em: 'caminho' }

/**
 * One public service of a state, as its file in `estados/` describes it. `S` is what the portal keeps in the
 * session of each visitor.
 */
export type Definicao<S = undefined> = {
  uf: Uf
  servico: 'ie' | 'cnd'
  nome: string
  /** Real host names, lower case; others may share them, each with its own `atende`. */
  hosts: readonly string[]
  /** Whether a path (without query, without the session's segment) is its own; left out, every path is. */
  atende?: (caminho: string) => boolean
  /** Of the bodies, both ways. */
  charset: 'utf-8' | 'iso-8859-1'
  /** Whether the header names the charset; left out, it does. */
  declaraCharset?: boolean
  /** The server's software, which decides the headers of its answers. */
  motor: 'asp' | 'asp.net' | 'java' | 'php' | 'spa'
  sessao: LugarDaSessao
  /** The data of a new session. */
  novaSessao: () => S
  /** Left out, `nenhum`. */
  captcha?: CaptchaPedido
  /** How its widget is drawn, where it is not a box to be clicked. */
  widget?: DesenhoDoWidget
  /**
   * The document that this request asks about (punctuated or not; CPF, CNPJ or IE), undefined on the steps
   * that carry none. The reserved documents misbehave at the steps that do: the engine sees to it.
   */
  documento: (pedido: PedidoPortal<S>) => string | undefined
  responder: (pedido: PedidoPortal<S>) => Mensagem | Promise<Mensagem>
  /** The state's own page for a stale token or a session that is gone; left out, a plain one. */
  expirada?: (pedido: PedidoPortal<S>) => Mensagem
  /** The state's own page for closed hours. */
  fechada?: (pedido: PedidoPortal<S>) => Mensagem
  /** The page with the captcha that appears now and then, on a portal that usually has none. */
  captchaInesperado?: (pedido: PedidoPortal<S>) => Mensagem
}

/** What the portals of one simulator share. */
export type MeiosDoPortal = Opcoes & { captchas: Captchas }
