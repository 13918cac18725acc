/**
 * The service of the tree that is measured, with so many accounts that none meets its plan's limit, and a
 * clock that the parent may move. It tells address and keys, writes and deletes `old` calls, and sums months.
 */
import { fromTree } from './tree.ts'

const { insertUsos } =
  await fromTree<typeof import('../src/contas/store-usos.ts')>('src/contas/store-usos.ts')
const { newRequestId } =
  await fromTree<typeof import('../src/platform/jobs/kind.ts')>('src/platform/jobs/kind.ts')

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
const { usos } = server.rooms.contas
if (process.env.BOARD) {
  const { feita } = await import('../test/kit/sefaz.ts')
  await monitor.keep(feita(Date.now()))
}
const contas: string[] = []
const keys: string[] = []
const tokens: string[] = []
const acessos = openAcessos(db, { now })
for (let i = 0; i < ACCOUNTS; i++) {
  // A start before may have made others in the same folder.
  const email = `conta-${process.pid}-${i}@exemplo.test`
  const conta = await createConta(db, { nome: 'Teste', email, plano: 'enterprise', now: now() })
  if (!conta) throw new Error(`${email} has an account`)
  contas.push(conta.id)
  keys.push(await issueKey(db, secret, conta.id, { now: now() }))
  if (process.env.TOKENS === undefined) continue
  const { acesso } = await acessos.open({ conta_id: conta.id, tipo: 'api', agente: 'bench', endereco: '' })
  tokens.push((await issueToken({ now, secret }, acesso)).access_token)
}
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))

const OLD_MS = 91 * 86_400_000
const call = { endpoint: '/api/consultar-cnpj', documento: '00.***.***/0001-91', uf: '', http: 200 }
const end = { error_code: '', creditos: 1, cached: 0, ms: 3, fontes_falhas: 0, fonte_code: '' } as const

/** Writes calls of one day, an account after another as they ask, and enters them in the index. */
async function writeOld(calls: number): Promise<void> {
  const since = now().getTime() - OLD_MS
  for (let first = 0; first < calls; first += 200) {
    const rows = Array.from({ length: Math.min(200, calls - first) }, (_, i) => {
      const criado_em = since + first + i
      const conta_id = contas[((first + i) * 31) % contas.length] ?? ''
      return { ...call, ...end, conta_id, criado_em, request_id: newRequestId(new Date(criado_em)) }
    })
    await insertUsos(db, rows)
  }
  await usos.index(0)
}

process.on('message', async (message) => {
  const asked = Object(message)
  if (asked.old) {
    await writeOld(asked.old)
    return process.send?.({})
  }
  if (asked.sweep) {
    const began = performance.now()
    const deleted = await usos.sweep()
    return process.send?.({ deleted, ms: performance.now() - began })
  }
  if (asked.sum) {
    await ledger.sumMeses(new AbortController().signal)
    return process.send?.({})
  }
  aheadMs = asked.aheadMs
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
