/**
 * Charges without end, and is made to be killed. It writes each request's id only once its promise has
 * resolved.
 */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { openDb } from '../../src/platform/db/db.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'

const [arquivo = '', contaId = '', databaseUrl] = process.argv.slice(2)
const db = await openDb({ arquivo, databaseUrl })
const ledger = openLedger(db, { no: randomUUID(), now: () => new Date() })
await ledger.heartbeat()

async function charge(request_id: string, held: boolean): Promise<void> {
  const call = { conta: { id: contaId, plano: 'enterprise' as const }, request_id, endpoint: '/api/teste' }
  if (held) {
    await ledger.hold({ ...call, creditos: 5 })
    await ledger.settle({ ...call, creditos: 1 })
  } else {
    await ledger.charge({ ...call, creditos: 1 })
  }
  // This writes straight to the pipe: every id that the parent reads was answered.
  writeSync(1, `${request_id}\n`)
}

await Promise.all(
  Array.from({ length: 20 }, async (_, worker) => {
    for (;;) await charge(randomUUID(), worker % 2 === 0)
  }),
)
