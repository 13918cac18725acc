import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { putSample } from '../kit/databases.ts'
import { type Answer, type House, start } from '../kit/house.ts'
import { creditsOf, heldBy, startNfe, until, useNfe } from '../kit/nfe.ts'
import { startChild } from '../kit/processes.ts'

const API_KEY = 'chave-de-teste-0123456789'
const PATH = '/api/consultar-nfe-xml'
/** The time limit of a call, in seconds. Another call may take its key 15 seconds later. */
const NFE_SECONDS = 60

const resultadoOf = ({ body }: Answer): Record<string, unknown> => Object(body.resultados)[0]
const sob = (chave: string) => ({ headers: { 'idempotency-key': chave } })

describe('an NF-e call that its client gets no answer to', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  async function corpoDe(cenario: string, dias?: number) {
    const { house } = nfeOf()
    house.pass(1_000)
    return { chave: house.chaveDe(cenario, dias), ...(await house.a1(`nfe-${cenario}`)) }
  }

  /** Asks, and leaves once the call has come so far. The service has heard of it when this resolves. */
  async function leave(
    corpo: object,
    headers: Record<string, string>,
    { em, soFar }: { em: Pick<House, 'address' | 'ask'>; soFar: () => Promise<void> },
  ): Promise<void> {
    const leaving = new AbortController()
    const asked = fetch(em.address + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(corpo),
      signal: leaving.signal,
    })
    await soFar()
    leaving.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    // The server hears that the client left before it has answered these requests.
    await em.ask('/health')
    await em.ask('/health')
  }

  /** Asks, and leaves while the service asks for the note. Resolves once the call has ended. */
  async function askAndLeave(corpo: object, key: string, headers: Record<string, string>): Promise<void> {
    const { house } = nfeOf()
    house.passos()
    const consulta = house.reter('consulta')
    await leave(corpo, { 'x-api-key': key, ...headers }, { em: house, soFar: () => consulta.chegam(1) })
    consulta.soltar()
    await until(async () => (await heldBy(house)) === 0)
  }

  test('a client that left fetches its answer with the same key, and pays once', async () => {
    const { house, key } = nfeOf()
    const credits = await creditsOf(house, key)
    const corpo = await corpoDe('ciencia')
    await askAndLeave(corpo, key, sob('saiu').headers)
    assert.equal(house.passos(), 'consulta 210210 consulta', 'what was begun came to its end')
    assert.equal(await creditsOf(house, key), credits, 'what was not delivered is not paid')
    const [fetched, again] = [
      await house.post(corpo, { key, ...sob('saiu') }),
      await house.post(corpo, { key, ...sob('saiu') }),
    ]
    const { status, manifestacao, from_cache } = resultadoOf(fetched)
    assert.deepEqual([status, manifestacao, from_cache], ['ok', 'ciencia_registrada', false])
    assert.equal(fetched.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(
      [fetched, again].map(({ headers }) => headers.get('x-credits-charged')),
      ['3', '0'],
    )
    assert.ok(again.text === fetched.text)
    assert.equal(house.passos(), '')
    assert.equal(await creditsOf(house, key), credits - 3)
  })

  test('a client that left and comes back without credits pays first', async () => {
    const { house } = nfeOf()
    const { conta, key } = await house.open('lite')
    const corpo = await corpoDe('transportador')
    await askAndLeave(corpo, key, sob('sem-credito').headers)
    const entry = { conta, request_id: randomUUID(), endpoint: '/api/consultar-cnpj', creditos: 98 }
    await house.rooms.platform.ledger.charge(entry)
    const { status, body, text } = await house.post(corpo, { key, ...sob('sem-credito') })
    assert.deepEqual([status, body.error_code, body.required, body.remaining], [402, 'LIMITE_PLANO', 3, 2])
    assert.ok(!text.includes('nfeProc'))
    const more = { conta_id: conta.id, creditos: 1, request_id: randomUUID(), motivo: 'teste' }
    await house.rooms.platform.ledger.grant(more)
    const paid = await house.post(corpo, { key, ...sob('sem-credito') })
    assert.deepEqual([resultadoOf(paid).status, paid.headers.get('x-credits-charged')], ['ok', '3'])
    assert.equal(await creditsOf(house, key), 0)
  })

  test('a client that left and comes back without credits is told its event all the same', async () => {
    const { house } = nfeOf()
    const { conta, key } = await house.open('lite')
    const corpo = await corpoDe('ciencia')
    await askAndLeave(corpo, key, sob('evento').headers)
    const entry = { conta, request_id: randomUUID(), endpoint: '/api/consultar-cnpj', creditos: 98 }
    await house.rooms.platform.ledger.charge(entry)
    const told = await house.post(corpo, { key, ...sob('evento') })
    const { status, manifestacao, xml, mensagem } = resultadoOf(told)
    assert.deepEqual([told.status, status, manifestacao, xml], [200, 'erro', 'ciencia_registrada', null])
    assert.match(String(mensagem), /nada foi cobrado.*precisa de 3 créditos e a conta tem 2/)
    assert.deepEqual([told.body.com_dado, told.body.creditos_cobrados], [0, 0])
    assert.equal(told.headers.get('x-credits-charged'), '0')
    const more = { conta_id: conta.id, creditos: 1, request_id: randomUUID(), motivo: 'teste' }
    await house.rooms.platform.ledger.grant(more)
    const paid = await house.post(corpo, { key, ...sob('evento') })
    assert.deepEqual([resultadoOf(paid).status, resultadoOf(paid).manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(await creditsOf(house, key), 0)
  })

  test('a client that left without a key pays nothing, and its event is found by the next call', async () => {
    const { house, key } = nfeOf()
    const credits = await creditsOf(house, key)
    const corpo = await corpoDe('ciencia')
    await askAndLeave(corpo, key, {})
    assert.equal(await creditsOf(house, key), credits)
    house.passos()
    const { item } = await house.askFor('ciencia', { chave: corpo.chave, key })
    assert.deepEqual([item.status, item.from_cache, item.manifestacao], ['ok', true, null])
    assert.equal(await creditsOf(house, key), credits - 3)
  })

  test('a service that stops ends the call of a client that left: its key has the answer afterwards', async (t) => {
    const { house } = nfeOf()
    const pasta = await mkdtemp(join(tmpdir(), 'parada-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    await putSample(join(pasta, 'cnpj'))
    const env = { DATA_DIR: pasta, BOOTSTRAP_API_KEY: API_KEY, SIMULATOR_URL: house.simulador }
    const corpo = await corpoDe('ciencia')
    const first = await start(env, house.now)
    const evento = house.reter('210210')
    const headers = { 'x-api-key': API_KEY, ...sob('parada').headers }
    await leave(corpo, headers, { em: first, soFar: () => evento.chegam(1) })
    const closed = first.close()
    evento.soltar()
    await closed
    // By now another call may take a key that nobody holds any more.
    house.pass((NFE_SECONDS + 15) * 1000 + 60_000)
    house.passos()
    const second = await start(env, house.now)
    t.after(second.close)
    const fetched = await house.post(corpo, { key: API_KEY, em: second, ...sob('parada') })
    const { status, manifestacao } = resultadoOf(fetched)
    assert.deepEqual([status, manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(fetched.headers.get('idempotency-replayed'), 'true')
    assert.equal(house.passos(), '')
    const rows = await second.rooms.platform.db.kysely
      .selectFrom('usos')
      .select(['http', 'endpoint'])
      .execute()
    assert.deepEqual({ ...rows[0] }, { http: 499, endpoint: PATH })
  })

  test('kill -9 after an event: the same key tells it, signs nothing again, and is paid once', async (t) => {
    const { house } = nfeOf()
    const pasta = await mkdtemp(join(tmpdir(), 'interrompida-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    await putSample(join(pasta, 'cnpj'))
    const env = { DATA_DIR: pasta, BOOTSTRAP_API_KEY: API_KEY, SIMULATOR_URL: house.simulador }
    const program = startChild('bin/servidor.js', [], pasta, {
      ...env,
      PORT: '0',
      LOG_LEVEL: 'silent',
      SEFAZ_MONITOR: 'desligado',
    })
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0]
    const [registrada, guardada, enviada] = [
      await corpoDe('ciencia'),
      await corpoDe('ciencia'),
      await corpoDe('pessoa'),
    ]
    const lost = (corpo: object, chave: string): Promise<void> =>
      assert.rejects(
        fetch(address + PATH, {
          method: 'POST',
          headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...sob(chave).headers },
          body: JSON.stringify(corpo),
        }),
        { message: 'fetch failed' },
      )
    // The event of two calls was answered, and they look for the note. The event of a third is on its way.
    house.passos()
    const ciencia = house.reter('210210')
    const calls = [lost(registrada, 'registrada'), lost(guardada, 'guardada')]
    await ciencia.chegam(2)
    const consulta = house.reter('consulta')
    ciencia.soltar()
    await consulta.chegam(2)
    // These requests stay held; later ones pass.
    house.reter('consulta').soltar()
    const onItsWay = house.reter('210210')
    calls.push(lost(enviada, 'enviada'))
    await onItsWay.chegam(1)
    program.child.kill('SIGKILL')
    await Promise.all([...calls, program.ended])
    onItsWay.soltar()
    consulta.soltar()
    await until(() => house.eventos(enviada.chave).length === 1)

    const second = await start(env, house.now)
    t.after(second.close)
    const post = (corpo: object, chave?: string): Promise<Answer> =>
      house.post(corpo, { key: API_KEY, em: second, ...(chave ? sob(chave) : {}) })
    const credits = await creditsOf(second, API_KEY)
    // Meanwhile another call gets one of the notes. The service keeps it from then on.
    assert.equal(resultadoOf(await post(guardada)).manifestacao, null)
    house.passos()
    const answers = Promise.all([
      post(registrada, 'registrada'),
      post(guardada, 'guardada'),
      post(enviada, 'enviada'),
    ])
    // They wait for calls that are dead, which nobody knows yet.
    await second.ask('/health')
    assert.equal(house.passos(), '')
    house.pass((NFE_SECONDS + 15) * 1000 + 60_000)
    const told = (await answers).map(resultadoOf)
    assert.deepEqual(
      told.map(({ status, cstat, manifestacao }) => [status, cstat, manifestacao]),
      [
        ['ok', '138', 'ciencia_registrada'],
        ['ok', '138', 'ciencia_registrada'],
        ['ok', '138', null],
      ],
    )
    for (const { mensagem } of told.slice(0, 2))
      assert.match(String(mensagem), /Ciência da Operação \(210210\) foi registrada e não pode ser desfeita/)
    assert.doesNotMatch(house.passos(), /2102/, 'no event again')
    for (const { chave } of [registrada, guardada, enviada])
      assert.deepEqual(house.eventos(chave), ['210210'])
    assert.equal(await creditsOf(second, API_KEY), credits - 12)
    const replayed = await post(registrada, 'registrada')
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
    assert.equal(await creditsOf(second, API_KEY), credits - 12)
    await assertSealed(pasta, registrada)
  })
})

/** The data folder holds neither the certificate, the password, the note nor the key of a call in clear. */
async function assertSealed(pasta: string, corpo: { chave: string; certificado: string; senha: string }) {
  const names = (await readdir(pasta)).filter((name) => name.includes('.db'))
  const stored = Buffer.concat(await Promise.all(names.map((name) => readFile(join(pasta, name)))))
  assert.ok(stored.includes(PATH), 'the books are there to be read')
  const { chave, certificado, senha } = corpo
  const pfx = Buffer.from(certificado, 'base64')
  const pieces = [senha, certificado.slice(400, 440), pfx.subarray(300, 330), chave, 'nfeProc', 'registrada']
  for (const piece of pieces) assert.ok(!stored.includes(piece), String(piece))
}
