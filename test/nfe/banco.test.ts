import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nextRenewal } from '../../src/documento/dia.ts'
import type { Answer } from '../kit/house.ts'
import { creditsOf, HORA_MS, type Item, type NfeHouse, startNfe, useNfe } from '../kit/nfe.ts'

const REGISTRADA = /A Ciência da Operação \(210210\) foi registrada e não pode ser desfeita/
const chaveada = (chave: string) => ({ headers: { 'idempotency-key': chave } })

function itemOf({ body }: Answer): Item {
  const [item] = Object(body.resultados)
  return item
}

/** Takes tables away. Gives the function that brings them back. */
async function takeAway({ rooms }: NfeHouse, tables: readonly string[]): Promise<() => Promise<void>> {
  const rename = async (from: string, to: string): Promise<void> => {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(rooms.platform.db.kysely)
  }
  for (const table of tables) await rename(table, `${table}_longe`)
  return async () => {
    for (const table of tables) await rename(`${table}_longe`, table)
  }
}

/** Makes the writes of a table fail where they meet a condition. Gives the function that ends it. */
async function refuse(
  { rooms }: NfeHouse,
  event: string,
  table: string,
  when: string,
): Promise<() => Promise<void>> {
  const { kysely } = rooms.platform.db
  await sql`create trigger quebra before ${sql.raw(event)} on ${sql.table(table)} when ${sql.raw(when)}
    begin select raise(abort, 'o disco encheu'); end`.execute(kysely)
  return async () => {
    await sql`drop trigger quebra`.execute(kysely)
  }
}

/** Tables that vanish once the event is registered, and what the answer can still tell. */
const perdas: [tables: string[], status: string][] = [
  [['lancamentos'], 'erro'],
  [['saldos'], 'erro'],
  [['retencoes'], 'erro'],
  [['consumo'], 'erro'],
  [['idempotencia'], 'erro'],
  [['cache'], 'ok'],
  [['leituras'], 'ok'],
  [['lancamentos', 'saldos', 'retencoes', 'consumo', 'idempotencia', 'cache', 'leituras'], 'erro'],
]

/** Now, or the first second of the next month where this one ends before the tests have moved the clock. */
function inOneMonth(): number {
  const renewal = nextRenewal(new Date()).getTime()
  return renewal - Date.now() < 48 * HORA_MS ? renewal : Date.now()
}

describe('a database that fails during an NF-e call', { concurrency: false }, () => {
  const nfeOf = useNfe(() => startNfe({}, inOneMonth()))

  async function corpoDe(cenario: string) {
    const { house } = nfeOf()
    // The holder has all its queries again.
    house.pass(2 * HORA_MS)
    return { chave: house.chaveDe(cenario), ...(await house.a1(`nfe-${cenario}`)) }
  }

  /** Gives back what dead or failed calls set aside, as a job of the service does every few seconds. */
  async function creditsAtLast(): Promise<number> {
    const { house, key } = nfeOf()
    await house.rooms.platform.ledger.releaseDead()
    return creditsOf(house, key)
  }

  for (const [tables, status] of perdas)
    test(`after the event, without ${tables.join(', ')}: the event is told`, async () => {
      const { house, key } = nfeOf()
      const credits = await creditsAtLast()
      const corpo = await corpoDe('ciencia')
      const init = { key, ...chaveada(`perda-${tables}`) }
      const ciencia = house.reter('210210')
      const asked = house.post(corpo, init)
      await ciencia.chegam(1)
      const bringBack = await takeAway(house, tables)
      ciencia.soltar()
      const answer = await asked
      await bringBack()
      assert.equal(answer.status, 200, answer.text)
      const item = itemOf(answer)
      const paid = status === 'ok' ? 3 : 0
      assert.deepEqual([item.status, item.manifestacao], [status, 'ciencia_registrada'], item.mensagem)
      assert.match(item.mensagem, REGISTRADA)
      assert.equal(item.xml === null, status === 'erro')
      assert.deepEqual([answer.body.com_dado, answer.body.creditos_cobrados], [paid / 3, paid])
      assert.equal(answer.headers.get('x-credits-charged') ?? '0', String(paid))
      assert.equal(await creditsAtLast(), credits - paid)
      // Asked again once the database is back, the note comes for one price and without another event. The
      // key stands for its answer.
      house.pass(120_000)
      house.passos()
      const isAnswered = tables.join() === 'consumo'
      const again = await house.post(corpo, isAnswered ? { key } : init)
      assert.equal(itemOf(again).status, 'ok', itemOf(again).mensagem)
      assert.doesNotMatch(house.passos(), /2102/)
      assert.equal(await creditsAtLast(), credits - 3)
      assert.deepEqual(house.eventos(corpo.chave), ['210210'])
    })

  test('an event that could not be written down is told, and the call goes on', async () => {
    const { house, key } = nfeOf()
    const mend = await refuse(house, 'update', 'idempotencia', 'new.eventos is not old.eventos')
    const corpo = await corpoDe('ciencia')
    const answer = await house.post(corpo, { key, ...chaveada('sem-nota') })
    await mend()
    const { status, manifestacao, mensagem } = itemOf(answer)
    assert.deepEqual([status, manifestacao, answer.body.creditos_cobrados], ['ok', 'ciencia_registrada', 3])
    assert.match(mensagem, REGISTRADA)
  })

  test('an answer that could not be written down is not paid, and its event is told by it and by the next', async () => {
    const { house, key } = nfeOf()
    const credits = await creditsAtLast()
    const mend = await refuse(house, 'update', 'idempotencia', 'new.resposta is not null')
    const corpo = await corpoDe('ciencia')
    const first = await house.post(corpo, { key, ...chaveada('sem-resposta') })
    await mend()
    assert.deepEqual([itemOf(first).status, itemOf(first).manifestacao], ['erro', 'ciencia_registrada'])
    assert.deepEqual([itemOf(first).xml, first.body.creditos_cobrados], [null, 0])
    assert.equal(await creditsAtLast(), credits)
    house.passos()
    const again = await house.post(corpo, { key, ...chaveada('sem-resposta') })
    assert.deepEqual([itemOf(again).status, itemOf(again).manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(again.headers.get('idempotency-replayed'), null)
    assert.doesNotMatch(house.passos(), /2102/)
    assert.equal(await creditsAtLast(), credits - 3)
  })

  test('a note without an event that could not be paid is not delivered: 500, and the key is free', async () => {
    const { house, key } = nfeOf()
    const credits = await creditsAtLast()
    const mend = await refuse(house, 'insert', 'lancamentos', "new.tipo = 'charge'")
    const corpo = await corpoDe('transportador')
    const answer = await house.post(corpo, { key })
    await mend()
    assert.deepEqual([answer.status, answer.body.error_code], [500, 'ERRO_INTERNO'])
    assert.ok(!/nfeProc|disco/.test(answer.text), answer.text)
    assert.equal(await creditsAtLast(), credits)
  })

  for (const table of ['retencoes', 'consumo', 'idempotencia'])
    test(`before the event, without ${table}: 500, no event, nothing charged, and the key is free`, async () => {
      const { house, key } = nfeOf()
      const credits = await creditsAtLast()
      const corpo = await corpoDe('ciencia')
      house.passos()
      const bringBack = await takeAway(house, [table])
      const answer = await house.post(corpo, { key, ...chaveada(`antes-${table}`) })
      await bringBack()
      assert.deepEqual([answer.status, answer.body.error_code], [500, 'ERRO_INTERNO'])
      assert.match(String(answer.body.detail), /Nada foi cobrado/)
      assert.equal(house.passos(), '')
      const other = { ...corpo, manifestar: false }
      const { status } = await house.post(other, { key, ...chaveada(`antes-${table}`) })
      assert.equal(status, 200)
      assert.equal(await creditsAtLast(), credits)
    })
})
