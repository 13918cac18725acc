import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import { TOKEN_MS, VENCIDO } from './captcha-captcha.ts'

/** The captcha tokens of one visit, each with the instant from which its age counts. */
export type Tokens = {
  hold: (token: string, since: Date) => void
  /** Throws RotaNaoAtende if one of these texts has a token that is too old. The authority did not fail. */
  refuseStale: (texts: readonly string[]) => void
}

/** Opens the tokens of a visit. `nome` is the authority's, for the message. */
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
