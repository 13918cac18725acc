/**
 * The service with one account whose log has CALLS calls. It tells the parent its address, the account's key
 * and its cookie of the dashboard.
 */

import { issueKey } from '../src/contas/store-chaves.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { startServer } from '../src/server.ts'
import { newConta } from '../test/kit/account.ts'
import { fill } from './dashboard-fill.ts'

let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
const server = await startServer(parseConfig(process.env), now)
const { db, secret, acessos } = server.rooms.contas
const agora = Date.now()
const conta = await newConta(db, 'enterprise', new Date(agora - 88 * 86_400_000))
const key = await issueKey(db, secret, conta.id, { now: now() })
await fill(db, conta.id, { count: Number(process.env.CALLS ?? 0), agora })
const visit = { conta_id: conta.id, tipo: 'painel', agente: 'bench', endereco: '127.0.0.1' } as const
const { token } = await acessos.open(visit)
await server.warm()
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.on('message', (message) => {
  aheadMs = Object(message).aheadMs
  process.send?.({ aheadMs })
})
process.send?.({ address: server.address, keys: [key, `acesso=${token}`], simulador: undefined })
