/** What is known of the operator's session, without its secrets. */
export type DadosDaSessao = {
  importada_em: Date
  renovada_em: Date | null
  /** When SIGEF forgets it, as far as we know. */
  vence_em: Date
  /** When the gov.br login ends by which it is renewed; null where nobody knows. */
  login_ate: Date | null
  /** Whether there is a login to renew it by. */
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

/** Whether a session may be used, and what the operator should know of it; empty if nothing. */
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
    return `A sessão no SIGEF acaba em ${quantoFalta(vence_em, now)}: sem os cookies do login gov.br ela não se renova. ${COMO}`
  if (login_ate === null || login_ate.getTime() - now.getTime() > AVISA_MS) return ''
  return login_ate <= now
    ? `O login gov.br acabou, e a sessão no SIGEF acaba em ${quantoFalta(vence_em, now)}. ${COMO}`
    : `O login gov.br que renova a sessão no SIGEF acaba em ${quantoFalta(login_ate, now)}. ${COMO}`
}

/** Whether a session is to be renewed, or proven, before it is used or before it ends. */
export function needsRenewal(dados: DadosDaSessao, now: Date): boolean {
  const { situacao } = situacaoDaSessao(dados, now)
  if (situacao !== 'valida') return situacao === 'suspeita'
  const { renovavel, login_ate } = dados
  if (!renovavel || (login_ate !== null && login_ate <= now)) return false
  return dados.vence_em.getTime() - now.getTime() < RENOVA_MS
}

/** The time until an instant, in words: "3 dias", "2 horas", "10 minutos". */
function quantoFalta(ate: Date, now: Date): string {
  const minutes = Math.max(0, Math.ceil((ate.getTime() - now.getTime()) / 60_000))
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minuto']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hora']
        : [Math.floor(minutes / 1440), 'dia']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
