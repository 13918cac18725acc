import { randomUUID } from 'node:crypto'
import type { Mensagem } from '../platform/mensagem.ts'
import { criarDesafios } from './desafios.ts'
import { criarResolvedor, type Resolvedor } from './resolvedor.ts'
import { criarTextos, type Desenho, type Imagem } from './textos.ts'
import { criarTokens, type DesenhoDoWidget, TIPOS_DE_TOKEN } from './tokens.ts'

/** The kinds of captcha that a portal may have. */
export type CaptchaPedido =
  | 'nenhum'
  | 'imagem'
  | 'palavras'
  | 'recaptcha-v2'
  | 'recaptcha-enterprise'
  | 'turnstile'
  | 'hcaptcha'
  | 'altcha'

/** The captcha of one portal, as one request of one session sees it. */
export type CaptchaDoPortal = {
  /** The site key of the page's reCAPTCHA, Turnstile or hCaptcha widget; empty for other kinds. */
  chave: string
  /** A new image of letters for this session; its text takes the place of the one before. */
  imagem: (desenho?: Desenho) => Mensagem
  /** A picture of a word, one of a finite set, for this session. */
  palavra: () => Mensagem
  /** Whether that is the text of the session's image: once, within 5 minutes, in any case unless `exato`. */
  conferirTexto: (texto: string, exato?: boolean) => boolean
  /**
   * Whether the token was given for this site key, or one of the others, and for such a widget on this host:
   * once, within 2 minutes.
   */
  conferirToken: (token: string, outras?: readonly string[]) => boolean
  /** A new ALTCHA challenge, as its JSON address answers it. */
  desafio: () => Promise<Mensagem>
  /** Whether the payload solves a challenge of ours: once, before it expires. */
  conferirDesafio: (payload: string) => Promise<boolean>
}

/** A portal, to the office of captchas. */
type Cliente = {
  nome: string
  tipo: CaptchaPedido
  hosts: readonly string[]
  desenho?: DesenhoDoWidget | undefined
}

/** Makes the captcha of each request: its session and host, and whether all answers are to be refused. */
export type AbrirCaptcha = (pedido: {
  sessao: string
  host: string
  recusa: () => boolean
}) => CaptchaDoPortal

/** All the captchas of one simulator, and their solver. */
export type Captchas = { doPortal: (cliente: Cliente) => AbrirCaptcha; resolvedor: Resolvedor }

/**
 * An office of captchas, with nothing drawn and no token given yet; the same `semente`, the same way to its
 * solver.
 */
export function criarCaptchas(agora: () => Date, semente: string = randomUUID()): Captchas {
  const [textos, tokens, desafios] = [criarTextos(agora), criarTokens(agora), criarDesafios(agora)]
  return {
    resolvedor: criarResolvedor(textos, tokens, semente),
    doPortal: ({ nome, tipo, hosts, desenho }) => {
      const widget = TIPOS_DE_TOKEN.find((um) => um === tipo)
      const chave = widget ? tokens.registrar(nome, widget, hosts, desenho) : ''
      return ({ sessao, host, recusa }) => {
        const quem = `${nome} ${sessao}`
        return {
          chave,
          imagem: (desenho) => emMensagem(textos.imagem(quem, desenho)),
          palavra: () => emMensagem(textos.palavra(quem)),
          // A refused answer is used up all the same.
          conferirTexto: (texto, exato = false) => textos.conferir(quem, texto, exato) && !recusa(),
          conferirToken: (token, outras = []) =>
            tokens.conferir(token, [chave, ...outras], host) && !recusa(),
          desafio: async () => emJson(await desafios.criar()),
          conferirDesafio: async (payload) => (await desafios.conferir(payload)) && !recusa(),
        }
      }
    },
  }
}

function emMensagem({ media, octetos }: Imagem): Mensagem {
  return {
    status: 200,
    cabecalhos: { 'content-type': media, 'cache-control': 'no-store' },
    corpo: octetos,
  }
}

function emJson(valor: unknown): Mensagem {
  return {
    status: 200,
    cabecalhos: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    corpo: Buffer.from(JSON.stringify(valor)),
  }
}
