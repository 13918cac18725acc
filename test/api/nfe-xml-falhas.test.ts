import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { SourceError } from '../../src/domain/source-error.ts'
import { fontesNfe } from '../../src/sources/nfe/fonte.ts'
import type { Answer } from '../harness.ts'
import { type Item, startNfe } from '../nfe/casa.ts'
import { creditsOf, umaCasa } from '../nfe/prova.ts'

const itemOf = ({ body }: Answer): Item => Object(body.resultados)[0]

/** What of the database fails, as the disk would fail it. */
const falhas = {
  'an event is written down': 'before update of eventos on idempotencia when new.eventos is not null',
  'the answer is written down': 'before update of resposta on idempotencia when new.resposta is not null',
  // Each call before it has made two.
  'the second query is counted': 'before update of instantes on consumo when length(new.instantes) % 26 = 0',
  'the call is settled': "before insert on lancamentos when new.tipo = 'charge'",
} as const

describe('what fails in the service after an event was registered', { concurrency: false }, () => {
  const { abrir, fechar, casaOf } = umaCasa(startNfe)
  before(abrir)
  after(fechar)

  /** Asks for a note of its own, whose Ciência will be registered, while something of the database fails. */
  async function pedirCom(falha: keyof typeof falhas, idempotencyKey?: string) {
    const { casa, key } = casaOf()
    casa.pass(1_000)
    const corpo = { chave: casa.chaveDe('ciencia'), ...(await casa.a1('nfe-ciencia')) }
    const init = { key, headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {} }
    const { kysely } = casa.ctx.db
    await sql`create trigger falha ${sql.raw(falhas[falha])} begin select raise(abort, 'disk full'); end`.execute(
      kysely,
    )
    const credits = await creditsOf(casa, key)
    const answer = await casa.post(corpo, init).finally(() => sql`drop trigger falha`.execute(kysely))
    assert.deepEqual(casa.eventos(corpo.chave), ['210210'], 'the event stands')
    await casa.ctx.ledger.releaseDead()
    return { casa, key, answer, credits, again: () => casa.post(corpo, init) }
  }

  /** The event is told, and nothing else is delivered or charged. */
  function assertTold({ status, headers, body, ...answer }: Answer): Item {
    const item = itemOf({ status, headers, body, ...answer })
    assert.equal(status, 200)
    assert.deepEqual([item.status, item.manifestacao, item.xml], ['erro', 'ciencia_registrada', null])
    assert.match(item.mensagem, /A Ciência da Operação \(210210\) foi registrada/)
    assert.deepEqual([body.com_dado, body.creditos_cobrados, headers.get('x-credits-charged')], [0, 0, '0'])
    assert.equal(headers.get('retry-after'), '60')
    assert.equal(headers.get('x-request-id'), body.request_id)
    return item
  }

  test('the record of the event: the note is delivered all the same', async () => {
    const { answer } = await pedirCom('an event is written down', 'k1')
    const { status, manifestacao } = itemOf(answer)
    assert.deepEqual([status, manifestacao, answer.body.creditos_cobrados], ['ok', 'ciencia_registrada', 3])
  })

  test('the count of the next query: the event is told, without the note', async () => {
    const { answer, casa, key, credits } = await pedirCom('the second query is counted')
    assert.match(assertTold(answer).mensagem, /nenhum evento será registrado de novo\.$/)
    assert.equal(await creditsOf(casa, key), credits)
  })

  test('the look at what is left of the budget: the note is delivered, without the headers that tell it', async (t) => {
    const { casa, key } = casaOf()
    const { consumo } = casa.ctx
    const { look } = consumo
    t.after(() => Object.assign(consumo, { look }))
    casa.pass(1_000)
    const chave = casa.chaveDe('ciencia')
    const failing: typeof look = (documento) =>
      casa.eventos(chave).length > 0 ? Promise.reject(new Error('disk full')) : look(documento)
    // The flow looks at it before each query too, so that it must be the last look that fails.
    let looks = 0
    Object.assign(consumo, { look: (documento: string) => (++looks > 2 ? failing : look)(documento) })
    const { item, headers } = await casa.pedir('ciencia', { key, chave })
    assert.deepEqual([item.status, item.manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(headers.get('x-sefaz-consultas-restantes'), null)
  })

  test('the record of the answer: the event is told, and the same key may be sent again at once', async () => {
    const { answer, casa, key, credits, again } = await pedirCom('the answer is written down', 'k2')
    assert.match(assertTold(answer).mensagem, /A cobrança falhou no serviço\. Repita a consulta\.$/)
    assert.equal(await creditsOf(casa, key), credits)
    const { status, manifestacao, xml, mensagem } = itemOf(await again())
    // The note is kept since the first call; what is told of the event is not lost for that.
    assert.deepEqual([status, manifestacao], ['ok', 'ciencia_registrada'], mensagem)
    assert.ok(xml)
    assert.equal(await creditsOf(casa, key), credits - 3)
  })

  test('the bill: the event is told, and the note comes with the same key, charged once', async () => {
    const { answer, casa, key, credits, again } = await pedirCom('the call is settled', 'k3')
    assertTold(answer)
    assert.equal(await creditsOf(casa, key), credits)
    for (const charged of ['3', '0']) {
      const replay = await again()
      assert.deepEqual([itemOf(replay).status, itemOf(replay).manifestacao], ['ok', 'ciencia_registrada'])
      assert.equal(replay.headers.get('x-credits-charged'), charged)
    }
    assert.equal(await creditsOf(casa, key), credits - 3)
  })

  test('an answer that stands and can no longer be paid tells its event too', async () => {
    const { casa, key, credits, again } = await pedirCom('the call is settled', 'k4')
    const conta = await casa.ctx.keys.find(key)
    assert.ok(conta)
    await casa.ctx.ledger.charge({ conta, request_id: 'todo-o-resto', endpoint: '', creditos: credits })
    assert.match(
      assertTold(await again()).mensagem,
      /precisa de 3 créditos e a conta tem 0\. .*Repita a consulta\.$/,
    )
    const concessao = { conta_id: conta.id, creditos: 3, request_id: 'mais', motivo: 'teste' }
    await casa.ctx.ledger.grant(concessao)
    const paid = await again()
    assert.deepEqual([itemOf(paid).status, paid.headers.get('x-credits-charged')], ['ok', '3'])
  })

  test('an event that was not sent, its service being left alone, is not told as one that may stand', async () => {
    const { casa } = casaOf()
    const { key } = await casa.open('pro')
    const { source } = fontesNfe.eventos
    const down = () => Promise.reject(new SourceError('network', 'caiu', { source: source.id, elapsedMs: 0 }))
    for (let i = 0; i < 5; i++)
      await assert.rejects(casa.ctx.guard({ source, deadlineMs: 1_000, request_id: 'r' }, down))
    casa.pass(1_000)
    const { item, passos, headers } = await casa.pedir('ciencia', { key })
    assert.deepEqual([item.status, item.manifestacao, passos], ['erro', 'ciencia_erro', 'consulta'])
    assert.match(
      item.mensagem,
      /A Ciência da Operação \(210210\) não foi registrada\. .* Nenhum evento foi registrado nesta consulta\./,
    )
    assert.equal(headers.get('retry-after'), '60')
  })
})
