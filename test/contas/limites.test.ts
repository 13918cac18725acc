import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askConfirmacao, signUp } from '../../src/contas/cadastro.ts'
import { cartaOf } from '../../src/contas/job.ts'
import { askSenhaNova, resetSenha } from '../../src/contas/login.ts'
import { getConta } from '../../src/contas/store-contas.ts'
import { cadastroDe } from '../../src/platform/config/config.ts'
import { newConta } from '../kit/account.ts'
import { NOW, rowsOf } from '../kit/basics.ts'
import { argon2During, roomDe } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

const COM_CARTAS = { config: { SMTP_URL: 'smtp://127.0.0.1:1' } }
const endereco = '203.0.113.7'
const email = 'ana@exemplo.com.br'

/** What each of the answers is: a letter, or a wait of an hour at most. */
function ditos(answers: readonly unknown[]): string[] {
  return answers.map((answer) => {
    const { carta, esperaS = 0 } = Object(answer)
    if (carta === true) return 'carta'
    assert.ok(esperaS > 0 && esperaS <= 3_600, JSON.stringify(answer))
    return 'espera'
  })
}

/** So many letters, and a wait for each that is asked for after them. */
const depoisDe = (cartas: number, pedidos: number): string[] =>
  Array.from({ length: pedidos }, (_, at) => (at < cartas ? 'carta' : 'espera'))

test('nobody signs up live unless the operator says so; with the simulator, whoever wants', () => {
  for (const [AUTHORITIES, given, is] of [
    ['live', undefined, 'fechado'],
    ['simulator', undefined, 'aberto'],
    ['live', 'aberto', 'aberto'],
    ['simulator', 'convite', 'convite'],
  ] as const)
    assert.equal(cadastroDe({ AUTHORITIES, CADASTRO: given }), is)
})

const provarLimites: Parameters<typeof forEachDatabase>[0] = (dialect, fresh) => {
  // PostgreSQL counts by its own clock, which no test moves.
  if (dialect === 'sqlite')
    test('who tried too often goes on when the time is over', async (t) => {
      let now = NOW
      const { attempts } = await roomDe(t, await fresh(t), { now: () => now })
      const tentar = () => attempts.take(['entrar/par', email])
      for (let round = 0; round < 3; round++) {
        for (let at = 0; at < 20; at++) assert.equal(await tentar(), undefined)
        assert.deepEqual(await tentar(), { de: 'entrar/par', esperaS: 900 })
        now = new Date(now.getTime() + 900_000)
      }
    })

  test('strangers send 3 letters an hour to a mailbox, and stop none that its owner asks for', async (t) => {
    const room = await roomDe(t, await fresh(t), COM_CARTAS)
    const { db, redes } = room
    const { id } = await newConta(db)
    const { email: dona } = await getConta(db, id)
    await redes.note(id, endereco)
    const ask = (from: string, email = dona) => askSenhaNova(room, { email, endereco: from })
    const answers: unknown[] = []
    for (let at = 0; at < 5; at++) answers.push(await ask(`198.51.100.${at}`))
    assert.deepEqual(ditos(answers), depoisDe(3, 5))
    assert.equal(Object(answers.at(-1)).jaForam, true)
    // From her own network she gets others, and signed in she is not counted by her e-mail.
    const own: unknown[] = []
    for (let at = 0; at < 6; at++) own.push(await ask(endereco, ` ${dona.toUpperCase()}`))
    assert.deepEqual(ditos(own), depoisDe(5, 6))
    const confirmations: unknown[] = []
    for (let at = 0; at < 6; at++) confirmations.push(await askConfirmacao(room, { id }))
    assert.deepEqual(ditos(confirmations), depoisDe(5, 6))
    // An e-mail without an account is answered alike, and others go on.
    const none: unknown[] = []
    for (let at = 0; at < 5; at++) none.push(await ask(`198.51.100.${at}`, 'ninguem@exemplo.com.br'))
    assert.deepEqual(none, answers)
    assert.deepEqual(ditos([await ask('198.51.100.9', 'bia@exemplo.com.br')]), ['carta'])
  })

  test('a letter of a new password is good for longer than strangers can keep the next one away', async (t) => {
    let now = NOW
    const room = await roomDe(t, await fresh(t), { ...COM_CARTAS, now: () => now })
    const { email } = await newConta(room.db)
    const letter = await cartaOf(room, { tipo: 'redefinir', email }, 'http://127.0.0.1')
    const codigo = /codigo=([\w-]+)/.exec(letter?.texto ?? '')?.[1] ?? ''
    // The hour in which all letters went ends, and the next one takes its time.
    now = new Date(now.getTime() + 110 * 60_000)
    const nova = 'uma frase bem longa'
    assert.ok(Object(await resetSenha(room, { codigo, nova, endereco })).id)
  })

  test('sign-ups in the name of somebody else stop none of the letters of an account', async (t) => {
    const room = await roomDe(t, await fresh(t), COM_CARTAS)
    const { email: dela } = await newConta(room.db)
    const signUpFrom = (from: string) =>
      signUp(room, { nome: 'Ana', email: dela, senha: 'uma frase bem longa', endereco: from })
    const answers: unknown[] = []
    for (let at = 0; at < 4; at++) answers.push(await signUpFrom(endereco))
    assert.deepEqual(ditos(answers), depoisDe(3, 4), 'one network alone')
    const others: unknown[] = []
    for (let at = 0; at < 4; at++) others.push(await signUpFrom(`198.51.100.${at}`))
    assert.deepEqual(ditos(others), depoisDe(2, 4), 'all networks together')
    const asked = await askSenhaNova(room, { email: dela, endereco: '192.0.2.1' })
    assert.deepEqual(ditos([asked]), ['carta'])
  })

  test('an address asks for 20 letters an hour, and another goes on', async (t) => {
    const room = await roomDe(t, await fresh(t), COM_CARTAS)
    const answers: unknown[] = []
    for (let at = 0; at < 22; at++)
      answers.push(await askSenhaNova(room, { email: `p${at}@exemplo.com.br`, endereco }))
    assert.deepEqual(ditos(answers), depoisDe(20, 22))
    const other = await askSenhaNova(room, { email, endereco: '203.0.113.8' })
    assert.deepEqual(ditos([other]), ['carta'])
  })

  test('an address signs up 10 times an hour, and what is beyond is not hashed', async (t) => {
    const room = await roomDe(t, await fresh(t), COM_CARTAS)
    const answers: unknown[] = []
    const runs = await argon2During(async () => {
      for (let at = 0; at < 12; at++) {
        const quem = { nome: 'Ana', email: `p${at}@exemplo.com.br`, senha: 'uma frase bem longa' }
        answers.push(await signUp(room, { ...quem, endereco }))
      }
    })
    assert.deepEqual(ditos(answers), depoisDe(10, 12))
    assert.equal(runs, 10)
  })
}

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase(provarLimites, rowsOf(['sqlite', 'postgres']))
