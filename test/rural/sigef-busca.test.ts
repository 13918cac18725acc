import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW, rowsOf, testOnce } from '../kit/basics.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { queriesTo, start } from '../kit/house.ts'
import { askSigef, detentor, parcelasIn, type RuralHouse, startRural, toldBy } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'sigef.incra.gov.br'
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
const TARDE = { http: 200, codigo: 'SIGEF_NETWORK_ERROR', retryable: true, repetir: '60', creditos: '0' }
const MUITAS = reservado('sigef-25')
const valem = parcelasDe(MUITAS).filter(({ historica }) => !historica)

/** Asks until the search is over. Gives what each call was told. */
async function askUntilServed(house: Pick<RuralHouse, 'ask'>, documento: string) {
  const told = []
  for (;;) {
    const answer = await askSigef(house, documento)
    told.push(toldBy(answer))
    if (answer.body.result !== null || told.length > 20) return { told, answer }
  }
}

// They wait for SIGEF's pace and for the deadline of a call, and do it together.
describe('a search that is longer than a call', { concurrency: true }, () => {
  testOnce(
    'past the deadline nothing is charged, the search goes on, and the next call finds what is done',
    async (t) => {
      // 22 pages, a third of a second each, so that the deadline ends in the middle.
      const simulator = await openSimulatorAt(() => NOW, { ritmo: 0.6 })
      t.after(simulator.close)
      const house = await start({ SIMULATOR_URL: simulator.endereco, SIGEF_SECONDS: '5' })
      t.after(() => house.close())
      const { told, answer } = await askUntilServed(house, MUITAS)
      assert.deepEqual(told[0], TARDE)
      assert.deepEqual(told.at(-1), { http: 200, codigo: '', retryable: false, repetir: null, creditos: '1' })
      assert.equal(parcelasIn(answer).length, valem.length, 'never a part of the list')
      assert.equal(await queriesTo(house, HOST), 3 + valem.length, 'one search, whoever asked')
    },
  )

  forEachDatabase(
    (dialect, fresh) => {
      test('a service that stops in the middle has kept what it read, and the search goes on at its next start', async (t) => {
        const { databaseUrl: DATABASE_URL = '' } = await fresh(t)
        const DATA_DIR = mkdtempSync(join(tmpdir(), 'sigef-'))
        t.after(() => rmSync(DATA_DIR, { recursive: true, force: true }))
        const simulator = await openSimulatorAt(() => NOW, { ritmo: 0.6 })
        t.after(simulator.close)
        const env = {
          SIMULATOR_URL: simulator.endereco,
          SIGEF_SECONDS: '5',
          DATA_DIR,
          DATABASE_URL,
          SERVER_SECRET,
        }
        const first = await start(env)
        const { key } = await first.open('pro')
        const ask = (of: typeof first) => ({ ask: (path: string) => of.ask(path, { key }) })
        assert.deepEqual(toldBy(await askSigef(ask(first), MUITAS)), TARDE)
        await first.close()
        const read = await queriesTo(first, HOST)
        assert.ok(read > 5)
        const second = await start(env)
        t.after(() => second.close())
        const { answer } = await askUntilServed(ask(second), MUITAS)
        assert.equal(parcelasIn(answer).length, valem.length)
        // The list is asked again, and the page that was under way; no other.
        assert.ok((await queriesTo(second, HOST)) <= 3 + valem.length + 3 + 4, dialect)
      })
    },
    rowsOf(['sqlite', 'postgres']),
  )
})

testOnce('no document and no name of a holder stands in the database in clear', async (t) => {
  const house = await startRural(t)
  const documento = detentor(([first]) => first?.detentores.length === 1)
  const nomes = parcelasIn(await askSigef(house, documento)).map(({ detentor: nome }) => nome)
  assert.ok(documento.length === 11 && nomes.length > 0)
  // A second CPF, whose search fails.
  await askSigef(house, reservado('sigef-500'))
  await house.rooms.platform.cache.close()
  const { rows } = {
    rows: await house.rooms.platform.db.kysely.selectFrom('trabalhos').selectAll().execute(),
  }
  assert.equal(rows.length, 2)
  const files = readdirSync(house.pasta).filter((name) => name.startsWith('consulta-fiscal.db'))
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(house.pasta, name))))
  assert.ok(bytes.includes('buscar-parcelas-sigef'), 'the file is the one that was written')
  for (const text of [documento, reservado('sigef-500'), ...nomes])
    assert.ok(!bytes.includes(text), 'it stands there in clear')
})

testOnce('equal questions at once are one search, and each is charged', async (t) => {
  const house = await startRural(t)
  const documento = detentor(({ length }) => length > 1)
  const answers = await Promise.all([1, 2, 3].map(() => askSigef(house, documento)))
  assert.deepEqual(
    answers.map((answer) => toldBy(answer).creditos),
    ['1', '1', '1'],
  )
  assert.equal(await queriesTo(house, HOST), 1 + parcelasDe(documento).length)
})
