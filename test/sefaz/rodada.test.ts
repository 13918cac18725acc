import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Leitura } from '../../src/platform/wire/leituras.ts'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { autorizadores } from '../../src/sefaz/rules.ts'
import { quiet } from '../kit/basics.ts'
import { type Monitor, RODADA_MS, shareMonitor, startMonitor, todosOsCodigos } from '../kit/sefaz-rounds.ts'

/** How a reading of one authorizer went, in each of some rounds; a space where it was not asked. */
async function curso({ rodada }: Monitor, id: string, rounds: number): Promise<string> {
  let all = ''
  for (let round = 0; round < rounds; round++) {
    const { leituras } = await rodada()
    const own = leituras.find(({ autorizador }) => autorizador === id)
    all += own ? (own.resultado === 'resposta' ? '.' : 'x') : ' '
  }
  return all
}

/** Each probe that failed has a line of its own (test/sefaz/source-sondagem.test.ts). */
const isSonda = (message: string): boolean => message.startsWith('status ')

describe('one monitor, round by round', () => {
  const shared = shareMonitor()

  test('each authorizer is asked once a round, and what it said is kept with its times', async () => {
    const monitor = shared()
    const { rodada, leituras, ...rest } = await monitor.rodada()
    assert.deepEqual(
      leituras.map(({ autorizador }) => autorizador).sort(),
      autorizadores.map(({ id }) => id).sort(),
    )
    for (const { resultado, cStat, respostaMs, em } of leituras)
      assert.deepEqual([resultado, cStat, respostaMs, em], ['resposta', 107, 0, monitor.relogio.instant])
    assert.deepEqual(
      [rodada.fonte, rodada.semRede, rest],
      ['servicos', false, { incidentes: [], ritmos: [], ativacoes: [] }],
    )
    const [kept] = await monitor.nos[0].rooms.sefaz.monitor.recentes(1)
    assert.deepEqual(new Set(kept?.leituras), new Set(leituras))
  })

  test('the log tells a fall and a return in one line each', async () => {
    const monitor = shared()
    const told: string[] = []
    const tell =
      (level: string) =>
      (fields: object, message = '') => {
        const { autorizador, casa }: { autorizador?: string; casa?: string } = fields
        if (!isSonda(message)) told.push(`${level} ${message} ${autorizador} ${casa}`)
      }
    const log = { ...quiet, info: tell('info'), warn: tell('warn') }
    for (const caso of ['corte', 'corte', 'corte', '109', 'normal', 'normal', 'normal', 'normal'] as const) {
      monitor.impor({ autorizadores: { 'nfe-svrs': caso, 'cte-svrs': caso } })
      monitor.relogio.instant += RODADA_MS
      await makeRodada({ ...monitor.nos[0].rooms.sefaz, log })
    }
    assert.deepEqual(told, [
      'warn an authorizer is down nfe-svrs RS',
      'warn an authorizer is down cte-svrs RS',
      'info an authorizer is back nfe-svrs RS',
      'info an authorizer is back cte-svrs RS',
    ])
  })

  test('without a certificate the public pages are read: 1 or 4 without a time, and nothing of the NFC-e', async () => {
    const monitor = shared()
    const [{ rooms }] = monitor.nos
    monitor.impor({ autorizadores: { 'nfe-svrs': 'corte' } })
    monitor.relogio.instant += 2 * 60 * 60_000
    const feita = await makeRodada({ ...rooms.sefaz, certificado: undefined })
    assert.deepEqual([feita?.rodada.fonte, feita?.rodada.semRede], ['paginas', false])
    assert.equal(feita?.leituras.length, 18)
    const situacoes = rooms.sefaz.monitor.quadro()?.situacoes
    const codeOf = (doc: 'nfe' | 'nfce' | 'cte', uf: 'SP' | 'RJ') => {
      const { status_code, status_avg } = situacoes?.[doc].get(uf) ?? {}
      return [status_code, status_avg]
    }
    assert.deepEqual(
      [codeOf('nfe', 'SP'), codeOf('nfe', 'RJ'), codeOf('cte', 'RJ')],
      [
        [1, 0],
        [4, 0],
        [1, 0],
      ],
    )
    assert.deepEqual([codeOf('nfce', 'SP'), situacoes?.nfce.size], [[0, 0], 27])
  })

  test('a certificate that has ended is none: its refusal by all is no outage of the authorities', async () => {
    const monitor = shared()
    const [{ rooms }] = monitor.nos
    const { certificado } = rooms.platform
    assert.ok(certificado)
    monitor.impor({ padrao: 'recusa-tls' })
    monitor.relogio.instant += RODADA_MS
    const fim = new Date(monitor.relogio.instant - 1)
    const ended = { ...certificado, fim }
    const feita = await makeRodada({ ...rooms.sefaz, certificado: ended })
    assert.equal(feita?.rodada.fonte, 'paginas')
    assert.deepEqual([...new Set(feita?.leituras.map(({ resultado }) => resultado))], ['disponivel'])
  })
})

test('an authorizer that says 656 is left alone for 65 minutes, then asked half as often; that is no fall', async (t) => {
  const monitor = await startMonitor(t)
  const { quadro, incidentes } = monitor.nos[0].rooms.sefaz.monitor
  const noQuadro = () => [quadro()?.situacoes.nfe.get('SP')?.status_code, quadro()?.pausas.length]
  assert.equal(await curso(monitor, 'nfe-sp', 1), '.')
  const lida = monitor.relogio.instant
  monitor.impor({ autorizadores: { 'nfe-sp': '656' } })
  assert.equal(await curso(monitor, 'nfe-sp', 1), 'x')
  assert.deepEqual(noQuadro(), [1, 1], 'a pause is no outage: the last reading stands')
  monitor.impor({})
  assert.equal(await curso(monitor, 'nfe-sp', 32), ' '.repeat(32))
  assert.deepEqual(noQuadro(), [1, 1])
  assert.equal(quadro()?.pausas[0]?.lida, lida)
  assert.equal(await curso(monitor, 'nfe-sp', 7), '. . ...')
  assert.deepEqual(noQuadro(), [1, 0])
  assert.deepEqual(await incidentes({ de: 0, ate: monitor.relogio.instant }), [])
})

test('HTTP 403 twice in a row doubles the interval each time, and is an error of three rounds as any other', async (t) => {
  const monitor = await startMonitor(t)
  monitor.impor({ autorizadores: { 'nfe-sp': 'http-403' } })
  assert.equal(await curso(monitor, 'nfe-sp', 9), 'xx x   x ')
  assert.deepEqual(
    monitor.nos[0].rooms.sefaz.monitor.quadro()?.abertos.map(({ casa, quedas }) => [casa, quedas[0]?.cStat]),
    [['SP', null]],
  )
})

test('when nobody answers at all, it may be our own network: the last reading stands, and no incident begins', async (t) => {
  const monitor = await startMonitor(t)
  const [{ rooms }] = monitor.nos
  const told: string[] = []
  const tell = (_fields: object, message = '') => {
    if (!isSonda(message)) told.push(message)
  }
  const log = { ...quiet, info: tell, warn: tell }
  // The simulator hangs up on everybody, which is as near to a cable that is unplugged as it comes.
  const rounds = async (n: number) => {
    for (let round = 0; round < n; round++) {
      monitor.relogio.instant += RODADA_MS
      await makeRodada({ ...rooms.sefaz, log })
    }
  }
  await rounds(1)
  const antes = todosOsCodigos(monitor.nos[0])
  assert.match(antes.join(), /^27: 1 /)
  monitor.impor({ padrao: 'corte' })
  await rounds(4)
  assert.deepEqual(todosOsCodigos(monitor.nos[0]), antes)
  assert.deepEqual(
    (await rooms.sefaz.monitor.recentes(5)).map(({ rodada }) => rodada.semRede),
    [true, true, true, true, false],
  )
  assert.deepEqual(await rooms.sefaz.monitor.incidentes({ de: 0, ate: monitor.relogio.instant }), [])
  monitor.impor({})
  await rounds(2)
  assert.deepEqual(told, [
    'no SEFAZ answers: is the network of this machine down, or its certificate refused?',
    'the SEFAZ answer again',
  ])
})

test('a word of 107 is held against what our own calls met at the authority in the interval before', async (t) => {
  const monitor = await startMonitor(t)
  const { leituras } = monitor.nos[0].rooms.platform
  const call = (fonte: string, falha?: Leitura['falha']): void =>
    leituras.note({
      fonte,
      em: new Date(monitor.relogio.instant),
      ms: 100,
      falha,
      vazia: false,
      incompleta: false,
      rotulos: [],
      circuito: { estado: 'fechado' },
    })
  const em = new Date(monitor.relogio.instant)
  call('SP/ie')
  call('MG/ie', { tipo: 'timeout', codigo: '', em })
  call('PR/ie', { tipo: 'blocked', codigo: 'cStat 656', em })
  call('BA/ie-portal', { tipo: 'timeout', codigo: '', em })
  // Of the states that SVRS serves one failed and one did not.
  call('AC/ie')
  call('SC/ie', { tipo: 'http', codigo: 'HTTP 503', em })
  await leituras.flush()
  monitor.relogio.instant += 60_000
  const wordOf = async () =>
    new Map(
      (await monitor.rodada(60_000)).leituras.map(({ autorizador, desmentida }) => [autorizador, desmentida]),
    )
  const words = await wordOf()
  const told = ['nfe-sp', 'nfe-mg', 'nfe-pr', 'nfe-ba', 'nfe-svrs', 'nfe-go', 'cte-mg'].map((id) =>
    words.get(id),
  )
  assert.deepEqual(told, [false, true, null, null, true, null, null])
  // What was counted once is not counted again.
  monitor.relogio.instant += 60_000
  for (const word of (await wordOf()).values()) assert.equal(word, null)
  // A minute that a node may still be writing is left to the next round.
  call('GO/ie')
  // All calls to the states of one authorizer are counted together.
  call('AC/ie')
  call('SC/ie', { tipo: 'blocked', codigo: 'cStat 656', em })
  await leituras.flush()
  assert.equal((await wordOf()).get('nfe-go'), null)
  const last = await wordOf()
  assert.deepEqual([last.get('nfe-go'), last.get('nfe-svrs')], [false, false])
})
