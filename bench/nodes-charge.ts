/**
 * A node of `bench/nodes.ts` without its HTTP: told accounts, callers and seconds, it charges until they are
 * over, and answers how many charges went through and what it used of the processor.
 */
import { openDb } from '../src/platform/db/db.ts'
import { newRequestId } from '../src/platform/jobs/kind.ts'
import { openLedger, takeNo } from '../src/platform/ledger/ledger.ts'

/** What the parent asks for. */
export type Turno = { contas: readonly string[]; callers: number; seconds: number }

const now = (): Date => new Date()
const db = await openDb({ arquivo: '', databaseUrl: process.env.DATABASE_URL })
const ledger = openLedger(db, { no: await takeNo(db, now), now })

async function charge({ contas, callers, seconds }: Turno): Promise<{ calls: number; cpuMs: number }> {
  const cpu = process.cpuUsage()
  const ends = performance.now() + seconds * 1000
  let calls = 0
  const caller = async (): Promise<void> => {
    while (performance.now() < ends) {
      const id = contas[Math.floor(Math.random() * contas.length)] ?? ''
      await ledger.charge({
        conta: { id, plano: 'enterprise' },
        request_id: newRequestId(now()),
        endpoint: '/api/consultar-cnpj',
        creditos: 1,
      })
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const { user, system } = process.cpuUsage(cpu)
  return { calls, cpuMs: (user + system) / 1000 }
}

process.on('message', async (turno) => process.send?.(await charge(Object(turno))))
process.on('SIGTERM', async () => {
  await ledger.close()
  await db.close()
  process.exit(0)
})
process.send?.({ address: '', keys: [] })
