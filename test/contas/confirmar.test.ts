import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cadastrar, codigoDaConta, confirmarEmail } from '../../src/contas/cadastro.ts'
import { redefinirSenha } from '../../src/contas/entrar.ts'
import type { RecursosDeContas } from '../../src/contas/recursos.ts'
import { criarCodigo } from '../../src/contas/store-codigos.ts'
import { NOW } from '../now.ts'
import { forEachDatabase } from '../store/databases.ts'
import { recursosDe } from './recursos.ts'

const endereco = '203.0.113.7'

async function comConta(recursos: RecursosDeContas, nome: string) {
  const email = `${nome}@exemplo.com.br`
  const made = await cadastrar(recursos, { nome, email, senha: 'uma frase bem longa', endereco })
  assert.ok(typeof made === 'object' && 'conta' in made && made.conta)
  return made.conta
}

/** The accounts whose e-mail is proved, by name. */
async function confirmadas({ store }: RecursosDeContas): Promise<string[]> {
  const contas = store.db.kysely.selectFrom('contas').select('nome')
  const rows = await contas.where('email_confirmado_em', 'is not', null).orderBy('nome').execute()
  return rows.map(({ nome }) => nome)
}

forEachDatabase((_dialect, fresh) => {
  test('an e-mail is proved by its own letter alone: not by a sign-up, nor by that of another', async (t) => {
    const recursos = await recursosDe(t, await fresh(t))
    const [ana, bia] = [await comConta(recursos, 'ana'), await comConta(recursos, 'bia')]
    await comConta(recursos, 'caio')
    assert.deepEqual(await confirmadas(recursos), [])
    assert.equal(
      Object(
        await confirmarEmail(recursos, { codigo: await codigoDaConta(recursos, ana), senha: '', endereco }),
      ).id,
      ana.id,
    )
    assert.deepEqual(await confirmadas(recursos), ['ana'])
    const codigo = await criarCodigo(recursos.store.db, {
      tipo: 'redefinir',
      conta_id: bia.id,
      email: bia.email,
      vidaMs: 60_000,
      now: NOW,
    })
    await redefinirSenha(recursos, { codigo, nova: 'outra frase bem longa', endereco })
    assert.deepEqual(await confirmadas(recursos), ['ana', 'bia'], 'who has the letter has the e-mail')
  })

  test('a letter to the e-mail that an account had before proves nothing of the one it has', async (t) => {
    const recursos = await recursosDe(t, await fresh(t))
    const ana = await comConta(recursos, 'ana')
    const codigo = await codigoDaConta(recursos, ana)
    await recursos.store.db.kysely
      .updateTable('contas')
      .set({ email: 'ana.souza@exemplo.com.br' })
      .where('id', '=', ana.id)
      .execute()
    assert.equal(await confirmarEmail(recursos, { codigo, senha: '', endereco }), 'codigo-invalido')
    assert.deepEqual(await confirmadas(recursos), [])
  })
})
