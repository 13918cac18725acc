import type { Db } from '../platform/db/db.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { findContaByEmail } from './conta.ts'
import type { Acessos, Redes } from './store-acessos.ts'
import type { Attempt, Attempts, TentativaRecusada } from './tentativas.ts'

/** What signing up, logging in and the letters need of the service. The Context has all of it. */
export type RecursosDeContas = {
  now: () => Date
  config: {
    AUTHORITIES: 'simulator' | 'live'
    CADASTRO: Cadastro | undefined
    /** Where letters leave; without it there are none. */
    SMTP_URL: string | undefined
  }
  store: {
    db: Db
    secret: string
    acessos: Acessos
    redes: Redes
    attempts: Attempts
    jobs: Pick<Jobs, 'enqueue'>
  }
}

/** Who may sign up: anybody, who was invited, or nobody. */
type Cadastro = 'aberto' | 'convite' | 'fechado'

/** Who may sign up, by the settings. */
export const cadastroDe = ({
  CADASTRO,
  AUTHORITIES,
}: Pick<RecursosDeContas['config'], 'AUTHORITIES' | 'CADASTRO'>): Cadastro =>
  CADASTRO ?? (AUTHORITIES === 'live' ? 'fechado' : 'aberto')

/** Tried too often, or too many at once: the seconds after which to try again. */
export type Aguarde = { esperaS: number }

/** A new password that is not taken, and why, in Portuguese. */
export type SenhaFraca = { senhaFraca: string }

/** Seconds after which a full queue has moved on. */
export const FILA_S = 5

type Recursos = Pick<RecursosDeContas['store'], 'db' | 'attempts' | 'redes'>

/** A try that may go on, and what it was counted by; or one that may not. */
type Contada =
  | { contada: readonly Attempt[]; recusa?: never }
  | { contada?: never; recusa: TentativaRecusada }

/**
 * Counts a try at an e-mail. What it is counted by is in order, and the e-mail alone comes last: its count is
 * of all networks together, and refuses none that the owner of the account came from before.
 */
export async function contarTentativa(
  { db, attempts, redes }: Recursos,
  tentativas: readonly Attempt[],
  { email, rede }: { email: string; rede: string },
): Promise<Contada> {
  const recusa = await attempts.take(...tentativas)
  if (!recusa) return { contada: tentativas }
  if (!recusa.de.endsWith('/email')) return { recusa }
  const conta = await findContaByEmail(db, email)
  if (!(await redes.conhece(conta?.id ?? '', rede))) return { recusa }
  const contada = tentativas.filter(([de]) => de !== recusa.de)
  const outra = await attempts.take(...contada)
  return outra ? { recusa: outra } : { contada }
}
