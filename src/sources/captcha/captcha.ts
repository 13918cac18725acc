import { RotaNaoAtende } from '../../domain/fonte/rota-nao-atende.ts'
import type { Source } from '../../domain/fonte/source.ts'
import type { Ambito } from '../../domain/uf.ts'

/** The kinds of captcha that the pages have. */
export type CaptchaTipo =
  /** Letters in an image. */
  | 'imagem'
  /** One word, from a picture of a finite set (RR). */
  | 'palavras'
  | 'recaptcha-v2'
  | 'recaptcha-enterprise'
  | 'turnstile'
  | 'hcaptcha'
  /** Proof of work, meant to be solved by the client itself. */
  | 'altcha'

/** The kinds that are a widget of somebody else's on the page: a token is given for its site key. */
export type CaptchaWidget = Exclude<CaptchaTipo, 'imagem' | 'palavras' | 'altcha'>

/** What a page asks for, and when: at each query, now and then, or drawn on the page without being checked. */
export type Captcha =
  | 'nenhum'
  | {
      tipo: CaptchaTipo
      quando: 'sempre' | 'as-vezes' | 'desenhado'
      /** Facts about its widget that the page itself does not tell. */
      widget?: Partial<Pick<Widget, 'invisivel' | 'acao' | 'pontuacaoMinima'>>
    }

/** The widget of a page. A token must be made for it: pages refuse the token of another kind of widget. */
export type Widget = {
  siteKey: string
  /** The address of the page that draws it, without its query, and the host of that page. */
  pagina: string
  host: string
  /** Nothing is clicked: a script asks for the token. */
  invisivel: boolean
  /** Drawn by the Enterprise API of reCAPTCHA. */
  enterprise: boolean
  /** The action that the page names; empty where it names none. */
  acao: string
  /** The least score that passes, from 0 to 1; undefined if unknown or if the widget gives no score. */
  pontuacaoMinima: number | undefined
}

/** One captcha to be solved. */
export type Desafio = { uf: Ambito; source: Source } & (
  | { tipo: 'imagem' | 'palavras'; imagem: Buffer; media: string }
  | ({ tipo: CaptchaWidget } & Widget)
)

/**
 * How old a token may be when it is sent, in milliseconds. Pages refuse it after two minutes; one page
 * refused it at 116 s.
 */
export const TOKEN_MS = 115_000

/** A token that was too old to be sent, as the log and `fiscal fontes` call it. */
export const VENCIDO = 'captcha-vencido'

/**
 * Who solves captchas for this service. Nothing here bypasses one: `none` refuses them all, a webhook is the operator's own,
 * switched on for each state, and for the national portal by itself.
 */
export type CaptchaSolver = {
  /** Whether it takes on this kind there. */
  takes: (uf: Ambito, tipo: CaptchaTipo) => boolean
  /** The text of the image, or the token. Throws RotaNaoAtende when it is not solved in time. */
  solve: (desafio: Desafio, deadlineMs: number) => Promise<string>
}

/** Nobody: whoever asks a page that wants a captcha hears so at once. */
export const noSolver: CaptchaSolver = {
  takes: () => false,
  solve: async ({ source, tipo }) => {
    throw new RotaNaoAtende(
      `${source.nome} pediu um captcha (${tipo}), e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL).`,
      { codigo: 'captcha' },
    )
  },
}
