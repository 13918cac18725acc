/**
 * The whole of GET /api/consultar-cnpj (key, limit, durable charge, log off), companies of the sample by
 * turns, beside a bare Fastify route that answers the bytes of one, 50 connections, one process each. Usage:
 * node bench/http.ts [rounds] [seconds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/kit/postgres.ts'
import { compareByTurns } from './by-turns.ts'
import { someCnpjs } from './companies.ts'
import { openDatabaseCpu } from './database.ts'
import { startTarget, stopTarget } from './target.ts'

const [rounds = 5, seconds = 5] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-http-'))
const postgres = await startPostgres()
const full = { LOG_LEVEL: 'silent', PORT: '0' }
const DATABASE_URL = await postgres.createDatabase()
const sqlite = await startTarget('SQLite', 'http-full.ts', { ...full, DATA_DIR: join(folder, 'sqlite') })
const shared = await startTarget('PostgreSQL', 'http-full.ts', {
  ...full,
  DATA_DIR: join(folder, 'postgres'),
  DATABASE_URL,
})
const paths = someCnpjs(2_000).map((cnpj) => `/api/consultar-cnpj?cnpj=${cnpj}`)
const bodies = await Promise.all(
  paths.slice(0, 99).map(async (path, n) => {
    const answer = await fetch(sqlite.address + path, { headers: { 'X-API-Key': sqlite.keys[n] ?? '' } })
    return answer.text()
  }),
)
const [BODY = ''] = bodies.toSorted((a, b) => a.length - b.length).slice(49)
const bare = await startTarget('bare', 'http-bare.ts', { BODY })
const everything = [
  { target: bare, paths: ['/api/consultar-cnpj'] },
  { target: sqlite, paths },
  { target: shared, paths, databaseCpu: await openDatabaseCpu(DATABASE_URL) },
]
const about = `${sqlite.keys.length} accounts, median answer of ${BODY.length} bytes`
await compareByTurns(everything, { rounds, seconds, about })
for (const { target } of everything) await stopTarget(target)
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
