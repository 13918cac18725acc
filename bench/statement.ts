/**
 * Measures the pages of an account's statement among 1,000,000 entries of its own, 250,000 a month, on both
 * databases: `node bench/statement.ts [requests]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { load } from 'cheerio'
import { sql } from 'kysely'
import { periodoOf, startOf } from '../src/documento/dia.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import type { Db } from '../src/platform/db/db.ts'
import { newRequestId } from '../src/platform/jobs/kind.ts'
import { renewalId } from '../src/platform/ledger/book.ts'
import { startServer } from '../src/server.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'

const MESES = ['2026-08', '2026-09', '2026-10', '2026-11']
const A_MONTH = 250_000
const BATCH = 10_000
const NOW = new Date('2026-11-29T15:00:00Z')
const [requests = 200] = process.argv.slice(2).map(Number)

type Line = (string | number | null)[]

/** An account that asked as much as the largest plan may, every tenth time for a note. */
async function fill(db: Db): Promise<string> {
  const { id } = await newConta(db, 'enterprise', startOf('2026-08'))
  const gift = A_MONTH * MESES.length * 2
  let before = [renewalId(id, '2026-08'), 'renewal']
  const lines: Line[] = []
  const add = async (line: Line): Promise<void> => {
    const [request_id, tipo] = line
    lines.push([...line, id, ...before])
    before = [String(request_id), String(tipo)]
    if (lines.length === BATCH) await insert(db, lines.splice(0))
  }
  for (const mes of MESES) {
    const from = startOf(mes).getTime()
    if (mes !== '2026-08') await add([renewalId(id, mes), 'renewal', 100_000, 0, 0, '', from, null])
    else await add(['gift', 'grant', gift, 0, gift, 'teste', from, null])
    for (let i = 1; i < A_MONTH; i++) {
      const at = from + Math.floor((i * 28 * 86_400_000) / A_MONTH)
      const nota = i % 10 === 0
      const endpoint = nota ? '/api/consultar-nfe-xml' : '/api/consultar-cnpj'
      await add([newRequestId(new Date(at)), 'charge', 1, 0, -1, endpoint, at, nota ? '0.075' : null])
    }
  }
  if (lines.length > 0) await insert(db, lines)
  const [ultimo_request = '', ultimo_tipo] = before
  const extra = gift - MESES.length * (A_MONTH - 1)
  await sql`update saldos set periodo = ${periodoOf(NOW)}, extra = ${extra}, ultimo_request = ${ultimo_request},
    ultimo_tipo = ${ultimo_tipo} where conta_id = ${id}`.execute(db.kysely)
  if (db.dialect === 'postgres') await sql`vacuum analyze lancamentos`.execute(db.kysely)
  return id
}

const insert = (db: Db, lines: readonly Line[]): Promise<unknown> =>
  sql`insert into lancamentos (request_id, tipo, creditos, cota, extra, endpoint, criado_em, reais, conta_id,
      anterior_request, anterior_tipo, no)
    select j.value ->> 0, j.value ->> 1, cast(j.value ->> 2 as bigint), cast(j.value ->> 3 as bigint),
      cast(j.value ->> 4 as bigint), j.value ->> 5, cast(j.value ->> 6 as bigint), j.value ->> 7, j.value ->> 8,
      j.value ->> 9, j.value ->> 10, 'bench' from json_each(${JSON.stringify({ ...lines })}) as j`.execute(
    db.kysely,
  )

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

async function measure(name: string, databaseUrl: string | undefined): Promise<void> {
  const pasta = mkdtempSync(join(tmpdir(), 'bench-statement-'))
  const settings = { DATA_DIR: pasta, PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
  const config = parseConfig({ ...settings, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  const server = await startServer(config, () => NOW)
  const { db, acessos, ledger } = server.rooms.contas
  const conta_id = await fill(db)
  const browser = { agente: 'bench', endereco: '127.0.0.1' }
  const { token } = await acessos.open({ conta_id, tipo: 'painel', ...browser })
  const get = (path: string): Promise<Response> =>
    fetch(`${server.address}/painel/extrato/${path}`, { headers: { cookie: `acesso=${token}` } })
  const began = performance.now()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await ledger.sumMeses(new AbortController().signal)
  delay.disable()
  console.log(
    `${name}: 1,000,000 entries are summed once in ${((performance.now() - began) / 1000).toFixed(1)} s, which stops the loop for ${(delay.max / 1e6).toFixed(1)} ms at most`,
  )
  const first = load(await (await get('2026-09/')).text())
  const second = first('a[rel="next"]').attr('href')?.split('/2026-09/')[1] ?? ''
  const pages = {
    months: '',
    newest: '2026-11/',
    ended: '2026-09/',
    next: `2026-09/${second}`,
    paper: '2026-09/imprimir/',
  }
  const rows = []
  for (const [page, path] of Object.entries(pages)) {
    const times: number[] = []
    const cpu = process.cpuUsage()
    for (let i = 0; i < requests; i++) {
      const started = performance.now()
      const answer = await get(path)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      if (i >= 10) times.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(cpu)
    const spent = { 'CPU with its client, ms': ((user + system) / 1000 / requests).toFixed(1) }
    rows.push({
      [name]: page,
      ...spent,
      'p50, ms': median(times).toFixed(1),
      'p95, ms': p95(times).toFixed(1),
    })
  }
  console.table(rows)
  const started = performance.now()
  const heap = process.memoryUsage().rss
  let octets = 0
  let most = 0
  for await (const part of (await get('2026-09/extrato.csv')).body ?? []) {
    octets += part.length
    most = Math.max(most, process.memoryUsage().rss - heap)
  }
  console.log(
    `${name}: the CSV of ${A_MONTH} lines, ${(octets / 1e6).toFixed(1)} MB, in ${((performance.now() - started) / 1000).toFixed(1)} s and ${(most / 2 ** 20).toFixed(0)} MiB`,
  )
  await server.close()
  rmSync(pasta, { recursive: true, force: true })
}

const postgres = await startPostgres()
console.log(`${machineLine()}; ${requests} requests a page`)
await measure('SQLite', undefined)
await measure('PostgreSQL', await postgres.createDatabase())
await postgres.stop()
