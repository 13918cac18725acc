import type { LinhaDaSessao } from './io.ts'
import { COOKIE_DO_SIGEF, type CookieDaSessao, endOfLogin, HOST_DO_SIGEF, hasLogin } from './rules-sigef.ts'
import { type DadosDaSessao, SESSAO_MS } from './sigef-sessao.ts'

const instantOrNull = (at: number | null): Date | null => (at === null ? null : new Date(Number(at)))

/** What a row tells of a session without its secrets. */
export const toDados = (linha: Omit<LinhaDaSessao, 'selada' | 'versao'>): DadosDaSessao => ({
  importada_em: new Date(Number(linha.importada_em)),
  renovada_em: instantOrNull(linha.renovada_em),
  vence_em: new Date(Number(linha.vence_em)),
  login_ate: instantOrNull(linha.login_ate),
  renovavel: Number(linha.renovavel) === 1,
  estado: linha.estado,
  motivo: linha.motivo,
})

/** What cookies tell of the login that renews a session. */
export const fieldsOf = (
  cookies: readonly CookieDaSessao[],
): Pick<LinhaDaSessao, 'login_ate' | 'renovavel'> => ({
  login_ate: endOfLogin(cookies),
  renovavel: hasLogin(cookies) ? 1 : 0,
})

/** Four hours from now, or the end that the cookie itself tells. */
export function endOfSessao(cookies: readonly CookieDaSessao[], now: number): number {
  const cookie = cookies.find(({ nome, dominio }) => nome === COOKIE_DO_SIGEF && dominio === HOST_DO_SIGEF)
  // Without one the login makes it first.
  return cookie ? Math.min(now + SESSAO_MS, cookie.expira ?? Number.POSITIVE_INFINITY) : now
}
