import { createHook } from 'node:async_hooks'
import type { TestContext } from 'node:test'
import { type ContasRoom, openContas } from '../../src/contas/contas.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { openPlatform } from '../../src/platform/platform.ts'
import { openFor, type Place } from './databases.ts'
import { NOW } from './now.ts'
import { quiet } from './quiet.ts'

/** Two nodes of one service have the same. */
const SECRET = 'segredo-do-servidor-para-os-testes-de-contas'

/** How a test logs in. */
export const PELA_API = { tipo: 'api', agente: 'teste' } as const

type Given = { now?: () => Date; config?: Partial<ContasRoom['config']> }

/** The room of the accounts, over a database that is closed with the test. */
export async function roomDe(
  t: TestContext,
  place: Place,
  { now = () => NOW, config }: Given = {},
): Promise<ContasRoom> {
  const db = await openFor(t, place)
  const books = { secret: SECRET, db, ledger: openLedger(db, { no: 'contas', now }) }
  const settings = { ...parseConfig({ AUTHORITIES: 'simulator' }), ...config }
  const dial = { mode: 'live', ca: [], hosts: {} } as const
  const authorities = { dial, certificado: undefined, pace: 1, simulador: undefined }
  const opening = { books, authorities, now, log: quiet, isClosing: () => false }
  const { platform } = openPlatform(settings, opening)
  return openContas(platform, undefined).contas
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
