import { LRUCache } from 'lru-cache'
import { type GroupCommit, openGroupCommit } from '../db/commits.ts'
import type { Db } from '../db/db.ts'
import { selectSaldo } from './balanco.ts'
import { renewalId } from './book.ts'
import type { Saldo } from './rules.ts'
import { type Head, type Soma, type Somado, sumUp } from './somas.ts'
import { keep, selectBehind, selectKept } from './somas-mes.ts'

/** A month of an account's books: its newest entry, and what its entries come to up to that one. */
export type MesDoLivro = { mes: string; fim: Head; somas: readonly Soma[] }

/** The months of an account that have entries, oldest first, and its balance as of one commit. */
export type Livro = { meses: readonly MesDoLivro[]; saldo: Saldo; reservados: number }

export type Meses = {
  /** The months of an account. */
  of: (conta_id: string) => Promise<Livro>
  /** Sums what was entered since the last call, for every account. Throws the reason of `signal`. */
  sumAll: (signal: AbortSignal) => Promise<void>
}

/** The accounts that may be summed at once. The least asked about leaves first. */
const REMEMBERED = 1_000
/** Who reads keeps the sums of so many new entries; the clock keeps those of fewer. */
const WORTH_KEEPING = 500
/** Accounts that are looked for at once. */
const PAGE = 100

/**
 * Opens the months of the accounts. Sums are kept with the entry that they end at, and one walk at a
 * time goes back to that one alone (decision 63).
 */
export function openMeses(db: Db): Meses {
  const contas = new LRUCache<string, GroupCommit<string, Livro>>({ max: REMEMBERED })
  return {
    of: (conta_id) => {
      const group = contas.get(conta_id) ?? openLivro(db, conta_id)
      contas.set(conta_id, group)
      return group.add(conta_id)
    },
    sumAll: async (signal) => {
      let after = ''
      for (;;) {
        const behind = await selectBehind(db, after, PAGE)
        for (const conta_id of behind) {
          signal.throwIfAborted()
          await readLivro(db, conta_id, 1)
        }
        after = behind.at(-1) ?? ''
        if (behind.length < PAGE) return
      }
    },
  }
}

const openLivro = (db: Db, conta_id: string): GroupCommit<string, Livro> =>
  openGroupCommit(async (waiting) => {
    const livro = await readLivro(db, conta_id, WORTH_KEEPING)
    return waiting.map(() => livro)
  })

/** Reads the months, and keeps the sums to which `worth` entries or more were added, or whose month ended. */
async function readLivro(db: Db, conta_id: string, worth: number): Promise<Livro> {
  const kept = await selectKept(db, conta_id)
  const { ultimo_request, ultimo_tipo, cota, extra, periodo, reservados } = await selectSaldo(db, conta_id)
  const ultimo = { request_id: ultimo_request, tipo: ultimo_tipo }
  const meses: MesDoLivro[] = []
  for (const { mes, fim } of await selectFins(db, conta_id, { periodo, ultimo })) {
    const known = kept.get(mes)
    const somado = await sumUp(db, fim, known)
    const news = count(somado) - count(known)
    if (news >= worth || (news > 0 && mes < periodo)) await keep(db, { conta_id, mes, somado })
    meses.push({ mes, fim, somas: somado.somas })
  }
  return { meses, saldo: { cota, extra, periodo }, reservados }
}

const count = (somado: Somado | undefined): number =>
  (somado?.somas ?? []).reduce((sum, { lancamentos }) => sum + lancamentos, 0)

/** Each month with its newest entry: what stands before the next renewal, or the newest of all. */
async function selectFins(
  db: Db,
  conta_id: string,
  { periodo, ultimo }: { periodo: string; ultimo: Head },
): Promise<{ mes: string; fim: Head }[]> {
  const beginning = renewalId(conta_id, '')
  const renewals = await db.kysely
    .selectFrom('lancamentos')
    .select(['request_id', 'anterior_request', 'anterior_tipo'])
    .where('tipo', '=', 'renewal')
    .where('conta_id', '=', conta_id)
    .where('request_id', '>=', beginning)
    // A renewal since the balance was read is of a later month.
    .where('request_id', '<=', renewalId(conta_id, periodo))
    .orderBy('request_id')
    .execute()
  return renewals.map(({ request_id }, at) => {
    const next = renewals[at + 1]
    const mes = request_id.slice(beginning.length)
    if (!next) return { mes, fim: ultimo }
    if (next.anterior_tipo === '') throw new Error('the chain of entries is broken')
    return { mes, fim: { request_id: next.anterior_request, tipo: next.anterior_tipo } }
  })
}
