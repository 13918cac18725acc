import type { Selo } from './selo.ts'

/** SIGEF's own cookies, and those of gov.br that renew them. */
const COOKIES = {
  sessao: 'sessionid',
  csrf: 'csrftoken',
  f5: 'TS0128ff67',
  sessaoGovBr: 'Session_Gov_Br_Prod',
  govBr: 'Govbrid',
} as const

/** About four hours (a public client's notes, 2026-01-18). */
const SESSAO_MS = 4 * 3_600_000

const SEMPRE = new Date('2099-12-31T00:00:00Z')
const OUTRORA = new Date('2020-01-01T00:00:00Z')

/** Cookies by name. */
export type Cookies = ReadonlyMap<string, string>

/** What a visitor's cookies are worth. */
export type Visitante = {
  /** The firewall refuses a cookie of its own that it did not give. None at all is taken. */
  barrado: boolean
  comSessao: boolean
}

/** Who asks SIGEF. */
export function lerVisitante(selo: Selo, cookies: Cookies, agora: Date): Visitante {
  const f5 = cookies.get(COOKIES.f5)
  return {
    barrado: f5 !== undefined && selo.conferir('f5', f5, agora) !== 'vale',
    comSessao: selo.conferir('sigef', cookies.get(COOKIES.sessao), agora) === 'vale',
  }
}

/** Whether gov.br still knows its visitor: by both of its cookies. */
export function temLogin(selo: Selo, cookies: Cookies, agora: Date): boolean {
  const vale = (uso: string, nome: string) => selo.conferir(uso, cookies.get(nome), agora) === 'vale'
  return vale('govbr', COOKIES.sessaoGovBr) && vale('govbrid', COOKIES.govBr)
}

/** The `set-cookie` lines of a login that came to its end. */
export function novaSessao(selo: Selo, agora: Date): string[] {
  const sessao = selo.emitir('sigef', new Date(agora.getTime() + SESSAO_MS))
  return [
    `${COOKIES.sessao}=${sessao}; HttpOnly; Max-Age=${SESSAO_MS / 1000}; Path=/; SameSite=Lax; Secure`,
    `${COOKIES.f5}=${selo.emitir('f5', SEMPRE)}; Path=/`,
  ]
}

/** `Cookie` headers for a service to try: the first is good, the others each fail in their way. */
type AcessoAoSigef = {
  cookies: string
  outros: {
    /** The session is over; gov.br's cookies give a new one. */
    renovavel: string
    /** The session is over, and so are gov.br's cookies. */
    encerrado: string
    /** The firewall answers "Request Rejected". */
    recusado: string
  }
}

/** The cookies of a seed: the same after a restart. */
export function acessoAoSigef(selo: Selo): AcessoAoSigef {
  const escrever = (sessao: Date, govBr: Date, f5 = selo.emitir('f5', SEMPRE, '0000')): string =>
    [
      `${COOKIES.sessao}=${selo.emitir('sigef', sessao, '0000')}`,
      `${COOKIES.csrf}=${selo.emitir('csrf', SEMPRE, '0000')}`,
      `${COOKIES.f5}=${f5}`,
      `${COOKIES.sessaoGovBr}=${selo.emitir('govbr', govBr, '0000')}`,
      `${COOKIES.govBr}=${selo.emitir('govbrid', govBr, '0000')}`,
    ].join('; ')
  return {
    cookies: escrever(SEMPRE, SEMPRE),
    outros: {
      renovavel: escrever(OUTRORA, SEMPRE),
      encerrado: escrever(OUTRORA, OUTRORA),
      recusado: escrever(SEMPRE, SEMPRE, '01a2b3c4d5'),
    },
  }
}
