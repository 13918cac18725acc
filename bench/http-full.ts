/**
 * The service of the tree that is measured, with so many accounts that none meets its plan's limit, and a
 * clock that the parent may move. It tells the parent its address and the keys.
 */
import { fromTree } from './tree.ts'

const { createConta } = await fromTree<typeof import('../src/contas/store-contas.ts')>(
  'src/contas/store-contas.ts',
)
const { issueKey } = await fromTree<typeof import('../src/contas/store-chaves.ts')>(
  'src/contas/store-chaves.ts',
)
const { openAcessos } = await fromTree<typeof import('../src/contas/store-acessos.ts')>(
  'src/contas/store-acessos.ts',
)
const { issueToken } = await fromTree<typeof import('../src/contas/token.ts')>('src/contas/token.ts')
const { parseConfig } = await fromTree<typeof import('../src/platform/config/config.ts')>(
  'src/platform/config/config.ts',
)
const { startServer } = await fromTree<typeof import('../src/server.ts')>('src/server.ts')

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1_000)
let aheadMs = 0
const now = (): Date => new Date(Date.now() + aheadMs)
const server = await startServer(parseConfig(process.env), now)
const { db, secret, ledger, monitor } = server.rooms.sefaz
if (process.env.BOARD) {
  const { feita } = await import('../test/kit/sefaz.ts')
  await monitor.keep(feita(Date.now()))
}
const keys: string[] = []
const tokens: string[] = []
const acessos = openAcessos(db, { now })
for (let i = 0; i < ACCOUNTS; i++) {
  // A start before may have made others in the same folder.
  const email = `conta-${process.pid}-${i}@exemplo.test`
  const conta = await createConta(db, { nome: 'Teste', email, plano: 'enterprise', now: now() })
  if (!conta) throw new Error(`${email} has an account`)
  keys.push(await issueKey(db, secret, conta.id, { now: now() }))
  if (process.env.TOKENS === undefined) continue
  const { acesso } = await acessos.open({ conta_id: conta.id, tipo: 'api', agente: 'bench', endereco: '' })
  tokens.push((await issueToken({ now, secret }, acesso)).access_token)
}
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.on('message', async (message) => {
  aheadMs = Object(message).aheadMs
  // By this clock its last heartbeat is hours old, so its holds would look like a dead process's.
  await ledger.heartbeat()
  return process.send?.({ aheadMs })
})
process.send?.({
  address: server.address,
  keys,
  tokens,
  simulador: server.rooms.platform.simulador,
  figures: server.figures,
})
