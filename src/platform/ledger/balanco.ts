import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type GroupCommit, openGroupCommit } from '../db/commits.ts'
import type { Db } from '../db/db.ts'
import type { TipoLancamento } from '../db/tables.ts'
import type { NomePlano } from './planos.ts'
import type { Saldo } from './rules.ts'
import { type Soma, type Somado, sumUp } from './somas.ts'
import { selectKept } from './somas-mes.ts'

/** The charges of an endpoint in a month: how many calls were charged, and their credits. */
export type Gasto = { endpoint: string; chamadas: number; creditos: number }

/** An account's books in the month of its quota, as of one commit of the ledger. */
export type Balanco = {
  plano: NomePlano
  saldo: Saldo
  /** The quota given in the month so far. */
  concedida: number
  /** The credits that open calls hold. */
  reservados: number
  /** What was charged in the month: the dearest endpoint first. */
  gastos: Gasto[]
  /** The extra credits that were granted in the month, and the credits that were debited. */
  concedidos: number
  debitados: number
}

/** The accounts whose sums are remembered. The least asked about leaves first. */
const REMEMBERED = 1_000

/**
 * Reads balances with the sums of their month. One walk at a time reads an account's chain, back to the
 * newest entry that is known; calls that come meanwhile share the next walk, which sees all that they saw.
 */
export function openBalancos(db: Db): (conta_id: string) => Promise<Balanco> {
  const contas = new LRUCache<string, GroupCommit<string, Balanco>>({ max: REMEMBERED })
  return (conta_id) => {
    const group = contas.get(conta_id) ?? openBalanco(db, conta_id)
    contas.set(conta_id, group)
    return group.add(conta_id)
  }
}

function openBalanco(db: Db, conta_id: string): GroupCommit<string, Balanco> {
  let known: Somado | undefined
  return openGroupCommit(async (waiting) => {
    const kept = known ? undefined : await selectKept(db, conta_id)
    const { ultimo_request, ultimo_tipo, plano, concedida, reservados, ...saldo } = await selectSaldo(
      db,
      conta_id,
    )
    known ??= kept?.get(saldo.periodo)
    known = await sumUp(db, { request_id: ultimo_request, tipo: ultimo_tipo }, known)
    const balanco = { plano, saldo, concedida, reservados, ...toMonth(known.somas) }
    return waiting.map(() => balanco)
  })
}

type SaldoRow = Saldo & {
  plano: NomePlano
  concedida: number
  reservados: number
  ultimo_request: string
  ultimo_tipo: TipoLancamento
}

/**
 * Reads balance, holds and newest entry in one statement, so as of one commit. Entries never change: the sums
 * up to that entry add up with them, however much later they are read.
 */
export async function selectSaldo(db: Db, conta_id: string): Promise<SaldoRow> {
  const { rows } = await sql<SaldoRow>`
    select c.plano, s.cota, s.extra, s.periodo, s.concedida, s.ultimo_request, s.ultimo_tipo,
      (select cast(coalesce(sum(r.cota + r.extra), 0) as bigint) from retencoes r where r.conta_id = s.conta_id)
        as reservados
    from saldos s join contas c on c.id = s.conta_id where s.conta_id = ${conta_id}`.execute(db.kysely)
  const [row] = rows
  if (!row) throw new Error('the account has no balance')
  return row
}

function toMonth(somas: readonly Soma[]): Pick<Balanco, 'gastos' | 'concedidos' | 'debitados'> {
  const of = (wanted: Soma['tipo']) => somas.filter(({ tipo }) => tipo === wanted)
  const byEndpoint = Map.groupBy(of('charge'), ({ endpoint }) => endpoint)
  const gastos = [...byEndpoint].map(([endpoint, somas]) => ({
    endpoint,
    chamadas: somas.reduce((sum, { lancamentos }) => sum + lancamentos, 0),
    creditos: somas.reduce((sum, { creditos }) => sum + creditos, 0),
  }))
  return {
    gastos: gastos.sort((a, b) => b.creditos - a.creditos || (a.endpoint < b.endpoint ? -1 : 1)),
    concedidos: of('grant').reduce((sum, { extra }) => sum + extra, 0),
    debitados: of('debit').reduce((sum, { creditos }) => sum + creditos, 0),
  }
}
