import { findContaByEmail } from './conta.ts'
import type { ContasRoom } from './contas.ts'
import type { Attempt, TentativaRecusada } from './tentativas.ts'

/** Who may sign up: anybody, who was invited, or nobody. */
type Cadastro = 'aberto' | 'convite' | 'fechado'

/** Who may sign up, by the settings. */
export const cadastroDe = ({
  CADASTRO,
  AUTHORITIES,
}: Pick<ContasRoom['config'], 'AUTHORITIES' | 'CADASTRO'>): Cadastro =>
  CADASTRO ?? (AUTHORITIES === 'live' ? 'fechado' : 'aberto')

/** Tried too often, or too many at once: the seconds after which to try again. */
export type Aguarde = { esperaS: number }

/** A new password that is not taken, and why, in Portuguese. */
export type SenhaFraca = { senhaFraca: string }

/** Seconds after which a full queue has moved on. */
export const FILA_S = 5

/** A try that may go on, and what it was counted by; or one that may not. */
type Contada =
  | { contada: readonly Attempt[]; recusa?: never }
  | { contada?: never; recusa: TentativaRecusada }

/**
 * Counts a try at an e-mail. What it is counted by is in order, and the e-mail alone comes last: its count is
 * of all networks together, and refuses none that the owner of the account came from before.
 */
export async function contarTentativa(
  { db, attempts, redes }: ContasRoom,
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
