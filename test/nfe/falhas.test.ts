import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { fontesNfe } from '../../src/nfe/source.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { Answer } from '../kit/house.ts'
import { creditsOf, type Item, startNfe, useNfe } from '../kit/nfe.ts'

const itemOf = ({ body }: Answer): Item => Object(body.resultados)[0]

describe('an event is told as what it came to', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  /** The answer tells of the event. The service delivers and charges nothing else. */
  function assertUnpaid(answer: Answer, porque: RegExp): void {
    const { status, headers, body } = answer
    const item = itemOf(answer)
    assert.equal(status, 200)
    assert.deepEqual([item.status, item.manifestacao, item.xml], ['erro', 'ciencia_registrada', null])
    assert.match(item.mensagem, /A Ciência da Operação \(210210\) foi registrada/)
    assert.match(item.mensagem, porque)
    assert.deepEqual([body.com_dado, body.creditos_cobrados, headers.get('x-credits-charged')], [0, 0, '0'])
    assert.equal(headers.get('retry-after'), '60')
    assert.equal(headers.get('x-request-id'), body.request_id)
  }

  test('where the answer could not be paid, then where it can no longer be, and with the note once it can', async () => {
    const { house, key } = nfeOf()
    const { ledger, keys, db } = house.rooms.contas
    const corpo = { chave: house.chaveDe('ciencia'), ...(await house.a1('nfe-ciencia')) }
    const ask = () => house.post(corpo, { key, headers: { 'idempotency-key': 'k' } })
    await sql`create trigger falha before insert on lancamentos when new.tipo = 'charge'
      begin select raise(abort, 'disk full'); end`.execute(db.kysely)
    const unpaid = await ask().finally(() => sql`drop trigger falha`.execute(db.kysely))
    assertUnpaid(unpaid, /e nada foi cobrado\. A cobrança falhou no serviço\. Repita a consulta\.$/)
    // A job of the service does the same every few seconds.
    await ledger.releaseDead()
    const conta = await keys.find(key)
    assert.ok(conta)
    const creditos = await creditsOf(house, key)
    await ledger.charge({ conta, request_id: 'o-resto', endpoint: '', creditos })
    assertUnpaid(await ask(), /precisa de 3 créditos e a conta tem 0\. .*Repita a consulta\.$/)
    await ledger.grant({ conta_id: conta.id, creditos: 100, request_id: 'mais', motivo: 'teste' })
    for (const charged of ['3', '0']) {
      const paid = await ask()
      assert.deepEqual([itemOf(paid).status, itemOf(paid).manifestacao], ['ok', 'ciencia_registrada'])
      assert.equal(paid.headers.get('x-credits-charged'), charged)
    }
    assert.equal(await creditsOf(house, key), 97)
    assert.deepEqual(house.eventos(corpo.chave), ['210210'])
  })

  test('with the note where only the budget cannot be read after it, without the headers that tell it', async (t) => {
    const { house, key } = nfeOf()
    const { consumo } = house.rooms.nfe
    const { look } = consumo
    t.after(() => Object.assign(consumo, { look }))
    house.pass(1_000)
    const chave = house.chaveDe('ciencia')
    Object.assign(consumo, { look: () => Promise.reject(new Error('disk full')) })
    const { item, headers } = await house.askFor('ciencia', { key, chave })
    assert.deepEqual([item.status, item.manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(headers.get('x-sefaz-consultas-restantes'), null)
  })

  test('of a certificate that no authority has believed, connections that drop keep nobody else out', async () => {
    const { house, key } = nfeOf()
    // The call is repeated more often than it takes to open a circuit.
    for (let i = 0; i < 7; i++) {
      const { item } = await house.askFor('queda', { key })
      assert.deepEqual([item.status, item.manifestacao], ['erro', null])
      house.pass(1_000)
    }
    assert.equal((await house.askFor('ciencia', { key })).item.status, 'ok')
  })

  test('as one that does not stand where it was not sent, its service being left alone', async () => {
    const { house, key } = nfeOf()
    const { source } = fontesNfe.eventos
    const down = () => Promise.reject(new SourceError('network', 'caiu', { source: source.id, elapsedMs: 0 }))
    for (let i = 0; i < 5; i++)
      await assert.rejects(house.rooms.platform.guard({ source, deadlineMs: 1_000, request_id: 'r' }, down), {
        kind: 'network',
        message: 'caiu',
      })
    house.pass(1_000)
    const { item, passos, headers } = await house.askFor('ciencia', { key })
    assert.deepEqual([item.status, item.manifestacao, passos], ['erro', 'ciencia_erro', 'consulta'])
    assert.match(
      item.mensagem,
      /A Ciência da Operação \(210210\) não foi registrada\. .* Nenhum evento foi registrado nesta consulta\./,
    )
    assert.equal(headers.get('retry-after'), '60')
  })

  test('of one that is believed they speak of the source, and a query that is then not sent does not count', async () => {
    const { house, key } = nfeOf()
    const found = await house.icp.certificado('nfe-queda')
    assert.ok(found)
    await house.rooms.nfe.reconhecidos.keep(parseA1(found.pfx, found.item.senha).impressao)
    const asked: string[] = []
    let restantes: string | null = null
    for (let i = 0; i < 7; i++) {
      house.pass(1_000)
      const { passos, headers } = await house.askFor('queda', { key })
      asked.push(passos)
      if (passos === '') assert.equal(headers.get('x-sefaz-consultas-restantes'), restantes)
      restantes = headers.get('x-sefaz-consultas-restantes')
    }
    assert.deepEqual(asked, [...Array.from({ length: 5 }, () => 'consulta'), '', ''])
  })
})
