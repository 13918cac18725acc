import { type RawBuilder, sql } from 'kysely'
import { diaDe, inicioDoDia } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import type { UsosTable } from '../platform/db/tables.ts'

/** Calls that are alike: an endpoint, and what they came to. Undefined says nothing of it. */
export type FiltroDeDias = {
  endpoint?: string | undefined
  /** `entregues`, `falhas`, `interrompidas`, `cache`, `fonte` (a source failed), or the code of a failure. */
  desfecho?: string | undefined
}

export type SomaDeUsos = {
  chamadas: number
  entregues: number
  /** The rest are calls whose client left before the answer was complete. */
  falhas: number
  do_cache: number
  /** Those delivered in which a source failed. */
  com_falha: number
  creditos: number
  /** The sum of their milliseconds. */
  ms: number
}

/** How many days the sums are kept: 13 months. */
const KEPT_DAYS = 397
const DAY_MS = 86_400_000

const numeroDoDia = (dia: string): number => Date.parse(`${dia}T00:00:00Z`) / DAY_MS

const diaDoNumero = (numero: number): string => new Date(numero * DAY_MS).toISOString().slice(0, 10)

type Periodo = FiltroDeDias & { de: string; ate: string }

const ENTREGUE = sql`(http < 400 and error_code = '')`
const FALHA = sql`(http <> 499 and (http >= 400 or error_code <> ''))`

function comDesfecho(
  desfecho: string | undefined,
  names: { cached: 'cached' | 'do_cache'; falhas: 'fontes_falhas' | 'com_falha' },
): RawBuilder<unknown> {
  if (desfecho === undefined) return sql`true`
  if (desfecho === 'entregues') return ENTREGUE
  if (desfecho === 'falhas') return FALHA
  if (desfecho === 'interrompidas') return sql`http = 499`
  if (desfecho === 'cache') return sql`${sql.ref(names.cached)} > 0`
  if (desfecho === 'fonte') return sql`${sql.ref(names.falhas)} > 0 and error_code = ''`
  return sql`error_code = ${desfecho}`
}

const SEM_ENTRADA = sql.raw(`not exists (select 1 from usos_indice as i
  where (i.conta_id, i.criado_em, i.request_id) = (u.conta_id, u.criado_em, u.request_id))`)

type Instantes = { first: number; last: number }

/** The calls of an account that stand after the mark. One with an entry is in the sums all the same. */
function tailOf({ dialect }: Db, conta_id: string, { first, last }: Instantes): RawBuilder<unknown> {
  const [larger, isOut] = dialect === 'postgres' ? ['greatest', sql`true`] : ['max', SEM_ENTRADA]
  // One lower bound: the embedded database would take either, and read 90 days.
  return sql`u.conta_id = ${conta_id} and u.criado_em between
      ${sql.raw(larger)}(${first}, (select m.criado_em from usos_marca as m)) and ${last}
    and (u.criado_em, u.request_id) > (select m.criado_em, m.request_id from usos_marca as m) and ${isOut}`
}

/** The sums of an account, with what is not in them yet as sums of one call each. */
function wanted(db: Db, conta_id: string, { endpoint, desfecho, de, ate }: Periodo): RawBuilder<unknown> {
  const deste = endpoint === undefined ? sql`true` : sql`endpoint = ${endpoint}`
  return sql`(
    select dia, endpoint, http, error_code, chamadas, do_cache, com_falha, creditos, ms from usos_dia
    where conta_id = ${conta_id} and dia between ${numeroDoDia(de)} and ${numeroDoDia(ate)} and ${deste}
      and ${comDesfecho(desfecho, { cached: 'do_cache', falhas: 'com_falha' })}
    union all
    select cast((criado_em - 10800000) / 86400000 as integer), endpoint, http, error_code, 1, cached,
      case when fontes_falhas > 0 then 1 else 0 end, creditos, ms from usos as u
    where ${tailOf(db, conta_id, limitesDe(de, ate))} and ${deste}
      and ${comDesfecho(desfecho, { cached: 'cached', falhas: 'fontes_falhas' })}) as achados`
}

const somas = sql`cast(sum(chamadas) as bigint) as chamadas,
  cast(sum(case when ${ENTREGUE} then chamadas else 0 end) as bigint) as entregues,
  cast(sum(case when ${FALHA} then chamadas else 0 end) as bigint) as falhas,
  cast(sum(do_cache) as bigint) as do_cache,
  cast(sum(case when ${ENTREGUE} then com_falha else 0 end) as bigint) as com_falha,
  cast(sum(creditos) as bigint) as creditos, cast(sum(ms) as bigint) as ms`

/** The calls of each day and endpoint, the oldest day first; days AAAA-MM-DD in Brasília, both included. */
export async function sumDias(
  db: Db,
  conta_id: string,
  periodo: Periodo,
): Promise<(SomaDeUsos & { dia: string; endpoint: string })[]> {
  const { rows } = await sql<SomaDeUsos & { dia: number; endpoint: string }>`
    select dia, endpoint, ${somas} from ${wanted(db, conta_id, periodo)}
    group by dia, endpoint order by dia`.execute(db.kysely)
  return rows.map((row) => ({ ...row, dia: diaDoNumero(row.dia) }))
}

export async function sumDesfechos(
  db: Db,
  conta_id: string,
  periodo: Periodo,
): Promise<(SomaDeUsos & { endpoint: string; error_code: string })[]> {
  const { rows } = await sql<SomaDeUsos & { endpoint: string; error_code: string }>`
    select endpoint, error_code, ${somas} from ${wanted(db, conta_id, periodo)}
    group by endpoint, error_code order by chamadas desc, endpoint, error_code`.execute(db.kysely)
  return rows
}

/** The day with such calls that is nearest to the end of a period, or to its start. Undefined without one. */
async function diaMaisPerto(
  db: Db,
  conta_id: string,
  periodo: Periodo,
  extremo: 'fim' | 'inicio',
): Promise<string | undefined> {
  const order = extremo === 'fim' ? sql`desc` : sql`asc`
  const { rows } = await sql<{ dia: number }>`
    select dia from ${wanted(db, conta_id, periodo)} order by dia ${order} limit 1`.execute(db.kysely)
  const [row] = rows
  return row && diaDoNumero(row.dia)
}

export async function deleteOldestDias(kysely: Db['kysely'], instant: number, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usos_dia where (conta_id, dia, endpoint, http, error_code) in (
      select conta_id, dia, endpoint, http, error_code from usos_dia
      where dia < ${Math.floor(instant / DAY_MS) - KEPT_DAYS} limit ${most})`.execute(kysely)
  return Number(numAffectedRows)
}

const limitesDe = (de: string, ate: string): Instantes => ({
  first: inicioDoDia(de),
  last: inicioDoDia(ate) + DAY_MS - 1,
})

export type Uso = Omit<UsosTable, 'conta_id'>

export type Marco = Pick<Uso, 'criado_em' | 'request_id'>

/** Which calls to look for. Days are AAAA-MM-DD in Brasília, both included. */
export type FiltroDeUsos = FiltroDeDias & {
  uf?: string | undefined
  texto?: TextoDeUsos | undefined
  de: string
  ate: string
}

/** What a text that was typed may be of a call; one of them is enough. Without any it is of no call. */
export type TextoDeUsos = {
  /** Hexadecimal, with hyphens. */
  fimDoPedido?: string | undefined
  /** Parts of a document as the log has it, in digits, capitals, asterisks and its punctuation. */
  documentos: readonly string[]
  /** A part of a code, in capitals and digits. */
  codigo?: string | undefined
  /** The codes that have such a name. */
  codigos?: readonly string[]
  /** As `desfecho` of a filter. */
  desfechos?: readonly string[]
  /** The endpoints whose delivery that cost nothing came without what was asked for. */
  vazias?: readonly string[]
  http?: number | undefined
  creditos?: number | undefined
  /** Minutes since midnight in Brasília. */
  minuto?: number | undefined
  uf?: string | undefined
  endpoints: readonly string[]
}

export type Alcance = {
  sentido: 'antigas' | 'novas'
  /** Undefined: from the end of the period that the direction begins with. */
  marco: Marco | undefined
  linhas: number
  /** The most rows that are read, so that a filter that hardly matches does not read them all. */
  scan: number
}

/** What was found, the newest first. */
export type UsosAchados = {
  usos: Uso[]
  /** From where there may be more in the direction of the search. Undefined where it came to the end. */
  next: Marco | undefined
  /** Set where the search ended because it had read as much as it may: the place of the last call it read. */
  stoppedAt: Marco | undefined
}

/** Where a call's place is read from decides by which table its calls are in order. */
const columnsOf = (place: 'u' | 'i') =>
  sql.raw(`${place}.criado_em, ${place}.request_id, u.endpoint, u.documento, u.uf, u.http, u.error_code,
    u.creditos, u.cached, u.ms, u.fontes_falhas, u.fonte_code`)

/** The sums of the days tell where to begin, so that days without such a call are not read. */
export async function findUsos(
  db: Db,
  conta_id: string,
  filtro: FiltroDeUsos,
  { sentido, marco, linhas, scan }: Alcance,
): Promise<UsosAchados> {
  const isBack = sentido === 'antigas'
  const periodo = { ...filtro, ...(isBack ? fimEm(filtro, marco) : inicioEm(filtro, marco)) }
  const nothing: UsosAchados = { usos: [], next: undefined, stoppedAt: undefined }
  if (periodo.de > periodo.ate) return nothing
  const isFiltered = [filtro.endpoint, filtro.desfecho, filtro.uf, filtro.texto].some(
    (one) => one !== undefined,
  )
  if (isFiltered) {
    const dia = await diaMaisPerto(db, conta_id, periodo, isBack ? 'fim' : 'inicio')
    if (dia === undefined) return nothing
    Object.assign(periodo, isBack ? { ate: dia } : { de: dia })
  }
  const rows = rowsOf(db, conta_id, { ...periodo, marco, isBack })
  const most = isFiltered ? scan : linhas + 1
  // The order of the inner select is that of its index; an order outside would read all rows first.
  const { rows: found } = await sql<Uso>`
    select * from (${rows} limit ${most}) as olhadas
    where ${passes(filtro)} limit ${linhas + 1}`.execute(db.kysely)
  const usos = found.slice(0, linhas)
  const last = usos.at(-1)
  if (!isBack) usos.reverse()
  if (found.length > linhas) return { usos, next: last, stoppedAt: undefined }
  const stoppedAt = isFiltered ? await placeAt(db, rows, scan - 1) : undefined
  return { usos, next: stoppedAt, stoppedAt }
}

const fimEm = ({ ate }: FiltroDeUsos, marco: Marco | undefined) => ({
  ate: marco && diaDe(marco.criado_em) < ate ? diaDe(marco.criado_em) : ate,
})

const inicioEm = ({ de }: FiltroDeUsos, marco: Marco | undefined) => ({
  de: marco && diaDe(marco.criado_em) > de ? diaDe(marco.criado_em) : de,
})

/** The calls of an account in the order of a search, those without an entry in the index too. */
function rowsOf(
  db: Db,
  conta_id: string,
  { de, ate, marco, isBack }: { de: string; ate: string; marco: Marco | undefined; isBack: boolean },
): RawBuilder<unknown> {
  const than = sql.raw(isBack ? '<' : '>')
  const order = sql.raw(isBack ? 'desc' : 'asc')
  const { first, last } = limitesDe(de, ate)
  const instantes = {
    first: marco && !isBack ? Math.max(first, marco.criado_em) : first,
    last: marco && isBack ? Math.min(last, marco.criado_em) : last,
  }
  const beyond = (place: RawBuilder<unknown>) =>
    marco ? sql`(${place}) ${than} (cast(${marco.criado_em} as bigint), ${marco.request_id})` : sql`true`
  return sql`${callsOf(db, conta_id, instantes, beyond)} order by criado_em ${order}, request_id ${order}`
}

/** PostgreSQL has an index by account; the embedded database a table in its place (decision 96). */
function callsOf(
  db: Db,
  conta_id: string,
  instantes: Instantes,
  isWanted: (place: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { first, last } = instantes
  if (db.dialect === 'postgres')
    return sql`select ${columnsOf('u')} from usos as u where u.conta_id = ${conta_id}
      and u.criado_em between ${first} and ${last} and ${isWanted(sql.raw('u.criado_em, u.request_id'))}`
  return sql`select ${columnsOf('i')} from usos_indice as i cross join usos as u
      on u.criado_em = i.criado_em and u.request_id = i.request_id
    where i.conta_id = ${conta_id} and i.criado_em between ${first} and ${last}
      and ${isWanted(sql.raw('i.criado_em, i.request_id'))}
    union all select ${columnsOf('u')} from usos as u where ${tailOf(db, conta_id, instantes)}
      and ${isWanted(sql.raw('+u.criado_em, u.request_id'))}`
}

const passes = ({ endpoint, desfecho, uf, texto }: FiltroDeUsos): RawBuilder<unknown> =>
  sql`${endpoint === undefined ? sql`true` : sql`endpoint = ${endpoint}`}
    and ${texto === undefined ? sql`true` : hasTexto(texto)}
    and ${uf === undefined ? sql`true` : sql`uf = ${uf}`} and ${comDesfecho(desfecho, { cached: 'cached', falhas: 'fontes_falhas' })}`

function hasTexto({
  fimDoPedido,
  documentos,
  codigo,
  codigos = [],
  desfechos = [],
  vazias = [],
  http,
  creditos,
  minuto,
  uf,
  endpoints,
}: TextoDeUsos): RawBuilder<unknown> {
  const one = [
    fimDoPedido !== undefined && sql`request_id like ${`%${fimDoPedido}`}`,
    ...documentos.map((documento) => sql`documento like ${`%${documento}%`}`),
    codigo !== undefined && sql`error_code like ${`%${codigo}%`} or fonte_code like ${`%${codigo}%`}`,
    codigos.length > 0 && sql`error_code in (${sql.join(codigos)}) or fonte_code in (${sql.join(codigos)})`,
    ...desfechos.map((one) => comDesfecho(one, { cached: 'cached', falhas: 'fontes_falhas' })),
    vazias.length > 0 &&
      sql`endpoint in (${sql.join(vazias)}) and http = 200 and creditos = 0 and cached = 0`,
    http !== undefined && sql`http = ${http}`,
    minuto !== undefined && sql`(criado_em - 10800000) % 86400000 / 60000 = ${minuto}`,
    creditos !== undefined && sql`creditos = ${creditos}`,
    uf !== undefined && sql`uf = ${uf}`,
    endpoints.length > 0 && sql`endpoint in (${sql.join(endpoints)})`,
  ].filter((part) => part !== false)
  return one.length === 0 ? sql`false` : sql`(${sql.join(one, sql` or `)})`
}

async function placeAt({ kysely }: Db, rows: RawBuilder<unknown>, at: number): Promise<Marco | undefined> {
  const { rows: found } = await sql<Marco>`
    select criado_em, request_id from (${rows} limit 1 offset ${at}) as olhada`.execute(kysely)
  return found[0]
}

/** How long a call may take, and how far a node's clock may be set back meanwhile. */
const LONGEST_MS = 3_600_000
const BACK_MS = 300_000

/** The call of an account by its request id, whose first digits are the instant of its start (RFC 9562). */
export async function findUso(db: Db, conta_id: string, request_id: string): Promise<Uso | undefined> {
  const start = Number.parseInt(request_id.replace('-', '').slice(0, 12), 16)
  const calls = callsOf(
    db,
    conta_id,
    { first: start - BACK_MS, last: start + LONGEST_MS },
    () => sql`u.request_id = ${request_id}`,
  )
  const { rows } = await sql<Uso>`${calls} limit 1`.execute(db.kysely)
  return rows[0]
}

/** The instant of an account's last call. Undefined without one. */
export async function findLast(db: Db, conta_id: string): Promise<number | undefined> {
  const always = { first: 0, last: Number.MAX_SAFE_INTEGER }
  const calls = callsOf(db, conta_id, always, () => sql`true`)
  const { rows } = await sql<Marco>`${calls} order by criado_em desc, request_id desc limit 1`.execute(
    db.kysely,
  )
  return rows[0]?.criado_em
}
