import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { issueKey } from '../src/contas/chave.ts'
import { openDb } from '../src/store/db/db.ts'
import { startSimulatorAt } from './api/exemplos.ts'
import { CONTRATO, emissoesOf, empresa, PORTAL } from './api/federal.ts'
import { type Program, startProgram } from './program.ts'
import { forEachDatabase, newConta } from './store/databases.ts'

const SECRET = 'segredo-de-teste-com-mais-de-32-letras'
/** Its issuance takes three minutes of the tax office's clock. */
const CNPJ = empresa('processa-muito')
const PATH = `/api/consultar-cnd-federal?cnpj=${CNPJ}`

forEachDatabase((_dialect, fresh) => {
  describe('kill -9 in the middle of an issuance', { concurrency: true }, () => {
    // Before the contract is asked, a new process gets a token.
    for (const [rota, host, asks] of [
      ['contrato', CONTRATO, 2],
      ['portal', PORTAL, 1],
    ] as const)
      test(`${rota}: after a restart a later call gets the certificate, and the authority saw one issuance`, async (t) => {
        let ahead = 0
        const simulador = await startSimulatorAt(() => new Date(Date.now() + ahead), { ritmo: 0.02 })
        t.after(() => simulador.close())
        const { databaseUrl, arquivo } = await fresh(t)
        const pasta = join(arquivo, '..')
        const db = await openDb({ databaseUrl, arquivo: join(pasta, 'consulta-fiscal.db') })
        t.after(() => db.close())
        const { id } = await newConta(db, 'starter', new Date())
        const key = await issueKey(db, SECRET, id, { now: new Date() })
        const env = {
          DATA_DIR: pasta,
          DATABASE_URL: databaseUrl ?? '',
          SERVER_SECRET: SECRET,
          PORT: '0',
          LOG_LEVEL: 'silent',
          SIMULATOR_URL: simulador.endereco,
          CND_FEDERAL_ROTAS: rota,
        }
        const first = await startServer(pasta, { ...env, CND_FEDERAL_SECONDS: '5' })
        const told = await ask(first, key)
        assert.equal(told.source_status.error_code, 'EM_PROCESSAMENTO')
        assert.equal(await emissoesOf(simulador.endereco, CNPJ), 1)
        first.child.kill('SIGKILL')
        await first.ended
        const sinceThen = await pedidosTo(simulador.endereco, host)
        const second = await startServer(pasta, { ...env, CND_FEDERAL_SECONDS: '100' })
        const answer = ask(second, key)
        // It goes on while the tax office still works.
        while ((await pedidosTo(simulador.endereco, host)) < sinceThen + asks) await nextTurn()
        ahead = 180_000
        const { source_status, result } = await answer
        assert.equal(source_status.status, 'success', source_status.error_message)
        assert.deepEqual([result.status, result.modo], ['negativa', 'emissao'])
        assert.equal(await emissoesOf(simulador.endereco, CNPJ), 1)
        await second.stop()
      })
  })
})

/** How many requests have reached a host. */
async function pedidosTo(simulador: string, host: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}

async function ask(program: Program, key: string) {
  const [address = program.said()] = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said()) ?? []
  const response = await fetch(address + PATH, { headers: { 'X-API-Key': key } })
  const body = Object(await response.json())
  return { source_status: Object(body.source_status), result: Object(body.result) }
}

async function startServer(pasta: string, env: Record<string, string>): Promise<Program> {
  const program = startProgram('bin/servidor.js', [], pasta, env)
  await program.says(/base-cnpj'\n/)
  return program
}
