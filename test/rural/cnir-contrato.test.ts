import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NOW, pausa } from '../kit/basics.ts'
import { anew, start } from '../kit/house.ts'
import {
  CNIR_CPF,
  CNIR_PATH,
  type Connector,
  json,
  openConnector,
  property,
  record,
  signatureOf,
} from '../kit/rural.ts'

let connector: Connector
before(async () => {
  connector = await openConnector({ CNIR_SECONDS: '5', METRICS_PORT: '0' })
})
after(() => connector.close())

const ask = async (imoveis?: readonly object[], of = `cpf=${CNIR_CPF}`) => {
  if (imoveis) connector.give(json(record(imoveis)))
  const answer = await connector.house.ask(`${CNIR_PATH}?${of}`, anew)
  return { ...answer, status: Object(answer.body.source_status) }
}

/** A copy of the property without one of its members, which a path names. */
function without(path: string): object {
  const copy = property()
  const names = path.split('.')
  const holder = names.slice(0, -1).reduce((value: object, name) => Object(Reflect.get(value, name)), copy)
  Reflect.deleteProperty(holder, names.at(-1) ?? '')
  return copy
}

test('the question is signed over time stamp and body, and says how long its answer is waited for', async () => {
  connector.asked.length = 0
  await ask([property()])
  const [question] = connector.asked
  assert.ok(question)
  const { headers, body } = question
  const { request_id, ...asked } = JSON.parse(body)
  assert.deepEqual(asked, { documento: CNIR_CPF, tipo: 'cpf' })
  assert.match(request_id, /^[0-9a-f-]{36}$/)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['x-consulta-timestamp'], String(NOW.getTime() / 1000))
  assert.equal(headers['x-consulta-signature'], signatureOf(question))
  const deadline = Number(headers['x-consulta-deadline-ms'])
  assert.ok(Number.isInteger(deadline) && deadline > 0 && deadline <= 5_000, String(deadline))
})

test('one of CNIR_URL and CNIR_SECRET without the other is refused at the start', async () => {
  for (const one of [{ CNIR_URL: 'http://127.0.0.1:1/' }, { CNIR_SECRET: 'x'.repeat(32) }])
    await assert.rejects(start(one), { name: 'StartError', message: /CNIR_URL e CNIR_SECRET vão juntos/ })
})

describe('a record without what the specification wants is a failure, uncharged', () => {
  for (const path of [
    'situacao',
    'area_total',
    'codigo_situacao',
    'percentual_proprietario',
    'dados_tributarios',
    'dados_tributarios.indicador_descaracterizacao',
    'dados_tributarios.origem_imovel',
    'dados_tributarios.area_adquirida',
    'dados_tributarios.possui_decisao_judicial',
  ])
    test(path, async () => {
      const { status, headers } = await ask([property(), without(path)])
      assert.equal(status.error_code, 'PROCESSAMENTO_FALHOU')
      assert.match(status.error_message, new RegExp(`imoveis_cafir\\.1\\.${path}`))
      assert.equal(headers.get('x-credits-charged'), '0')
    })

  for (const [name, change] of [
    ['an empty situation', { situacao: ' ' }],
    ['a number as a text', { area_total: '120.5' }],
    ['an area below nothing', { area_total: -1 }],
    ['more than the whole', { percentual_proprietario: 101 }],
    ['a code that is no integer', { codigo_situacao: 1.5 }],
    ['a co-owner without a share', { condominos: [{ ni: CNIR_CPF, nome: 'X' }] }],
    [
      'a day that the calendar lacks',
      { dados_tributarios: { ...property().dados_tributarios, data_aquisicao: '2005-02-30' } },
    ],
    [
      'a date in another form',
      { dados_tributarios: { ...property().dados_tributarios, data_aquisicao: '22/10/2005' } },
    ],
    ['a property of others', { ni_proprietario: '98765432100' }],
    ['a property of others, with their marks', { ni_proprietario: '987.654.321-00' }],
    [
      'a text for yes or no',
      { dados_tributarios: { ...property().dados_tributarios, possui_decisao_judicial: 'não' } },
    ],
  ] as const)
    test(name, async () => {
      const { status } = await ask([{ ...property(), ...change }])
      assert.equal(status.error_code, 'PROCESSAMENTO_FALHOU', JSON.stringify(status))
    })
})

test('each member is told as it came, without the spaces around it', async () => {
  const { body } = await ask([{ ...property(), denominacao: ' FAZENDA BOA VISTA ' }])
  assert.deepEqual(body.imoveis_cafir, [property()])
})

test('a missing text is empty, a missing list is empty', async () => {
  const { cib, nirf, denominacao, condominos, municipio_sede, ...bare } = property()
  const dados = { ...bare.dados_tributarios, data_aquisicao: null, tipo_aquisicao: null, imunidades: null }
  const { body, status } = await ask([{ ...bare, dados_tributarios: dados, nirf: null }])
  assert.equal(status.status, 'success', status.error_message)
  const [found] = Object(body.imoveis_cafir)
  assert.deepEqual([found.cib, found.nirf, found.denominacao, found.condominos], ['', '', '', []])
  assert.deepEqual(found.municipio_sede, { codigo: '', uf: '', nome: '' })
  const { data_aquisicao, tipo_aquisicao, imunidades } = found.dados_tributarios
  assert.deepEqual([data_aquisicao, tipo_aquisicao, imunidades], ['', '', []])
})

/** The notices about situations, without those about norms. */
const avisosDaSituacao = (avisos: unknown): string[] =>
  Object(avisos).filter((aviso: string) => aviso.startsWith('Não se sabe o que significa a situação'))

test('ATIVA and ATIVO are active, in either case; a word that nobody knows is kept, not counted, and told', async () => {
  const situacoes = ['ATIVA', 'Ativo', ' ativa ', 'BAIXADA', 'Cancelado', 'INATIVA', 'ATIVA COM PENDÊNCIA']
  const { body } = await ask(situacoes.map((situacao) => ({ ...property(), situacao })))
  assert.deepEqual([body.total_imoveis, body.total_imoveis_ativos], [7, 3])
  assert.deepEqual(
    Object(body.imoveis_cafir).map(({ situacao }: { situacao: string }) => situacao),
    situacoes.map((one) => one.trim()),
  )
  const [aviso, ...others] = avisosDaSituacao(body.avisos)
  assert.match(aviso ?? '', /"ATIVA COM PENDÊNCIA".* não contam/)
  assert.equal(others.length, 0)
})

test('a word that nobody knows is told once, and ten of them at most; one that is known is not told', async () => {
  const avisosOf = async (situacoes: string[]) =>
    avisosDaSituacao((await ask(situacoes.map((situacao) => ({ ...property(), situacao })))).body.avisos)
      .length
  assert.equal(await avisosOf(['PENDENTE', 'SUSPENSO', 'OUTRA', 'OUTRA']), 1)
  assert.equal(await avisosOf(Array.from({ length: 12 }, (_, at) => `OUTRA ${at}`)), 10)
})

test('5,000 properties are an answer, and one more is a failure', async () => {
  // An answer has 2 MiB at most.
  const { condominos, municipio_sede, denominacao, ...small } = property()
  const of = (count: number) => ask(Array.from({ length: count }, () => small))
  assert.equal((await of(5_000)).body.total_imoveis, 5_000)
  assert.match((await of(5_001)).status.error_message, /mais de 5000 imóveis/)
})

test('a holder without properties, and a document that nobody has, count as empty answers', async () => {
  const count = async (): Promise<number[]> => {
    const text = await (await fetch(`${connector.house.figures}/metrics`)).text()
    return ['empty', 'answered'].map((outcome) =>
      Number(new RegExp(`source="BR/cnir",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0),
    )
  }
  const [empty = 0, answered = 0] = await count()
  await ask([property()])
  assert.deepEqual(await count(), [empty, answered + 1])
  await ask([])
  connector.give(json({}, 404))
  await ask()
  assert.deepEqual(await count(), [empty + 2, answered + 1])
})

describe('the answer is about the document that was asked for', () => {
  beforeEach(() => connector.give(json(record())))

  test('a masked holder does not contradict it', async () => {
    const { status } = await ask([{ ...property(), ni_proprietario: '***982247**', condominos: [] }])
    assert.equal(status.status, 'success')
  })
  test('a company counts by its root', async () => {
    connector.give(
      json({ ...record([{ ...property(), ni_proprietario: '11222333000181' }]), pessoa_fisica: null }),
    )
    assert.equal((await ask(undefined, 'cnpj=11222333000262')).status.status, 'success')
  })
  test('a person does not answer for a company', async () => {
    connector.give(json(record([])))
    assert.equal((await ask(undefined, 'cnpj=11222333000181')).status.error_code, 'PROCESSAMENTO_FALHOU')
  })
})

describe('other answers', () => {
  for (const [name, give, code] of [
    ['404 {}', json({}, 404), ''],
    ['404 of another path', json({ message: 'Not Found' }, 404), 'PROCESSAMENTO_FALHOU'],
    ['a redirect', json({}, 302, { location: 'http://127.0.0.1:1/' }), 'PROCESSAMENTO_FALHOU'],
    ['204', json('', 204), 'PROCESSAMENTO_FALHOU'],
    ['an empty body', json(''), 'PROCESSAMENTO_FALHOU'],
    ['JSON that is no object', json('[]'), 'PROCESSAMENTO_FALHOU'],
    ['without imoveis_cafir', json({ pessoa_fisica: null }), 'PROCESSAMENTO_FALHOU'],
    ['a sex that is none', json({ ...record(), pessoa_fisica: { sexo: 'X' } }), 'PROCESSAMENTO_FALHOU'],
    ['a number beyond all', json(JSON.stringify(record()).replace('120.5', '1e400')), 'PROCESSAMENTO_FALHOU'],
    ['HTTP 500', json({}, 500), 'SITE_INDISPONIVEL'],
    ['HTTP 403', json({}, 403), 'SITE_INDISPONIVEL'],
  ] as const)
    test(name, async () => {
      connector.give(give)
      const { status, headers } = await ask()
      assert.equal(status.error_code, code, status.error_message)
      assert.equal(headers.get('x-credits-charged'), code === '' ? '1' : '0')
    })

  test('503 with Retry-After: the client is told the same', async () => {
    connector.give(json({}, 503, { 'retry-after': '120' }))
    assert.equal((await ask()).headers.get('retry-after'), '120')
  })
})

test('what is kept of persons is not readable in the database', async () => {
  await ask([property()])
  const rows = await connector.house.rooms.platform.db.kysely.selectFrom('cache').selectAll().execute()
  assert.ok(rows.length > 0)
  assert.doesNotMatch(JSON.stringify(rows), /MARIA|BOA VISTA|52998224725/)
})

test('the answer has no member cached, and the use that is counted knows a kept one nevertheless', async () => {
  const { house } = connector
  const { conta, key } = await house.open('lite')
  connector.give(json(record()))
  const first = await house.ask(`${CNIR_PATH}?cpf=${CNIR_CPF}`, { key, ...anew })
  const kept = await house.ask(`${CNIR_PATH}?cpf=${CNIR_CPF}`, { key })
  assert.deepEqual(['cached' in first.body, 'cached' in kept.body], [false, false])
  const { usos, db } = house.rooms.contas
  const listed = async () => {
    await usos.flush()
    return db.kysely.selectFrom('usos').selectAll().where('conta_id', '=', conta.id).execute()
  }
  let rows = await listed()
  for (; rows.length < 2; rows = await listed()) await pausa()
  const cachedOf = (of: { headers: Headers }) =>
    rows.find(({ request_id }) => request_id === of.headers.get('x-request-id'))?.cached
  assert.deepEqual([cachedOf(first), cachedOf(kept)], [0, 1])
})
