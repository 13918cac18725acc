import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import { countKeys, revealKey } from './chave.ts'

/** What the settings page says of an account besides its terms. */
export type AjustesDaConta = {
  senha_em: Date | null
  email_confirmado_em: Date | null
  chave: ChaveDaConta
  /** The newest call in its log, by whatever key or session; null where there is none. */
  ultima_chamada: Date | null
}

/** The account's key: its text is known, was sealed with another secret, or there is none. */
type ChaveDaConta = {
  texto: string | 'outro-segredo' | undefined
  desde: Date | null
  /** Until when the one before it is good; null where it ended, or there was none. */
  anterior_ate: Date | null
}

/** Reads the settings of an account. The text of its key is for its owner alone. */
export async function readAjustes(
  { db, secret }: { db: Db; secret: string },
  conta_id: string,
  now: Date,
): Promise<AjustesDaConta> {
  const [conta, texto, { atual_desde, anterior_ate }, ultima_chamada] = await Promise.all([
    db.kysely
      .selectFrom('contas')
      .select(['senha_em', 'email_confirmado_em'])
      .where('id', '=', conta_id)
      .executeTakeFirstOrThrow(),
    revealKey(db, secret, conta_id).catch(outroSegredo),
    countKeys(db, conta_id),
    lastCall(db, conta_id),
  ])
  const isGood = anterior_ate !== null && anterior_ate > now
  return {
    senha_em: instantOf(conta.senha_em),
    email_confirmado_em: instantOf(conta.email_confirmado_em),
    chave: { texto, desde: atual_desde, anterior_ate: isGood ? anterior_ate : null },
    ultima_chamada,
  }
}

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

function outroSegredo(error: unknown): 'outro-segredo' {
  if (error instanceof StoreError) return 'outro-segredo'
  throw error
}

/** By the index of the account's calls: one row is read. */
async function lastCall({ kysely }: Db, conta_id: string): Promise<Date | null> {
  const row = await kysely
    .selectFrom('usos')
    .select('criado_em')
    .where('conta_id', '=', conta_id)
    .orderBy('criado_em', 'desc')
    .limit(1)
    .executeTakeFirst()
  return instantOf(row?.criado_em ?? null)
}
