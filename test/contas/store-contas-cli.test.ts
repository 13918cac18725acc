import assert from 'node:assert/strict'
import { type Mock, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { addContasCommands } from '../../src/contas/command.ts'
import { isApiKey } from '../../src/contas/rules.ts'
import { openKeyCache } from '../../src/contas/store-chaves.ts'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor } from '../kit/databases.ts'

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

  /** An account by command. */
  const made = (fiscal: (...args: string[]) => Promise<string>, email: string) =>
    fiscal('criar', '--nome', 'Teste', '--email', email)

  test('every command that changes something tells it as one JSON object', async (t) => {
    const { fiscal } = await setup(t)
    const email = 'j@exemplo.test'
    const json = async (...args: string[]) => Object.keys(JSON.parse(await fiscal(...args, '--json')))
    assert.deepEqual(await json('criar', '--nome', 'J', '--email', email), [
      'id',
      'nome',
      'email',
      'plano',
      'chave',
    ])
    const saldo = ['email', 'request_id', 'creditos', 'motivo', 'saldo']
    assert.deepEqual(await json('creditos', email, '5'), saldo)
    assert.deepEqual(await json('debitar', email, '5', '--motivo', 'm'), saldo)
    assert.deepEqual(await json('plano', email, 'pro'), ['email', 'plano', 'saldo'])
    assert.deepEqual(await json('chave', email), ['email', 'chave', 'carencia_horas'])
    assert.deepEqual(await json('chave-nova'), ['chave'])
    assert.deepEqual(await json('preco-exclusivo', email), ['email', 'preco_exclusivo', 'preco_xml'])
    assert.deepEqual(await json('bloquear', email, '--motivo', 'm'), ['email', 'bloqueio'])
    assert.deepEqual(await json('desbloquear', email), ['email', 'bloqueio', 'estava_bloqueada'])
  })

  test('a debit takes the quota first, leaves its reason on the statement, and never more than there is', async (t) => {
    const { server, fiscal } = await setup(t)
    const email = 'd@exemplo.test'
    await made(fiscal, email)
    await fiscal('creditos', email, '50', '--motivo', 'pix 7')
    await assert.rejects(
      fiscal('debitar', email, '151', '--motivo', 'm'),
      /tem 150 créditos.*Nada foi debitado/,
    )
    assert.match(
      await fiscal('debitar', email, '120', '--motivo', 'estorno'),
      /Saldo: 0 da cota \+ 30 extras/,
    )
    const [debit] = JSON.parse(await fiscal('extrato', email, '--json'))
    const { tipo, creditos, cota, extra, endpoint } = debit
    assert.deepEqual([tipo, creditos, cota, extra, endpoint], ['debit', 120, -100, -20, 'estorno'])
    assert.match(await fiscal('extrato', email), /débito.*-100.*-20.*estorno/)
    const ids = new Set()
    for (const _ of [1, 2])
      ids.add(JSON.parse(await fiscal('debitar', email, '1', '--motivo', 'm', '--json')).request_id)
    assert.equal(ids.size, 2, 'each run is an entry of its own')
    const { id } = (await findContaByEmail(server, email)) ?? assert.fail()
    assert.deepEqual(await assertBooks(server, id), { cota: 0, extra: 28 })
  })

  test('a negotiated price is 1 credit, with the price agreed in reais or none, until it is removed', async (t) => {
    const { fiscal, keys } = await setup(t)
    const email = 'p@exemplo.test'
    const key = /fk_\w+/.exec(await made(fiscal, email))?.[0] ?? ''
    const price = async () => {
      const { preco_exclusivo, preco_xml } = JSON.parse(await fiscal('mostrar', email, '--json'))
      return [preco_exclusivo, preco_xml.creditos, preco_xml.reais]
    }
    assert.deepEqual(await price(), [false, 3, '2.00'])
    assert.match(await fiscal('preco-exclusivo', email, '--reais', '0,0425'), /1 crédito a nota, R\$ 0,0425/)
    assert.deepEqual(await price(), [true, 1, '0.0425'])
    assert.equal((await keys.find(key))?.preco_exclusivo, true)
    assert.match(await fiscal('preco-exclusivo', email), /1 crédito a nota, sem preço em reais/)
    assert.deepEqual(await price(), [true, 1, ''])
    assert.match(await fiscal('preco-exclusivo', email, '--remover'), /preço do plano lite, 3 créditos/)
    assert.deepEqual(await price(), [false, 3, '2.00'])
    for (const [typed, kept] of [
      ['2', '2.00'],
      ['0012.5', '12.50'],
      ['0,195', '0.195'],
    ] as const) {
      await fiscal('preco-exclusivo', email, '--reais', typed)
      assert.deepEqual(await price(), [true, 1, kept])
    }
    for (const typed of ['0', '0,00', '-1', '1e3', '0.1234567', '1.000,00', 'R$ 1', ''])
      await assert.rejects(fiscal('preco-exclusivo', email, '--reais', typed), /maior que zero/, typed)
  })

  test('what is known of an account is shown on one page, and never the text of a key', async (t) => {
    const { fiscal } = await setup(t)
    const email = 'm@exemplo.test'
    await made(fiscal, email)
    await fiscal('chave', email, '--carencia', '2')
    await fiscal('creditos', email, '1500')
    await fiscal('debitar', email, '10', '--motivo', 'm')
    await fiscal('bloquear', email, '--motivo', 'fatura em aberto')
    await fiscal('bloquear', email, '--motivo', 'fatura de outubro em aberto')
    assert.match(await fiscal('listar'), /m@exemplo\.test.*bloqueada/)
    const shown = await fiscal('mostrar', 'M@Exemplo.test')
    assert.match(shown, /^Conta: Teste <m@exemplo\.test>, [0-9a-f]{26}$/m)
    assert.match(shown, /^Situação: bloqueada desde 14\/11\/2026, 12:00:00: fatura de outubro em aberto$/m)
    assert.match(shown, /^Plano: lite, 30 requisições por minuto$/m)
    assert.match(shown, /^Preço do XML de NF-e: 3 créditos, R\$ 2,00 \(do plano\)$/m)
    assert.match(
      shown,
      /^Créditos: 1\.590 disponíveis: 90 da cota de 100 e 1\.500 extras; mais 0 reservados$/m,
    )
    assert.match(shown, /^Cota renova em: 01\/12\/2026, 00:00:00$/m)
    assert.match(
      shown,
      /^Chaves: 2 emitidas, a atual desde 14\/11\/2026, 12:00:00; a anterior até 14\/11\/2026, 14:00:00$/m,
    )
    assert.match(
      shown,
      /^Uso de 11\/2026, em créditos: 0 cobrados em consultas, 1\.500 extras concedidos, 10 debitados$/m,
    )
    assert.match(shown, /^Nada foi cobrado neste mês\.$/m)
    assert.doesNotMatch(shown, /fk_/)
  })

  test('a reason is one line of 200 characters at most, without control characters', async (t) => {
    const { fiscal } = await setup(t)
    const email = 'r@exemplo.test'
    await made(fiscal, email)
    for (const motivo of ['', '  ', 'a\nb', 'a\tb', 'a\u0007', 'a\u2028b', 'a\u202eb', 'x'.repeat(201)])
      for (const args of [
        ['debitar', email, '5'],
        ['bloquear', email],
      ])
        await assert.rejects(fiscal(...args, '--motivo', motivo), /em uma linha/, `${args} ${motivo}`)
    const { creditos, bloqueio } = JSON.parse(await fiscal('mostrar', email, '--json'))
    assert.deepEqual([creditos.disponiveis, bloqueio], [100, null])
    assert.match(await fiscal('bloquear', email, '--motivo', ` ${'é'.repeat(200)} `), /: é+$/)
    assert.match(await fiscal('desbloquear', email), /desbloqueada/)
    assert.match(await fiscal('desbloquear', email), /não estava bloqueada/)
  })

  test('credits are given with what was taken before reasons had rules: none of them, any text', async (t) => {
    const { fiscal } = await setup(t)
    const email = 'antes@exemplo.test'
    await made(fiscal, email)
    for (const motivo of ['', 'a\nb', 'x'.repeat(201)])
      assert.match(await fiscal('creditos', email, '0', '--motivo', motivo), /100 da cota \+ 0 extras/)
    assert.match(await fiscal('creditos', email, '05'), /100 da cota \+ 5 extras/)
    const entries: { endpoint: string }[] = JSON.parse(await fiscal('extrato', email, '--json'))
    assert.deepEqual(
      entries.map(({ endpoint }) => endpoint.length),
      ['créditos extras'.length, 201, 3, 0, 0],
    )
  })

  test('wrong plans, numbers and e-mails are told in Portuguese', async (t) => {
    const { fiscal } = await setup(t)
    await fiscal('criar', '--nome', 'C', '--email', 'c@exemplo.test')
    await assert.rejects(fiscal('plano', 'c@exemplo.test', 'ouro'), /Os planos são/)
    await assert.rejects(fiscal('creditos', 'c@exemplo.test', '-5'), /número inteiro/)
    await assert.rejects(fiscal('creditos', 'c@exemplo.test', '1.5'), /número inteiro/)
    for (const none of ['0', '00', '1e3', '1000000000'])
      await assert.rejects(fiscal('debitar', 'c@exemplo.test', none, '--motivo', 'm'), /número inteiro/)
    await assert.rejects(fiscal('extrato', 'd@exemplo.test'), /Não há conta/)
    await assert.rejects(fiscal('chave', 'c@exemplo.test', '--carencia', '25'), /0 a 24/)
  })
})
