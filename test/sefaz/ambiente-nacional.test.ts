import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Leitura } from '../../src/platform/wire/leituras.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start, testWhoAsksFirst } from '../kit/house.ts'

const PATH = '/api/v1/sefaz/ambiente-nacional'

let clock = NOW.getTime()
let house: House
before(async () => {
  house = await start({}, () => new Date(clock))
})
after(() => house.close())

/** A call of ours, so many minutes ago. */
const chamada = (fonte: string, minutos: number, rest: Partial<Leitura> = {}): Leitura => ({
  fonte,
  em: new Date(NOW.getTime() - minutos * 60_000),
  ms: 800,
  falha: undefined,
  vazia: false,
  incompleta: false,
  rotulos: [],
  circuito: { estado: 'fechado' },
  ...rest,
})

const falhou = (fonte: string, minutos: number): Leitura => {
  const { em } = chamada(fonte, minutos)
  return chamada(fonte, minutos, { falha: { tipo: 'http', codigo: 'HTTP 503', em } })
}

async function servico(nome: string): Promise<Record<string, unknown>> {
  const { status, body, headers } = await house.ask(PATH)
  assert.equal(status, 200)
  assert.equal(headers.get('x-credits-charged'), '0')
  const servicos: Record<string, unknown>[] = Object(body.servicos)
  assert.deepEqual(
    servicos.map((one) => one.servico),
    ['distribuicao', 'eventos'],
  )
  return servicos.find((one) => one.servico === nome) ?? assert.fail(nome)
}

test('where nobody has called, nothing is known, and the answer says that nobody probes it', async () => {
  assert.deepEqual(await servico('distribuicao'), {
    servico: 'distribuicao',
    fonte: 'AN/distribuicao',
    situacao: 'sem_leitura',
    chamadas: 0,
    falhas: 0,
    mediana_ms: null,
    ultima_resposta: '',
    ultima_falha: null,
    respostas_dias_anteriores: 0,
  })
  assert.match(String((await house.ask(PATH)).body.nota), /nunca o sonda/)
})

test('our own calls of the last 60 minutes tell how each service stands', async () => {
  const { leituras } = house.rooms.platform
  for (const [minutos, ms] of [
    [3 * 24 * 60, 1],
    [20, 600],
    [10, 800],
    [5, 1_000],
  ] as const)
    leituras.note(chamada('AN/distribuicao', minutos, { ms }))
  leituras.note(falhou('AN/eventos', 7))
  const distribuicao = await servico('distribuicao')
  assert.equal(distribuicao.situacao, 'respondendo')
  assert.equal(distribuicao.chamadas, 3)
  assert.equal(distribuicao.mediana_ms, 800)
  assert.equal(distribuicao.ultima_resposta, new Date(NOW.getTime() - 5 * 60_000).toISOString())
  assert.equal(distribuicao.respostas_dias_anteriores, 1)
  const eventos = await servico('eventos')
  assert.equal(eventos.situacao, 'falhando')
  assert.deepEqual(eventos.ultima_falha, {
    tipo: 'http',
    codigo: 'HTTP 503',
    em: new Date(NOW.getTime() - 7 * 60_000).toISOString(),
  })
  leituras.note(falhou('AN/distribuicao', 2))
  const later = await servico('distribuicao')
  assert.deepEqual([later.situacao, later.chamadas, later.falhas], ['instavel', 4, 1])
  assert.equal(later.ultima_resposta, distribuicao.ultima_resposta)
})

test('an hour later nothing is known of now, and the days before are remembered', async () => {
  clock += 2 * 60 * 60_000 + 1
  const { situacao, respostas_dias_anteriores } = await servico('distribuicao')
  assert.equal(situacao, 'sem_leitura')
  assert.equal(respostas_dias_anteriores, 4)
  clock = NOW.getTime()
})

testWhoAsksFirst(() => house, PATH)
