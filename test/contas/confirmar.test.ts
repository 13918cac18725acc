import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codigoDaConta, confirmEmail, signUp } from '../../src/contas/cadastro.ts'
import type { ContasRoom } from '../../src/contas/contas.ts'
import { resetSenha } from '../../src/contas/login.ts'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { NOW } from '../kit/basics.ts'
import { roomDe } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

const endereco = '203.0.113.7'

async function comConta(room: ContasRoom, nome: string) {
  const email = `${nome}@exemplo.com.br`
  const made = await signUp(room, { nome, email, senha: 'uma frase bem longa', endereco })
  assert.ok(typeof made === 'object' && 'conta' in made && made.conta)
  return made.conta
}

/** The accounts whose e-mail is proved, by name. */
async function confirmadas({ db }: ContasRoom): Promise<string[]> {
  const contas = db.kysely.selectFrom('contas').select('nome')
  const rows = await contas.where('email_confirmado_em', 'is not', null).orderBy('nome').execute()
  return rows.map(({ nome }) => nome)
}

forEachDatabase((_dialect, fresh) => {
  test('an e-mail is proved by its own letter alone: not by a sign-up, nor by that of another', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const [ana, bia] = [await comConta(room, 'ana'), await comConta(room, 'bia')]
    await comConta(room, 'caio')
    assert.deepEqual(await confirmadas(room), [])
    assert.equal(
      Object(await confirmEmail(room, { codigo: await codigoDaConta(room, ana), senha: '', endereco })).id,
      ana.id,
    )
    assert.deepEqual(await confirmadas(room), ['ana'])
    const codigo = await createCodigo(room.db, {
      tipo: 'redefinir',
      conta_id: bia.id,
      email: bia.email,
      vidaMs: 60_000,
      now: NOW,
    })
    await resetSenha(room, { codigo, nova: 'outra frase bem longa', endereco })
    assert.deepEqual(await confirmadas(room), ['ana', 'bia'], 'who has the letter has the e-mail')
  })

  test('a letter to the e-mail that an account had before proves nothing of the one it has', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const ana = await comConta(room, 'ana')
    const codigo = await codigoDaConta(room, ana)
    await room.db.kysely
      .updateTable('contas')
      .set({ email: 'ana.souza@exemplo.com.br' })
      .where('id', '=', ana.id)
      .execute()
    assert.equal(await confirmEmail(room, { codigo, senha: '', endereco }), 'codigo-invalido')
    assert.deepEqual(await confirmadas(room), [])
  })
})
