import type { Db } from '../db/db.ts'
import type { ConsumoTable } from '../db/tables.ts'
import { openSelo } from '../segredo/selo.ts'
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
  /** From when one query more than now is allowed: with none left, from when one is allowed again. Now, where all are left. */
  renova: Date
}

/**
 * The queries by key that the national environment allows a holder: more than 20 in an hour, and it refuses all of them
 * for the next one (NT 2014.002 v1.21, 3.11.4). Counted across nodes, each by its own clock: clocks that differ by less
 * than a minute do no harm. What the holder's other programs ask is only known when the authority refuses.
 */
export type Consumo = {
  /** Takes one query out of the budget before it is sent. `ok` false: do not send it. `documento` is the CPF or the whole CNPJ. */
  take: (documento: string) => Promise<{ ok: boolean } & Orcamento>
  /** Gives a query back that the authority cannot have counted, for it never knew whose it was. Nothing else goes back. */
  giveBack: (documento: string) => Promise<void>
  /** The authority refused the holder (656): an hour without queries begins (and a minute for the clocks), and all that was counted lies before it. */
  block: (documento: string) => Promise<Orcamento>
  /** What is left, without taking any. */
  look: (documento: string) => Promise<Orcamento>
  /** Forgets the holders of whom nothing counts any more; how many. */
  sweep: () => Promise<number>
}

const HOUR_MS = 60 * 60_000
/** A query is counted when it leaves and by the authority when it arrives; and nodes have clocks of their own. */
const MARGIN_MS = 60_000
const WINDOW_MS = HOUR_MS + MARGIN_MS

type Options = {
  now: () => Date
  /** Who is asked: each environment counts for itself. */
  ambiente: string
  secret: string
}

/** Opens the budgets of the holders. Of their documents, the database holds a keyed hash. */
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
  // From the oldest end, as the database looks at it: clocks that differ may have written them out of order.
  const counted = Array.from({ length: LIMITE }, (_, place) => atInstant(instantes, place))
  const oldest = counted.findLastIndex((at) => at > instant - WINDOW_MS)
  const renova = oldest < 0 ? agora : new Date((counted[oldest] ?? instant) + WINDOW_MS)
  return { limite: LIMITE, restantes: LIMITE - 1 - oldest, renova }
}
