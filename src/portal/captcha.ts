import { randomUUID } from 'node:crypto'
import type { Ambito } from '../documento/uf.ts'
import { type CodigoDoCaptcha, RotaNaoAtende, type Source } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'

export const captchaTipos = [
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

type CaptchaTipo = (typeof captchaTipos)[number]

export type CaptchaWidget = Exclude<CaptchaTipo, 'imagem' | 'palavras' | 'altcha'>

export const captchaVezes = ['sempre', 'as-vezes', 'desenhado'] as const

/** What is known of a page's captcha. */
export type Captcha =
  | 'nenhum'
  | { tipo: CaptchaTipo; quando: (typeof captchaVezes)[number]; widget?: WidgetSabido }

/** Facts about a widget that the page itself does not tell. */
type WidgetSabido = Partial<Pick<Widget, 'invisivel' | 'acao' | 'pontuacaoMinima'>>

type CamposDaResposta = string | readonly string[]

/** A captcha that is not answered: if one is asked for, that is the failure `captcha`. */
export type CaptchaSemResposta =
  | 'nenhum'
  | { tipo: CaptchaTipo; quando: 'as-vezes'; campo?: undefined }
  /** A field of this name is sent empty. */
  | { tipo: CaptchaTipo; quando: 'desenhado'; campo?: string }

/** A captcha whose answer has a field, so that every protocol answers it (`answerCaptcha`). */
export type CaptchaRespondido =
  | {
      tipo: 'imagem' | 'palavras'
      quando: 'sempre'
      campo: CamposDaResposta
      /** Where the image is: an element (CSS) or an address. */
      imagem: { seletor: string } | { url: string }
      /** How the page's own script writes the letters before it sends them. */
      letras?: 'minusculas' | 'maiusculas'
    }
  | { tipo: CaptchaWidget | 'altcha'; quando: 'sempre'; campo: CamposDaResposta; widget?: WidgetSabido }
  /** Answered where the widget stands in this part of the page (CSS). */
  | { tipo: CaptchaWidget; quando: 'as-vezes'; campo: CamposDaResposta; onde: string }

/** The captcha of a page in a state's file. */
export type CaptchaDaPagina = CaptchaSemResposta | CaptchaRespondido

/** The widget of a page. A token is made for one widget: pages refuse a token of another kind. */
export type Widget = {
  siteKey: string
  /** The address of the page without its query, and its host. */
  pagina: string
  host: string
  invisivel: boolean
  enterprise: boolean
  acao: string
  /** The least score that passes, from 0 to 1; undefined if unknown or if the widget gives no score. */
  pontuacaoMinima: number | undefined
}

/** A captcha to be solved. */
export type Desafio = { uf: Ambito; source: Source } & (
  | { tipo: 'imagem' | 'palavras'; imagem: Buffer; media: string }
  | ({ tipo: CaptchaWidget } & Widget)
)

/** In milliseconds. Pages refuse a token after two minutes; one refused it at 116 s. */
export const TOKEN_MS = 115_000

/** The code of a token that was too old to be sent, in the log and in `fiscal fontes`. */
export const VENCIDO = 'captcha-vencido'

/** Nothing here bypasses a captcha: the operator switches a webhook on for each state. */
export type CaptchaSolver = {
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

/** The captcha tokens of one visit, each with the instant from which its age counts. */
export type Tokens = {
  hold: (token: string, since: Date) => void
  /** Throws RotaNaoAtende if one of these texts has a token that is too old. The authority did not fail. */
  refuseStale: (texts: readonly string[]) => void
}

export function openTokens(nome: string, now: () => Date): Tokens {
  const tokens = new Map<string, Date>()
  return {
    hold: (token, since) => tokens.set(token, since),
    refuseStale: (texts) => {
      const oldest = now().getTime() - TOKEN_MS
      const stale = [...tokens].some(
        ([token, since]) => since.getTime() < oldest && texts.some((text) => text.includes(token)),
      )
      if (!stale) return
      const message = `${nome} pediu um captcha, e a resposta dele envelheceu antes de ser enviada.`
      throw new RotaNaoAtende(message, { codigo: VENCIDO })
    },
  }
}

/** The operator's own service that solves captchas, and the states (or BR) for which it is switched on. */
export type Webhook = { url: string; token: string; ufs: ReadonlySet<Ambito> }

/** A person may need a while, but a token must be sent before it is too old (`TOKEN_MS`). */
const LONGEST_MS = TOKEN_MS - 5_000

export const UNANSWERED = 'captcha-sem-resposta'

/** POSTs JSON, answered by 200 `{"resposta": "..."}` (docs/operations). It never sees the document. */
export function openWebhook(http: Http, { url, token, ufs }: Webhook): CaptchaSolver {
  return {
    takes: (uf, tipo) => tipo !== 'altcha' && ufs.has(uf),
    solve: async (desafio, deadlineMs) => {
      const prazo_ms = Math.round(Math.max(1, Math.min(deadlineMs, LONGEST_MS)))
      if (!ufs.has(desafio.uf))
        throw unsolved(desafio, 'captcha', 'e este serviço está sem quem o resolva ali (CAPTCHA_UFS)')
      const reply = await http
        .send({
          source: { id: 'captcha', nome: 'O serviço de captcha do operador' },
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
          body: JSON.stringify({ id: randomUUID(), ...describe(desafio), prazo_ms }),
          deadlineMs: prazo_ms,
          repeatable: false,
        })
        .catch((cause) => {
          throw unsolved(desafio, UNANSWERED, 'e o serviço de captcha do operador não respondeu', cause)
        })
      const resposta = reply.status === 200 ? readResposta(reply.body) : undefined
      if (!resposta) {
        const instead = reply.status === 200 ? 'sem "resposta"' : `HTTP ${reply.status}`
        throw unsolved(desafio, UNANSWERED, `e o serviço de captcha do operador não o resolveu (${instead})`)
      }
      return resposta
    },
  }
}

function describe(desafio: Desafio): object {
  const { uf, source, tipo } = desafio
  const common = { uf, fonte: source.id, tipo }
  if ('imagem' in desafio)
    return { ...common, imagem_base64: desafio.imagem.toString('base64'), media_type: desafio.media }
  const { siteKey, pagina, host, invisivel, enterprise, acao, pontuacaoMinima } = desafio
  return {
    ...common,
    site_key: siteKey,
    pagina,
    host,
    invisivel,
    enterprise,
    acao,
    pontuacao_minima: pontuacaoMinima ?? null,
    validade_ms: TOKEN_MS,
  }
}

function readResposta(body: Buffer): string | undefined {
  try {
    const { resposta } = JSON.parse(body.toString())
    return typeof resposta === 'string' && resposta.length > 0 ? resposta : undefined
  } catch {
    return undefined
  }
}

/** It says nothing against the authority, whose circuit stays closed. */
function unsolved(
  { source, tipo }: Desafio,
  codigo: CodigoDoCaptcha,
  why: string,
  cause?: unknown,
): RotaNaoAtende {
  return new RotaNaoAtende(`${source.nome} pediu um captcha (${tipo}), ${why}.`, { cause, codigo })
}
