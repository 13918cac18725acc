import assert from 'node:assert/strict'
import { type Mock, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { addContasCommands } from '../../src/cli/contas.ts'
import { isApiKey } from '../../src/domain/credito/api-key.ts'
import { openKeyCache } from '../../src/store/contas/key-cache.ts'
import { openDb } from '../../src/store/db/db.ts'
import { openLedger } from '../../src/store/ledger/ledger.ts'
import { NOW } from '../now.ts'
import { forEachDatabase, openFor } from './databases.ts'

const SECRET = 'um segredo de teste bastante comprido'

forEachDatabase((_dialect, fresh) => {
  /** Runs a command as an operator does, beside an open server. Gives what it wrote. */
  async function setup(t: TestContext) {
    const place = await fresh(t)
    const server = await openFor(t, place)
    const now = () => NOW
    const open = async () => {
      const db = await openDb(place)
      return { db, secret: SECRET, ledger: openLedger(db, { no: 'comando', now }), close: () => db.close() }
    }
    const log: Mock<typeof console.log> = t.mock.method(console, 'log', () => {})
    const fiscal = async (...args: string[]): Promise<string> => {
      log.mock.resetCalls()
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
      addContasCommands(program, { open, now })
      for (const command of program.commands.flatMap((group) => [group, ...group.commands]))
        command.exitOverride().configureOutput({ writeErr: () => {} })
      await program.parseAsync(['contas', ...args], { from: 'user' })
      return log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
    }
    return { server, fiscal, keys: openKeyCache(server, { now }) }
  }

  test('an operator makes an account, changes its plan, adds credits and explains its bill', async (t) => {
    const { fiscal, keys } = await setup(t)
    const key =
      /fk_\w+/.exec(await fiscal('criar', '--nome', 'Ana', '--email', 'Ana@exemplo.test'))?.[0] ?? ''
    assert.ok(isApiKey(key))
    assert.equal((await keys.find(key))?.plano, 'lite')
    assert.match(await fiscal('plano', 'ana@exemplo.test', 'starter'), /1000 da cota \+ 0 extras/)
    assert.match(
      await fiscal('creditos', 'ana@exemplo.test', '25', '--motivo', 'pix 7'),
      /1000 da cota \+ 25 extras/,
    )
    const [account] = JSON.parse(await fiscal('listar', '--json'))
    assert.deepEqual(
      [account.email, account.plano, account.cota, account.extra],
      ['ana@exemplo.test', 'starter', 1_000, 25],
    )
    const entries: { tipo: string; endpoint: string }[] = JSON.parse(
      await fiscal('extrato', 'ana@exemplo.test', '--json'),
    )
    assert.deepEqual(
      entries.map(({ tipo, endpoint }) => `${tipo} ${endpoint}`.trim()),
      ['grant pix 7', 'grant plano starter', 'renewal'],
    )
    assert.match(await fiscal('extrato', 'ana@exemplo.test'), /concessão.*\+25.*pix 7/)
    const month = async (mes: string) =>
      JSON.parse(await fiscal('extrato', 'ana@exemplo.test', '--mes', mes, '--json'))
    assert.deepEqual(await month('2026-11'), entries)
    assert.deepEqual(await month('2026-10'), [])
    await assert.rejects(fiscal('extrato', 'ana@exemplo.test', '--mes', '2026-13'), /como 2026-11/)
    assert.match(await fiscal('listar'), /ana@exemplo\.test.*starter.*1\.000/)
  })

  test('an operator replaces a key', async (t) => {
    const { fiscal, keys } = await setup(t)
    const first = /fk_\w+/.exec(await fiscal('criar', '--nome', 'B', '--email', 'b@exemplo.test'))?.[0] ?? ''
    const second = /fk_\w+/.exec(await fiscal('chave', 'b@exemplo.test', '--carencia', '1'))?.[0] ?? ''
    assert.ok(await keys.find(first))
    const third = /fk_\w+/.exec(await fiscal('chave', 'b@exemplo.test'))?.[0] ?? ''
    assert.equal(await keys.find(second), undefined)
    assert.ok(await keys.find(third))
    assert.ok(isApiKey(await fiscal('chave-nova')))
  })

  test('wrong plans, numbers and e-mails are told in Portuguese', async (t) => {
    const { fiscal } = await setup(t)
    await fiscal('criar', '--nome', 'C', '--email', 'c@exemplo.test')
    await assert.rejects(fiscal('plano', 'c@exemplo.test', 'ouro'), /Os planos são/)
    await assert.rejects(fiscal('creditos', 'c@exemplo.test', '-5'), /número inteiro/)
    await assert.rejects(fiscal('creditos', 'c@exemplo.test', '1.5'), /número inteiro/)
    await assert.rejects(fiscal('extrato', 'd@exemplo.test'), /Não há conta/)
    await assert.rejects(fiscal('chave', 'c@exemplo.test', '--carencia', '25'), /0 a 24/)
  })
})
