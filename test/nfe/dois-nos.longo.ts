import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { newPostgres } from '../kit/databases.ts'
import { start } from '../kit/house.ts'
import { startNfe } from '../kit/nfe.ts'
import { startChild } from '../kit/processes.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

test('a node that is killed at a call leaves its Idempotency-Key to who waits, and one is told of the charge', async (t) => {
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET }
  // They start one after the other, since the first makes the initial account.
  const casa = await startNfe(env)
  t.after(() => casa.close())
  const other = await start({ ...env, SIMULATOR_URL: casa.simulador }, casa.now)
  t.after(() => other.close())
  const { key } = await casa.open('enterprise')
  const pasta = mkdtempSync(join(tmpdir(), 'no-morto-'))
  const own = { ...env, SIMULATOR_URL: casa.simulador, LOG_LEVEL: 'silent', PORT: '0' }
  const doomed = startChild('bin/servidor.js', [], pasta, { ...own, DATA_DIR: pasta })
  t.after(async () => {
    doomed.child.kill('SIGKILL')
    await doomed.ended
    rmSync(pasta, { recursive: true, force: true })
  })
  await doomed.says(/base-cnpj'\n/)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(doomed.said())?.[0] ?? ''
  const body = { chave: casa.chaveDe('autorizado', 3), ...(await casa.a1('nfe-autorizado')) }
  const headers = { 'idempotency-key': 'pedido 8' }
  const consulta = casa.reter('consulta')
  const unanswered = fetch(`${address}/api/consultar-nfe-xml`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'X-API-Key': key, 'Content-Type': 'application/json' },
  })
  await consulta.chegam(1)
  doomed.child.kill('SIGKILL')
  await assert.rejects(unanswered, { message: 'fetch failed' })
  consulta.soltar()
  const answers = await Promise.all(
    [casa, other, casa, other].map((em) => casa.post(body, { headers, key, em })),
  )
  for (const answer of answers) assert.match(answer.text, /"status":"ok"/, String(answer.body.detail))
  const charges = answers.map((answer) => answer.headers.get('x-credits-charged')).sort()
  assert.deepEqual(charges, ['0', '0', '0', '3'])
  for (const answer of answers) assert.equal(answer.body.creditos_cobrados, 3)
  const paid = answers.find((answer) => answer.headers.get('x-credits-charged') === '3')
  assert.equal(paid?.headers.get('idempotency-replayed'), null)
})
