import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { prepareRows, relaxedTransaction } from '../platform/db/queries.ts'
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

function sumOnPostgres(db: Db): Indexer {
  const statement = sql<{ linhas: number }>`select somar_usos(${0}, ${LOTE}) as linhas`.compile(db.kysely)
  const somar = prepareRows(db, statement)
  return async (ate) => {
    let linhas: number | undefined = LOTE
    while (linhas === LOTE) linhas = (await somar(ate, LOTE))[0]?.linhas
  }
}

/** Rows that are read or written in one turn of the event loop. */
const FATIA = 250

type Marca = { criado_em: number; request_id: string }

type Lidas = Marca & { lidas: number }

type Entrada = Marca & { conta_id: string }

const CHAVE = 'conta_id, criado_em, request_id'
const DEPOIS_DA_MARCA = '(u.criado_em, u.request_id) > (?, ?)'
const ATE_A_ULTIMA = '(u.criado_em, u.request_id) <= (?, ?)'

let opened = 0

/**
 * The statements of one indexer. Its rows are sorted in a table that SQLite keeps in memory: as objects of
 * ours, 20,000 filled the old heap every two seconds, and its collection stopped the loop (2026-11-28).
 */
function prepareStatements({ kysely }: Db) {
  const compile = <R>(text: string) => sql<R>`${sql.raw(text)}`.compile(kysely)
  opened += 1
  const fila = `temp.usos_fila_${opened}`
  const after = `${fila} where (${CHAVE}) > (?, ?, ?)`
  const next = `select * from ${after} order by ${CHAVE} limit ${FATIA}`
  const read = (isOut: string) =>
    compile(`insert into ${fila} select conta_id, criado_em, request_id,
        (criado_em - 10800000) / 86400000, endpoint, http, error_code, cached, fontes_falhas > 0, creditos, ms
      from usos as u where ${DEPOIS_DA_MARCA} and ${ATE_A_ULTIMA} ${isOut}`)
  return {
    create: compile(`create table if not exists ${fila} (conta_id text, criado_em integer,
      request_id text, dia integer, endpoint text, http integer, error_code text, cached integer,
      falhou integer, creditos integer, ms integer, primary key (${CHAVE})) without rowid`),
    clear: compile(`delete from ${fila}`),
    marca: compile<Marca>('select criado_em, request_id from usos_marca'),
    // Where a slice is full, its last row is found without a look at what the others are.
    cheia: compile<Marca>(`select criado_em, request_id from usos as u where ${DEPOIS_DA_MARCA}
      and criado_em <= ? order by criado_em, request_id limit 1 offset ${FATIA - 1}`),
    ultima: compile<Lidas>(`with fatia as (select criado_em, request_id from usos as u
        where ${DEPOIS_DA_MARCA} and criado_em <= ? order by criado_em, request_id limit ${FATIA})
      select criado_em, request_id, (select count(*) from fatia) as lidas from fatia
      order by criado_em desc, request_id desc limit 1`),
    read: read(''),
    readAfterKill: read(`and not exists (select 1 from usos_indice as i
      where (i.conta_id, i.criado_em, i.request_id) = (u.conta_id, u.criado_em, u.request_id))`),
    end: compile<Entrada>(`select ${CHAVE} from ${after} order by ${CHAVE} limit 1 offset ${FATIA - 1}`),
    last: compile<Entrada>(`select ${CHAVE} from ${after} order by conta_id desc, criado_em desc,
      request_id desc limit 1`),
    enter: compile(`insert into usos_indice select ${CHAVE} from (${next})`),
    sum: compile(`insert into usos_dia (conta_id, dia, endpoint, http, error_code, chamadas, do_cache,
        com_falha, creditos, ms)
      select conta_id, dia, endpoint, http, error_code, count(*), sum(cached), sum(falhou), sum(creditos), sum(ms)
      from (${next}) where true group by conta_id, dia, endpoint, http, error_code
      on conflict do update set chamadas = chamadas + excluded.chamadas, do_cache = do_cache + excluded.do_cache,
        com_falha = com_falha + excluded.com_falha, creditos = creditos + excluded.creditos,
        ms = ms + excluded.ms`),
    // A row that came among those that were read keeps the mark. To compare both columns costs twice as much.
    move: compile<Marca>(`update usos_marca set criado_em = ?, request_id = ?
      where (criado_em, request_id) = (?, ?) and ? =
        (select count(*) from usos where criado_em > ? and criado_em < ?) + (select count(*) from usos as u
          where criado_em in (?, ?) and ${DEPOIS_DA_MARCA} and ${ATE_A_ULTIMA})
      returning criado_em`),
  }
}

/** Entries and sums of a call are written in one transaction, and the mark moves once all have entered. */
function indexOnSqlite(db: Db): Indexer {
  const statements = prepareStatements(db)
  /** False where a run before did not come to its end: some of its calls have entered. */
  let isClean = false

  /** Puts the next calls in order. How many they are, and the last of them. */
  const readSome = ({ criado_em, request_id }: Marca, ate: number): Promise<Lidas | undefined> =>
    db.exclusive(async (query) => {
      const [cheia] = await query(statements.cheia, [criado_em, request_id, ate])
      const [ultima] = cheia
        ? [{ ...cheia, lidas: FATIA }]
        : await query(statements.ultima, [criado_em, request_id, ate])
      const read = isClean ? statements.read : statements.readAfterKill
      if (ultima) await query(read, [criado_em, request_id, ultima.criado_em, ultima.request_id])
      return ultima
    })

  /** Enters the next calls after this entry, in the order of the accounts. The last of them. */
  const enterSome = (depois: readonly [string, number, string]): Promise<Entrada | undefined> =>
    relaxedTransaction(db, async (query) => {
      const [full] = await query(statements.end, depois)
      const [ultima] = full ? [full] : await query(statements.last, depois)
      if (!ultima) return undefined
      await query(statements.enter, depois)
      await query(statements.sum, depois)
      return ultima
    })

  async function indexSome(ate: number): Promise<boolean> {
    const [marca = { criado_em: 0, request_id: '' }] = await db.exclusive(async (query) => {
      await query(statements.create, [])
      await query(statements.clear, [])
      return query(statements.marca, [])
    })
    let [ultima, lidas] = [marca, 0]
    for (let full = true; full && lidas < LOTE; ) {
      const some = await readSome(ultima, ate)
      lidas += some?.lidas ?? 0
      full = some?.lidas === FATIA
      ultima = some ?? ultima
      await nextTurn()
    }
    if (lidas === 0) return false
    isClean = false
    for (let entrada = await enterSome(['', 0, '']); entrada; ) {
      await nextTurn()
      entrada = await enterSome([entrada.conta_id, entrada.criado_em, entrada.request_id])
    }
    const de = [marca.criado_em, marca.request_id]
    const a = [ultima.criado_em, ultima.request_id]
    const moved = await relaxedTransaction(db, (query) =>
      query(statements.move, [a, de, lidas, de[0], a[0], de[0], a[0], de, a].flat()),
    )
    await db.exclusive((query) => query(statements.clear, []))
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
