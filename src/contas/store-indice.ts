import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { openInsertion, prepareFirst, relaxedTransaction } from '../platform/db/queries.ts'
import { messageOf } from '../platform/errors.ts'

/** Calls that are summed together, and indexed on the embedded database: sorted, many share a page. */
export const LOTE = 20_000

/**
 * Brings the sums of the days, and on the embedded database the index by account, up to the last call of
 * instant `ate`. It may be killed at any step, and run on several nodes at once.
 */
export type Indexer = (ate: number) => Promise<void>

export const openIndexer = (db: Db): Indexer =>
  db.dialect === 'postgres' ? sumOnPostgres(db) : indexOnSqlite(db)

function sumOnPostgres({ kysely }: Db): Indexer {
  const statement = sql<{ linhas: number }>`select somar_usos(${0}, ${LOTE}) as linhas`.compile(kysely)
  const somar = prepareFirst(kysely, statement)
  return async (ate) => {
    let linhas: number | undefined = LOTE
    while (linhas === LOTE) linhas = (await somar(ate, LOTE))?.linhas
  }
}

/** Rows that are read or written in one turn of the event loop. */
const FATIA = 500

type Marca = { criado_em: number; request_id: string }

type Linha = Marca & {
  conta_id: string
  dia: number
  endpoint: string
  http: number
  error_code: string
  creditos: number
  cached: number
  ms: number
  falhou: number
  entrou: number
}

const enter = openInsertion(
  (rows) => `insert into usos_indice values ${Array(rows).fill('(?, ?, ?)').join()}`,
)
const addSum =
  CompiledQuery.raw(`insert into usos_dia (conta_id, dia, endpoint, http, error_code, chamadas, do_cache,
    com_falha, creditos, ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set chamadas = chamadas + excluded.chamadas, do_cache = do_cache + excluded.do_cache,
    com_falha = com_falha + excluded.com_falha, creditos = creditos + excluded.creditos, ms = ms + excluded.ms`)

/** Entries and sums of a call are written in one transaction, and the mark moves once all have entered. */
function indexOnSqlite(db: Db): Indexer {
  const compile = <R>(entrou: string) =>
    sql<R>`select conta_id, criado_em, request_id, (criado_em - 10800000) / 86400000 as dia, endpoint, http,
      error_code, creditos, cached, ms, fontes_falhas > 0 as falhou, ${sql.raw(entrou)} as entrou
    from usos as u where (criado_em, request_id) > (${0}, ${''}) and criado_em <= ${0}
    order by criado_em, request_id limit ${FATIA}`.compile(db.kysely)
  const read = compile<Linha>('0')
  const readAfterKill = compile<Linha>(
    'exists (select 1 from usos_indice as i where (i.conta_id, i.criado_em, i.request_id) = (u.conta_id, u.criado_em, u.request_id))',
  )
  const readMark = sql<Marca>`select criado_em, request_id from usos_marca`.compile(db.kysely)
  // A row that came among those that were read, from a clock that was set back, keeps the mark where it is.
  const move = sql<Marca>`update usos_marca set criado_em = ${0}, request_id = ${''}
    where (criado_em, request_id) = (${0}, ${''}) and ${0} = (select count(*) from usos as u
      where (u.criado_em, u.request_id) > (${0}, ${''}) and (u.criado_em, u.request_id) <= (${0}, ${''}))
    returning criado_em`.compile(db.kysely)
  /** False where a run before did not come to its end: some of its calls have entered. */
  let isClean = false

  async function indexSome(ate: number): Promise<boolean> {
    const [marca = { criado_em: 0, request_id: '' }] = await db.exclusive((query) => query(readMark, []))
    const runs: Linha[][] = []
    let [ultima, lidas] = [marca, 0]
    for (let full = true; full && lidas < LOTE; ) {
      const parameters = [ultima.criado_em, ultima.request_id, ate, FATIA]
      const linhas = await db.exclusive((query) => query(isClean ? read : readAfterKill, parameters))
      runs.push(linhas.filter(({ entrou }) => !entrou).sort(byConta))
      lidas += linhas.length
      ultima = linhas.at(-1) ?? ultima
      full = linhas.length === FATIA
      await nextTurn()
    }
    if (lidas === 0) return false
    isClean = false
    for (const fatia of fatiasOf(runs)) {
      await enterTogether(db, fatia)
      await nextTurn()
    }
    const [de, a] = [marca, ultima].map(({ criado_em, request_id }) => [criado_em, request_id] as const)
    const moved = await relaxedTransaction(db, (query) => query(move, [a, de, lidas, de, a].flat()))
    isClean = moved.length > 0
    return lidas >= LOTE || !isClean
  }

  return async (ate) => {
    let more = true
    while (more)
      more = await indexSome(ate).catch((error: unknown) => {
        if (!TAKEN.test(messageOf(error))) throw error
        return true
      })
  }
}

/** Another indexer of this database was faster. What has entered is then told by the index itself. */
const TAKEN = /UNIQUE constraint failed: usos_indice/

const byConta = (a: Linha, b: Linha): number =>
  a.conta_id < b.conta_id ? -1 : Number(a.conta_id > b.conta_id)

const headOf = (run: readonly Linha[] | undefined): string => run?.at(-1)?.conta_id ?? ''

/** The rows of sorted runs by account, in slices: to sort all of them at once would stop the loop. */
function* fatiasOf(runs: readonly Linha[][]): Generator<Linha[], void> {
  // Each run has its first row at its end, and so have the runs: what is taken is popped.
  const left = runs.filter((run) => run.length > 0).map((run) => run.toReversed())
  left.sort((a, b) => (headOf(a) < headOf(b) ? 1 : -1))
  let fatia: Linha[] = []
  for (let run = left.pop(); run; run = left.pop()) {
    const conta_id = headOf(run)
    for (let row = run.pop(); row; row = headOf(run) === conta_id ? run.pop() : undefined) fatia.push(row)
    if (run.length > 0) left.splice(placeOf(run, left), 0, run)
    if (fatia.length < FATIA) continue
    yield fatia
    fatia = []
  }
  if (fatia.length > 0) yield fatia
}

function placeOf(run: readonly Linha[], among: readonly Linha[][]): number {
  let [low, high] = [0, among.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (headOf(among[middle]) > headOf(run)) low = middle + 1
    else high = middle
  }
  return low
}

const enterTogether = (db: Db, fatia: readonly Linha[]): Promise<void> =>
  relaxedTransaction(db, async (query) => {
    await enter(query, fatia.map(entryOf))
    for (const soma of somasOf(fatia)) await query(addSum, soma)
  })

const entryOf = ({ conta_id, criado_em, request_id }: Linha) => [conta_id, criado_em, request_id]

type Soma = [...chave: [string, number, string, number, string], number, number, number, number, number]

/** The sums of rows that stand by account: one has few. */
function somasOf(linhas: readonly Linha[]): Soma[] {
  const somas: Soma[] = []
  let first = 0
  for (const { conta_id, dia, endpoint, http, error_code, cached, falhou, creditos, ms } of linhas) {
    if (somas[first]?.[0] !== conta_id) first = somas.length
    let at = first
    for (; at < somas.length; at++) {
      const [, outro_dia, outro, status, code] = somas[at] ?? []
      if (outro === endpoint && status === http && code === error_code && outro_dia === dia) break
    }
    const soma: Soma = somas[at] ?? [conta_id, dia, endpoint, http, error_code, 0, 0, 0, 0, 0]
    somas[at] = soma
    soma[5] += 1
    soma[6] += cached
    soma[7] += falhou
    soma[8] += creditos
    soma[9] += ms
  }
  return somas
}
