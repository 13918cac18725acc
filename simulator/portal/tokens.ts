import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The captchas that are a widget of somebody else's on the page, known by a site key. */
export const TIPOS_DE_TOKEN = ['recaptcha-v2', 'recaptcha-enterprise', 'turnstile', 'hcaptcha'] as const
type TipoDeToken = (typeof TIPOS_DE_TOKEN)[number]

/** Gives tokens for a site key on a host, and tells the portals whether a token is good. */
export type Tokens = {
  /** The site key of a portal, always the same; from then on tokens are given for it on those hosts. */
  registrar: (
    portal: string,
    tipo: TipoDeToken,
    hosts: readonly string[],
    desenho?: DesenhoDoWidget,
  ) => string
  /** Makes a token for a widget. Undefined when no portal of that host has such a widget with that key. */
  emitir: (tipo: TipoDeToken, chave: string, host: string, pedido: DesenhoDoWidget) => string | undefined
  /**
   * Whether the token was made for one of those keys, for the host and the kind of widget, is at most 2
   * minutes old, and is shown for the first time.
   */
  conferir: (token: string, chaves: readonly string[], host: string) => boolean
}

/**
 * How a page draws its widget. A token must be made for this drawing, besides key and host; where it is not
 * known whether the widget is seen, either will do.
 */
export type DesenhoDoWidget = { invisivel?: boolean | 'tanto-faz'; enterprise?: boolean; acao?: string }

const PRAZO = 2 * 60_000
const MAXIMO = 10_000

/** What the real tokens begin with. */
const INICIO: Readonly<Record<TipoDeToken, string>> = {
  'recaptcha-v2': '03A',
  'recaptcha-enterprise': '03A',
  turnstile: '0.',
  hcaptcha: 'P1_ey',
}

/** The office of widgets, by the simulator's clock. */
export function criarTokens(agora: () => Date): Tokens {
  const portais = new Map<string, { tipo: TipoDeToken; hosts: readonly string[]; desenho: DesenhoDoWidget }>()
  const dados = new LRUCache<string, { chave: string; host: string; ate: number; certo: boolean }>({
    max: MAXIMO,
  })
  return {
    registrar: (portal, tipo, hosts, desenho = {}) => {
      const chave = chaveDe(portal, tipo)
      portais.set(chave, {
        tipo,
        hosts,
        desenho: { enterprise: tipo === 'recaptcha-enterprise', ...desenho },
      })
      return chave
    },
    emitir: (tipo, chave, host, pedido) => {
      const portal = portais.get(chave)
      if (portal?.tipo !== tipo || !portal.hosts.includes(host)) return undefined
      const token = INICIO[tipo] + randomBytes(240).toString('base64url')
      const certo = mesmoDesenho(portal.desenho, pedido)
      dados.set(token, { chave, host, ate: agora().getTime() + PRAZO, certo })
      return token
    },
    conferir: (token, chaves, host) => {
      const dado = dados.get(token)
      dados.delete(token)
      const aceita = dado && chaves.includes(dado.chave) && dado.host === host
      return aceita === true && dado.certo && dado.ate >= agora().getTime()
    },
  }
}

/** A widget is drawn unless it is said to be invisible. A widget without an action names none. */
const mesmoDesenho = (um: DesenhoDoWidget, outro: DesenhoDoWidget): boolean =>
  (um.invisivel === 'tanto-faz' || (um.invisivel ?? false) === (outro.invisivel ?? false)) &&
  (um.enterprise ?? false) === (outro.enterprise ?? false) &&
  (um.acao ?? '') === (outro.acao ?? '')

/** In the form of the real ones: `6L` and 38 characters, Turnstile's `0x4AAAAAAA` and 14, hCaptcha's UUID. */
function chaveDe(portal: string, tipo: TipoDeToken): string {
  const resumo = createHash('sha256').update(`${portal} ${tipo}`)
  if (tipo === 'hcaptcha')
    return resumo.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  const letras = resumo.digest('base64url')
  return tipo === 'turnstile' ? `0x4AAAAAAA${letras.slice(0, 14)}` : `6L${letras.slice(0, 38)}`
}
