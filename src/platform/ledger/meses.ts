import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { type GroupCommit, openGroupCommit, relaxed } from '../db/queries.ts'
import type { TipoLancamento } from '../db/tables.ts'
import { trusted } from '../trusted.ts'
import { renewalId } from './book.ts'
import { type Head, type Soma, type Somado, sumTogether, sumUp, type Walk } from './extrato.ts'
import type { NomePlano, Saldo } from './rules.ts'

/** Read them before the entry that a walk begins at, which must not be older. */
async function selectKept(db: Db, conta_id: string): Promise<Map<string, Somado>> {
  const rows = await db.kysely.selectFrom('somas_mes').selectAll().where('conta_id', '=', conta_id).execute()
  return new Map(rows.map((row) => [row.mes, toSomado(row)]))
}

const toSomado = ({ ate_request, ate_tipo, somas }: KeptRow): Somado => ({
  head: { request_id: ate_request, tipo: ate_tipo },
  // Proven by `keep`, which alone writes it.
  somas: trusted<Soma[]>(JSON.parse(somas)),
})

/** Pages that the sums of a month may write, of the eighty of a transaction that counts for the log. */
const KEEP = 8 / 80

/**
 * Keeps sums of months; of two nodes either may win, since both are right up to their own entry. That of `em`
 * must still be there: a crash of PostgreSQL takes what was seen and not yet on its disk.
 */
async function keep(db: Db, kept: readonly Kept[]): Promise<void> {
  const rows = kept.map(({ conta_id, mes, em, somado: { head, somas } }) => [
    conta_id,
    mes,
    head.request_id,
    head.tipo,
    em,
    JSON.stringify(somas),
  ])
  const insert = sql`
    insert into somas_mes (conta_id, mes, ate_request, ate_tipo, somas)
    select j.value ->> 0, j.value ->> 1, l.request_id, l.tipo, j.value ->> 5
      from json_each(${JSON.stringify({ ...rows })}) as j
      join lancamentos l on l.request_id = j.value ->> 2 and l.tipo = j.value ->> 3
        and l.criado_em = coalesce(cast(j.value ->> 4 as bigint), l.criado_em) where 1 = 1
    on conflict (conta_id, mes) do update set
      ate_request = excluded.ate_request, ate_tipo = excluded.ate_tipo, somas = excluded.somas`
  await relaxed(db, (kysely) => insert.execute(kysely))
  if (db.dialect === 'sqlite') db.noteWrite(kept.length * KEEP)
}

/** Sums of an account's month up to an entry of the instant `em`. */
type Kept = { conta_id: string; mes: string; em: number | null; somado: Somado }

/** An account whose newest entry, of the instant `em`, is in no sum. `known`: of its month, see `knownOf`. */
type Behind = Walk & Omit<Kept, 'somado'>

type KeptRow = { ate_request: string; ate_tipo: TipoLancamento; somas: string }

type BehindRow = Pick<Behind, 'conta_id' | 'mes' | 'em'> & Head & (KeptRow | RenewalRow)

type RenewalRow = { ate_request: null; creditos: number | null; cota: number; extra: number }

/** What is kept of the month, else its renewal; nothing where a month before may have ended unkept. */
function knownOf(row: BehindRow): Somado | undefined {
  if (row.ate_request !== null) return toSomado(row)
  const { conta_id, mes, creditos, cota, extra } = row
  if (creditos === null) return undefined
  const renewal = {
    tipo: 'renewal',
    endpoint: '',
    reais: null,
    lancamentos: 1,
    creditos,
    cota,
    extra,
  } as const
  return { head: { request_id: renewalId(conta_id, mes), tipo: 'renewal' }, somas: [renewal] }
}

/** Of the accounts after `after`, in their order, up to `ate`. */
async function selectBehind({ kysely }: Db, after: string, ate: string): Promise<Behind[]> {
  const { rows } = await sql<BehindRow>`
    select s.conta_id, s.periodo as mes, s.ultimo_request as request_id, s.ultimo_tipo as tipo, l.criado_em as em,
      m.ate_request, m.ate_tipo, m.somas, r.creditos, r.cota, r.extra
    from saldos s left join somas_mes m on m.conta_id = s.conta_id and m.mes = s.periodo
      left join lancamentos l on l.request_id = s.ultimo_request and l.tipo = s.ultimo_tipo
      left join lancamentos r on m.conta_id is null and r.tipo = 'renewal'
        and r.request_id = 'renovacao:' || s.conta_id || ':' || s.periodo
        and (r.anterior_tipo = '' or exists (select 1 from somas_mes a where a.conta_id = s.conta_id
          and a.ate_request = r.anterior_request and a.ate_tipo = r.anterior_tipo))
    where s.conta_id > ${after} and s.conta_id <= ${ate}
      and (m.conta_id is null or m.ate_request <> s.ultimo_request or m.ate_tipo <> s.ultimo_tipo)`.execute(
    kysely,
  )
  return rows.map((row) => {
    const { conta_id, mes, em, request_id, tipo } = row
    return { conta_id, mes, em, head: { request_id, tipo }, known: knownOf(row) }
  })
}

/** The last of the next accounts in their order, if there are more. */
async function selectEnd({ kysely }: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ fim: string | null }>`
    select max(conta_id) as fim from (
      select conta_id from saldos where conta_id > ${after} order by conta_id limit ${PAGE}) as n`.execute(
    kysely,
  )
  return rows[0]?.fim ?? undefined
}

export type Gasto = { endpoint: string; chamadas: number; creditos: number }

export type Balanco = {
  plano: NomePlano
  saldo: Saldo
  concedida: number
  reservados: number
  gastos: Gasto[]
  concedidos: number
  debitados: number
}

const REMEMBERED = 1_000

/** What is done for an account, by a group of its own: calls that come meanwhile share the next run. */
function ofConta<T>(open: (conta_id: string) => GroupCommit<string, T>): (conta_id: string) => Promise<T> {
  const contas = new LRUCache<string, GroupCommit<string, T>>({ max: REMEMBERED })
  return (conta_id) => {
    const group = contas.get(conta_id) ?? open(conta_id)
    contas.set(conta_id, group)
    return group.add(conta_id)
  }
}

/**
 * Reads balances with the sums of their month. One walk at a time reads an account's chain, back to the
 * newest entry that is known; the next walk sees all that those who share it saw.
 */
export const openBalancos = (db: Db): ((conta_id: string) => Promise<Balanco>) =>
  ofConta((conta_id) => openBalanco(db, conta_id))

function openBalanco(db: Db, conta_id: string): GroupCommit<string, Balanco> {
  let known: (Somado & { em: number | null }) | undefined
  return openGroupCommit(async (waiting) => {
    const kept = known ? undefined : await selectKept(db, conta_id)
    const { ultimo_request, ultimo_tipo, ultimo_em, conhecido_em, plano, concedida, reservados, ...saldo } =
      await selectSaldo(db, conta_id, known?.head)
    // Another entry of that name, or none: PostgreSQL crashed before that one was on its disk.
    if (known?.em !== conhecido_em) known = undefined
    const before = known ?? kept?.get(saldo.periodo)
    const head = { request_id: ultimo_request, tipo: ultimo_tipo }
    const somado = await sumUp(db, { conta_id, head, known: before })
    known = { ...somado, em: ultimo_em }
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
  ultimo_em: number | null
  conhecido_em: number | null
}

/**
 * One statement, so as of one commit; entries never change, so the sums up to one stay true. `ultimo_em` and
 * `conhecido_em` are the instants of the newest entry and of `conhecido`.
 */
async function selectSaldo(db: Db, conta_id: string, conhecido?: Head): Promise<SaldoRow> {
  const { rows } = await sql<SaldoRow>`
    select c.plano, s.cota, s.extra, s.periodo, s.concedida, s.ultimo_request, s.ultimo_tipo,
      (select criado_em from lancamentos where request_id = s.ultimo_request and tipo = s.ultimo_tipo) as ultimo_em,
      (select criado_em from lancamentos
        where request_id = ${conhecido?.request_id ?? ''} and tipo = ${conhecido?.tipo ?? ''}) as conhecido_em,
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

export type MesDoLivro = { mes: string; fim: Head; somas: readonly Soma[] }

export type Livro = { meses: readonly MesDoLivro[]; saldo: Saldo; reservados: number }

export type Meses = {
  of: (conta_id: string) => Promise<Livro>
  sumAll: (signal: AbortSignal) => Promise<void>
}

/** Who reads keeps the sums of so many new entries; the clock keeps those of fewer. */
const WORTH_KEEPING = 500
/** Accounts that one query looks at, that are summed together, and whose sums one statement keeps. */
const [PAGE, TOGETHER, AT_ONCE] = [100, 5_000, 20]

/** Sums are kept with the entry that they end at, and a walk goes back to that alone (decision 63). */
export function openMeses(db: Db): Meses {
  return {
    of: ofConta((conta_id) => openLivro(db, conta_id)),
    sumAll: async (signal) => {
      let behind: Behind[] = []
      for (let ate: string | undefined, after = ''; ; after = ate) {
        signal.throwIfAborted()
        ate = await selectEnd(db, after)
        if (ate !== undefined) behind.push(...(await selectBehind(db, after, ate)))
        if (ate === undefined || behind.length >= TOGETHER) {
          await sumBehind(db, behind, signal)
          behind = []
        }
        if (ate === undefined) return
        await nextTurn()
      }
    },
  }
}

async function sumBehind(db: Db, behind: readonly Behind[], signal: AbortSignal): Promise<void> {
  const known = behind.filter((one) => one.known)
  let kept: Kept[] = []
  for await (const one of sumTogether(db, known, signal)) {
    kept.push(one)
    if (kept.length < AT_ONCE) continue
    await keep(db, kept)
    kept = []
  }
  if (kept.length > 0) await keep(db, kept)
  for (const { conta_id } of behind.filter((one) => !one.known)) {
    signal.throwIfAborted()
    await readLivro(db, conta_id, 1)
    await nextTurn()
  }
}

const openLivro = (db: Db, conta_id: string): GroupCommit<string, Livro> =>
  openGroupCommit(async (waiting) => {
    const livro = await readLivro(db, conta_id, WORTH_KEEPING)
    return waiting.map(() => livro)
  })

async function readLivro(db: Db, conta_id: string, worth: number): Promise<Livro> {
  const kept = await selectKept(db, conta_id)
  const { ultimo_request, ultimo_tipo, ultimo_em, cota, extra, periodo, reservados } = await selectSaldo(
    db,
    conta_id,
  )
  const ultimo = { request_id: ultimo_request, tipo: ultimo_tipo }
  const meses: MesDoLivro[] = []
  for (const { mes, fim } of await selectFins(db, conta_id, { periodo, ultimo })) {
    const known = kept.get(mes)
    const somado = await sumUp(db, { conta_id, head: fim, known })
    const news = count(somado) - count(known)
    if (news >= worth || (news > 0 && mes < periodo)) {
      // A month's end before a renewal is on the disk: the renewal waited for it.
      await keep(db, [{ conta_id, mes, somado, em: fim === ultimo ? ultimo_em : null }])
    }
    meses.push({ mes, fim, somas: somado.somas })
  }
  return { meses, saldo: { cota, extra, periodo }, reservados }
}

const count = (somado: Somado | undefined): number =>
  (somado?.somas ?? []).reduce((sum, { lancamentos }) => sum + lancamentos, 0)

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
