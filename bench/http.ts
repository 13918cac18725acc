/**
 * The whole of GET /api/consultar-cnpj (key, limit, durable charge, log off) in turn with a bare Fastify
 * route that answers the same bytes, 50 connections, one process each. Usage: node bench/http.ts [rounds]
 * [seconds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/kit/postgres.ts'
import { compareByTurns } from './by-turns.ts'
import { ask, startTarget, stopTarget } from './target.ts'

const PATH = '/api/consultar-cnpj?cnpj=33000167000101'
const [rounds = 5, seconds = 5] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-http-'))
const postgres = await startPostgres()
const full = { LOG_LEVEL: 'silent', PORT: '0' }
const targets = [
  await startTarget('SQLite', 'http-full.ts', { ...full, DATA_DIR: join(folder, 'sqlite') }),
  await startTarget('PostgreSQL', 'http-full.ts', {
    ...full,
    DATA_DIR: join(folder, 'postgres'),
    DATABASE_URL: await postgres.createDatabase(),
  }),
]
const body = await (
  await fetch(targets[0]?.address + PATH, { headers: { 'X-API-Key': targets[0]?.keys[0] ?? '' } })
).text()
const bare = await startTarget('bare Fastify', 'http-bare.ts', { BODY: body })
const everything = [bare, ...targets].map((target) => ({ target, paths: [PATH] }))
for (const target of targets) await ask(target, 'stops')
await compareByTurns(everything, { rounds, seconds, about: `answer of ${body.length} bytes` })
for (const target of targets)
  console.log(`${target.name}: stops of the loop ${JSON.stringify(await ask(target, 'stops'))}`)
for (const { target } of everything) await stopTarget(target)
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
