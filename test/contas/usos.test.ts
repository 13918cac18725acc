import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NOW, pausa } from '../kit/basics.ts'
import { comResto, newPostgres } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, type House, start, WRONG_DIGIT } from '../kit/house.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

for (const dialect of comResto)
  describe(`usage on ${dialect}`, () => {
    let house: House

    before(async () => {
      const DATABASE_URL = dialect === 'postgres' ? await newPostgres() : ''
      house = await start({ DATABASE_URL, SERVER_SECRET })
    })
    after(() => house.close())

    /**
     * The rows of an account, by request. A client has its answer before the service has seen the response
     * end.
     */
    async function rowsOf(conta_id: string, count: number) {
      const { usos, db } = house.rooms.contas
      for (;;) {
        await usos.flush()
        const query = db.kysely.selectFrom('usos').selectAll().where('conta_id', '=', conta_id)
        const rows = await query.execute()
        if (rows.length >= count) return new Map(rows.map((row) => [row.request_id, row]))
        await pausa()
      }
    }
    const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id') ?? ''

    test('each call of an account leaves a row that says what it came to, and no document', async () => {
      const { conta, key } = await house.open('starter')
      const good = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
      const bad = await house.ask(`/api/consultar?uf=SP&cnpj=${WRONG_DIGIT}`, { key })
      const rows = await rowsOf(conta.id, 2)
      const { ms, documento, ...told } = rows.get(idOf(good)) ?? assert.fail('no row')
      assert.deepEqual(told, {
        request_id: idOf(good),
        conta_id: conta.id,
        criado_em: NOW.getTime(),
        endpoint: '/api/consultar-cnpj',
        uf: '',
        http: 200,
        error_code: '',
        creditos: 1,
        cached: 0,
        fontes_falhas: 0,
        fonte_code: '',
      })
      assert.ok(Number.isInteger(ms) && ms >= 0)
      assert.match(documento, /\*/)
      const { uf, http, error_code, creditos } = rows.get(idOf(bad)) ?? assert.fail('no row')
      assert.deepEqual([uf, http, error_code, creditos], ['SP', 400, 'DOCUMENTO_INVALIDO', 0])
      const text = JSON.stringify([...rows.values()])
      for (const document of [BANCO_DO_BRASIL, WRONG_DIGIT]) assert.ok(!text.includes(document))
    })

    // What comes next is the same work on both databases.
    if (dialect === 'postgres' && !process.env.LONGO) return

    test('an answer from the cache says so, and the one before it does not', async () => {
      const { conta, key } = await house.open('starter')
      const path = `/api/consultar?uf=RS&cnpj=${BANCO_DO_BRASIL}`
      const [first, second] = [await house.ask(path, { key }), await house.ask(path, { key })]
      const rows = await rowsOf(conta.id, 2)
      assert.deepEqual([rows.get(idOf(first))?.cached, rows.get(idOf(second))?.cached], [0, 1])
    })

    test('a call that the rate limit turns away leaves no row', async () => {
      const { conta, key } = await house.open('lite')
      const asked = Array.from({ length: 70 }, () => house.ask('/api/v1/base-cnpj', { key }))
      const passed = (await Promise.all(asked)).filter(({ status }) => status === 200)
      assert.ok(passed.length < asked.length)
      // The service has seen the earlier responses end before this one ends.
      const later = await house.open('lite')
      await house.ask('/api/v1/base-cnpj', { key: later.key })
      await rowsOf(later.conta.id, 1)
      assert.equal((await rowsOf(conta.id, 0)).size, passed.length)
    })
  })
