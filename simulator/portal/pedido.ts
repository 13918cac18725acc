import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Certidao } from '../certidao/certidao.ts'
import type { Uf } from '../documento/uf.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem, Opcoes, Pedido } from '../platform/autoridade.ts'
import type { CaptchaDoPortal, CaptchaPedido, Captchas, DesenhoDoWidget } from './captcha.ts'

/** One visitor of a portal. */
export type Sessao<S> = {
  id: string
  /** Whether this request began it. */
  nova: boolean
  /**
   * Goes before the paths of the portal's links: `/(S(...))` where the session is in the path, else empty.
   */
  raiz: string
  /** What the portal keeps; change it in place. */
  dados: S
  /**
   * A value that must come back once, in this session, at that step: ViewState, __VIEWSTATE,
   * id_contexto_sessao and the like. `escrever` makes its text out of 24 random octets; base64 when left out.
   */
  emitirToken: (etapa: string, escrever?: (octetos: Buffer) => string) => string
  /** Whether it was given for that step of this session, and not used yet: it is used now. */
  conferirToken: (etapa: string, token: string) => boolean
  /** Forgets the session: the next request begins another. */
  encerrar: () => void
}

/** The sessions of one portal. */
export type Sessoes<S> = {
  /** The session of that id. A new one when it is gone, or when no id came. */
  abrir: (id: string | undefined) => Sessao<S>
  /** Whether the session is still there. */
  existe: (id: string) => boolean
}

/**
 * How many visitors a portal remembers, how many tokens of each, and for how long (milliseconds) an idle one.
 */
const MAXIMO = 4_000
const TOKENS = 64
const OCIOSA = 20 * 60_000

type Guardada<S> = { dados: S; tokens: Map<string, string>; vista: number }

/**
 * The sessions of a portal, in memory: the oldest of too many go, and those idle for 20 minutes by the
 * simulator's clock.
 */
export function criarSessoes<S>(
  { sessao, novaSessao }: { sessao: { em: 'cookie' | 'caminho' }; novaSessao: () => S },
  agora: () => Date,
): Sessoes<S> {
  // Made with the first session: the room for 4,000 takes half a millisecond, and there are many portals.
  let guardadas: LRUCache<string, Guardada<S>> | undefined
  const achar = (id: string): Guardada<S> | undefined => {
    const guardada = guardadas?.get(id)
    if (!guardada || agora().getTime() - guardada.vista > OCIOSA) return undefined
    return guardada
  }
  return {
    existe: (id) => achar(id) !== undefined,
    abrir: (pedida) => {
      const conhecida = pedida === undefined ? undefined : achar(pedida)
      // 24 small letters and digits, as ASP.NET's: fit for a cookie and for a path.
      const id = conhecida && pedida ? pedida : randomBytes(18).toString('hex').slice(0, 24)
      const guardada = conhecida ?? { dados: novaSessao(), tokens: new Map(), vista: 0 }
      guardada.vista = agora().getTime()
      guardadas ??= new LRUCache({ max: MAXIMO })
      if (!conhecida) guardadas.set(id, guardada)
      return {
        id,
        nova: !conhecida,
        raiz: sessao.em === 'caminho' ? `/(S(${id}))` : '',
        dados: guardada.dados,
        emitirToken: (etapa, escrever = emBase64) => emitir(guardada.tokens, etapa, escrever),
        conferirToken: (etapa, token) =>
          guardada.tokens.get(token) === etapa && guardada.tokens.delete(token),
        encerrar: () => guardadas?.delete(id),
      }
    },
  }
}

function emitir(tokens: Map<string, string>, etapa: string, escrever: (octetos: Buffer) => string): string {
  const token = escrever(randomBytes(24))
  tokens.set(token, etapa)
  const [primeiro] = tokens.keys()
  if (tokens.size > TOKENS && primeiro !== undefined) tokens.delete(primeiro)
  return token
}

function emBase64(octetos: Buffer): string {
  return octetos.toString('base64')
}

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
