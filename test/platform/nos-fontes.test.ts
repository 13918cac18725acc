import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estado } from '../../src/estados/go.ts'
import { openTurnos } from '../../src/platform/jobs/turnos.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import { openJar } from '../../src/rural/sessao.ts'
import { askPagina, SIMULTANEAS } from '../../src/rural/source-sigef.ts'
import { openAuthority, startTwo } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { newPostgres, openFor } from '../kit/databases.ts'
import { anew, cnd, queriesTo } from '../kit/house.ts'

const { exemplo } = estado
const GO = 'www.sefaz.go.gov.br'

test('the pace of GO is one for all nodes: what would have to wait too long there is refused, on whichever', async (t) => {
  // A pause of an hour: whatever waits for it cannot be answered in time.
  const { one, other, key } = await startTwo(t, 1_200)
  const first = await one.ask(cnd(exemplo), { key })
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const asked = await queriesTo(one, GO)
  assert.ok(asked > 0)
  for (const node of [other, one]) {
    const { status, headers, body } = await node.ask(cnd(exemplo), { key, ...anew })
    assert.equal(status, 503, JSON.stringify(body))
    assert.match(String(body.detail), /já tem consultas demais na fila/)
    assert.equal(headers.get('x-credits-charged'), '0')
  }
  assert.equal(await queriesTo(one, GO), asked, 'nothing more was sent')
})

test('two nodes together never have more than two questions under way at SIGEF, and each comes to its turn', async (t) => {
  const answers: (() => void)[] = []
  let underWay = 0
  let most = 0
  const authority = await openAuthority([
    {
      nome: 'SIGEF',
      hosts: ['sigef.incra.gov.br'],
      asksCertificado: false,
      answer: (_pedido, reply) => {
        underWay += 1
        most = Math.max(most, underWay)
        answers.push(() => {
          underWay -= 1
          reply.writeHead(200, { 'content-type': 'text/html' }).end('<p>ok</p>')
        })
      },
    },
  ])
  t.after(() => authority.close())
  const place = { databaseUrl: await newPostgres(), arquivo: '' }
  const nodes = await Promise.all(
    ['one', 'other'].map(async () => {
      const turnos = openTurnos(await openFor(t, place), { ambiente: 'producao' })
      return { turnos, guard: createGuard({ info: () => {} }, { pace: 0 }) }
    }),
  )
  const jar = await openJar([])
  const served: number[] = []
  const asked = nodes.flatMap(({ turnos, guard }, at) =>
    [1, 2, 3, 4, 5].map(async () => {
      const emVaga = <T>(ask: () => Promise<T>): Promise<T> =>
        turnos.inPlace('BR/sigef', { places: SIMULTANEAS, longestMs: 60_000 }, ask)
      const meios = { http: authority.http, guard, jar, request_id: 'r', emVaga }
      await askPagina('https://sigef.incra.gov.br/', meios, () => {})
      served.push(at)
    }),
  )
  for (let answered = 0; answered < asked.length; answered++) {
    while (answers.length < Math.min(SIMULTANEAS, asked.length - answered)) await pausa()
    answers.shift()?.()
  }
  await Promise.all(asked)
  assert.equal(most, SIMULTANEAS)
  assert.equal(served.length, 10)
})
