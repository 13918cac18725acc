import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../src/contas/cadastro.ts'
import type { ContasRoom } from '../../src/contas/contas.ts'
import { changeSenha, logIn, resetSenha } from '../../src/contas/login.ts'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { NOW } from '../kit/basics.ts'
import { PELA_API, roomDe } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

const SENHA = 'uma frase bem longa'
const NOVA = 'outra frase bem longa'
const endereco = '203.0.113.7'

async function comConta(room: ContasRoom, email: string) {
  const made = await signUp(room, { nome: 'Ana Souza', email, senha: SENHA, endereco })
  assert.ok(typeof made === 'object' && 'conta' in made && made.conta)
  return made.conta
}

const codigoDe = ({ db }: ContasRoom, { id, email }: { id: string; email: string }) =>
  createCodigo(db, { tipo: 'redefinir', conta_id: id, email, vidaMs: 60_000, now: NOW })

forEachDatabase((_dialect, fresh) => {
  test('of two changes by the same password at once, one holds', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { id, email } = await comConta(room, 'ana@exemplo.com.br')
    const novas = [NOVA, 'mais uma frase bem longa']
    const ends = await Promise.all(
      novas.map((nova) => changeSenha(room, id, { atual: SENHA, nova, endereco })),
    )
    assert.deepEqual(ends.toSorted(), ['invalidas', 'trocada'])
    for (const [at, senha] of novas.entries()) {
      const entrou = await logIn(room, { ...PELA_API, email, senha, endereco })
      assert.equal(entrou === 'invalidas' ? entrou : 'trocada', ends[at], senha)
    }
  })

  test('a change ends the codes that would set another password, and those of no other account', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const [ana, bia, caio] = [
      await comConta(room, 'ana@exemplo.com.br'),
      await comConta(room, 'bia@exemplo.com.br'),
      await comConta(room, 'caio@exemplo.com.br'),
    ]
    const [daAna, daBia, outroDaBia, doCaio] = [
      await codigoDe(room, ana),
      await codigoDe(room, bia),
      await codigoDe(room, bia),
      await codigoDe(room, caio),
    ]
    const redefinir = (codigo: string) => resetSenha(room, { codigo, nova: NOVA, endereco })
    assert.equal(await changeSenha(room, ana.id, { atual: SENHA, nova: NOVA, endereco }), 'trocada')
    assert.equal(await redefinir(daAna), 'codigo-invalido')
    assert.equal(Object(await redefinir(daBia)).id, bia.id)
    assert.equal(await redefinir(outroDaBia), 'codigo-invalido')
    assert.equal(Object(await redefinir(doCaio)).id, caio.id)
  })

  test('after 30 codes in an hour an address is refused, and a good code is not used up', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const ana = await comConta(room, 'ana@exemplo.com.br')
    const codigo = await codigoDe(room, ana)
    const redefinir = (given: string, from: string) =>
      resetSenha(room, { codigo: given, nova: NOVA, endereco: from })
    for (let at = 0; at < 30; at++) assert.equal(await redefinir(`x${at}`, endereco), 'codigo-invalido')
    const refused = await redefinir(codigo, endereco)
    assert.ok(typeof refused === 'object' && 'esperaS' in refused)
    assert.ok(refused.esperaS > 0 && refused.esperaS <= 3_600)
    assert.equal(Object(await redefinir(codigo, '203.0.113.8')).id, ana.id)
  })
})
