import type { Db } from '../db/db.ts'
import { openDurable } from '../db/durable.ts'
import { deleteExpired } from '../db/queries.ts'
import { relaxed } from '../db/relaxed.ts'
import { leaseInstant } from '../jobs/jobs-lease.ts'
import { openText, sealText } from '../sealed-text.ts'
import { openSelo } from '../secrets.ts'
import { trusted } from '../trusted.ts'
import {
  deleteIdleKey,
  endKey,
  type Ref,
  renewKey,
  selectKey,
  takeKey,
  updateKey,
} from './idempotencia-io.ts'

/** A call that its client may repeat. `chave` is the `Idempotency-Key`, `corpo` the text of the body. */
export type Pedido = { conta_id: string; chave: string; corpo: string; request_id: string }

/** The state of a key, which decides what to do. */
export type Comeco =
  /**
   * The call is the first, or the one before it came to nothing. Run it, with the steps that were written
   * down.
   */
  | { tipo: 'nova'; ref: Ref; passos: readonly unknown[] }
  /** Another call works on it: it has no answer yet, or is about to pay for it. */
  | { tipo: 'em-andamento' }
  /** The key was used with another body. */
  | { tipo: 'conflito' }
  /** The answer stands. It is paid under the request that made it. */
  | { tipo: 'pronta'; resposta: string; creditos: number; request_id: string }

/**
 * Calls that get one answer for their `Idempotency-Key`, for 24 hours, sealed under the server's secret and
 * charged once, by one `request_id`. A step, such as an event of an NF-e, cannot be done twice: the column
 * `eventos` holds them.
 */
export type Idempotencia = {
  /**
   * Takes the key for a call, or tells which call has it. Another may take over after `LEASE_MS` without a
   * sign of life.
   */
  begin: (pedido: Pedido) => Promise<Comeco>
  /** Says that the call lives: see `keepLease`. */
  renew: (ref: Ref) => Promise<void>
  /**
   * Writes down all steps so far, as JSON. Resolves when they are on the disk; false if another call took
   * over.
   */
  note: (ref: Ref, passos: readonly unknown[]) => Promise<boolean>
  /** Writes the answer down, as JSON. When it resolves it is on the disk; false if another call took over. */
  finish: (ref: Ref, answer: { resposta: string; creditos: number }) => Promise<boolean>
  /**
   * Ends the call, paid or not. A key without an answer may be used again: with any body, or only the same
   * one if steps were noted.
   */
  end: (ref: Ref) => Promise<void>
  /** Deletes what is older than 24 hours. Returns how many. */
  sweep: () => Promise<number>
}

const KEPT_MS = 24 * 60 * 60_000

type Options = {
  now: () => Date
  /**
   * The kind of authority that answers. The simulator's answers are never given for an authority's, on the
   * same database.
   */
  ambiente: string
  secret: string
}

/** Opens the calls that may be repeated. */
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
      // The other call gave up in between.
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
    sweep: () => deleteExpired(db.kysely, 'idempotencia', now().getTime()),
  }
}
