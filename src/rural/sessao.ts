import type { CookieJar } from 'tough-cookie'
import { SourceError } from '../platform/wire/fonte.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'
import {
  type DadosDaSessao,
  needsRenewal,
  readCookies,
  type SituacaoDaSessao,
  situacaoDaSessao,
} from './rules-sigef.ts'
import type { RuralRoom } from './rural.ts'
import { openJar, renewSessao } from './source-sessao.ts'
import type { SessaoGuardada, Sessoes } from './store.ts'

/** The run that questions belong to. */
export type Andante = {
  request_id: string
  signal?: AbortSignal | undefined
  /** Runs one question at a time of the few that this node may have under way. */
  emVaga: <T>(ask: () => Promise<T>) => Promise<T>
}

/** A session in use. */
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

/** Throws SIGEF_NO_SESSION where there is no session that could be used, or renewed. */
export async function requireSessao({ sessoes, sigef, now }: RuralRoom): Promise<void> {
  const dados = await sessoes.look()
  if (!isUsable(dados, sigef !== undefined, now())) throw semSessao()
}

/** Whether a session can be used, or renewed; where none was imported, the simulator's own. */
const isUsable = (dados: DadosDaSessao | undefined, hasSimulated: boolean, now: Date): boolean =>
  (!dados && hasSimulated) || !isOver(situacaoDaSessao(dados, now).situacao)

type Servico = {
  config: Pick<RuralRoom['config'], 'SIGEF'>
  sessoes: Pick<Sessoes, 'look'>
  /** Whether the simulator plays a session. */
  hasSimulated: boolean
  now: Date
}

/** Why a service does not ask SIGEF, as `situacao` of its sources; undefined where it does. */
export async function faltaDoSigef({
  config,
  sessoes,
  hasSimulated,
  now,
}: Servico): Promise<'desligada' | 'sem-sessao' | undefined> {
  if (config.SIGEF === 'desligado') return 'desligada'
  return isUsable(await sessoes.look(), hasSimulated, now) ? undefined : 'sem-sessao'
}

/**
 * The session for a search: the operator's, renewed first where it is in doubt, else the simulator's. Throws
 * SIGEF_NO_SESSION without one, and SourceError where it cannot be renewed now.
 */
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

/**
 * Renews the session if it needs it, one node at a time; the session as it then is. Throws SIGEF_NO_SESSION
 * where its login is over, and SourceError for any other failure.
 */
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
    await sessoes.renovar(sessao, cookies)
    log.info({}, 'SIGEF takes the session')
  } catch (error) {
    if (!(error instanceof SourceError && error.codigo === 'sessao-expirada')) throw error
    await sessoes.mark(sessao, 'encerrada', error.message)
    log.warn({ why: error.message }, 'the session with SIGEF is over: the operator has to import another')
    throw semSessao()
  }
}
