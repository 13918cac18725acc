/**
 * GET /api/v1/sefaz/status whole, for known keys of many accounts, against a bare Fastify route that returns
 * a string of the same size. `node bench/monitor.ts [rounds] [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareByTurns } from './by-turns.ts'
import { startTarget, stopTarget } from './target.ts'

const PATH = '/api/v1/sefaz/status'
const [rounds = 7, seconds = 4] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-monitor-'))
const env = { LOG_LEVEL: 'silent', PORT: '0', SEFAZ_MONITOR: 'desligado', BOARD: '1', DATA_DIR: folder }
const full = await startTarget('SQLite', 'http-full.ts', env)
const headers = { 'X-API-Key': full.keys[0] ?? '' }
const body = await (await fetch(full.address + PATH, { headers })).text()
const bare = await startTarget('bare', 'text-bare.ts', { BODY: body, ROUTE: PATH })
const everything = [bare, full].map((target) => ({ target, paths: [PATH] }))
const about = `${full.keys.length} accounts, answer of ${body.length} bytes`
await compareByTurns(everything, { rounds, seconds, about })
for (const { target } of everything) await stopTarget(target)
rmSync(folder, { recursive: true, force: true })
