import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openNfeCache, openReconhecidos } from '../../src/nfe/store.ts'
import { openCache } from '../../src/platform/cache/cache.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const SECRET = 'um segredo de teste bastante comprido'
const CHAVE = '35261198764321000155550010000000011141503007'
const PIECES = ['<nfeProc', '98764321000155', 'AÇÚCAR CRISTAL', CHAVE]
const XML = `<nfeProc versao="4.00"><infNFe Id="NFe${CHAVE}"><CNPJ>98764321000155</CNPJ><xProd>AÇÚCAR CRISTAL</xProd></infNFe></nfeProc>`

const KEPT = { xml: XML, since: NOW.toISOString() }

function node(db: Db, secret = SECRET, fonte = 'simulador') {
  const clock = { now: NOW }
  const cache = openCache(db, {
    now: () => clock.now,
    log: { error: (fields) => assert.fail(String(fields)) },
    fonte,
  })
  return { clock, cache, xmls: openNfeCache(cache, secret), reconhecidos: openReconhecidos(cache) }
}

/** The base64 forms of a text, for every place where it may begin in the encoded text. */
const encodings = (text: string): string[] =>
  [0, 1, 2].map((pad) =>
    Buffer.from(`${'.'.repeat(pad)}${text}`)
      .toString('base64')
      .slice(4, -4),
  )

forEachDatabase((dialect, fresh) => {
  test('a note that was kept is found for a day, by every node', async (t) => {
    const db = await openFor(t, await fresh(t))
    const first = node(db)
    assert.equal(await first.xmls.find(CHAVE), undefined)
    await first.xmls.keep(CHAVE, XML)
    assert.deepEqual(await first.xmls.find(CHAVE), KEPT)
    await first.cache.close()
    const second = node(db)
    second.clock.now = new Date(NOW.getTime() + 24 * 3_600_000 - 1)
    assert.deepEqual(await second.xmls.find(CHAVE), KEPT)
    assert.equal(await second.xmls.find(CHAVE.replace('35', '33')), undefined)
    second.clock.now = new Date(NOW.getTime() + 24 * 3_600_000)
    assert.equal(await second.xmls.find(CHAVE), undefined)
    await second.cache.close()
  })

  test('a certificate is believed for a day, by every node that asks the same authorities', async (t) => {
    const db = await openFor(t, await fresh(t))
    const [impressao, another] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const first = node(db)
    await first.reconhecidos.keep(impressao)
    await first.cache.close()
    const second = node(db)
    second.clock.now = new Date(NOW.getTime() + 24 * 3_600_000 - 1)
    assert.equal(await second.reconhecidos.has(impressao), true)
    assert.equal(await second.reconhecidos.has(another), false)
    second.clock.now = new Date(NOW.getTime() + 24 * 3_600_000)
    assert.equal(await second.reconhecidos.has(impressao), false)
    const producao = node(db, SECRET, 'producao')
    assert.equal(await producao.reconhecidos.has(impressao), false)
    await Promise.all([second.cache.close(), producao.cache.close()])
  })

  test('a note that was kept under another secret is not there, and may be kept again', async (t) => {
    const db = await openFor(t, await fresh(t))
    const before = node(db, 'outro segredo de teste, comprido')
    await before.xmls.keep(CHAVE, XML)
    await before.cache.close()
    const after = node(db)
    assert.equal(await after.xmls.find(CHAVE), undefined)
    await after.xmls.keep(CHAVE, XML)
    assert.deepEqual(await after.xmls.find(CHAVE), KEPT)
    await after.cache.close()
  })

  test('no piece of a note stands in the database or in the memory of the cache', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const { xmls, cache } = node(db)
    await xmls.keep(CHAVE, XML)
    const remembered = await cache.find<string>(`nfe-xml/1:${CHAVE}`)
    await cache.close()
    const rows = await db.kysely.selectFrom('cache').selectAll().execute()
    assert.equal(rows.length, 1)
    const pasta = dirname(place.arquivo)
    const files =
      dialect === 'sqlite' ? readdirSync(pasta).map((name) => readFileSync(join(pasta, name), 'latin1')) : []
    const texts = [...files, JSON.stringify(rows), String(remembered?.value)]
    assert.equal(texts.length, dialect === 'sqlite' ? 5 : 2)
    const plain = Buffer.from(XML).toString('base64')
    for (const text of PIECES) assert.ok(encodings(text).some((piece) => plain.includes(piece)))
    for (const piece of PIECES.flatMap((text) => [Buffer.from(text).toString('latin1'), ...encodings(text)]))
      for (const text of texts) assert.ok(!text.includes(piece), piece)
  })
})
