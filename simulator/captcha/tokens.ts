import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The captchas that are a widget of somebody else's on the page, known by a site key. */
export const TIPOS_DE_TOKEN = ['recaptcha-v2', 'recaptcha-enterprise', 'turnstile', 'hcaptcha'] as const
type TipoDeToken = (typeof TIPOS_DE_TOKEN)[number]

/** Who answers for widgets: gives tokens for a site key on a host, and tells the portals whether they are good. */
export type Tokens = {
  /** The site key of a portal, always the same; from then on tokens are given for it on those hosts. */
  registrar: (portal: string, tipo: TipoDeToken, hosts: readonly string[]) => string
  /** A token; undefined when no portal of that host has such a widget with that key. */
  emitir: (tipo: TipoDeToken, chave: string, host: string) => string | undefined
  /** Whether the token was given for that key and host, not longer than 2 minutes ago, and is shown for the first time. */
  conferir: (token: string, chave: string, host: string) => boolean
}

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
  const portais = new Map<string, { tipo: TipoDeToken; hosts: readonly string[] }>()
  const dados = new LRUCache<string, { chave: string; host: string; ate: number }>({ max: MAXIMO })
  return {
    registrar: (portal, tipo, hosts) => {
      const chave = chaveDe(portal, tipo)
      portais.set(chave, { tipo, hosts })
      return chave
    },
    emitir: (tipo, chave, host) => {
      const portal = portais.get(chave)
      if (portal?.tipo !== tipo || !portal.hosts.includes(host)) return undefined
      const token = INICIO[tipo] + randomBytes(240).toString('base64url')
      dados.set(token, { chave, host, ate: agora().getTime() + PRAZO })
      return token
    },
    conferir: (token, chave, host) => {
      const dado = dados.get(token)
      dados.delete(token)
      return dado?.chave === chave && dado.host === host && dado.ate >= agora().getTime()
    },
  }
}

/** In the form of the real ones: `6L` and 38 characters, Turnstile's `0x4AAAAAAA` and 14, hCaptcha's UUID. */
function chaveDe(portal: string, tipo: TipoDeToken): string {
  const resumo = createHash('sha256').update(`${portal} ${tipo}`)
  if (tipo === 'hcaptcha')
    return resumo.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  const letras = resumo.digest('base64url')
  return tipo === 'turnstile' ? `0x4AAAAAAA${letras.slice(0, 14)}` : `6L${letras.slice(0, 38)}`
}
