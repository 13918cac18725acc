import { LRUCache } from 'lru-cache'
import { nextRenewal } from '../../documento/periodo.ts'
import type { Saldo } from './rules.ts'

/** How long a balance is believed that this process did not write. */
const FRESH_MS = 5_000
/** The most accounts whose balance is remembered. */
const REMEMBERED = 10_000

/** The balances that this process saw last, so that an answer that costs nothing need not read one. */
export type Vistos = {
  /** The balance of an account, from memory or by `read`. */
  of: (conta_id: string, read: () => Promise<Saldo>) => Saldo | Promise<Saldo>
  /** Remembers the balance that an order left. */
  note: (conta_id: string, saldo: Saldo) => void
}

type Visto = { saldo: Saldo; since: number; until: number }

/** Opens an empty memory. */
export function openVistos(now: () => Date): Vistos {
  const vistos = new LRUCache<string, Visto>({ max: REMEMBERED })

  function note(conta_id: string, saldo: Saldo): void {
    const instant = now()
    const since = instant.getTime()
    vistos.set(conta_id, { saldo, since, until: Math.min(since + FRESH_MS, nextRenewal(instant).getTime()) })
  }

  return {
    note,
    of: (conta_id, read) => {
      // A balance in use is noted, and so set, every five seconds: that keeps its place.
      const before = vistos.peek(conta_id)
      const instant = now().getTime()
      // A clock that went back must not keep a balance.
      if (before && instant >= before.since && instant < before.until) return before.saldo
      return read().then((saldo) => {
        // An order that ended meanwhile knows better.
        if (vistos.peek(conta_id) === before) note(conta_id, saldo)
        return saldo
      })
    },
  }
}
