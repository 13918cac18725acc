import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import Fastify from 'fastify'
import { ApiError } from '../../src/platform/errors.ts'
import { openBuscas } from '../../src/platform/pages/por-palavra.ts'

type Answered = { status: number; text: string }

/** A server whose searches end when the test says so; the questions that were looked for, in their order. */
async function openServer(t: { after: (work: () => unknown) => void }) {
  const emSuaVez = openBuscas<{ achado: string }>()
  const procuradas: string[] = []
  const { promise: aberto, resolve: abrir } = Promise.withResolvers<void>()
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof ApiError ? 429 : 500).send(''))
  app.get('/', (request, reply) => {
    const { q } = Object(request.query)
    return emSuaVez({ request, reply }, q, async () => {
      procuradas.push(q)
      await aberto
      return { achado: q }
    })
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  const ask = (q: string, localAddress: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      get(`${address}/?q=${q}`, { localAddress, agent: false }, (got) => {
        got.setEncoding('utf8')
        let text = ''
        got.on('data', (part: string) => {
          text += part
        })
        got.on('end', () => resolve({ status: got.statusCode ?? 0, text }))
      }).on('error', reject)
    })
  return { ask, abrir, procuradas }
}

test('an address has eight searches waiting, and another one comes after the first of them', async (t) => {
  const { ask, abrir, procuradas } = await openServer(t)
  const sent = Array.from({ length: 10 }, (_, i) => ask(`um-${i}`, '127.0.0.2'))
  // One is at work and eight wait once one is refused.
  assert.equal((await Promise.race(sent)).status, 429)
  const [primeira] = procuradas
  const outro = ask('outro', '127.0.0.3')
  const cheio = Array.from({ length: 9 }, (_, i) => ask(`dois-${i}`, '127.0.0.3'))
  // Eight of its ten wait.
  assert.equal((await Promise.race(cheio)).status, 429)
  abrir()
  const ended = await Promise.all([...sent, outro, ...cheio])
  assert.equal(ended.filter(({ status }) => status === 429).length, 3)
  assert.deepEqual(procuradas[0], primeira)
  const firstOfOther = procuradas.findIndex((q) => !q.startsWith('um-'))
  assert.ok(firstOfOther <= 2, procuradas.join())
})

test('a question that was answered is not looked for again', async (t) => {
  const { ask, abrir, procuradas } = await openServer(t)
  const sent = [ask('a', '127.0.0.2'), ask('a', '127.0.0.3')]
  abrir()
  for (const { text } of await Promise.all([...sent, ask('a', '127.0.0.2')]))
    assert.equal(text, '{"achado":"a"}')
  assert.deepEqual(procuradas, ['a'])
})
