import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { deleteExpired, openDurable, relaxed } from '../db/queries.ts'
import type { IdempotenciaTable, Tables } from '../db/tables.ts'
import { LEASE_MS, leaseInstant } from '../jobs/lease.ts'
import { openSelo, openText, sealText } from '../secrets.ts'
import { trusted } from '../trusted.ts'

type Ref = { chave: string; request_id: string }

type Taken = Pick<IdempotenciaTable, 'eventos'>
/** `cobrada`: its answer was charged. `viva`: its call gave a sign of life lately and has not ended. */
type Known = Pick<IdempotenciaTable, 'corpo' | 'request_id' | 'resposta' | 'creditos'> & {
  cobrada: 0 | 1
  viva: 0 | 1
}

/**
 * Takes a key that is free, expired, or of a call for the same body that gave up or is dead; undefined
 * otherwise. The lease stands in the key's row, not in `posses`, because one statement must also compare body
 * and answer.
 */
async function takeKey(
  connection: Kysely<Tables>,
  key: Pick<IdempotenciaTable, 'chave' | 'corpo' | 'request_id' | 'expira_em'>,
  { instant, leases }: { instant: number; leases: RawBuilder<number> },
): Promise<Taken | undefined> {
  const { chave, corpo, request_id, expira_em } = key
  const { rows } = await sql<Taken>`
    insert into idempotencia as i (chave, corpo, request_id, ate, creditos, expira_em)
    values (${chave}, ${corpo}, ${request_id}, ${leases} + ${LEASE_MS}, 0, ${expira_em})
    on conflict (chave) do update set corpo = excluded.corpo, request_id = excluded.request_id, ate = excluded.ate,
      eventos = case when i.expira_em <= ${instant} then null else i.eventos end,
      resposta = null, creditos = 0, expira_em = excluded.expira_em
    where i.expira_em <= ${instant}
      or (i.corpo = excluded.corpo and i.resposta is null and i.ate <= ${leases})
    returning eventos`.execute(connection)
  return rows[0]
}

async function selectKey(
  connection: Kysely<Tables>,
  chave: string,
  leases: RawBuilder<number>,
): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select corpo, request_id, resposta, creditos, case when exists (
      select 1 from lancamentos l where l.request_id = i.request_id and l.tipo = 'charge') then 1 else 0 end as cobrada,
      case when ate > ${leases} then 1 else 0 end as viva
    from idempotencia i where chave = ${chave}`.execute(connection)
  return rows[0]
}

/** Writes the state of a call. False, with nothing written, if another took over or the answer stands. */
async function updateKey(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  values: Partial<Pick<IdempotenciaTable, 'eventos' | 'resposta' | 'creditos'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('idempotencia')
    .set(values)
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .where('resposta', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function renewKey(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  leases: RawBuilder<number>,
): Promise<void> {
  const ate = sql<number>`${leases} + ${LEASE_MS}`
  await setAte(connection, { chave, request_id }, ate)
}

const endKey = (connection: Kysely<Tables>, ref: Ref): Promise<void> => setAte(connection, ref, sql`0`)

async function setAte(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  ate: RawBuilder<number>,
): Promise<void> {
  await connection
    .updateTable('idempotencia')
    .set({ ate })
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .execute()
}

/** Forgets a key under which nothing has happened. False if something has, or if another call took over. */
async function deleteIdleKey(connection: Kysely<Tables>, { chave, request_id }: Ref): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('idempotencia')
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .where('eventos', 'is', null)
    .where('resposta', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type Pedido = { conta_id: string; chave: string; corpo: string; request_id: string }

export type Comeco =
  /** Run it, with the steps that an earlier call wrote down. */
  | { tipo: 'nova'; ref: Ref; passos: readonly unknown[] }
  /** Another call works on it: it has no answer yet, or is about to pay for it. */
  | { tipo: 'em-andamento' }
  | { tipo: 'conflito' }
  /** The answer stands. It is paid under the request that made it. */
  | { tipo: 'pronta'; resposta: string; creditos: number; request_id: string }

/**
 * Calls that get one answer for their `Idempotency-Key`, for 24 hours, sealed under the server's secret and
 * charged once, by one `request_id`. A step, such as an event of an NF-e, cannot be done twice: the column
 * `eventos` holds them.
 */
export type Idempotencia = {
  /** Another call may take over after `LEASE_MS` without a sign of life. */
  begin: (pedido: Pedido) => Promise<Comeco>
  renew: (ref: Ref) => Promise<void>
  /** Resolves when they are on the disk; false if another call took over. */
  note: (ref: Ref, passos: readonly unknown[]) => Promise<boolean>
  finish: (ref: Ref, answer: { resposta: string; creditos: number }) => Promise<boolean>
  /** A key without an answer may be used again: with the same body alone if steps were noted. */
  end: (ref: Ref) => Promise<void>
  sweep: (signal?: AbortSignal) => Promise<number>
}

const KEPT_MS = 24 * 60 * 60_000

type Options = {
  now: () => Date
  /** The simulator's answers are never given for an authority's, on the same database. */
  ambiente: string
  secret: string
}

export function openIdempotencia(db: Db, { now, ambiente, secret }: Options): Idempotencia {
  const selo = openSelo(secret, 'idempotencia')
  const durable = openDurable(db)

  function open(sealed: string, aad: string): string {
    const text = openText(selo, sealed, aad)
    if (text === undefined) throw new Error('a record of Idempotency-Key was changed: it does not open')
    return text
  }

  // Proven by the seal: `note` alone makes one bound to the events of a key.
  const openPassos = (sealed: string | null, chave: string): readonly unknown[] =>
    sealed === null ? [] : trusted<unknown[]>(JSON.parse(open(sealed, `eventos ${chave}`)))

  async function begin({ conta_id, request_id, ...pedido }: Pedido): Promise<Comeco> {
    // After SERVER_SECRET changes, old rows are simply not found: their hashes differ.
    const chave = selo.mac(JSON.stringify([ambiente, conta_id, pedido.chave]))
    const corpo = selo.mac(JSON.stringify([chave, pedido.corpo]))
    for (;;) {
      const instant = now().getTime()
      const leases = leaseInstant(db, now)
      const key = { chave, corpo, request_id, expira_em: instant + KEPT_MS }
      const taken = await relaxed(db, (on) => takeKey(on, key, { instant, leases }))
      if (taken) return { tipo: 'nova', ref: { chave, request_id }, passos: openPassos(taken.eventos, chave) }
      const known = await selectKey(db.kysely, chave, leases)
      if (!known) continue
      if (known.corpo !== corpo) return { tipo: 'conflito' }
      const unpaid = known.creditos > 0 && known.cobrada === 0
      // The first caller with the answer pays it. Of a call and its repetitions, only one is told of the
      // charge.
      if (known.resposta === null || (unpaid && known.viva === 1)) return { tipo: 'em-andamento' }
      const resposta = open(known.resposta, `resposta ${chave}`)
      return { tipo: 'pronta', resposta, creditos: known.creditos, request_id: known.request_id }
    }
  }

  return {
    begin,
    renew: (ref) => relaxed(db, (on) => renewKey(on, ref, leaseInstant(db, now))),
    note: (ref, passos) => {
      const sealed = sealText(selo, JSON.stringify(passos), `eventos ${ref.chave}`)
      return durable((on) => updateKey(on, ref, { eventos: sealed }))
    },
    finish: (ref, { resposta, creditos }) => {
      const sealed = sealText(selo, resposta, `resposta ${ref.chave}`)
      return durable((on) => updateKey(on, ref, { resposta: sealed, creditos }))
    },
    end: async (ref) => {
      await relaxed(db, async (on) => (await deleteIdleKey(on, ref)) || endKey(on, ref))
    },
    sweep: (signal) => deleteExpired(db, 'idempotencia', now().getTime(), signal),
  }
}
