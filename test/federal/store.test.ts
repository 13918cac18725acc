import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { CertidaoFederal } from '../../src/federal/rules.ts'
import { MOST_RECUSADOS, openCertidoes, openConfianca } from '../../src/federal/store.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const CNPJ = '11222333000181'
const SECRET = 'segredo-de-teste-com-mais-de-32-letras'
const HOUR_MS = 60 * 60_000

const certidao: CertidaoFederal = {
  status: 'negativa',
  status_raw: 'CERTIDÃO NEGATIVA',
  emissao: '2026-11-14',
  validade: '2027-05-13',
  protocolo: 'AAAA.BBBB.CCCC.DDDD',
  pdf_base64: 'JVBERi0=',
}
const recusa = { status: 'positiva', dizeres: `insuficientes: ${CNPJ}` } as const
const kept = { certidao, fonte: 'BR/cnd-portal' }

forEachDatabase((_dialect, fresh) => {
  const options = { now: () => NOW, ambiente: 'simulador', secret: SECRET }

  test('a certificate is kept with its issuance; no document and no word of it stands in the database', async (t) => {
    const db = await openFor(t, await fresh(t))
    const certidoes = openCertidoes(db, options)
    await certidoes.noteAndamento(CNPJ, { cookies: 'sessao' })
    assert.deepEqual((await certidoes.find(CNPJ)).andamento, { cookies: 'sessao' })
    await certidoes.announce(CNPJ, 'job-1')
    await certidoes.keep(db.kysely, CNPJ, { ...kept, emissao: 'job-1' })
    const emissao = { fim: NOW, anunciada: true }
    const found = await certidoes.find(CNPJ)
    assert.deepEqual(found, {
      guardada: { ...kept, conferidaEm: NOW, emissao },
      recusada: undefined,
      andamento: undefined,
    })
    await certidoes.keepRecusa(db.kysely, CNPJ, { recusa, fonte: 'BR/cnd-portal', avisos: [] })
    assert.equal((await certidoes.find(CNPJ)).recusada?.recusa.dizeres, recusa.dizeres)
    const { rows } = await sql`select * from certidoes`.execute(db.kysely)
    assert.doesNotMatch(JSON.stringify(rows), /11222333|AAAA|NEGATIVA|sessao|insuficientes/)
  })

  test('whoever gets the announced issuance ends the announcement, and one of another job stays', async (t) => {
    const db = await openFor(t, await fresh(t))
    const certidoes = openCertidoes(db, options)
    const announced = async () => (await certidoes.find(CNPJ)).guardada?.emissao?.anunciada
    await certidoes.announce(CNPJ, 'job-2')
    await certidoes.keep(db.kysely, CNPJ, { ...kept, emissao: 'job-1' })
    assert.equal(await announced(), false)
    await certidoes.deliver(CNPJ)
    await certidoes.keep(db.kysely, CNPJ, { ...kept, emissao: 'job-2' })
    assert.equal(await announced(), true)
    await certidoes.deliver(CNPJ)
    assert.equal(await announced(), false)
  })

  test('another secret and another environment find nothing, and a certificate is swept when it has ended', async (t) => {
    const db = await openFor(t, await fresh(t))
    const certidoes = openCertidoes(db, options)
    await certidoes.keep(db.kysely, CNPJ, { ...kept, emissao: null })
    for (const other of [{ secret: `outro ${SECRET}` }, { ambiente: 'producao' }]) {
      const elsewhere = openCertidoes(db, { ...options, ...other })
      assert.equal((await elsewhere.find(CNPJ)).guardada, undefined)
      assert.equal(elsewhere.open(certidoes.seal(CNPJ)), undefined)
    }
    assert.equal(certidoes.open(certidoes.seal(CNPJ)), CNPJ)
    assert.equal(await certidoes.sweep(), 0)
    const later = openCertidoes(db, { ...options, now: () => new Date('2027-05-14T03:00:00Z') })
    assert.equal(await later.sweep(), 1)
  })

  test('20 companies in a row without a certificate: the route is tried once an hour, until it gives one', async (t) => {
    const db = await openFor(t, await fresh(t))
    let now = NOW
    const nodes = [1, 2].map(() => openConfianca(db, { ...options, now: () => now }))
    const [one] = nodes
    assert.ok(one)
    const companies = Array.from({ length: MOST_RECUSADOS }, (_, at) => `${at}`)
    for (const company of companies.slice(1)) await one.noteRecusa('portal', company)
    for (let again = 0; again < 30; again++) await one.noteRecusa('portal', '1')
    assert.equal(await one.of('portal'), 'plena', 'a company counts once')
    // The last one is refused on both nodes at once.
    const ends = await Promise.all(nodes.map((node) => node.noteRecusa('portal', '0')))
    assert.deepEqual(ends.map(({ perdida }) => perdida).sort(), [false, true], 'one node is told')
    assert.ok(ends.every(({ grau }) => grau === 'nenhuma'))
    assert.equal(await one.of('contrato'), 'plena')
    assert.deepEqual(await one.list(), [{ rota: 'portal', recusados: MOST_RECUSADOS }])
    for (let hour = 0; hour < 2; hour++) {
      assert.equal(await one.of('portal'), 'nenhuma')
      now = new Date(now.getTime() + HOUR_MS)
      const both = await Promise.all(nodes.map((node) => node.of('portal')))
      assert.deepEqual(both.sort(), ['experiencia', 'nenhuma'], 'one question of all nodes')
    }
    now = new Date(now.getTime() - 365 * 24 * HOUR_MS)
    assert.equal(await one.of('portal'), 'experiencia', 'a clock that is set back stops no trial')
    assert.equal(await one.of('portal'), 'nenhuma')
    assert.equal(await one.noteCertidao('portal'), true)
    assert.equal(await one.of('portal'), 'plena')
  })
})
