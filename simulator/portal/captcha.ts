import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib/v1'
import { LRUCache } from 'lru-cache'
import type { Mensagem, Resolvedor, Resolvido } from '../platform/autoridade.ts'
import { createTextos, type Desenho, type Imagem, type Textos } from './captcha-imagem.ts'

type Desafios = {
  create: () => ReturnType<typeof createChallenge>
  /** Whether the payload (JSON in base64) solves a challenge of ours: once, before it expires. */
  check: (payload: string) => Promise<boolean>
}

const PRAZO_DO_DESAFIO = 10 * 60_000
const MAIOR_NUMERO = 5_000

function createDesafios(agora: () => Date): Desafios {
  const hmacKey = randomBytes(32).toString('hex')
  const usados = new LRUCache<string, true>({ max: 10_000 })
  return {
    create: () =>
      createChallenge({
        hmacKey,
        maxnumber: MAIOR_NUMERO,
        expires: new Date(agora().getTime() + PRAZO_DO_DESAFIO),
      }),
    check: async (payload) => {
      const lido = readPayload(payload)
      if (!lido || usados.has(lido.salt) || lido.ate < agora().getTime()) return false
      // Its own check of the expiry looks at the machine's clock. It throws at an algorithm that nobody has.
      const certo = await verifySolution(payload, hmacKey, false).catch(() => false)
      if (!certo || usados.has(lido.salt)) return false
      usados.set(lido.salt, true)
      return true
    },
  }
}

function readPayload(payload: string): { salt: string; ate: number } | undefined {
  try {
    const lido: unknown = JSON.parse(Buffer.from(payload, 'base64').toString())
    if (typeof lido !== 'object' || lido === null || !('salt' in lido) || typeof lido.salt !== 'string')
      return undefined
    const { expires } = Object.fromEntries(new URLSearchParams(lido.salt.split('?')[1]))
    return { salt: lido.salt, ate: Number(expires) * 1000 || 0 }
  } catch {
    return undefined
  }
}

const TIPOS_DE_TOKEN = ['recaptcha-v2', 'recaptcha-enterprise', 'turnstile', 'hcaptcha'] as const
type TipoDeToken = (typeof TIPOS_DE_TOKEN)[number]

/** Gives tokens for a site key on a host, and tells the portals whether a token is good. */
type Tokens = {
  /** The site key of a portal, always the same; from then on tokens are given for it on those hosts. */
  register: (portal: string, tipo: TipoDeToken, hosts: readonly string[], desenho?: DesenhoDoWidget) => string
  /** Makes a token for a widget. Undefined when no portal of that host has such a widget with that key. */
  issue: (tipo: TipoDeToken, chave: string, host: string, pedido: DesenhoDoWidget) => string | undefined
  /** A token is good once, for 2 minutes, for those keys on that host, and for that kind of widget. */
  check: (token: string, chaves: readonly string[], host: string) => boolean
}

/** How a page draws its widget; a token must be made for this drawing, where it is known. */
export type DesenhoDoWidget = { invisivel?: boolean | 'tanto-faz'; enterprise?: boolean; acao?: string }

const VALIDADE_DO_TOKEN = 2 * 60_000
const MAIS_TOKENS = 10_000

const INICIO: Readonly<Record<TipoDeToken, string>> = {
  'recaptcha-v2': '03A',
  'recaptcha-enterprise': '03A',
  turnstile: '0.',
  hcaptcha: 'P1_ey',
}

function createTokens(agora: () => Date): Tokens {
  const portais = new Map<string, { tipo: TipoDeToken; hosts: readonly string[]; desenho: DesenhoDoWidget }>()
  const dados = new LRUCache<string, { chave: string; host: string; ate: number; certo: boolean }>({
    max: MAIS_TOKENS,
  })
  return {
    register: (portal, tipo, hosts, desenho = {}) => {
      const chave = chaveDe(portal, tipo)
      portais.set(chave, {
        tipo,
        hosts,
        desenho: { enterprise: tipo === 'recaptcha-enterprise', ...desenho },
      })
      return chave
    },
    issue: (tipo, chave, host, pedido) => {
      const portal = portais.get(chave)
      if (portal?.tipo !== tipo || !portal.hosts.includes(host)) return undefined
      const token = INICIO[tipo] + randomBytes(240).toString('base64url')
      const certo = mesmoDesenho(portal.desenho, pedido)
      dados.set(token, { chave, host, ate: agora().getTime() + VALIDADE_DO_TOKEN, certo })
      return token
    },
    check: (token, chaves, host) => {
      const dado = dados.get(token)
      dados.delete(token)
      const isGood = dado && chaves.includes(dado.chave) && dado.host === host
      return isGood === true && dado.certo && dado.ate >= agora().getTime()
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

/** Its password comes out of `semente`, because a service may outlive its simulator. */
function createResolvedor(textos: Textos, tokens: Tokens, semente: string): Resolvedor {
  const token = createHash('sha256').update(`captcha ${semente}`).digest('base64url')
  return {
    token,
    resolver: (autorizacao, corpo) => {
      if (autorizacao !== `Bearer ${token}`) return refuse(401, 'Token ausente ou errado.')
      const pedido = readObjeto(corpo)
      if (!pedido) return refuse(400, 'O corpo não é um objeto JSON.')
      const tipo = textoEm(pedido, 'tipo')
      const widget = TIPOS_DE_TOKEN.find((um) => um === tipo)
      const resposta = widget
        ? tokens.issue(widget, textoEm(pedido, 'site_key'), hostDe(textoEm(pedido, 'pagina')), {
            invisivel: simEm(pedido, 'invisivel'),
            enterprise: simEm(pedido, 'enterprise'),
            acao: textoEm(pedido, 'acao'),
          })
        : tipo === 'imagem' || tipo === 'palavras'
          ? textos.recognize(Buffer.from(textoEm(pedido, 'imagem_base64'), 'base64'))
          : undefined
      if (resposta !== undefined) return { status: 200, json: { resposta } }
      if (widget) return refuse(422, 'Nenhuma página deste endereço tem um captcha com esta chave.')
      return refuse(422, tipo ? `Não sei resolver esta imagem (${tipo}).` : 'Falta o tipo.')
    },
  }
}

const refuse = (status: number, motivo: string): Resolvido => ({ status, json: { motivo } })

function readObjeto(corpo: Buffer): object | undefined {
  try {
    const lido: unknown = JSON.parse(corpo.toString())
    return typeof lido === 'object' && lido !== null ? lido : undefined
  } catch {
    return undefined
  }
}

function textoEm(objeto: object, nome: string): string {
  const valor: unknown = Object.entries(objeto).find(([chave]) => chave === nome)?.[1]
  return typeof valor === 'string' ? valor : ''
}

const simEm = (objeto: object, nome: string): boolean =>
  Object.entries(objeto).some(([chave, valor]) => chave === nome && valor === true)

const hostDe = (pagina: string): string => URL.parse(pagina)?.hostname ?? ''

export type CaptchaPedido =
  | 'nenhum'
  | 'imagem'
  | 'palavras'
  | 'recaptcha-v2'
  | 'recaptcha-enterprise'
  | 'turnstile'
  | 'hcaptcha'
  | 'altcha'

export type CaptchaDoPortal = {
  /** The site key of the page's reCAPTCHA, Turnstile or hCaptcha widget; empty for other kinds. */
  chave: string
  /** A new image of letters for this session; its text takes the place of the one before. */
  imagem: (desenho?: Desenho) => Mensagem
  palavra: () => Mensagem
  /** Whether that is the text of the session's image: once, within 5 minutes, in any case unless `exato`. */
  checkTexto: (texto: string, exato?: boolean) => boolean
  /** A token is good once, for 2 minutes, for such a widget on this host. */
  checkToken: (token: string, outras?: readonly string[]) => boolean
  desafio: () => Promise<Mensagem>
  checkDesafio: (payload: string) => Promise<boolean>
}

type Cliente = {
  nome: string
  tipo: CaptchaPedido
  hosts: readonly string[]
  desenho?: DesenhoDoWidget | undefined
}

/** Makes the captcha of each request: its session and host, and whether all answers are to be refused. */
export type OpenCaptcha = (pedido: { sessao: string; host: string; recusa: () => boolean }) => CaptchaDoPortal

export type Captchas = { doPortal: (cliente: Cliente) => OpenCaptcha; resolvedor: Resolvedor }

/** The same `semente` gives the same way to the solver. */
export function createCaptchas(agora: () => Date, semente: string = randomUUID()): Captchas {
  const [textos, tokens, desafios] = [createTextos(agora), createTokens(agora), createDesafios(agora)]
  return {
    resolvedor: createResolvedor(textos, tokens, semente),
    doPortal: ({ nome, tipo, hosts, desenho }) => {
      const widget = TIPOS_DE_TOKEN.find((um) => um === tipo)
      const chave = widget ? tokens.register(nome, widget, hosts, desenho) : ''
      return ({ sessao, host, recusa }) => {
        const quem = `${nome} ${sessao}`
        return {
          chave,
          imagem: (desenho) => emMensagem(textos.imagem(quem, desenho)),
          palavra: () => emMensagem(textos.palavra(quem)),
          // A refused answer is used up all the same.
          checkTexto: (texto, exato = false) => textos.check(quem, texto, exato) && !recusa(),
          checkToken: (token, outras = []) => tokens.check(token, [chave, ...outras], host) && !recusa(),
          desafio: async () => emJson(await desafios.create()),
          checkDesafio: async (payload) => (await desafios.check(payload)) && !recusa(),
        }
      }
    },
  }
}

const emMensagem = ({ media, octetos }: Imagem): Mensagem => ({
  status: 200,
  cabecalhos: { 'content-type': media, 'cache-control': 'no-store' },
  corpo: octetos,
})

const emJson = (valor: unknown): Mensagem => ({
  status: 200,
  cabecalhos: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  corpo: Buffer.from(JSON.stringify(valor)),
})
