import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parcelasDe } from '../simulator/rural/imoveis/parcela.ts'
import { issueKey } from '../src/contas/chave.ts'
import { openDb } from '../src/store/db/db.ts'
import { startSimulatorAt } from './api/exemplos.ts'
import { type Program, startProgram } from './program.ts'
import { reservado } from './reservado.ts'
import { forEachDatabase, newConta } from './store/databases.ts'

const SECRET = 'segredo-de-teste-com-mais-de-32-letras'
const HOST = 'sigef.incra.gov.br'
const MUITAS = reservado('sigef-25')
const PATH = `/api/consultar-sigef?${MUITAS.length === 11 ? 'cpf' : 'cnpj'}=${MUITAS}`
const PAGINAS = 3 + parcelasDe(MUITAS).filter(({ historica }) => !historica).length

forEachDatabase((_dialect, fresh) => {
  test('kill -9 in the middle of a search of SIGEF keeps what was read: after a restart only the rest is asked', async (t) => {
    const simulador = await startSimulatorAt(() => new Date(), { ritmo: 0.2 })
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
    }
    const first = await startServer(pasta, env)
    const cut = ask(first, key).catch(() => undefined)
    while ((await pedidosTo(simulador.endereco)) < 14) await nextTurn()
    first.child.kill('SIGKILL')
    await first.ended
    assert.equal(await cut, undefined, 'nobody was answered')
    const before = await pedidosTo(simulador.endereco)
    assert.ok(before < PAGINAS)
    const second = await startServer(pasta, env)
    const { source_status, result } = Object(await ask(second, key))
    assert.equal(source_status.status, 'success', source_status.error_message)
    assert.equal(result.total_parcelas, PAGINAS - 3)
    // The list is asked again, and the pages that were under way or not yet written down; no other.
    const asked = (await pedidosTo(simulador.endereco)) - before
    assert.ok(asked <= PAGINAS - before + 3 + 6, `${asked} after ${before}`)
    await second.stop()
  })
})

/** How many requests have reached SIGEF. */
async function pedidosTo(simulador: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[HOST] ?? 0)
}

async function ask(program: Program, key: string): Promise<unknown> {
  const [address = program.said()] = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said()) ?? []
  return (await fetch(address + PATH, { headers: { 'X-API-Key': key } })).json()
}

async function startServer(pasta: string, env: Record<string, string>): Promise<Program> {
  const program = startProgram('bin/servidor.js', [], pasta, env)
  await program.says(/base-cnpj'\n/)
  return program
}
