/**
 * `npm run bench -- login [rounds]`: POST /api/v1/auth/login of an unknown e-mail and of a wrong password, by
 * turns, on SQLite and PostgreSQL. It prints the medians of both, and of their difference pair by pair.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startPostgres } from '../test/kit/postgres.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { signUp } = await fromTree<typeof import('../src/contas/cadastro.ts')>('src/contas/cadastro.ts')
const { parseConfig } = await fromTree<typeof import('../src/platform/config/config.ts')>(
  'src/platform/config/config.ts',
)
const { startServer } = await fromTree<typeof import('../src/server.ts')>('src/server.ts')

const rounds = Number(process.argv[2] ?? 100)
const ANA = { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }
const HOUR_MS = 3_600_000

type Times = { unknown: number[]; wrong: number[] }

/** Asks by turns, each time in the other order; milliseconds of each kind. */
async function measure(env: Record<string, string>): Promise<Times> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'login-'))
  // No round is refused for those before it.
  let now = Date.now()
  const standard = { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
  const server = await startServer(parseConfig({ ...standard, ...env }), () => new Date(now))
  const ask = async (email: string): Promise<number> => {
    const body = JSON.stringify({ email, senha: 'não é esta senha' })
    const began = performance.now()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${server.address}/api/v1/auth/login`, { method: 'POST', headers, body })
    await answer.text()
    if (answer.status !== 401) throw new Error(`HTTP ${answer.status}`)
    return performance.now() - began
  }
  const times: Times = { unknown: [], wrong: [] }
  try {
    await signUp(server.rooms.contas, { ...ANA, endereco: '' })
    for (let round = -5; round < rounds; round++) {
      now += HOUR_MS
      // By the clock of PostgreSQL the minutes do not pass.
      if (env.DATABASE_URL) await sql`delete from limites`.execute(server.rooms.platform.db.kysely)
      const kinds = [
        ['unknown', `ninguem-${round}@exemplo.com.br`],
        ['wrong', ANA.email],
      ] as const
      for (const [kind, email] of round % 2 === 0 ? kinds : kinds.toReversed()) {
        const ms = await ask(email)
        if (round >= 0) times[kind].push(ms)
      }
    }
    return times
  } finally {
    await server.close()
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

function tell(database: string, { unknown, wrong }: Times): void {
  report(`${database}: an unknown e-mail`, median(unknown), 'ms')
  report(`${database}: a wrong password`, median(wrong), 'ms')
  report(`${database}: difference of pairs`, median(unknown.map((ms, at) => ms - (wrong[at] ?? 0))), 'ms')
}

console.log(`${machineLine()}, ${rounds} rounds`)
tell('SQLite', await measure({}))
const postgres = await startPostgres()
tell('PostgreSQL', await measure({ DATABASE_URL: await postgres.createDatabase() }))
await postgres.stop()
