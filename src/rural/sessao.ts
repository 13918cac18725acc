import type { CookieJar } from 'tough-cookie'
import { SourceError } from '../platform/wire/fonte.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'
import {
  type CookieDaSessao,
  type DadosDaSessao,
  HOST_DO_SIGEF,
  hasLogin,
  isDoLogin,
  keptOf,
  LOGIN_GOV_BR,
  needsRenewal,
  readCookies,
  type SituacaoDaSessao,
  situacaoDaSessao,
} from './rules.ts'
import type { RuralRoom } from './rural.ts'
import {
  askPagina,
  failureOf,
  fonteSigef,
  type MeiosDoSigef,
  PAGINA_MS,
  PAUSA_MS,
  unknownPage,
} from './source-sigef.ts'
import type { SessaoGuardada, Sessoes } from './store.ts'

/** A jar with the cookies of a session, for one conversation. It knows no ends: they go by our clock. */
export async function openJar(cookies: readonly CookieDaSessao[]): Promise<CookieJar> {
  // The jar brings a list of all domains, 4 MB, so the first session loads it.
  const { Cookie, CookieJar } = await import('tough-cookie')
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false })
  for (const { nome, valor, dominio, caminho, soHost, seguro } of cookies) {
    const cookie = new Cookie({
      key: nome,
      value: valor,
      path: caminho,
      secure: seguro,
      expires: 'Infinity',
      ...(!soHost && { domain: dominio }),
    })
    jar.setCookieSync(cookie, `https://${dominio}${caminho}`, { ignoreError: true })
  }
  return jar
}

function cookiesIn(jar: CookieJar, put: readonly CookieDaSessao[]): CookieDaSessao[] {
  const { cookies = [] } = jar.serializeSync() ?? {}
  return cookies
    .map(({ key, value, domain, path, secure, hostOnly, expires }): CookieDaSessao => {
      const end = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
      const isSame = (one: CookieDaSessao): boolean =>
        one.nome === key && one.dominio === domain && one.valor === value
      return {
        nome: String(key),
        valor: String(value),
        dominio: String(domain),
        caminho: String(path ?? '/'),
        soHost: hostOnly === true,
        seguro: secure === true,
        expira: Number.isNaN(end) ? (put.find(isSame)?.expira ?? null) : end,
      }
    })
    .filter((one) => one.dominio === HOST_DO_SIGEF || isDoLogin(one))
}

/** The way through the login has three or four redirects. */
const MAIS_DESVIOS = 10

const isKnown = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' &&
  (hostname === HOST_DO_SIGEF || hostname === LOGIN_GOV_BR || hostname.endsWith(`.${LOGIN_GOV_BR}`))

/** Renews by the gov.br login, and proves that SIGEF takes it. Throws SourceError `sessao-expirada`. */
export async function renewSessao(
  meios: MeiosDoSigef,
  cookies: readonly CookieDaSessao[],
): Promise<CookieDaSessao[]> {
  const entered = hasLogin(cookies) && (await enter(meios).then(() => true, unlessOver))
  await askPagina(`${fonteSigef.url}/consultar/parcelas/`, meios, (pagina) => {
    if (pagina.html()('#pesquisaForm, #id_cpf_cnpj').length === 0)
      throw unknownPage(pagina, 'falta o formulário da busca')
  })
  return keptOf(cookiesIn(meios.jar, cookies).filter((one) => entered || !isDoLogin(one)))
}

/** SIGEF may take the session for a while after the login that renewed it is over. */
function unlessOver(error: unknown): false {
  if (error instanceof SourceError && error.codigo === 'sessao-expirada') return false
  throw error
}

async function enter({ http, guard, jar, request_id, signal, emVaga }: MeiosDoSigef): Promise<void> {
  const { source, url } = fonteSigef
  await emVaga(() =>
    guard({ source, deadlineMs: PAGINA_MS, request_id, paceMs: PAUSA_MS }, async (deadlineMs) => {
      const ask = {
        source,
        method: 'GET',
        url: `${url}/oauth2/authorization/govbr`,
        deadlineMs,
        signal,
      } as const
      const reply = await http.send({
        ...ask,
        jar,
        repeatable: true,
        redirects: MAIS_DESVIOS,
        within: isKnown,
      })
      const { hostname } = new URL(reply.url)
      if (hostname !== HOST_DO_SIGEF && reply.status < 400)
        throw failureOf('http', 'pede que se entre de novo: o login gov.br deste serviço acabou', {
          codigo: 'sessao-expirada',
          status: reply.status,
        })
      if (reply.status >= 400)
        throw failureOf('http', `não renovou a sessão (HTTP ${reply.status})`, {
          status: reply.status,
          retryS: 60,
        })
    }),
  )
}

export type Andante = {
  request_id: string
  signal?: AbortSignal | undefined
  emVaga: <T>(ask: () => Promise<T>) => Promise<T>
}

type SessaoEmUso = {
  jar: CookieJar
  /** Says that SIGEF turned it away: it is renewed before it is used again. */
  doubt: (why: string) => Promise<void>
}

/** The longest renewal, and the longest wait for another node's. */
const RENOVACAO_MS = 120_000

const semSessao = (): SourceStatusError =>
  new SourceStatusError(
    'SIGEF_NO_SESSION',
    'Este serviço está sem sessão no SIGEF, que só responde a quem entrou pelo gov.br. O operador precisa importá-la.',
  )

const isOver = (situacao: SituacaoDaSessao): boolean =>
  situacao === 'ausente' || situacao === 'vencida' || situacao === 'encerrada'

export async function requireSessao({ sessoes, sigef, now }: RuralRoom): Promise<void> {
  const dados = await sessoes.look()
  if (!isUsable(dados, sigef !== undefined, now())) throw semSessao()
}

const isUsable = (dados: DadosDaSessao | undefined, hasSimulated: boolean, now: Date): boolean =>
  (!dados && hasSimulated) || !isOver(situacaoDaSessao(dados, now).situacao)

type Servico = {
  config: Pick<RuralRoom['config'], 'SIGEF'>
  sessoes: Pick<Sessoes, 'look'>
  hasSimulated: boolean
  now: Date
}

export async function faltaDoSigef({
  config,
  sessoes,
  hasSimulated,
  now,
}: Servico): Promise<'desligada' | 'sem-sessao' | undefined> {
  if (config.SIGEF === 'desligado') return 'desligada'
  return isUsable(await sessoes.look(), hasSimulated, now) ? undefined : 'sem-sessao'
}

/** Throws SIGEF_NO_SESSION without a session, SourceError where it cannot be renewed now. */
export async function openSessao(room: RuralRoom, andante: Andante): Promise<SessaoEmUso> {
  const { sessoes, sigef, now } = room
  const found = await sessoes.find()
  if (!found && sigef) {
    const jar = await openJar(readCookies(sigef.cookies, now()))
    return { jar, doubt: async () => {} }
  }
  if (!found || isOver(situacaoDaSessao(found.dados, now()).situacao)) throw semSessao()
  const isDue = situacaoDaSessao(found.dados, now()).situacao === 'suspeita'
  const sessao = isDue ? await renewInTurn(room, andante) : found
  if (!sessao) throw semSessao()
  return {
    jar: await openJar(sessao.cookies),
    doubt: async (why) => {
      const isMine = await sessoes.mark(sessao, 'suspeita', why)
      if (isMine) room.log.warn({ why }, 'the session with SIGEF is in doubt')
    },
  }
}

/** One node at a time. Throws SIGEF_NO_SESSION where the login is over, SourceError for other failures. */
export async function renewInTurn(room: RuralRoom, andante: Andante): Promise<SessaoGuardada | undefined> {
  const { sessoes, turnos } = room
  const limits = { patienceMs: RENOVACAO_MS, pauseMs: 0, leaseMs: RENOVACAO_MS }
  const turno = await turnos.take('BR/sigef/sessao', limits)
  if (!turno)
    throw new SourceStatusError(
      'SIGEF_NETWORK_ERROR',
      'A sessão no SIGEF está sendo renovada há tempo demais.',
    )
  try {
    const sessao = await sessoes.find()
    if (!sessao || !needsRenewal(sessao.dados, room.now())) return sessao
    await renew(room, andante, sessao)
    return await sessoes.find()
  } finally {
    await turno.end(0)
  }
}

async function renew(
  { sessoes, http, guard, log }: RuralRoom,
  andante: Andante,
  sessao: SessaoGuardada,
): Promise<void> {
  const jar = await openJar(sessao.cookies)
  try {
    const cookies = await renewSessao({ http, guard, jar, ...andante }, sessao.cookies)
    await sessoes.keepRenewed(sessao, cookies)
    log.info({}, 'SIGEF takes the session')
  } catch (error) {
    if (!(error instanceof SourceError && error.codigo === 'sessao-expirada')) throw error
    await sessoes.mark(sessao, 'encerrada', error.message)
    log.warn({ why: error.message }, 'the session with SIGEF is over: the operator has to import another')
    throw semSessao()
  }
}
