import { createHook } from 'node:async_hooks'
import type { TestContext } from 'node:test'
import type { RecursosDeContas } from '../../src/contas/recursos.ts'
import { openAcessos, openRedes } from '../../src/contas/store-acessos.ts'
import { openAttempts } from '../../src/contas/store-tentativas.ts'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { NOW } from '../now.ts'
import { openFor, type Place } from '../store/databases.ts'

/** Two nodes of one service have the same. */
const SECRET = 'segredo-do-servidor-para-os-testes-de-contas'

/** How a test logs in. */
export const PELA_API = { tipo: 'api', agente: 'teste' } as const

type Given = { now?: () => Date; config?: Partial<RecursosDeContas['config']> }

/** What accounts need, over a database that is closed with the test. */
export async function recursosDe(
  t: TestContext,
  place: Place,
  { now = () => NOW, config }: Given = {},
): Promise<RecursosDeContas & { store: { jobs: ReturnType<typeof openJobs> } }> {
  const db = await openFor(t, place)
  const jobs = openJobs(db, { now })
  return {
    now,
    config: { AUTHORITIES: 'simulator', CADASTRO: undefined, SMTP_URL: undefined, ...config },
    store: {
      db,
      secret: SECRET,
      acessos: openAcessos(db, { now }),
      redes: openRedes(db, { now, secret: SECRET }),
      attempts: openAttempts(db, { now, secret: SECRET }),
      jobs,
    },
  }
}

/** How often this process ran argon2 during some work: Node itself tells each run. */
export async function argon2During(work: () => Promise<unknown>): Promise<number> {
  let runs = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') runs += 1
    },
  }).enable()
  try {
    await work()
    return runs
  } finally {
    hook.disable()
  }
}
