import { sql } from 'kysely'
import type { Cache } from '../platform/cache/cache.ts'
import type { Db } from '../platform/db/db.ts'
import { relaxed } from '../platform/db/queries.ts'
import type { ConsumoTable } from '../platform/db/tables.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'

/** The most queries by key of a holder in an hour (NT 2014.002 v1.21, 3.11.4). */
const LIMITE = 20

/** Digits of an instant, until the year 2286. */
const WIDTH = 13
const LENGTH = sql.lit(WIDTH * LIMITE)
/** The place of the oldest of the last 20 instants. It is empty while there were fewer. */
const OLDEST = sql.lit(WIDTH * (LIMITE - 1) + 1)

type Row = Omit<ConsumoTable, 'titular'>

const write = (instant: number): string => String(instant).padStart(WIDTH, '0')

/** The instant at a place, 0 for the newest. The result is 0 where there were not as many. */
const atInstant = (instantes: string, place: number): number =>
  Number(instantes.slice(place * WIDTH, (place + 1) * WIDTH))

/** Undefined if no query is left. One statement, so that no 21st passes on any node. */
async function insertConsulta(
  db: Db,
  { titular, instant, since }: { titular: string; instant: number; since: number },
): Promise<Row | undefined> {
  const statement = sql<Row>`
    insert into consumo as c (titular, instantes, bloqueado_ate) values (${titular}, ${write(instant)}, 0)
    on conflict (titular) do update set instantes = substr(excluded.instantes || c.instantes, 1, ${LENGTH})
    where c.bloqueado_ate <= ${instant} and substr(c.instantes, ${OLDEST}) <= ${write(since)}
    returning instantes, bloqueado_ate`
  const { rows } = await relaxed(db, (connection) => statement.execute(connection))
  return rows[0]
}

async function deleteConsulta(db: Db, titular: string): Promise<void> {
  const instantes = sql<string>`substr(instantes, ${sql.lit(WIDTH + 1)})`
  await relaxed(db, (connection) =>
    connection.updateTable('consumo').set({ instantes }).where('titular', '=', titular).execute(),
  )
}

/** Forgets what was counted before, which is older. */
async function upsertBlock(
  db: Db,
  { titular, bloqueado_ate }: { titular: string; bloqueado_ate: number },
): Promise<number> {
  const statement = sql<Pick<Row, 'bloqueado_ate'>>`
    insert into consumo as c (titular, instantes, bloqueado_ate) values (${titular}, '', ${bloqueado_ate})
    on conflict (titular) do update set instantes = '', bloqueado_ate =
      case when c.bloqueado_ate > excluded.bloqueado_ate then c.bloqueado_ate else excluded.bloqueado_ate end
    returning bloqueado_ate`
  const { rows } = await relaxed(db, (connection) => statement.execute(connection))
  return rows[0]?.bloqueado_ate ?? bloqueado_ate
}

const selectConsumo = ({ kysely }: Db, titular: string): Promise<Row | undefined> =>
  kysely
    .selectFrom('consumo')
    .select(['instantes', 'bloqueado_ate'])
    .where('titular', '=', titular)
    .executeTakeFirst()

async function sweepConsumo(
  { kysely }: Db,
  { instant, since }: { instant: number; since: number },
): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('consumo')
    .where('bloqueado_ate', '<=', instant)
    .where(sql<string>`substr(instantes, 1, ${sql.lit(WIDTH)})`, '<=', write(since))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export type Orcamento = {
  limite: typeof LIMITE
  restantes: number
  /** The instant from which one query more is allowed. It is now where none was used. */
  renewsAt: Date
}

/** After 20 in an hour the authority refuses all for the next hour (NT 2014.002 v1.21, 3.11.4). */
export type Consumo = {
  /** With `ok` false, do not send it. */
  take: (documento: string) => Promise<{ ok: boolean } & Orcamento>
  /** Only a query that the authority cannot have counted. */
  giveBack: (documento: string) => Promise<void>
  /** After a 656 an hour without queries begins, plus a minute for the clocks. */
  block: (documento: string) => Promise<Orcamento>
  look: (documento: string) => Promise<Orcamento>
  sweep: () => Promise<number>
}

const HOUR_MS = 60 * 60_000
/** We count a query when it leaves, and the authority when it arrives. Clocks of nodes differ too. */
const MARGIN_MS = 60_000
const WINDOW_MS = HOUR_MS + MARGIN_MS

type Options = { now: () => Date; ambiente: string; secret: string }

/** Opens the budgets of the holders. The database holds a keyed hash of their documents. */
export function openConsumo(db: Db, { now, ambiente, secret }: Options): Consumo {
  const { mac } = openSelo(secret, 'consumo')
  const titularOf = (documento: string): string => mac(`${ambiente}:${documento}`)

  async function lookAt(titular: string, agora: Date): Promise<Orcamento> {
    const row = await selectConsumo(db, titular)
    return row ? orcamentoOf(row, agora) : { limite: LIMITE, restantes: LIMITE, renewsAt: agora }
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
      return { limite: LIMITE, restantes: 0, renewsAt: new Date(ate) }
    },
    look: (documento) => lookAt(titularOf(documento), now()),
    sweep: () => sweepConsumo(db, { instant: now().getTime(), since: now().getTime() - WINDOW_MS }),
  }
}

function orcamentoOf({ instantes, bloqueado_ate }: Omit<ConsumoTable, 'titular'>, agora: Date): Orcamento {
  const instant = agora.getTime()
  if (bloqueado_ate > instant) return { limite: LIMITE, restantes: 0, renewsAt: new Date(bloqueado_ate) }
  // From the oldest end, as the database reads it. Clocks that differ may have written them out of order.
  const counted = Array.from({ length: LIMITE }, (_, place) => atInstant(instantes, place))
  const oldest = counted.findLastIndex((at) => at > instant - WINDOW_MS)
  const renewsAt = oldest < 0 ? agora : new Date((counted[oldest] ?? instant) + WINDOW_MS)
  return { limite: LIMITE, restantes: LIMITE - 1 - oldest, renewsAt }
}

/** The XML of delivered notes, by access key, for 24 hours. It is encrypted in the database and in memory. */
export type NfeCache = {
  /** The caller checks the right to see it. Undefined also where another secret sealed it. */
  find: (chave: string) => Promise<{ xml: string; since: string } | undefined>
  keep: (chave: string, xml: string) => Promise<void>
}

const TTL_MS = 24 * 60 * 60_000

const keyOf = (chave: string): string => `nfe-xml/1:${chave}`

export function openNfeCache(cache: Cache, secret: string): NfeCache {
  const selo = openSelo(secret, 'nfe xml')
  return {
    find: async (chave) => {
      const key = keyOf(chave)
      const sealed = await cache.find<string>(key)
      if (!sealed) return undefined
      const xml = openText(selo, sealed.value, key)
      return xml === undefined ? undefined : { xml, since: sealed.since }
    },
    keep: (chave, xml) => {
      const key = keyOf(chave)
      return cache.put({ key, ttlMs: TTL_MS }, sealText(selo, xml, key))
    },
  }
}

/** Anybody can make a file with another's CNPJ, so a cached answer is given to these alone. */
export type Reconhecidos = {
  has: (impressao: string) => Promise<boolean>
  /** Resolves as `put` of the cache does. If a mark is lost, the authority is asked again. */
  keep: (impressao: string) => Promise<void>
}

const RECONHECIDO_MS = 24 * 60 * 60_000

const reconhecidoKey = (impressao: string): string => `certificado-reconhecido/1:${impressao}`

export const openReconhecidos = (cache: Cache): Reconhecidos => ({
  has: async (impressao) => (await cache.find<true>(reconhecidoKey(impressao))) !== undefined,
  keep: (impressao) => cache.put({ key: reconhecidoKey(impressao), ttlMs: RECONHECIDO_MS }, true),
})
