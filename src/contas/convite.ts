import type { Db } from '../platform/db/db.ts'
import type { CodigosTable } from '../platform/db/tables.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { criarCodigo, verCodigo } from './store-codigos.ts'

const DAY_MS = 86_400_000

/** For whom (anybody, where `email` is empty), with which plan, and how long it may be used. */
type NovoConvite = { email: string; plano: NomePlano; dias: number; now: Date }

/** Makes an invitation, and returns its code, with which one account can be made. */
export const criarConvite = (db: Db, { email, plano, dias, now }: NovoConvite): Promise<string> =>
  criarCodigo(db, { tipo: 'convite', email, plano, vidaMs: dias * DAY_MS, now })

/** The invitation of a code that this e-mail may use. It stays good. */
export async function verConvite(
  db: Db,
  convite: string,
  { email, now }: { email: string; now: Date },
): Promise<CodigosTable | undefined> {
  const row = await verCodigo(db, 'convite', convite, now)
  return row && (row.email === '' || row.email === email) ? row : undefined
}
