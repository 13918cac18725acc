import type { Certidao } from '../certidao/certidao.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Pedido } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { CaptchaDoPortal } from './captcha.ts'
import type { Sessao } from './sessao.ts'

/**
 * More about a page: its status (200 when left out), what goes into its head, and attributes of its body
 * element.
 */
export type OpcoesDaPagina = { status?: number; cabeca?: string }

/** A request as a portal's pages see it, with all that they answer by. */
export type PedidoPortal<S> = Pedido & {
  /**
   * The fields of a form, decoded in the portal's charset, or the texts and numbers at the top of a JSON
   * body.
   */
  campos: ReadonlyMap<string, string>
  /** One of them, without spaces around it; empty when it did not come. */
  campo: (nome: string) => string
  /** The JSON body; undefined when it is none. */
  json: unknown
  cookies: ReadonlyMap<string, string>
  /** Sends one more cookie, besides the session's: `FLOW=1; Path=/`. */
  porCookie: (cookie: string) => void
  agora: Date
  /** The factor of the simulator's delays, for the intervals that a page announces. */
  ritmo: number
  sessao: Sessao<S>
  captcha: CaptchaDoPortal

  /**
   * The document's registrations in the state, as its misbehaviour wants them. Empty when it is not found.
   */
  procurar: (pergunta: Pergunta) => Ocorrencia[]
  /** The clearance certificate of the document in this state, today. */
  certidao: (pergunta: Pergunta) => Certidao

  /** A page in the portal's charset; `corpo` is HTML. */
  pagina: (titulo: string, corpo: string, opcoes?: OpcoesDaPagina) => Mensagem
  /** Any text in the portal's charset, under that media type (AJAX answers, fragments). */
  texto: (tipo: string, corpo: string, status?: number) => Mensagem
  /** JSON, always in UTF-8. */
  responderJson: (valor: unknown, status?: number) => Mensagem
  /**
   * HTTP 302; `para` begins with `/`, or is relative, or a whole address. Sessions in the path are kept by
   * beginning with `pedido.sessao.raiz`.
   */
  redirecionar: (para: string) => Mensagem
  /**
   * The certificate's PDF; `tipo` is the media type, `application/pdf` when left out, `nome` the file's, for
   * a download.
   */
  pdf: (certidao: Certidao, opcoes?: { tipo?: string; nome?: string }) => Promise<Mensagem>
  /** The certificate as a page of the portal, where the state shows it so. */
  paginaDaCertidao: (certidao: Certidao, titulo: string) => Mensagem
  /** The same PDF as octets, for portals that send it in base64. */
  octetosDoPdf: (certidao: Certidao) => Promise<Buffer>
  /** The portal's page for a stale token or a session that is gone. */
  expirada: () => Mensagem
}
