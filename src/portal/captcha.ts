import { randomUUID } from 'node:crypto'
import type { Ambito } from '../documento/uf.ts'
import type { CodigoDoCaptcha } from '../platform/wire/fonte.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import { type CaptchaSolver, type Desafio, TOKEN_MS } from './captcha-captcha.ts'

/** The operator's own service that solves captchas, and the states (or BR) for which it is switched on. */
export type Webhook = {
  url: string
  /** Sent as `Authorization: Bearer`, unless it is empty. */
  token: string
  ufs: ReadonlySet<Ambito>
}

/** A person may need a while, but a token must be sent before it is too old (`TOKEN_MS`). */
const LONGEST_MS = TOKEN_MS - 5_000

/** The code of a failure of the webhook, in the log and in `fiscal fontes`. */
export const UNANSWERED = 'captcha-sem-resposta'

/**
 * Sends captchas to the operator's webhook: a POST of JSON with the image or the site key, answered by 200
 * `{"resposta": "..."}` (docs/operations.md, "Captchas"). The webhook never sees the document that is asked
 * about.
 */
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
          headers: {
            'content-type': 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
          },
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
    return {
      ...common,
      imagem_base64: desafio.imagem.toString('base64'),
      media_type: desafio.media,
    }
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

/**
 * Makes a failure that says nothing against the authority: its circuit stays closed. The code tells the
 * operator.
 */
function unsolved(
  { source, tipo }: Desafio,
  codigo: CodigoDoCaptcha,
  why: string,
  cause?: unknown,
): RotaNaoAtende {
  return new RotaNaoAtende(`${source.nome} pediu um captcha (${tipo}), ${why}.`, { cause, codigo })
}
