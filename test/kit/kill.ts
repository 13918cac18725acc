import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { type Fresh, newConta } from './databases.ts'
import { type Program, startProgram } from './program.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

/** A service that a test kills and starts again, and the database that outlives it. */
type Mortal = {
  db: Db
  /** Makes an account on the plan, and gives its id and a key. */
  open: (plano: NomePlano) => Promise<{ id: string; key: string }>
  /** Starts the service with these settings too, and waits until it listens. */
  startServer: (sent?: Record<string, string>) => Promise<Program>
}

/** Opens the database of one test. The test kills or stops what it starts. */
export async function openMortal(t: TestContext, fresh: Fresh): Promise<Mortal> {
  const { databaseUrl, arquivo } = await fresh(t)
  const pasta = join(arquivo, '../..')
  const db = await openDb({ databaseUrl, arquivo: join(pasta, 'consulta-fiscal.db') })
  t.after(() => db.close())
  const env = {
    DATA_DIR: pasta,
    DATABASE_URL: databaseUrl ?? '',
    SERVER_SECRET,
    PORT: '0',
    LOG_LEVEL: 'silent',
  }
  return {
    db,
    open: async (plano) => {
      const now = new Date()
      const { id } = await newConta(db, plano, now)
      return { id, key: await issueKey(db, SERVER_SECRET, id, { now }) }
    },
    startServer: async (sent = {}) => {
      const program = startProgram('bin/servidor.js', [], pasta, { ...env, ...sent })
      await program.says(/base-cnpj'\n/)
      return program
    },
  }
}

/** Where a service listens. */
export const addressOf = (program: Program): string =>
  /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0] ?? program.said()

/** How many requests have reached a host of a simulator. */
export async function pedidosTo(simulador: string, host: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}
