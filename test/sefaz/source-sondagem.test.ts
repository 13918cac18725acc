import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autorizadores, classify } from '../../src/sefaz/rules.ts'
import { probe as probeOne } from '../../src/sefaz/source.ts'
import { EM, envelope, idle, retConsStatServ, useStatus } from '../kit/sefaz-rounds.ts'

const { does, answers, asked, lines, connections, door, meios, probe } = useStatus()
const XML = { 'content-type': 'application/soap+xml' }
const UP = envelope(retConsStatServ('107'))
const CTE = UP.replaceAll('retConsStatServ', 'retConsStatServCTe')

test('the answer is timed by the clock that the door was given, and its class begins at the second of the table', async () => {
  let now = 0
  const http = door(() => now)
  for (const [ms, code, average] of [
    [1_990, 1, 1.99],
    [2_000, 2, 2],
    [5_990, 2, 5.99],
    [6_000, 3, 6],
    [29_990, 3, 29.99],
    [30_000, 5, 0],
    [45_000, 5, 0],
  ] as const) {
    does((_, reply) => {
      now += ms
      reply.writeHead(200, XML).end(UP)
    })
    const { leitura, contato } = await probe('nfe-svrs', { http })
    const { status_code, status_avg } = classify([leitura])
    assert.deepEqual([ms, status_code, status_avg], [ms, code, average])
    assert.equal(leitura.respostaMs, ms < 30_000 ? ms : null)
    assert.equal(contato, ms < 30_000 ? 'servico' : 'nenhum')
  }
})

test('any answer that took 30 s is a time-out, a refusal too, and the limit is an argument', async () => {
  let now = 0
  const http = door(() => now)
  does((_, reply) => {
    now += 30_000
    reply.writeHead(500).end()
  })
  const { resultado, motivo } = (await probe('nfe-sp', { http })).leitura
  assert.deepEqual([resultado, motivo], ['timeout', 'SEFAZ SP não respondeu a tempo.'])
  does((_, reply) => {
    now += 4_000
    reply.writeHead(200, XML).end(UP)
  })
  assert.equal((await probe('nfe-sp', { http, limiteMs: 4_000 })).leitura.resultado, 'timeout')
  assert.equal((await probe('nfe-sp', { http, limiteMs: 4_001 })).leitura.resultado, 'resposta')
})

test('connection and TLS are told apart from the answer, and are null where the connection was reused', async () => {
  let now = 0
  // Every look at this clock takes a millisecond.
  const http = door(() => now++)
  answers(CTE)
  const times = async () => {
    const { conexaoMs, tlsMs, respostaMs } = (await probe('cte-pr', { http })).leitura
    return { conexaoMs, tlsMs, respostaMs }
  }
  assert.deepEqual(await times(), { conexaoMs: 1, tlsMs: 1, respostaMs: 1 })
  await idle()
  assert.deepEqual(await times(), { conexaoMs: null, tlsMs: null, respostaMs: 1 })
})

test('two rounds of the 27 authorizers take 27 connections', async () => {
  const http = door(() => 0)
  does(({ corpo }, reply) => void reply.writeHead(200, XML).end(corpo.includes('CTe') ? CTE : UP))
  const before = connections()
  const round = () => Promise.all(autorizadores.map((one) => probeOne(one, EM, meios({ http }))))
  for (let rounds = 0; rounds < 2; rounds++) {
    for (const { leitura } of await round()) assert.equal(leitura.resultado, 'resposta')
    await idle()
  }
  assert.equal(connections() - before, 27)
})

test('a question on a connection that the server has just closed is asked again, on another', async () => {
  const http = door(() => 0)
  answers(UP)
  await probe('nfe-ba', { http })
  await idle()
  const before = connections()
  asked.length = 0
  does(({ conexao }, reply) => {
    if (asked.length === 1) conexao.drop()
    else reply.writeHead(200, XML).end(UP)
  })
  const { leitura } = await probe('nfe-ba', { http })
  assert.deepEqual([leitura.resultado, leitura.conexaoMs, asked.length], ['resposta', 0, 2])
  assert.equal(connections() - before, 1)
})

test('a line of the log tells whom a failed probe asked, its kind and how long it took; of good ones at debug', async () => {
  let now = 0
  const http = door(() => now)
  lines.length = 0
  answers(UP)
  await probe('nfe-svrs', { http })
  await idle()
  does((_, reply) => {
    now += 700
    reply.writeHead(403).end('no')
  })
  await probe('nfe-svrs', { http })
  answers(envelope(retConsStatServ('656')))
  await probe('nfce-mg', { http })
  const source = 'BR/status/nfe-svrs'
  const times = { conexaoMs: null, tlsMs: null, respostaMs: 0 }
  assert.deepEqual(lines[0], {
    level: 'debug',
    fields: { source, uf: 'AC', ...times, conexaoMs: 0, tlsMs: 0 },
  })
  assert.deepEqual(lines[1], {
    level: 'info',
    fields: { source, uf: 'AC', kind: 'blocked', http: 403, causa: undefined, ms: 700 },
  })
  assert.deepEqual(lines[2], {
    level: 'info',
    fields: { source: 'BR/status/nfce-mg', uf: 'MG', cStat: 656, ...times, conexaoMs: 0, tlsMs: 0 },
  })
})
