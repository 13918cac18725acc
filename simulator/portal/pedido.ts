import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Certidao } from '../certidao/certidao.ts'
import type { Uf } from '../documento/uf.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem, Opcoes, Pedido } from '../platform/autoridade.ts'
import type { CaptchaDoPortal, CaptchaPedido, Captchas, DesenhoDoWidget } from './captcha.ts'

export type Sessao<S> = {
  id: string
  nova: boolean
  /** Goes before the paths of the portal's links: `/(S(...))` where the session is in the path. */
  raiz: string
  dados: S
  /** A value that must come back once, at that step. `write` makes its text out of 24 random octets. */
  issueToken: (etapa: string, write?: (octetos: Buffer) => string) => string
  /** Whether it was given for that step of this session, and not used yet: it is used now. */
  checkToken: (etapa: string, token: string) => boolean
  end: () => void
}

export type Sessoes<S> = {
  open: (id: string | undefined) => Sessao<S>
  exists: (id: string) => boolean
}

/** How many visitors and tokens a portal remembers, and for how long (milliseconds) an idle one. */
const MAXIMO = 4_000
const TOKENS = 64
const OCIOSA = 20 * 60_000

type Guardada<S> = { dados: S; tokens: Map<string, string>; vista: number }

/** In memory: the oldest of too many go, and those idle for 20 minutes. */
export function createSessoes<S>(
  { sessao, novaSessao }: { sessao: { em: 'cookie' | 'caminho' }; novaSessao: () => S },
  agora: () => Date,
): Sessoes<S> {
  // Made with the first session: the room for 4,000 takes half a millisecond, and there are many portals.
  let guardadas: LRUCache<string, Guardada<S>> | undefined
  const find = (id: string): Guardada<S> | undefined => {
    const guardada = guardadas?.get(id)
    if (!guardada || agora().getTime() - guardada.vista > OCIOSA) return undefined
    return guardada
  }
  return {
    exists: (id) => find(id) !== undefined,
    open: (pedida) => {
      const conhecida = pedida === undefined ? undefined : find(pedida)
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
        issueToken: (etapa, write = emBase64) => issue(guardada.tokens, etapa, write),
        checkToken: (etapa, token) => guardada.tokens.get(token) === etapa && guardada.tokens.delete(token),
        end: () => guardadas?.delete(id),
      }
    },
  }
}

function issue(tokens: Map<string, string>, etapa: string, write: (octetos: Buffer) => string): string {
  const token = write(randomBytes(24))
  tokens.set(token, etapa)
  const [primeiro] = tokens.keys()
  if (tokens.size > TOKENS && primeiro !== undefined) tokens.delete(primeiro)
  return token
}

const emBase64 = (octetos: Buffer): string => octetos.toString('base64')

/** A page's status (200 when left out), and what goes into its head. */
export type OpcoesDaPagina = { status?: number; cabeca?: string }

/** A request as a portal's pages see it, with all that they answer by. */
export type PedidoPortal<S> = Pedido & {
  uf: Uf
  /** The fields of a form, or the texts and numbers at the top of a JSON body. */
  campos: ReadonlyMap<string, string>
  campo: (nome: string) => string
  json: unknown
  cookies: ReadonlyMap<string, string>
  /** Sends one more cookie, besides the session's: `FLOW=1; Path=/`. */
  porCookie: (cookie: string) => void
  agora: Date
  ritmo: number
  sessao: Sessao<S>
  captcha: CaptchaDoPortal

  /** The document's registrations in the state, as its misbehaviour wants them. */
  search: (pergunta: Pergunta) => Ocorrencia[]
  certidao: (pergunta: Pergunta) => Certidao

  /** A page in the portal's charset; `corpo` is HTML. */
  pagina: (titulo: string, corpo: string, opcoes?: OpcoesDaPagina) => Mensagem
  texto: (tipo: string, corpo: string, status?: number) => Mensagem
  answerJson: (valor: unknown, status?: number) => Mensagem
  /** HTTP 302. Sessions in the path are kept by beginning with `pedido.sessao.raiz`. */
  redirect: (para: string) => Mensagem
  /** The certificate's PDF; `tipo` is the media type, `nome` the file's, for a download. */
  pdf: (certidao: Certidao, opcoes?: { tipo?: string; nome?: string }) => Promise<Mensagem>
  paginaDaCertidao: (certidao: Certidao, titulo: string) => Mensagem
  octetosDoPdf: (certidao: Certidao) => Promise<Buffer>
  expirada: () => Mensagem
}

/** Where a portal keeps the session's id: a cookie, or `/(S(...))/`, as ASP.NET does without cookies. */
type LugarDaSessao = { em: 'cookie'; nome: string } | { em: 'caminho' }

/** One public service of a state. `S` is what the portal keeps in the session of each visitor. */
export type Definicao<S = undefined> = {
  uf: Uf
  servico: 'ie' | 'cnd'
  nome: string
  /** Real host names, lower case; others may share them, each with its own `serves`. */
  hosts: readonly string[]
  /** Whether a path (without query, without the session's segment) is its own; left out, every path is. */
  serves?: (caminho: string) => boolean
  charset: 'utf-8' | 'iso-8859-1'
  declaresCharset?: boolean
  /** The server's software, which decides the headers of its answers. */
  motor: 'asp' | 'asp.net' | 'java' | 'php' | 'spa'
  sessao: LugarDaSessao
  novaSessao: () => S
  captcha?: CaptchaPedido
  widget?: DesenhoDoWidget
  /** The document that this request asks about; the reserved ones misbehave at the steps that carry one. */
  documento: (pedido: PedidoPortal<S>) => string | undefined
  answer: (pedido: PedidoPortal<S>) => Mensagem | Promise<Mensagem>
  expirada?: (pedido: PedidoPortal<S>) => Mensagem
  fechada?: (pedido: PedidoPortal<S>) => Mensagem
  /** The page with the captcha that appears now and then, on a portal that usually has none. */
  captchaInesperado?: (pedido: PedidoPortal<S>) => Mensagem
}

export type MeiosDoPortal = Opcoes & { captchas: Captchas }
