import type { Attempt, TentativaRecusada } from './attempts.ts'
import { findContaByEmail } from './conta.ts'
import type { RecursosDeContas } from './recursos.ts'

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
