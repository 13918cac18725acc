import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cadastrar } from '../../src/contas/cadastro/cadastrar.ts'
import { pedirConfirmacao, pedirTrocaDeSenha } from '../../src/contas/cartas/pedir.ts'
import { cadastroDe } from '../../src/contas/recursos.ts'
import { NOW } from '../now.ts'
import { forEachDatabase } from '../store/databases.ts'
import { argon2During, recursosDe } from './recursos.ts'

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

forEachDatabase((dialect, fresh) => {
  // PostgreSQL counts by its own clock, which no test moves.
  if (dialect === 'sqlite')
    test('who tried too often goes on when the time is over', async (t) => {
      let now = NOW
      const { store } = await recursosDe(t, await fresh(t), { now: () => now })
      const tentar = () => store.attempts.take(['entrar/email', email])
      for (let round = 0; round < 3; round++) {
        for (let at = 0; at < 20; at++) assert.equal(await tentar(), undefined)
        assert.equal(await tentar(), 900)
        now = new Date(now.getTime() + 900_000)
      }
    })

  test('a mailbox gets 5 letters an hour, whatever they are about and whoever asks', async (t) => {
    const recursos = await recursosDe(t, await fresh(t), COM_CARTAS)
    const answers: unknown[] = []
    for (let at = 0; at < 4; at++)
      answers.push(
        await pedirTrocaDeSenha(recursos, { email: ' ANA@exemplo.com.br', endereco: `198.51.100.${at}` }),
      )
    answers.push(await pedirConfirmacao(recursos, { id: 'conta-1', email }))
    answers.push(await pedirTrocaDeSenha(recursos, { email, endereco: '198.51.100.9' }))
    answers.push(await pedirConfirmacao(recursos, { id: 'conta-1', email }))
    assert.deepEqual(ditos(answers), depoisDe(5, 7))
    const signUp = { nome: 'Ana', email, senha: 'uma frase bem longa', endereco }
    assert.deepEqual(ditos([await cadastrar(recursos, signUp)]), ['espera'])
    const other = await pedirTrocaDeSenha(recursos, { email: 'bia@exemplo.com.br', endereco })
    assert.deepEqual(ditos([other]), ['carta'])
  })

  test('an address asks for 20 letters an hour, and another goes on', async (t) => {
    const recursos = await recursosDe(t, await fresh(t), COM_CARTAS)
    const answers: unknown[] = []
    for (let at = 0; at < 22; at++)
      answers.push(await pedirTrocaDeSenha(recursos, { email: `p${at}@exemplo.com.br`, endereco }))
    assert.deepEqual(ditos(answers), depoisDe(20, 22))
    const other = await pedirTrocaDeSenha(recursos, { email, endereco: '203.0.113.8' })
    assert.deepEqual(ditos([other]), ['carta'])
  })

  test('an address signs up 10 times an hour, and what is beyond is not hashed', async (t) => {
    const recursos = await recursosDe(t, await fresh(t), COM_CARTAS)
    const answers: unknown[] = []
    const runs = await argon2During(async () => {
      for (let at = 0; at < 12; at++) {
        const quem = { nome: 'Ana', email: `p${at}@exemplo.com.br`, senha: 'uma frase bem longa' }
        answers.push(await cadastrar(recursos, { ...quem, endereco }))
      }
    })
    assert.deepEqual(ditos(answers), depoisDe(10, 12))
    assert.equal(runs, 10)
  })
})
