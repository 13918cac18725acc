import assert from 'node:assert/strict'
import { type Mock, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { codigoDoCadastro, signUp } from '../../src/contas/cadastro.ts'
import { addContasCommands } from '../../src/contas/command.ts'
import { logIn, resetSenha } from '../../src/contas/login.ts'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { NOW } from '../kit/basics.ts'
import { PELA_API, roomDe } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

const endereco = '203.0.113.20'
const ANA = { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }

forEachDatabase((_dialect, fresh) => {
  /** Runs a command beside an open server, with this on standard input. Gives what it wrote. */
  async function setup(t: TestContext, { publico }: { publico?: string } = {}) {
    const place = await fresh(t)
    const room = await roomDe(t, place)
    const now = () => NOW
    const open = async () => {
      const db = await openDb(place)
      const ledger = openLedger(db, { no: 'comando', now })
      return { db, secret: room.secret, ledger, close: () => db.close() }
    }
    const log: Mock<typeof console.log> = t.mock.method(console, 'log', () => {})
    const fiscal = async (args: string, typed = ''): Promise<string> => {
      log.mock.resetCalls()
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
      addContasCommands(program, { open, now, publico, entrada: async () => typed })
      for (const command of program.commands.flatMap((group) => [group, ...group.commands]))
        command.exitOverride().configureOutput({ writeErr: () => {} })
      await program.parseAsync(['contas', ...args.split(' ')], { from: 'user' })
      return log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
    }
    return { room, fiscal }
  }

  test('without letters, the operator gives a code with which the owner sets the first password', async (t) => {
    const { room, fiscal } = await setup(t, { publico: 'https://fiscal.exemplo.com.br' })
    await fiscal('criar --nome Ana --email ana@exemplo.com.br')
    assert.equal(await logIn(room, { ...PELA_API, ...ANA, endereco }), 'invalidas')
    const said = await fiscal('senha ANA@exemplo.com.br')
    const codigo =
      /^https:\/\/fiscal\.exemplo\.com\.br\/nova-senha\/\?codigo=([\w-]+)$/m.exec(said)?.[1] ?? ''
    assert.ok(Object(await resetSenha(room, { codigo, nova: ANA.senha, endereco })).id)
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, endereco })).conta)
    assert.equal(await resetSenha(room, { codigo, nova: ANA.senha, endereco }), 'codigo-invalido')
  })

  test('the operator sets a password by standard input; it shows nowhere, and all logins end', async (t) => {
    const { room, fiscal } = await setup(t)
    const made = await signUp(room, { ...ANA, endereco })
    const conta_id: string = Object(made).conta.id
    const { acessos } = room
    const { acesso } = await acessos.open({ conta_id, tipo: 'painel', agente: 'Firefox', endereco })
    assert.match(await fiscal('acessos ana@exemplo.com.br'), new RegExp(`${acesso.id}.*painel.*Firefox`))
    await assert.rejects(fiscal('senha ana@exemplo.com.br --entrada', 'curta\n'), /10 caracteres/)
    assert.equal((await acessos.list(conta_id)).length, 1)
    const nova = 'frase que o operador definiu'
    assert.doesNotMatch(await fiscal('senha ana@exemplo.com.br --entrada', `${nova}\n`), /frase/)
    assert.match(await fiscal('acessos ana@exemplo.com.br'), /Ninguém/)
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, senha: nova, endereco })).conta)
  })

  test('the operator ends one login of an account, or all', async (t) => {
    const { room, fiscal } = await setup(t)
    const conta_id: string = Object(await signUp(room, { ...ANA, endereco })).conta.id
    const novo = { conta_id, tipo: 'api', agente: '', endereco } as const
    const { acesso } = await room.acessos.open(novo)
    await room.acessos.open(novo)
    await room.acessos.open(novo)
    assert.match(await fiscal(`encerrar ana@exemplo.com.br --acesso ${acesso.id}`), /encerrados: 1/)
    assert.match(await fiscal('encerrar ana@exemplo.com.br'), /encerrados: 2/)
    assert.match(await fiscal('encerrar ana@exemplo.com.br'), /encerrados: 0/)
  })

  test('an invitation is a code for one account, with the plan that the operator chose', async (t) => {
    const { room, fiscal } = await setup(t)
    const { convite } = JSON.parse(await fiscal('convidar --email Ana@Exemplo.com.br --plano pro --json'))
    const made = await signUp(room, { ...ANA, convite, endereco })
    assert.equal(Object(made).conta.plano, 'pro')
    assert.equal(
      await signUp(room, { ...ANA, email: 'bia@exemplo.com.br', convite, endereco }),
      'convite-invalido',
    )
    await assert.rejects(fiscal('convidar --email ana'), /não é um e-mail/)
  })

  test('the operator confirms a sign-up whose letter did not arrive', async (t) => {
    const { room, fiscal } = await setup(t)
    await assert.rejects(fiscal('confirmar ana@exemplo.com.br'), /Ninguém espera/)
    const { nome, email } = ANA
    await codigoDoCadastro(room, { nome, email, senha_hash: '$argon2id$', convite: '' })
    assert.match(await fiscal('confirmar ana@exemplo.com.br'), /conta no plano lite/)
    await assert.rejects(fiscal('confirmar ana@exemplo.com.br'), /Ninguém espera/)
  })

  test('of two sign-ups with one e-mail the operator cannot confirm a stranger', async (t) => {
    const { room, fiscal } = await setup(t)
    for (const nome of ['Ana', 'Quem sabe o e-mail da Ana'])
      await codigoDoCadastro(room, { nome, email: ANA.email, senha_hash: '$argon2id$', convite: '' })
    await assert.rejects(fiscal(`confirmar ${ANA.email}`), /mais de um cadastro.*contas criar/)
    assert.equal(await findContaByEmail(room.db, ANA.email), undefined)
  })
})
