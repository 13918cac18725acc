import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { semPausas } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, enterWith, leaveOnTheWay, type Member, openLive } from '../kit/pages.ts'

const CONSULTAR = '/painel/consultar/'
const CNPJ = '99034721000180'
const UM = { documento: '98765002000176', uf: 'AM', pergunta: 'ie' }
const TODOS = { documento: '98765057000186', pergunta: 'cnd-todos' }
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

describe('a form that is sent to two nodes on one database', () => {
  let nodes: House[] = []
  before(async () => {
    const own = { IE_SECONDS: '5', CND_SECONDS: '6', SERVER_SECRET, ...(await semPausas()) }
    const env = { DATABASE_URL: await newPostgres(), ...own }
    const first = await start(env)
    nodes = [first, await start(env)]
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })

  const kysely = () => nodes[0]?.rooms.platform.db.kysely ?? assert.fail()
  /** One person, at both nodes. */
  const enterBoth = async (minutos?: number): Promise<[Member, Member]> => {
    const [one = assert.fail(), other = assert.fail()] = nodes
    const who = await enterPainel(one)
    if (minutos !== undefined) await one.rooms.contas.guardadas.setMinutos(who.conta.id, minutos)
    return [who, enterWith(other, who)]
  }
  const custo = async ({ conta }: Member): Promise<number> => {
    const rows = await kysely()
      .selectFrom('lancamentos')
      .select('creditos')
      .where('conta_id', '=', conta.id)
      .where('tipo', '=', 'charge')
      .execute()
    return rows.reduce((sum, { creditos }) => sum + Math.abs(Number(creditos)), 0)
  }
  const chamadasDe = async ({ conta }: Member, pagas = false): Promise<string[]> => {
    await Promise.all(nodes.map(({ rooms }) => rooms.contas.usos.flush()))
    const rows = await kysely()
      .selectFrom('usos')
      .select('endpoint')
      .where('creditos', '>=', pagas ? 1 : 0)
      .where('conta_id', '=', conta.id)
      .where('endpoint', 'like', '/api/consultar%')
      .execute()
    return rows.map(({ endpoint }) => endpoint).toSorted()
  }
  /** The node that answered the only form of all dies before it says so, and with it what `loses` names. */
  const die = async (ate: number, loses: { eventos?: null } = {}): Promise<void> => {
    await kysely()
      .updateTable('idempotencia')
      .set({ resposta: null, ate, ...loses })
      .execute()
  }
  const liveAt = (who: Member, node: number, path?: string) =>
    openLive(nodes[node] ?? assert.fail(), who, path)
  const forget = () => kysely().deleteFrom('idempotencia').execute()

  test('is charged once and leads to one answer, at once and later', async () => {
    const both = await enterBoth()
    const [one, other] = both
    const fields = { ...UM, formulario: randomUUID() }
    const sent = await Promise.all([one, other, one, other].map((who) => who.post(CONSULTAR, fields)))
    for (const who of both) sent.push(await who.post(CONSULTAR, fields))
    const [path = '', ...more] = new Set(
      sent.map(({ status, headers }) => `${status} ${headers.get('location')}`),
    )
    assert.match(path, /^303 \/painel\/consultas\/[0-9a-f-]{36}\/$/)
    assert.deepEqual(more, [])
    assert.deepEqual(await chamadasDe(one), ['/api/consultar'])
    assert.equal(await custo(one), 1)
    for (const who of both) assert.equal((await who.get(path.slice(4))).status, 200)
    // What is asked besides is asked.
    await other.post(CONSULTAR, { ...fields, formulario: randomUUID() })
    assert.equal(await custo(one), 2)
  })

  test('of an account that keeps nothing shows one the answer, and tells the other that it was charged', async () => {
    const both = await enterBoth(0)
    const [one, other] = both
    const fields = { ...UM, formulario: randomUUID() }
    const sent = await Promise.all(both.map((who) => who.post(CONSULTAR, fields)))
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 303])
    const shown = sent.find(({ status }) => status === 200)
    const number = load(shown?.text ?? '')('.pedido-da-resposta code').text()
    const path = `/painel/consultas/${number}/`
    assert.equal(sent.find(({ status }) => status === 303)?.headers.get('location'), path)
    await chamadasDe(one)
    assert.equal((await other.get(path)).status, 410)
    assert.equal(await custo(one), 1)
  })

  test('is heard live at one, and leads the other to what it heard', async () => {
    const [one, other] = await enterBoth()
    const fields = { documento: UM.documento, pergunta: 'ie-todos', formulario: randomUUID() }
    const heard = await (await liveAt(one, 0))(fields)
    assert.equal(heard.status, 200)
    assert.equal((await (await liveAt(other, 1))(fields)).status, 204)
    const plain = await other.post(CONSULTAR, fields)
    const [, data = '{}'] = /^event: fim\ndata: (.*)$/m.exec(await heard.text()) ?? []
    assert.equal(plain.headers.get('location'), JSON.parse(data).endereco)
    assert.deepEqual(await chamadasDe(one), ['/api/consultar-ie-todos'])
  })

  test('whose visitor left one node on the way goes on at the other from what came', async () => {
    const [one, other] = await enterBoth()
    const { fields, path } = await breakOff(one)
    assert.equal((await other.post(CONSULTAR, fields)).headers.get('location'), path)
    assert.equal((await other.get(path)).status, 200)
    assert.deepEqual(await chamadasDe(one), ['/api/consultar-cnd-todos'])
  })

  test('is not paid again where the node died after the charge, and is asked where it died before', async () => {
    for (const minutos of [60, 0]) {
      const [one, other] = await enterBoth(minutos)
      await forget()
      const fields = { ...UM, formulario: randomUUID() }
      await one.post(CONSULTAR, fields)
      await die(Date.now() + 1_000)
      const sent = await other.post(CONSULTAR, fields)
      assert.match(sent.headers.get('location') ?? '', /^\/painel\/consultas\/[0-9a-f-]{36}\/$/)
      assert.equal(await custo(one), 1)
      await die(0, { eventos: null })
      await other.post(CONSULTAR, fields)
      assert.equal(await custo(one), 2)
    }
  })

  test('is asked by nobody who left while he waited', async () => {
    const [one, other] = await enterBoth()
    await forget()
    const fields = { ...UM, formulario: randomUUID() }
    await one.post(CONSULTAR, fields)
    await die(Date.now() + 3_600_000)
    const before = await chamadasDe(one)
    const leaving = new AbortController()
    const left = (await liveAt(other, 1))(fields, leaving.signal, 'text/html')
    const waits = async (): Promise<boolean> =>
      Promise.race([
        left.then(
          () => false,
          () => false,
        ),
        pausa().then(() => true),
      ])
    for (let looked = 0; looked < 20; looked++) assert.ok(await waits())
    leaving.abort()
    await assert.rejects(left)
    await die(0, { eventos: null })
    await other.post(CONSULTAR, fields)
    assert.equal((await chamadasDe(one)).length, before.length + 1)
  })

  test('writes down neither what it asks nor what it was answered', async () => {
    const [one] = await enterBoth()
    await forget()
    const fields = { ...UM, formulario: randomUUID() }
    const { headers } = await one.post(CONSULTAR, fields)
    const rows = await kysely().selectFrom('idempotencia').selectAll().execute()
    assert.equal(rows.length, 1)
    const [row] = rows
    const number = (headers.get('location') ?? '').split('/').at(-2) ?? 'none'
    for (const text of [fields.documento, fields.formulario, number, one.conta.id])
      assert.ok(!JSON.stringify(row).includes(text), text)
    // The number of a call, sealed, and nothing besides.
    assert.ok(`${row?.resposta}`.length < 200, row?.resposta ?? '')
    assert.ok(`${row?.eventos}`.length < 200, row?.eventos ?? '')
  })

  test('that repeats what failed asks each state once, also where the node dies on the way', async () => {
    const [one, other] = await enterBoth()
    const { path } = await breakOff(one)
    const number = path.split('/').at(-2) ?? ''
    const parts = () =>
      kysely().selectFrom('consultas_guardadas').selectAll().where('request_id', '=', number).execute()
    const kept = await parts()
    await forget()
    const falhas =
      load((await one.get(path)).text)('#falhas')
        .text()
        .split(':')[1]
        ?.split(', ') ?? []
    const sent = await Promise.all([one, other].map((who) => who.post(`${path}repetir`)))
    for (const { status, headers } of sent) assert.deepEqual([status, headers.get('location')], [303, path])
    const after = await chamadasDe(one)
    assert.equal(after.length, 1 + falhas.length)
    const pago = await custo(one)
    assert.ok(pago > 1)
    // The answer of all was not kept yet, and those of the states were.
    await kysely().deleteFrom('consultas_guardadas').where('request_id', '=', number).execute()
    await kysely().insertInto('consultas_guardadas').values(kept).execute()
    await die(0)
    assert.equal((await other.post(`${path}repetir`)).headers.get('location'), path)
    assert.equal(await custo(one), pago)
    const $ = load((await other.get(path)).text)
    const papeis = $('a[href^="/"][href*="certidao-"]')
      .get()
      .map((link) => $(link).attr('href') ?? '')
    assert.ok(papeis.length >= kept.length, `${papeis.length} papers`)
    for (const papel of papeis) {
      const { status, headers } = await other.get(papel)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'], papel)
    }
  })

  describe('of a dossier', () => {
    const DOSSIE = `/painel/dossie/${CNPJ}/`
    const ALL = [
      '/api/consultar-cnd-federal',
      '/api/consultar-cnd-todos',
      '/api/consultar-cnpj',
      '/api/consultar-ie-todos',
    ]

    test('asks each of its questions once', async () => {
      const both = await enterBoth()
      const fields = { formulario: randomUUID() }
      const sent = await Promise.all(both.map((who) => who.post(DOSSIE, fields)))
      for (const { status, headers } of sent)
        assert.deepEqual([status, headers.get('location')], [303, DOSSIE])
      assert.deepEqual(await chamadasDe(both[0]), ALL)
    })

    test('that is kept nowhere tells whoever comes second, at once or later, that it was charged', async () => {
      const both = await enterBoth(0)
      const [one, other] = both
      const fields = { formulario: randomUUID() }
      const sent = await Promise.all(both.map((who) => who.post(DOSSIE, fields)))
      assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 410])
      for (const who of both) {
        const { status, text } = await who.post(DOSSIE, fields)
        assert.equal(status, 410)
        const $ = load(text)
        assert.match($('h1').text(), /não ficou guardado/)
        assert.match($('.topo').text(), /não cobra outra vez/)
        const links = $('main a[href*="/painel/registro/"]').get()
        assert.ok(links.length >= 3, text)
        for (const link of links) assert.equal((await who.get($(link).attr('href') ?? '')).status, 200)
      }
      assert.deepEqual(await chamadasDe(one), ALL)
      // By Back it is asked for his land too, which is another question.
      assert.equal((await other.post(DOSSIE, { ...fields, rural: 'sim' })).status, 200)
    })

    for (const minutos of [60, 0])
      test(`whose visitor left one node goes on at the other, where it is kept ${minutos} minutes`, async () => {
        // Some of its states do not answer before their time is over: nobody is done when he leaves.
        const dossie = `/painel/dossie/${TODOS.documento}/`
        const [one, other] = await enterBoth(minutos)
        const fields = { formulario: randomUUID() }
        await forget()
        const leaving = new AbortController()
        const left = (await liveAt(one, 0, dossie))(fields, leaving.signal, 'text/html')
        // What answers at once is paid long before the states are.
        const isPaid = async (): Promise<boolean> => {
          const row = await kysely().selectFrom('idempotencia').select('eventos').executeTakeFirst()
          return typeof row?.eventos === 'string'
        }
        while (!(await isPaid())) await pausa()
        leaving.abort()
        await assert.rejects(left)
        const { status } = await other.post(dossie, fields)
        assert.equal(status, minutos === 0 ? 200 : 303)
        assert.deepEqual([...new Set(await chamadasDe(one))], ALL)
        const pagas = await chamadasDe(one, true)
        assert.deepEqual(pagas, [...new Set(pagas)])
        assert.ok(pagas.length > 1, pagas.join())
        const pago = await custo(one)
        for (const who of [one, other]) await who.post(dossie, fields)
        assert.equal(await custo(one), pago)
      })
  })

  /** Sends a form that is heard live, and leaves when the first certificate has come. */
  async function breakOff(who: Member): Promise<{ fields: Record<string, string>; path: string }> {
    const fields = { ...TODOS, formulario: randomUUID() }
    const { path } = await leaveOnTheWay(await liveAt(who, 0), fields)
    while ((await who.get(path)).status !== 200) await pausa()
    while ((await chamadasDe(who)).length === 0) await pausa()
    return { fields, path }
  }
})
