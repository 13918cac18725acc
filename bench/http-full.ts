/** The service with enough accounts that no plan limit is met; tells the parent its address, their keys and, when asked, what it has used. */
import { parseConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'
import { issueKey } from '../src/store/chaves.ts'
import { createConta } from '../src/store/contas.ts'

const ACCOUNTS = 1_000
const server = await startServer(parseConfig(process.env))
const { db, secret, now } = server.ctx
const keys: string[] = []
for (let i = 0; i < ACCOUNTS; i++) {
  const conta = await createConta(db, {
    nome: `Bench ${i}`,
    email: `bench-${process.pid}-${i}@exemplo.test`,
    plano: 'enterprise',
    now: now(),
  })
  keys.push(await issueKey(db, secret, conta.id, { now: now() }))
}
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
  process.send?.({ cpuMs: (user + system) / 1000, rssMb: mb(rss), heapMb: mb(heapUsed) })
})
process.send?.({ address: server.address, keys, simulador: server.ctx.authorities.simulador })
