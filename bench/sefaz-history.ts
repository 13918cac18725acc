/**
 * Measures what the monitor of the SEFAZ keeps of 90 days, 1,749,600 readings, on both databases: history,
 * round, day, deletion, room on the disk. `node bench/sefaz-history.ts [rounds]`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { issueKey } from '../src/contas/store-chaves.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import type { Db } from '../src/platform/db/db.ts'
import { autorizadores } from '../src/sefaz/rules.ts'
import { openSefazStore, type SefazStore } from '../src/sefaz/store.ts'
import { startServer } from '../src/server.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { boa, feita, muda } from '../test/kit/sefaz.ts'
import { machineLine, median } from './machine.ts'

const EVERY_MS = 120_000
const DAY_MS = 86_400_000
const ROUNDS = (90 * DAY_MS) / EVERY_MS
/** A minute before midnight in Brasília, so that today has all its rows. */
const NOW = Date.parse('2026-11-15T02:59:00Z')
const BATCH = 400
const [rounds = 31] = process.argv.slice(2).map(Number)

/** Writes 90 days in the order of time, as rounds do; one reading in a hundred is a time-out. */
async function fill({ kysely, dialect }: Db): Promise<void> {
  for (let from = ROUNDS - 1; from >= 0; from -= BATCH) {
    const instants = Array.from({ length: Math.min(BATCH, from + 1) }, (_, i) => NOW - (from - i) * EVERY_MS)
    await kysely.transaction().execute(async (trx) => {
      await sql`insert into rodadas_sefaz (ambiente, em, fim, fonte, sem_rede)
        select 'producao', cast(j.value ->> 0 as bigint), cast(j.value ->> 0 as bigint) + 3000, 'servicos', 0
        from ${elements(instants.map((em) => [em]))} as j`.execute(trx)
      const rows = instants.flatMap((em, i) =>
        autorizadores.map(({ id }, k) => {
          const failed = (i * 27 + k) % 100 === 0
          return [
            id,
            em,
            failed ? 'timeout' : 'resposta',
            failed ? null : 200 + ((i * 7919 + k * 104_729) % 3_000),
          ]
        }),
      )
      await sql`insert into leituras_sefaz (ambiente, autorizador, em, resultado, resposta_ms, cstat, motivo)
        select 'producao', j.value ->> 0, cast(j.value ->> 1 as bigint), j.value ->> 2, cast(j.value ->> 3 as integer),
          107, '' from ${elements(rows)} as j`.execute(trx)
    })
  }
  if (dialect === 'postgres') await sql`vacuum analyze`.execute(kysely)
}

/** Lists as one parameter. Either database takes an object apart in the same way, and only that. */
const elements = (values: readonly (readonly unknown[])[]) => sql`json_each(${JSON.stringify({ ...values })})`

/** How long `work` takes, and the longest stop of the loop meanwhile. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; stop: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  // A stop that lasts to the end is noticed by the next sample.
  await setTimeout(3)
  delay.disable()
  return { ms, stop: delay.max / 1e6 }
}

async function often(times: number, work: (i: number) => Promise<unknown>): Promise<string> {
  const all = []
  for (let i = 0; i < times; i++) all.push(await timed(() => work(i)))
  const ms = all.slice(1).map((one) => one.ms)
  return `${median(ms).toFixed(2)} (at most ${Math.max(...ms).toFixed(1)})`
}

const told = ({ ms, stop }: { ms: number; stop: number }): string =>
  `${ms.toFixed(0)} (longest stop of the loop ${stop.toFixed(1)})`

const readAll = (sefaz: SefazStore, de = '2026-08-17'): Promise<unknown> =>
  sefaz.dias({ autorizadores: autorizadores.map(({ id }) => id), de, ate: '2026-11-14' })

/** The room that the monitor's tables take, in MB. */
async function room({ kysely, dialect }: Db, arquivo: string): Promise<number> {
  if (dialect === 'sqlite') return statSync(arquivo).size / 2 ** 20
  const { rows } = await sql<{ mb: number }>`select sum(pg_total_relation_size(c.oid)) / 1048576.0 as mb
    from pg_class c where c.relname in ('leituras_sefaz', 'rodadas_sefaz', 'dias_sefaz') and c.relkind = 'r'`.execute(
    kysely,
  )
  return Number(rows[0]?.mb)
}

const at = (db: Db, instant: number): SefazStore =>
  openSefazStore(db, { now: () => new Date(instant), ambiente: 'producao', everyMs: EVERY_MS })

async function measure(name: string, env: Record<string, string>, folder: string): Promise<void> {
  const live = { AUTHORITIES: 'live', PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
  const config = parseConfig({ ...live, DATA_DIR: folder, ...env })
  const server = await startServer(config, () => new Date(NOW))
  const { db, secret, monitor } = server.rooms.sefaz
  const arquivo = join(folder, 'consulta-fiscal.db')
  const empty = await room(db, arquivo)
  await fill(db)
  const closing = await timed(() => monitor.sweep())
  if (db.dialect === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db.kysely)
  else await sql`vacuum analyze`.execute(db.kysely)
  const full = await room(db, arquivo)

  const conta = await newConta(db, 'enterprise', new Date(NOW))
  const headers = { 'X-API-Key': await issueKey(db, secret, conta.id, { now: new Date(NOW) }) }
  const ask = (query: string) => async () => {
    const answer = await fetch(`${server.address}/api/v1/sefaz/historico?${query}`, { headers })
    const body = Object(await answer.json())
    const [estado] = body.estados
    if (answer.status !== 200 || estado.leituras < 60_000) throw new Error(JSON.stringify(estado))
  }
  await monitor.refresh()
  const figures = {
    'history of one state, 90 days, whole request, ms': await often(rounds, ask('uf=SP')),
    'history of all 27 states, ms': await often(rounds, ask('doc=nfe')),
    'all days of all 27 authorizers, as pages read them, ms': told(await timed(() => readAll(monitor))),
    'today of all 27 authorizers, ms': told(await timed(() => readAll(monitor, '2026-11-14'))),
    'a round stored, and its board, ms': await often(rounds, async (i) => {
      const em = NOW + 1 + i
      const leituras = autorizadores.map(({ id }, k) => (k % 9 === 0 ? muda(id, em) : boa(id, em)))
      await monitor.keep(feita(em, { leituras }))
    }),
    'a look for a newer round, ms': await often(200, () => monitor.refresh()),
    'board read, µs': await often(rounds, async () => {
      for (let i = 0; i < 1_000; i++) monitor.quadro()
    }),
    '89 days summed up, ms': told(closing),
  }
  const next = at(db, NOW + DAY_MS)
  const day = await timed(() => next.sweep())
  const all = await timed(() => at(db, NOW + 91 * DAY_MS).sweep())
  console.table({
    ...figures,
    'a day (19,440 readings) deleted, ms': told(day),
    '89 days deleted, ms': told(all),
    'on the disk, MB; bytes a reading': `${(full - empty).toFixed(0)}; ${(((full - empty) * 2 ** 20) / ROUNDS / 27).toFixed(0)}`,
  })
  console.log(name)
  await server.close()
}

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
console.log(`${machineLine()}; medians of ${rounds}`)
await measure('SQLite', {}, join(folder, 'a'))
await measure('PostgreSQL', { DATABASE_URL: await postgres.createDatabase() }, join(folder, 'b'))
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
