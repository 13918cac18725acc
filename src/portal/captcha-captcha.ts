import type { Ambito } from '../documento/uf.ts'
import type { Source } from '../platform/wire/fonte.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'

/** The kinds of captcha on the pages. */
export const captchaTipos = [
  /** Letters in an image. */
  'imagem',
  /** One word, from a picture of a finite set (RR). */
  'palavras',
  'recaptcha-v2',
  'recaptcha-enterprise',
  'turnstile',
  'hcaptcha',
  /** A proof of work, which the client itself is meant to solve. */
  'altcha',
] as const

export type CaptchaTipo = (typeof captchaTipos)[number]

/** The kinds that are another company's widget on the page. A token is given for its site key. */
export type CaptchaWidget = Exclude<CaptchaTipo, 'imagem' | 'palavras' | 'altcha'>

/** When a captcha comes: at each query, now and then, or drawn and never checked. */
export const captchaVezes = ['sempre', 'as-vezes', 'desenhado'] as const

/** The captcha of a page, and when it comes. */
export type Captcha =
  | 'nenhum'
  | {
      tipo: CaptchaTipo
      quando: (typeof captchaVezes)[number]
      /** Facts about the widget that the page itself does not tell. */
      widget?: Partial<Pick<Widget, 'invisivel' | 'acao' | 'pontuacaoMinima'>>
    }

/** The widget of a page. A token is made for one widget: pages refuse a token of another kind. */
export type Widget = {
  siteKey: string
  /** The address of the page without its query, and its host. */
  pagina: string
  host: string
  /** The user clicks nothing: a script asks for the token. */
  invisivel: boolean
  /** The Enterprise API of reCAPTCHA draws it. */
  enterprise: boolean
  /** The action that the page names, or empty. */
  acao: string
  /** The least score that passes, from 0 to 1; undefined if unknown or if the widget gives no score. */
  pontuacaoMinima: number | undefined
}

/** A captcha to be solved. */
export type Desafio = { uf: Ambito; source: Source } & (
  | { tipo: 'imagem' | 'palavras'; imagem: Buffer; media: string }
  | ({ tipo: CaptchaWidget } & Widget)
)

/**
 * How old a token may be when it is sent, in milliseconds. Pages refuse it after two minutes; one page
 * refused it at 116 s.
 */
export const TOKEN_MS = 115_000

/** The code of a token that was too old to be sent, in the log and in `fiscal fontes`. */
export const VENCIDO = 'captcha-vencido'

/**
 * Solves captchas for this service; nothing here bypasses one. The operator switches a webhook on for each
 * state, and for the national portal by itself.
 */
export type CaptchaSolver = {
  /** Whether it solves this kind for this state. */
  takes: (uf: Ambito, tipo: CaptchaTipo) => boolean
  /** Gives the text of the image, or the token. Throws RotaNaoAtende if it is not solved in time. */
  solve: (desafio: Desafio, deadlineMs: number) => Promise<string>
}

/** Solves nothing, and says so at once. */
export const noSolver: CaptchaSolver = {
  takes: () => false,
  solve: async ({ source, tipo }) => {
    throw new RotaNaoAtende(
      `${source.nome} pediu um captcha (${tipo}), e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL).`,
      { codigo: 'captcha' },
    )
  },
}
