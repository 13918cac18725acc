import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDb } from '../../src/platform/db/db.ts'
import { SCHEMA_VERSION } from '../../src/platform/db/migrate.ts'
import { newPostgres } from '../kit/databases.ts'
import {
  ANTERIOR,
  askOnce,
  assertAccounts,
  fiscalOf,
  keepAsking,
  PATHS,
  putAnterior,
  query,
  type Resposta,
  rewindMonth,
  root,
  SKIPPED,
  schemaOf,
  settingsOf,
  startTree,
  until,
} from '../kit/deploy.ts'
import type { Child } from '../kit/processes.ts'
import { addressOf } from '../kit/processes.ts'

test('nodes are replaced one by one: the version before goes on while the new one migrates and serves', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const DATABASE_URL = await newPostgres({ schema: false })
  const [velho, novo] = [await settingsOf(t, DATABASE_URL), await settingsOf(t, DATABASE_URL)]
  const old = await startTree(t, tree, velho)
  assert.equal(await schemaOf(DATABASE_URL), ANTERIOR.esquema)
  const contas: { id: string; chave: string }[] = []
  for (const email of [
    'a@exemplo.test',
    'b@exemplo.test',
    'c@exemplo.test',
    'd@exemplo.test',
    'e@exemplo.test',
  ])
    contas.push(
      await fiscalOf(
        tree,
        velho,
        'contas',
        'criar',
        '--nome',
        'A',
        '--email',
        email,
        '--plano',
        'enterprise',
      ),
    )
  const answers: Resposta[] = []
  const rest = { stop: false }
  const clients = contas.slice(0, 2).map(({ chave }) => keepAsking(old, chave, answers, rest))
  await until(() => answers.length >= 60)

  const young = await startTree(t, root, novo)
  assert.match(young.said(), /base-cnpj'\n/)
  assert.equal(await schemaOf(DATABASE_URL), SCHEMA_VERSION)
  const migrated = answers.length
  clients.push(...contas.slice(2, 4).map(({ chave }) => keepAsking(young, chave, answers, rest)))
  // What the version before asks for as a job, whichever node does it.
  const chave = contas[0]?.chave ?? ''
  const certidao = await askOnce(old, '/api/consultar-cnd-federal?cnpj=98765002000176', chave)
  assert.deepEqual([certidao.status, certidao.charged], [200, 1])
  answers.push(certidao)
  // A month that began meanwhile is renewed by whichever version comes first: here by the one before.
  const [parada] = contas.slice(-1)
  assert.ok(parada)
  await rewindMonth(DATABASE_URL, parada.id)
  answers.push(await askOnce(old, PATHS[0] ?? '', parada.chave))
  await until(() => answers.length >= migrated + 200)

  await assert.rejects(fiscalOf(tree, velho, 'contas', 'listar'), ({ stderr }) => {
    assert.match(
      stderr,
      new RegExp(`está na versão ${SCHEMA_VERSION} e este programa só conhece até a ${ANTERIOR.esquema}`),
    )
    return true
  })
  rest.stop = true
  await Promise.all(clients)
  assert.equal(await old.stop(), 0, 'the version before ends as always')
  for (const program of [old, young])
    assert.deepEqual(
      program
        .said()
        .split('\n')
        .filter((line) => /"level":50/.test(line)),
      [],
    )
  // The source that fails is told as such.
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 502]))
  assert.ok(answers.some(({ charged }) => charged === 0) && answers.some(({ charged }) => charged === 1))
  const again = await startTree(t, tree, velho)
  assert.equal(await again.ended, 1)
  assert.match(again.said(), /só conhece até a \d+.*restaure a cópia de segurança anterior à atualização/s)
  assert.equal(await young.stop(), 0)
  const db = await openDb({ databaseUrl: DATABASE_URL, arquivo: '' })
  t.after(() => db.close())
  const renewals = await query(
    DATABASE_URL,
    `select 1 from lancamentos where tipo = 'renewal' and conta_id = '${parada.id}'`,
  )
  assert.equal(renewals.length, 2)
  await assertAccounts(
    db,
    contas.map(({ id }) => id),
    answers,
  )
})

test('on the embedded database an upgrade is a restart, and the copy that was made before it is the way back', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const env = await settingsOf(t, '')
  const old = await startTree(t, tree, env)
  const key = /fk_\w{38}/.exec(old.said())?.[0] ?? ''
  const ask = async (program: Child): Promise<string | null> => {
    const response = await fetch(addressOf(program) + PATHS[0], { headers: { 'X-API-Key': key } })
    assert.equal(response.status, 200)
    return response.headers.get('x-credits-remaining')
  }
  assert.equal(await ask(old), '9999')
  // The new program copies the database of the one before as it is, before anything is changed.
  const copia = join(env.DATA_DIR ?? '', 'antes.db')
  const made = await fiscalOf(root, env, 'backup', copia)
  assert.equal(made.esquema, ANTERIOR.esquema)
  assert.equal(await ask(old), '9998')
  assert.equal(await old.stop(), 0)

  const young = await startTree(t, root, env)
  assert.equal(await ask(young), '9997', 'nothing is lost')
  assert.equal(await young.stop(), 0)
  const refused = await startTree(t, tree, env)
  assert.equal(await refused.ended, 1)
  assert.match(refused.said(), /só conhece até a \d+/)

  const { antes } = await fiscalOf(root, env, 'restaurar', copia, '--substituir')
  assert.ok(antes.length > 0)
  const back = await startTree(t, tree, env)
  assert.equal(await ask(back), '9998', 'as it stood when the copy was made')
  assert.equal(await back.stop(), 0)
})
