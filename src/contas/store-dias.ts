import { type RawBuilder, sql } from 'kysely'
import { diaDe } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import type { UsosTable } from '../platform/db/tables.ts'
import { comDesfecho, diaMaisPerto, type FiltroDeDias, limitesDe } from './dias.ts'

/** A call of an account, without the account. */
export type Uso = Omit<UsosTable, 'conta_id'>

/** The place of a call among those of its account. */
export type Marco = Pick<Uso, 'criado_em' | 'request_id'>

/** Which calls to look for. Days are AAAA-MM-DD in Brasília, both included. */
export type FiltroDeUsos = FiltroDeDias & { uf?: string | undefined; de: string; ate: string }

/** Where to look from, and how far. */
export type Alcance = {
  /** Towards the older calls, or the newer ones. */
  sentido: 'antigas' | 'novas'
  /** Undefined: from the end of the period that the direction begins with. */
  marco: Marco | undefined
  linhas: number
  /** The most rows that are read, so that a filter that hardly matches does not read them all. */
  olhar: number
}

/** What was found, the newest first. */
export type UsosAchados = {
  usos: Uso[]
  /** From where there may be more in the direction of the search. Undefined where it came to the end. */
  segue: Marco | undefined
  /** Set where the search ended because it had read as much as it may: the place of the last call it read. */
  parou: Marco | undefined
}

const columns = sql.raw(
  'criado_em, request_id, endpoint, documento, uf, http, error_code, creditos, cached, ms, fontes_falhas, fonte_code',
)

/**
 * Finds the calls of an account that a filter lets through. The sums of the days tell where to begin, so that
 * days without such a call are not read.
 */
export async function buscarUsos(
  db: Db,
  conta_id: string,
  filtro: FiltroDeUsos,
  { sentido, marco, linhas, olhar }: Alcance,
): Promise<UsosAchados> {
  const isBack = sentido === 'antigas'
  const periodo = { ...filtro, ...(isBack ? fimEm(filtro, marco) : inicioEm(filtro, marco)) }
  const nothing: UsosAchados = { usos: [], segue: undefined, parou: undefined }
  if (periodo.de > periodo.ate) return nothing
  const isFiltered = [filtro.endpoint, filtro.desfecho, filtro.uf].some((one) => one !== undefined)
  if (isFiltered) {
    const dia = await diaMaisPerto(db, conta_id, periodo, isBack ? 'fim' : 'inicio')
    if (dia === undefined) return nothing
    Object.assign(periodo, isBack ? { ate: dia } : { de: dia })
  }
  const rows = rowsOf(conta_id, periodo, { marco, isBack })
  const most = isFiltered ? olhar : linhas + 1
  // The order of the inner select is that of its index; an order outside would read all rows first.
  const { rows: found } = await sql<Uso>`
    select ${columns} from (select ${columns} ${rows} limit ${most}) as olhadas
    where ${passa(filtro)} limit ${linhas + 1}`.execute(db.kysely)
  const usos = found.slice(0, linhas)
  const last = usos.at(-1)
  if (!isBack) usos.reverse()
  if (found.length > linhas) return { usos, segue: last, parou: undefined }
  const parou = isFiltered ? await placeAt(db, rows, olhar - 1) : undefined
  return { usos, segue: parou, parou }
}

const fimEm = ({ ate }: FiltroDeUsos, marco: Marco | undefined) => ({
  ate: marco && diaDe(marco.criado_em) < ate ? diaDe(marco.criado_em) : ate,
})

const inicioEm = ({ de }: FiltroDeUsos, marco: Marco | undefined) => ({
  de: marco && diaDe(marco.criado_em) > de ? diaDe(marco.criado_em) : de,
})

function rowsOf(
  conta_id: string,
  { de, ate }: FiltroDeUsos,
  { marco, isBack }: { marco: Marco | undefined; isBack: boolean },
): RawBuilder<unknown> {
  const [first, last] = limitesDe(de, ate)
  const than = sql.raw(isBack ? '<' : '>')
  const order = sql.raw(isBack ? 'desc' : 'asc')
  const beyond = marco
    ? sql`(criado_em, request_id) ${than} (cast(${marco.criado_em} as bigint), ${marco.request_id})`
    : sql`true`
  return sql`from usos where conta_id = ${conta_id} and criado_em between ${first} and ${last} and ${beyond}
    order by criado_em ${order}, request_id ${order}`
}

const passa = ({ endpoint, desfecho, uf }: FiltroDeUsos): RawBuilder<unknown> =>
  sql`${endpoint === undefined ? sql`true` : sql`endpoint = ${endpoint}`}
    and ${uf === undefined ? sql`true` : sql`uf = ${uf}`} and ${comDesfecho(desfecho, { cached: 'cached', falhas: 'fontes_falhas' })}`

/** The place of a row in the order of the search; undefined where there are fewer. */
async function placeAt({ kysely }: Db, rows: RawBuilder<unknown>, at: number): Promise<Marco | undefined> {
  const { rows: found } = await sql<Marco>`select criado_em, request_id ${rows} limit 1 offset ${at}`.execute(
    kysely,
  )
  return found[0]
}

/** How long a call may take, and how far a node's clock may be set back meanwhile. */
const LONGEST_MS = 3_600_000
const BACK_MS = 300_000

/** The call of an account by its request id, whose first digits are the instant of its start (RFC 9562). */
export async function findUso(
  { kysely }: Db,
  conta_id: string,
  request_id: string,
): Promise<Uso | undefined> {
  const start = Number.parseInt(request_id.replace('-', '').slice(0, 12), 16)
  const { rows } = await sql<Uso>`
    select ${columns} from usos where conta_id = ${conta_id} and request_id = ${request_id}
      and criado_em between ${start - BACK_MS} and ${start + LONGEST_MS} limit 1`.execute(kysely)
  return rows[0]
}
