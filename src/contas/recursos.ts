import type { Db } from '../platform/db/db.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Redes } from './acessos-redes.ts'
import type { Attempts } from './attempts.ts'
import type { Acessos } from './store-acessos.ts'

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
