import type { Uf } from '../documento/uf.ts'
import { fold } from '../platform/texto.ts'

/** A number of JSON tells no more digits exactly. */
const MOST_DIGITS = 15

/** Ten decimals are more than any page shows. */
const DECIMALS = 10

/** `1.234,5678 ha` is `1234.5678`. Undefined for zero, and for more digits than a number holds exactly. */
export function parseArea(text: string): string | undefined {
  const match = /^(\d{1,3}(?:\.\d{3})+|\d{1,15})(?:,(\d{1,10}))? ?ha$/i.exec(text.trim())
  if (!match) return undefined
  const whole = (match[1] ?? '').replaceAll('.', '').replace(/^0+(?=\d)/, '')
  const part = (match[2] ?? '').replace(/0+$/, '')
  if (`${whole}${part}`.length > MOST_DIGITS || /^0*$/.test(`${whole}${part}`)) return undefined
  return part === '' ? whole : `${whole}.${part}`
}

export function sumAreas(areas: readonly string[]): string {
  const sum = areas.reduce((total, area) => total + scaled(area), 0n)
  const digits = sum.toString().padStart(DECIMALS + 1, '0')
  const part = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -DECIMALS)}${part === '' ? '' : `.${part}`}`
}

function scaled(area: string): bigint {
  const [whole = '0', part = ''] = area.split('.')
  return BigInt(whole + part.padEnd(DECIMALS, '0'))
}

export type CookieDaSessao = {
  nome: string
  valor: string
  dominio: string
  caminho: string
  /** Whether it goes to the host itself alone, or to the hosts below it too. */
  soHost: boolean
  seguro: boolean
  /** Milliseconds since 1970; null for one that ends with the browser, whose end nobody knows. */
  expira: number | null
}

export const HOST_DO_SIGEF = 'sigef.incra.gov.br'
export const LOGIN_GOV_BR = 'acesso.gov.br'

/** The cookie of a session in SIGEF, and those of the login that renew it (public client, 2026-01). */
export const COOKIE_DO_SIGEF = 'sessionid'
export const COOKIES_DO_LOGIN = ['Session_Gov_Br_Prod', 'Govbrid'] as const

/** A whole browser's cookies are some 1 MiB; a login has a dozen. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const MOST_COOKIES = 60
const MOST_VALUE = 4096

/** Why a text holds no session. The message is Portuguese, and quotes nothing of the text. */
export class CookiesError extends Error {
  override readonly name = 'CookiesError'
}

export const isDoLogin = ({ dominio }: Pick<CookieDaSessao, 'dominio'>): boolean =>
  dominio === LOGIN_GOV_BR || dominio.endsWith(`.${LOGIN_GOV_BR}`)

const isDoSigef = ({ dominio }: CookieDaSessao): boolean => dominio === HOST_DO_SIGEF

/** Reads a `cookies.txt` (Netscape) or pasted `Cookie` headers. Throws CookiesError. */
export function readCookies(text: string, now: Date): CookieDaSessao[] {
  if (text.length > MOST_CHARACTERS) throw new CookiesError('O texto é grande demais para ser de cookies.')
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const isFile = lines.some((line) => line.split('\t').length === 7)
  const read = isFile ? lines.flatMap(ofLine) : lines.flatMap(ofHeader)
  const kept = read.filter((one) => (isDoLogin(one) || isDoSigef(one)) && isGood(one))
  const living = kept.filter(({ expira }) => expira === null || expira > now.getTime())
  // The last one of a name wins, as in a browser.
  const unique = new Map(living.map((one) => [`${one.dominio} ${one.caminho} ${one.nome}`, one]))
  if (unique.size > MOST_COOKIES) throw new CookiesError('Há cookies demais para uma sessão.')
  if (kept.length > 0 && living.length === 0)
    throw new CookiesError('Todos os cookies do SIGEF e do gov.br deste texto já venceram: entre de novo.')
  const all = [...unique.values()]
  if (!isSessao(all))
    throw new CookiesError(
      `Não há aqui uma sessão: falta o cookie ${COOKIE_DO_SIGEF} de ${HOST_DO_SIGEF}, ou os do login gov.br (${COOKIES_DO_LOGIN.join(', ')}).`,
    )
  return all
}

const isSessao = (cookies: readonly CookieDaSessao[]): boolean =>
  cookies.some((one) => isDoSigef(one) && one.nome === COOKIE_DO_SIGEF) || hasLogin(cookies)

export const hasLogin = (cookies: readonly CookieDaSessao[]): boolean =>
  cookies.some((one) => isDoLogin(one) && isCookieDoLogin(one.nome))

const isCookieDoLogin = (nome: string): boolean => COOKIES_DO_LOGIN.some((one) => one === nome)

/** When the login ends: the earliest end of its cookies. Null where none of them says it. */
export function endOfLogin(cookies: readonly CookieDaSessao[]): number | null {
  const ends = cookies.filter((one) => isDoLogin(one) && isCookieDoLogin(one.nome)).map((one) => one.expira)
  const known = ends.filter((end) => end !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** As many as a login may have: its own and SIGEF's session first, none that an import would refuse. */
export function keptOf(cookies: readonly CookieDaSessao[]): CookieDaSessao[] {
  const isNeeded = ({ nome }: CookieDaSessao): boolean => nome === COOKIE_DO_SIGEF || isCookieDoLogin(nome)
  const good = cookies.filter(isGood)
  return [...good.filter(isNeeded), ...good.filter((one) => !isNeeded(one))].slice(0, MOST_COOKIES)
}

/** Nothing that would break out of a header. */
const isGood = ({ nome, valor }: CookieDaSessao): boolean =>
  valor.length <= MOST_VALUE &&
  /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(nome) &&
  /^[\x21-\x3a\x3c-\x7e]*$/.test(valor)

/** Netscape: domain, whether below it too, path, secure, end (seconds, 0 without), name, value. */
function ofLine(line: string): CookieDaSessao[] {
  const [domain = '', below, caminho = '', secure, end = '', nome = '', valor = '', ...more] = line
    .replace(/^#HttpOnly_/, '')
    .split('\t')
  if (
    domain.startsWith('#') ||
    more.length > 0 ||
    !caminho.startsWith('/') ||
    !/^\d{1,12}(?:\.\d+)?$/.test(end)
  )
    return []
  const seconds = Math.floor(Number(end))
  const dominio = domain.replace(/^\./, '').toLowerCase()
  const [soHost, seguro] = [below?.toUpperCase() !== 'TRUE', secure?.toUpperCase() === 'TRUE']
  return [
    {
      nome,
      valor: valor.trim(),
      dominio,
      caminho,
      soHost,
      seguro,
      expira: seconds > 0 ? seconds * 1000 : null,
    },
  ]
}

/** A header names no host. The login's cookies are known by name, and the others are SIGEF's. */
function ofHeader(line: string): CookieDaSessao[] {
  const pairs = line.replace(/^\s*cookie:\s*/i, '').split(';')
  return pairs.flatMap((pair) => {
    const at = pair.indexOf('=')
    const nome = pair.slice(0, at).trim()
    if (at < 1) return []
    const dominio = isCookieDoLogin(nome) ? `sso.${LOGIN_GOV_BR}` : HOST_DO_SIGEF
    const valor = pair.slice(at + 1).trim()
    return [{ nome, valor, dominio, caminho: '/', soHost: true, seguro: true, expira: null }]
  })
}

export type ParcelaDoSigef = {
  codigo_parcela: string
  denominacao: string
  area_ha: string
  municipio: string
  uf: Uf
  /** Several holders are joined by "; ". */
  detentor: string
  matricula: string
  status: string
  natureza: string
}

export type ParcelaLida = { parcela: ParcelaDoSigef; documentos: string[] }

/** Where no document is shown, nothing contradicts it. */
export const isDetentor = (documentos: readonly string[], documento: string): boolean =>
  documentos.length === 0 || documentos.some((mascarado) => fits(mascarado, documento))

/** `***.123.456**` and `**.*12.345/0001**`: a star hides one character. */
function fits(mascarado: string, documento: string): boolean {
  const shown = mascarado.replace(/[./\s-]/g, '').toUpperCase()
  return (
    shown.length === documento.length &&
    [...shown].every((character, at) => character === '*' || character === documento[at])
  )
}

export type DadosDaSessao = {
  importada_em: Date
  renovada_em: Date | null
  /** When SIGEF forgets it, as far as we know. */
  vence_em: Date
  /** When the gov.br login ends by which it is renewed; null where nobody knows. */
  login_ate: Date | null
  renovavel: boolean
  /** `suspeita`: SIGEF must take it once more before it is used. `encerrada`: only a new login helps. */
  estado: 'boa' | 'suspeita' | 'encerrada'
  motivo: string
}

/** How long SIGEF keeps a session (public client, 2026-01: "about 4 h"), and when ours is renewed. */
export const SESSAO_MS = 4 * 60 * 60_000
const RENOVA_MS = 60 * 60_000
/** From when on the end of the login is announced. */
const AVISA_MS = 2 * 24 * 60 * 60_000

/** A session as it stands: `ausente` was never imported, `vencida` ended and cannot be renewed. */
export type SituacaoDaSessao = 'ausente' | 'valida' | 'suspeita' | 'vencida' | 'encerrada'

const COMO = 'Operador: entre no SIGEF e importe os cookies com "fiscal sigef sessao importar".'

export function situacaoDaSessao(
  dados: DadosDaSessao | undefined,
  now: Date,
): { situacao: SituacaoDaSessao; aviso: string } {
  if (!dados) return { situacao: 'ausente', aviso: `Não há sessão no SIGEF. ${COMO}` }
  const { estado, motivo, renovavel, vence_em, login_ate } = dados
  if (estado === 'encerrada')
    return { situacao: 'encerrada', aviso: `A sessão no SIGEF acabou: ${motivo} ${COMO}` }
  const isLoginOver = login_ate !== null && login_ate <= now
  if (vence_em <= now && (!renovavel || isLoginOver))
    return { situacao: 'vencida', aviso: `A sessão no SIGEF venceu e não pode ser renovada. ${COMO}` }
  const situacao = estado === 'suspeita' || vence_em <= now ? 'suspeita' : 'valida'
  return { situacao, aviso: avisoOf(dados, now) || (estado === 'suspeita' ? motivo : '') }
}

function avisoOf({ renovavel, vence_em, login_ate }: DadosDaSessao, now: Date): string {
  if (!renovavel)
    return `A sessão no SIGEF acaba em ${tellTimeLeft(vence_em, now)}: sem os cookies do login gov.br ela não se renova. ${COMO}`
  if (login_ate === null || login_ate.getTime() - now.getTime() > AVISA_MS) return ''
  return login_ate <= now
    ? `O login gov.br acabou, e a sessão no SIGEF acaba em ${tellTimeLeft(vence_em, now)}. ${COMO}`
    : `O login gov.br que renova a sessão no SIGEF acaba em ${tellTimeLeft(login_ate, now)}. ${COMO}`
}

export function needsRenewal(dados: DadosDaSessao, now: Date): boolean {
  const { situacao } = situacaoDaSessao(dados, now)
  if (situacao !== 'valida') return situacao === 'suspeita'
  const { renovavel, login_ate } = dados
  if (!renovavel || (login_ate !== null && login_ate <= now)) return false
  return dados.vence_em.getTime() - now.getTime() < RENOVA_MS
}

function tellTimeLeft(ate: Date, now: Date): string {
  const minutes = Math.max(0, Math.ceil((ate.getTime() - now.getTime()) / 60_000))
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minuto']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hora']
        : [Math.floor(minutes / 1440), 'dia']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

type ComSituacao = { situacao: string }

/** The situations that are counted as active: the word itself, and none that contains it. */
const ativas: ReadonlySet<string> = new Set(['ATIVA', 'ATIVO'])

export const isAtivo = ({ situacao }: ComSituacao): boolean => ativas.has(fold(situacao))

const inativas: ReadonlySet<string> = new Set(
  ['BAIXAD', 'CANCELAD', 'SUSPENS', 'INATIV'].flatMap((word) => [`${word}A`, `${word}O`]).concat('PENDENTE'),
)

export const isInativo = ({ situacao }: ComSituacao): boolean => inativas.has(fold(situacao))
