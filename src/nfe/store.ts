import type { Db } from '../platform/db/db.ts'
import type { ConsumoTable } from '../platform/db/tables.ts'
import { openSelo } from '../platform/secrets.ts'
import {
  atInstant,
  deleteConsulta,
  insertConsulta,
  LIMITE,
  selectConsumo,
  sweepConsumo,
  upsertBlock,
} from './consumo-io.ts'

/** What is left of a holder's queries by key. */
export type Orcamento = {
  limite: typeof LIMITE
  restantes: number
  /** The instant from which one query more is allowed. It is now where none was used. */
  renova: Date
}

/**
 * The queries by key that the national environment allows a holder: after 20 in an hour it refuses all for
 * the next hour (NT 2014.002 v1.21, 3.11.4). Nodes share the count; queries of the holder's other programs
 * show only when the authority refuses.
 */
export type Consumo = {
  /**
   * Takes one query out of the budget before it is sent; with `ok` false, do not send it. `documento` is the
   * CPF or the whole CNPJ.
   */
  take: (documento: string) => Promise<{ ok: boolean } & Orcamento>
  /**
   * Returns a query that the authority cannot have counted, because it never knew the holder. No other query
   * is returned.
   */
  giveBack: (documento: string) => Promise<void>
  /**
   * The authority refused the holder (656). An hour without queries begins, plus a minute for the clocks, and
   * all earlier queries are forgotten.
   */
  block: (documento: string) => Promise<Orcamento>
  /** What is left, without taking any. */
  look: (documento: string) => Promise<Orcamento>
  /** Deletes holders of whom nothing counts any more. Returns how many. */
  sweep: () => Promise<number>
}

const HOUR_MS = 60 * 60_000
/** We count a query when it leaves, and the authority when it arrives. Clocks of nodes differ too. */
const MARGIN_MS = 60_000
const WINDOW_MS = HOUR_MS + MARGIN_MS

type Options = {
  now: () => Date
  /** The environment that is asked. Each counts for itself. */
  ambiente: string
  secret: string
}

/** Opens the budgets of the holders. The database holds a keyed hash of their documents. */
export function openConsumo(db: Db, { now, ambiente, secret }: Options): Consumo {
  const { mac } = openSelo(secret, 'consumo')
  const titularOf = (documento: string): string => mac(`${ambiente}:${documento}`)

  async function lookAt(titular: string, agora: Date): Promise<Orcamento> {
    const row = await selectConsumo(db, titular)
    return row ? orcamentoOf(row, agora) : { limite: LIMITE, restantes: LIMITE, renova: agora }
  }

  return {
    take: async (documento) => {
      const agora = now()
      const titular = titularOf(documento)
      const instant = agora.getTime()
      const row = await insertConsulta(db, { titular, instant, since: instant - WINDOW_MS })
      return row ? { ok: true, ...orcamentoOf(row, agora) } : { ok: false, ...(await lookAt(titular, agora)) }
    },
    giveBack: (documento) => deleteConsulta(db, titularOf(documento)),
    block: async (documento) => {
      const bloqueado_ate = now().getTime() + WINDOW_MS
      const ate = await upsertBlock(db, { titular: titularOf(documento), bloqueado_ate })
      return { limite: LIMITE, restantes: 0, renova: new Date(ate) }
    },
    look: (documento) => lookAt(titularOf(documento), now()),
    sweep: () => sweepConsumo(db, { instant: now().getTime(), since: now().getTime() - WINDOW_MS }),
  }
}

function orcamentoOf({ instantes, bloqueado_ate }: Omit<ConsumoTable, 'titular'>, agora: Date): Orcamento {
  const instant = agora.getTime()
  if (bloqueado_ate > instant) return { limite: LIMITE, restantes: 0, renova: new Date(bloqueado_ate) }
  // From the oldest end, as the database reads it. Clocks that differ may have written them out of order.
  const counted = Array.from({ length: LIMITE }, (_, place) => atInstant(instantes, place))
  const oldest = counted.findLastIndex((at) => at > instant - WINDOW_MS)
  const renova = oldest < 0 ? agora : new Date((counted[oldest] ?? instant) + WINDOW_MS)
  return { limite: LIMITE, restantes: LIMITE - 1 - oldest, renova }
}
