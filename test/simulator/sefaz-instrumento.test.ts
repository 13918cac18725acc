import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { autorizadores } from '../../simulator/sefaz/autorizadores.ts'
import { climaEm } from '../../simulator/sefaz/clima.ts'
import { createSefaz, type Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { type Authorities, openAuthorities } from '../kit/authority.ts'
import {
  CTE_SVRS,
  CTE_SVSP,
  consStatServ,
  consStatServCTe,
  GO,
  SVAN,
  SVRS,
  said,
  send,
} from '../kit/simulator-nacional.ts'

/** A clock of durations, in milliseconds, that a service and a simulator in this process share. */
type Relogio = {
  /** For the service: how long anything took. */
  clock: () => number
  /** For the simulator, in the place of waiting (`criarSefaz({ esperar })`). */
  esperar: (ms: number) => Promise<void>
  /** How many answers must be waited for before any of them comes: those that are asked for in parallel. */
  juntar: (quantas: number) => void
}

type Espera = { ate: number; chegar: () => void }

/** In these turns of the event loop an answer reaches its reader, who then looks at the clock. */
const VOLTAS = 30

/**
 * The clock stands still but for what the simulator waits: the answers of a round come in the order of their
 * times, and each finds the clock where it should be.
 */
function criarRelogio(): Relogio {
  let agora = 0
  let juntas = 1
  let esperas: Espera[] = []
  let andando = false
  const andar = async (): Promise<void> => {
    andando = true
    while (esperas.length > 0) {
      const proxima = esperas.toSorted((a, b) => a.ate - b.ate)[0]
      if (!proxima) break
      esperas = esperas.filter((uma) => uma !== proxima)
      agora = Math.max(agora, proxima.ate)
      proxima.chegar()
      for (let volta = 0; volta < VOLTAS; volta++) await setImmediate()
    }
    andando = false
  }
  return {
    clock: () => agora,
    juntar: (quantas) => {
      juntas = quantas
    },
    esperar: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      esperas.push({ ate: agora + ms, chegar: resolve })
      if (!andando && esperas.length >= juntas) void andar()
      return promise
    },
  }
}

const NOW = new Date('2026-11-14T15:00:00Z')
const relogio = criarRelogio()

let authorities: Authorities
let sefaz: Sefaz

before(async () => {
  sefaz = createSefaz({ agora: () => NOW, wait: relogio.esperar })
  authorities = await openAuthorities(() => NOW, { sefaz })
})
beforeEach(() => {
  relogio.juntar(1)
  sefaz.impose({ padrao: 'normal' })
})
after(() => authorities.close())

/** Asks the simulator's own site. */
async function site(method: string, path = '/sefaz.json', body?: unknown) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(authorities.address + path, { method, ...sent })
  return { status: reply.status, text: await reply.text() }
}

const ask = async (cUF = '33', server = SVRS) => said(await send(authorities, server, consStatServ({ cUF })))

test('the instrument imposes a case on an authorizer, shows it, and clears it', async () => {
  const put = await site('PUT', undefined, {
    padrao: 'normal',
    autorizadores: { 'nfe-svrs': '108', 'nfe-go': '109' },
  })
  assert.equal(put.status, 200)
  assert.equal(await ask(), '108 Servico Paralisado Momentaneamente (curto prazo)')
  assert.equal(await ask('52', GO), '109 Serviço Paralisado sem Previsão')
  const { imposto, agora } = JSON.parse((await site('GET')).text)
  assert.deepEqual(imposto.autorizadores, { 'nfe-svrs': '108', 'nfe-go': '109' })
  assert.deepEqual(agora['nfce-go'], { caso: '109', ms: 100 })
  assert.equal(Object.keys(agora).length, 27)
  assert.equal((await site('DELETE')).status, 200)
  assert.deepEqual(JSON.parse((await site('GET')).text).imposto, {})
  assert.equal((await site('POST')).status, 405)
})

test('the instrument refuses what it does not know, and keeps what was imposed', async () => {
  sefaz.impose({ padrao: '109' })
  for (const wrong of [
    [],
    { nada: {} },
    { padrao: 'chuva' },
    { padrao: { caso: 'lento', ms: -1 } },
    { padrao: { caso: 'lento', ms: 600_001 } },
    { autorizadores: { 'nfe-rj': '108' } },
    { svc: { nfce: { SP: 'ativada' } } },
    { svc: { nfe: { XX: 'ativada' } } },
    { paginas: { nfe: 'linda' } },
  ])
    assert.equal((await site('PUT', undefined, wrong)).status, 400, JSON.stringify(wrong))
  assert.deepEqual(sefaz.imposto(), { padrao: '109' })
})

test('below SOAP a service fails as it is told: page, fault, cut XML, broken connection, refused certificate', async () => {
  const impose = (caso: Parameters<Sefaz['impose']>[0]['padrao']) =>
    sefaz.impose(caso ? { padrao: caso } : {})
  const reply = () => send(authorities, SVRS, consStatServ())
  for (const [caso, status, words] of [
    ['http-403', 403, /403 Forbidden/],
    ['http-500', 500, /Internal server error/],
    ['html', 200, /<h2>Sistema em manuten/],
    ['fault', 500, /:Fault>/],
  ] as const) {
    impose(caso)
    const { status: told, text } = await reply()
    assert.deepEqual([told, words.test(text)], [status, true], text)
  }
  impose('malformado')
  assert.doesNotMatch((await reply()).text, /Envelope>$/)
  impose('corte')
  await assert.rejects(reply(), /ECONNRESET|socket hang up/)
  impose('recusa-tls')
  await assert.rejects(reply())
  impose('656')
  assert.match(await ask(), /^656 Rejeicao: Consumo indevido/)
})

test('an SVC answers 114, 107 or 113 for a state of its contingency, and 410 for any other', async () => {
  assert.match(await ask('35', SVAN), /^114 SVC desabilitado pela SEFAZ Origem/)
  assert.match(await ask('41', SVAN), /^410 /)
  sefaz.impose({
    padrao: 'normal',
    svc: { nfe: { SP: 'ativada', PR: 'encerrando' }, cte: { RJ: 'ativada', MS: 'encerrando' } },
  })
  assert.equal(await ask('35', SVAN), '107 Servico SVC em Operacao')
  assert.equal(
    await ask('41'),
    '113 SVC em processo de desativacao. SVC sera desabilitado para a SEFAZ/PR em 14/11/2026 12:15',
  )
  assert.equal(await ask('21', SVAN), '107 Servico em Operacao')
  const cte = async (cUF: string, server = CTE_SVRS) =>
    said(await send(authorities, server, consStatServCTe({ cUF }))).slice(0, 3)
  assert.deepEqual(
    [await cte('50'), await cte('35'), await cte('31'), await cte('33', CTE_SVSP), await cte('35', CTE_SVSP)],
    ['113', '114', '410', '107', '107'],
  )
})

test('slow answers take their time by the clock of the test, and nothing waits', async () => {
  const measure = async (server = SVRS, cUF = '33') => {
    const from = relogio.clock()
    await ask(cUF, server)
    return relogio.clock() - from
  }
  for (const ms of [1_994, 2_000, 5_990, 6_000, 30_000]) {
    sefaz.impose({ padrao: { caso: 'lento', ms } })
    assert.equal(await measure(), ms)
  }
  sefaz.impose({ padrao: 'sem-resposta' })
  assert.equal(await measure(), 120_000)
  sefaz.impose({
    padrao: { caso: 'normal', ms: 80 },
    autorizadores: { 'nfe-svrs': { caso: 'lento', ms: 2_500 } },
  })
  relogio.juntar(3)
  assert.deepEqual(await Promise.all([measure(), measure(GO, '52'), measure(SVAN, '21')]), [2_500, 80, 80])
})

test('the site gives the past of the simulator by its own clock', async () => {
  const { status, text } = await site('GET', '/sefaz/passado.json')
  assert.equal(status, 200)
  const { ate, dias } = JSON.parse(text)
  assert.deepEqual([ate, dias.length], ['2026-11-13', autorizadores.length * 90])
})

test("the weather's silence ends after seven seconds with a broken connection", async () => {
  let instant = NOW.getTime()
  while (climaEm('nfe-svrs', instant).caso !== 'sem-resposta') instant += 60_000
  const silent = createSefaz({ agora: () => new Date(instant), wait: relogio.esperar })
  const there = await openAuthorities(() => NOW, { sefaz: silent })
  try {
    const from = relogio.clock()
    await assert.rejects(send(there, SVRS, consStatServ()), /ECONNRESET|socket hang up/)
    assert.equal(relogio.clock() - from, 7_000)
  } finally {
    await there.close()
  }
})
