import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type RootOperationNode, sql } from 'kysely'
import { isApiKey } from '../../src/contas/rules.ts'
import { openAcessos } from '../../src/contas/store-acessos.ts'
import {
  countKeys,
  endPreviousKeys,
  importKey,
  issueKey,
  newKey,
  openKeyCache,
  openLoginCache,
  revealKey,
} from '../../src/contas/store-chaves.ts'
import { changePlano, createConta, findContaByEmail, listContas } from '../../src/contas/store-contas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { StoreError } from '../../src/platform/db/outage.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const SECRET = 'um segredo de teste bastante comprido'
const HOUR = 3_600_000
const after = (ms: number): Date => new Date(NOW.getTime() + ms)

forEachDatabase((_dialect, fresh) => {
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const conta = await newConta(db, 'lite')
    const clock = { now: NOW }
    return { db, conta, clock, keys: openKeyCache(db, { now: () => clock.now }) }
  }

  /** A key that was looked up, whose account has another plan since. */
  async function setupChanged(t: Parameters<typeof fresh>[0]) {
    const found = await setup(t)
    const key = await issueKey(found.db, SECRET, found.conta.id, { now: NOW })
    assert.equal((await found.keys.find(key))?.plano, 'lite')
    await changePlano(found.db, found.conta.id, 'pro', NOW)
    return { ...found, key }
  }

  test('a key is found, shown to its owner, and kept in no readable form', async (t) => {
    const { db, conta, keys } = await setup(t)
    const key = await issueKey(db, SECRET, conta.id, { now: NOW })
    assert.ok(isApiKey(key))
    assert.deepEqual(await keys.find(key), {
      id: conta.id,
      plano: 'lite',
      preco_exclusivo: false,
      bloqueio: undefined,
    })
    assert.equal(await revealKey(db, SECRET, conta.id), key)
    const rows = await db.kysely.selectFrom('chaves').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(key.slice(3)))
    await assert.rejects(revealKey(db, 'outro segredo de teste, comprido', conta.id), StoreError)
  })

  test('a new key ends the old one at once, or after the grace that was asked for', async (t) => {
    const { db, conta, clock, keys } = await setup(t)
    const first = await issueKey(db, SECRET, conta.id, { now: NOW })
    const second = await issueKey(db, SECRET, conta.id, { now: NOW, carenciaHoras: 24 })
    assert.ok(await keys.find(first))
    clock.now = after(24 * HOUR - 1)
    assert.ok(await keys.find(first))
    clock.now = after(24 * HOUR)
    assert.equal(await keys.find(first), undefined)
    const third = await issueKey(db, SECRET, conta.id, { now: clock.now })
    clock.now = new Date(clock.now.getTime() + 5_000)
    assert.equal(await keys.find(second), undefined)
    assert.ok(await keys.find(third))
    for (const carenciaHoras of [-1, 25, Number.NaN])
      await assert.rejects(issueKey(db, SECRET, conta.id, { now: NOW, carenciaHoras }), StoreError)
  })

  test('a new key without grace ends one that was still in its grace', async (t) => {
    const { db, conta, keys } = await setup(t)
    const first = await issueKey(db, SECRET, conta.id, { now: NOW })
    await issueKey(db, SECRET, conta.id, { now: NOW, carenciaHoras: 24 })
    await issueKey(db, SECRET, conta.id, { now: NOW })
    assert.equal(await keys.find(first), undefined)
  })

  test('keys made at once leave one current key', async (t) => {
    const { db, conta, keys } = await setup(t)
    const made = await Promise.all([1, 2, 3, 4].map(() => issueKey(db, SECRET, conta.id, { now: NOW })))
    const valid = (await Promise.all(made.map((key) => keys.find(key)))).filter(Boolean)
    assert.equal(valid.length, 1)
  })

  test('a revocation and a change of plan reach the cache within five seconds, and not by going back in time', async (t) => {
    const { db, conta, clock, keys, key } = await setupChanged(t)
    clock.now = after(4_999)
    assert.equal((await keys.find(key))?.plano, 'lite')
    clock.now = after(5_000)
    assert.equal((await keys.find(key))?.plano, 'pro')
    await issueKey(db, SECRET, conta.id, { now: NOW })
    clock.now = after(-HOUR)
    assert.ok(await keys.find(key), 'an hour ago it was valid')
    clock.now = after(1)
    assert.equal(await keys.find(key), undefined)
  })

  test('a hit needs no promise, and misses that arrive together share one query', async (t) => {
    const { db, conta, keys } = await setup(t)
    const key = await issueKey(db, SECRET, conta.id, { now: NOW })
    const misses = [keys.find(key), keys.find(key)]
    assert.equal(misses[0], misses[1])
    await Promise.all(misses)
    assert.ok(!(keys.find(key) instanceof Promise))
  })

  test('keys that are asked for at once each find their own account, and what is none finds nothing', async (t) => {
    const { db, keys } = await setup(t)
    const contas = await Promise.all(Array.from({ length: 20 }, () => newConta(db)))
    const made = await Promise.all(contas.map(({ id }) => issueKey(db, SECRET, id, { now: NOW })))
    const asked = made.flatMap((key) => [newKey(), key])
    const found = await Promise.all(asked.map((key) => keys.find(key)))
    assert.deepEqual(
      found.map((conta) => conta?.id),
      contas.flatMap(({ id }) => [undefined, id]),
    )
  })

  test('logins that are asked for at once each find their own account, and one that has ended finds none', async (t) => {
    const { db, conta } = await setup(t)
    const acessos = openAcessos(db, { now: () => NOW })
    const contas = [conta, await newConta(db), await newConta(db)]
    const ids: string[] = []
    for (const { id } of contas) {
      const { acesso } = await acessos.open({ conta_id: id, tipo: 'painel', agente: '', endereco: '' })
      ids.push(acesso.id)
    }
    await acessos.end(contas[1]?.id ?? '', ids[1] ?? '')
    const later = after(HOUR)
    const logins = openLoginCache(db, { now: () => later })
    const found = await Promise.all(ids.map((id) => logins.find(id)))
    assert.deepEqual(
      found.map((one) => one?.id),
      [conta.id, undefined, contas[2]?.id],
    )
    // That it was in use is written beside the answer.
    const seen = async () => (await acessos.list(conta.id))[0]?.visto_em.getTime()
    while ((await seen()) !== later.getTime()) await pausa()
  })

  test('what cannot be asked fails for all who asked in that turn, and the next one asks anew', async (t) => {
    const { db, conta, keys } = await setup(t)
    const made = [await issueKey(db, SECRET, conta.id, { now: NOW }), newKey()]
    await sql`alter table chaves rename to chaves_fora`.execute(db.kysely)
    const failed = await Promise.allSettled(made.map((key) => keys.find(key)))
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    await sql`alter table chaves_fora rename to chaves`.execute(db.kysely)
    const found = await Promise.all(made.map((key) => keys.find(key)))
    assert.deepEqual(
      found.map((one) => one?.id),
      [conta.id, undefined],
    )
  })

  test('a key in use is looked up again before its five seconds end, and no call waits for that', async (t) => {
    const { clock, keys, key } = await setupChanged(t)
    clock.now = after(4_000)
    assert.equal(keys.seen(key)?.plano, 'lite')
    // What it has begun is what another call of that key waits for.
    clock.now = after(5_000)
    const looked = keys.find(key)
    assert.ok(looked instanceof Promise)
    assert.equal((await looked)?.plano, 'pro')
    clock.now = after(8_999)
    assert.equal(keys.seen(key)?.plano, 'pro', 'good for five seconds since that look')
    clock.now = after(9_000)
    assert.equal(keys.seen(key), undefined)
  })

  test('a key that is forgotten while it is looked up is not kept', async (t) => {
    const { db, conta, clock, keys } = await setup(t)
    const key = await issueKey(db, SECRET, conta.id, { now: NOW })
    const looked = keys.find(key)
    keys.forget(key)
    assert.ok(await looked)
    assert.equal(keys.knows(key), false)
    await keys.find(key)
    clock.now = after(4_500)
    assert.ok(keys.seen(key))
    keys.forget(key)
    await issueKey(db, SECRET, conta.id, { now: NOW })
    assert.equal(await keys.find(key), undefined)
    assert.equal(keys.knows(key), false)
  })

  test('whatever is not a valid key is asked of the database every time, and never kept', async (t) => {
    const { db, conta, keys } = await setup(t)
    const revoked = await issueKey(db, SECRET, conta.id, { now: NOW })
    await issueKey(db, SECRET, conta.id, { now: NOW })
    for (const text of ['', 'x', 'fk_', newKey(), revoked, `${revoked} `, '\u0000', 'é'.repeat(5_000)])
      for (const _ of [1, 2]) {
        const found = keys.find(text)
        assert.ok(found instanceof Promise)
        assert.equal(await found, undefined)
      }
  })

  test('the cache never grows past its size', async (t) => {
    const { db, conta } = await setup(t)
    const keys = openKeyCache(db, { now: () => NOW, max: 1 })
    const other = await newConta(db)
    const made = [
      await issueKey(db, SECRET, conta.id, { now: NOW }),
      await issueKey(db, SECRET, other.id, { now: NOW }),
    ]
    for (const key of made) await keys.find(key)
    const found = made.map((key) => keys.find(key))
    assert.deepEqual(
      found.map((result) => result instanceof Promise),
      [true, false],
    )
    await Promise.all(found)
  })

  test('a chosen key is taken once, and never brought back after it was revoked', async (t) => {
    const { db, conta, keys } = await setup(t)
    const key = newKey()
    await issueKey(db, SECRET, conta.id, { now: NOW })
    for (const _ of [1, 2]) await importKey(db, SECRET, conta.id, key, NOW)
    assert.equal((await keys.find(key))?.id, conta.id)
    assert.equal(await revealKey(db, SECRET, conta.id), key)
    await assert.rejects(importKey(db, SECRET, (await newConta(db)).id, key, NOW), /outra conta/)
    await issueKey(db, SECRET, conta.id, { now: NOW })
    await assert.rejects(importKey(db, SECRET, conta.id, key, NOW), /revogada/)
  })

  test('an e-mail has one account, in whatever case', async (t) => {
    const { db } = await setup(t)
    const made = await createConta(db, { nome: ' Ana ', email: ' ANA@Exemplo.test', plano: 'pro', now: NOW })
    assert.deepEqual(await findContaByEmail(db, 'ana@exemplo.TEST'), made)
    assert.equal(made?.nome, 'Ana')
    const taken = { nome: 'B', email: 'ana@exemplo.test', plano: 'lite', now: NOW } as const
    assert.equal(await createConta(db, taken), undefined)
    await assert.rejects(
      createConta(db, { nome: 'B', email: 'sem arroba', plano: 'lite', now: NOW }),
      StoreError,
    )
    await assert.rejects(createConta(db, { nome: ' ', email: 'c@d', plano: 'lite', now: NOW }), StoreError)
    assert.deepEqual((await listContas(db)).map(({ email, cota }) => [email, cota])[0], [
      'ana@exemplo.test',
      10_000,
    ])
  })
})

/** Writes so many accounts, each with a key and a login, in statements that both databases understand. */
async function putMany({ kysely, dialect }: Db, many: number): Promise<void> {
  const each = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(many)})`
  await sql`insert into contas (id, nome, email, plano, criada_em) ${each}
    select 'muitas-' || i, 'Teste', 'muitas-' || i || '@exemplo.test', 'lite', 0 from n`.execute(kysely)
  await sql`insert into chaves (id, conta_id, hash, cifrada, criada_em) ${each}
    select 'chave-' || i, 'muitas-' || i, 'hash-' || i, '', 0 from n`.execute(kysely)
  await sql`insert into acessos (id, conta_id, tipo, hash, criado_em, visto_em, expira_em, agente, endereco) ${each}
    select 'acesso-' || i, 'muitas-' || i, 'api', 'hash-' || i, 0, 0, ${sql.lit(9e12)}, '', '' from n`.execute(
    kysely,
  )
  for (const table of ['contas', 'chaves', 'acessos'])
    await sql`${sql.raw(dialect === 'postgres' ? 'vacuum analyze' : 'analyze')} ${sql.table(table)}`.execute(
      kysely,
    )
}

/** The database, and what it was asked through it, as kysely has a statement before it is text. */
function watched(db: Db): { asked: RootOperationNode[]; db: Db } {
  const asked: RootOperationNode[] = []
  const kysely = db.kysely.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { asked, db: { ...db, kysely } }
}

/** The lines of a statement's plan that read a whole table. */
async function scansOf({ kysely, dialect }: Db, node: RootOperationNode): Promise<string[]> {
  const { sql: text, parameters } = kysely.getExecutor().compileQuery(node, { queryId: 'plano' })
  const explain = dialect === 'postgres' ? 'explain' : 'explain query plan'
  const { rows } = await kysely.executeQuery<object>({
    // A plan that was asked for before is kept by its text, whatever the schema became since.
    sql: `${explain} /* ${randomUUID()} */ ${text}`,
    parameters,
    query: node,
    queryId: { queryId: 'plano' },
  })
  const lines = rows.map((row) => String('detail' in row ? row.detail : Object.values(row)[0]))
  return lines.filter((line) => /^SCAN (?!CONSTANT)|Seq Scan/.test(line)).map((line) => `${line}: ${text}`)
}

forEachDatabase((dialect, fresh) => {
  test('who issues, shows, counts or ends a key, or lists and ends logins, reads no other account’s', async (t) => {
    const db = await openFor(t, await fresh(t))
    await putMany(db, 3_000)
    const conta = await newConta(db)
    const watch = watched(db)
    const acessos = openAcessos(watch.db, { now: () => NOW })
    await issueKey(watch.db, SECRET, conta.id, { now: NOW })
    await issueKey(watch.db, SECRET, conta.id, { now: NOW, carenciaHoras: 24 })
    await importKey(watch.db, SECRET, conta.id, newKey(), NOW)
    await revealKey(watch.db, SECRET, conta.id)
    await countKeys(watch.db, conta.id)
    await endPreviousKeys(watch.db, conta.id, NOW)
    const { acesso } = await acessos.open({ conta_id: conta.id, tipo: 'painel', agente: '', endereco: '' })
    await acessos.list(conta.id)
    await acessos.end(conta.id, acesso.id)
    await acessos.endAll(conta.id)
    assert.ok(watch.asked.length >= 15)
    const scans: string[] = []
    for (const node of watch.asked) if (node.kind !== 'RawNode') scans.push(...(await scansOf(db, node)))
    assert.deepEqual(scans, [])
    // The same look without the index, so that it is seen to tell the difference.
    await sql`drop index chaves_conta`.execute(db.kysely)
    const issuing = watch.asked.find(
      (node) => node.kind === 'UpdateQueryNode' && /chaves/.test(JSON.stringify(node.table)),
    )
    assert.ok(issuing)
    assert.equal((await scansOf(db, issuing)).length, 1, dialect)
  })
})
