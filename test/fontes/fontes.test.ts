import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estados } from '../../src/estados/estados.ts'
import type { Fonte } from '../../src/portal/fonte.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const SP_TAXPAYER = '99001002000162'
/** Any authority may answer this one with HTTP 503. */
const DOWN = '98765005000100'

async function fontes(query = '', from = house) {
  const { status, body, headers } = await from.ask(`/api/v1/fontes${query}`)
  assert.equal(status, 200)
  const found: Fonte[] = JSON.parse(JSON.stringify(body.fontes))
  return { found, headers, request_id: body.request_id }
}

test('every route of every state is told, free of charge, and that the simulator answers', async () => {
  const { found, headers, request_id } = await fontes()
  assert.match(String(request_id), /^[0-9a-f-]{36}$/)
  assert.equal(headers.get('x-credits-charged'), '0')
  assert.equal(headers.get('x-ambiente'), 'simulador')
  for (const { uf, ie, cnd } of estados.values()) {
    const of = found.filter((fonte) => fonte.uf === uf)
    assert.deepEqual(
      of.map(({ servico, ordem, rota, endereco }) => [servico, ordem, rota, endereco]),
      [
        ...ie.map((rota, index) => ['ie', index + 1, rota.familia, rota.url]),
        ...cnd.map((rota, index) => ['cnd', index + 1, rota.familia, rota.url]),
      ],
    )
  }
  assert.deepEqual(
    found.map(({ uf }) => uf),
    found.map(({ uf }) => uf).toSorted(),
  )
})

test('one state or one service can be asked for, the state in either case', async () => {
  const { found } = await fontes('?uf=sp&servico=ie')
  assert.ok(found.length > 0)
  for (const { uf, servico } of found) assert.deepEqual([uf, servico], ['SP', 'ie'])
  const first = found[0]
  assert.deepEqual(first?.captcha, { tipo: 'nenhum', quando: 'nunca', resolvido: true })
  assert.deepEqual(
    [first?.fonte, first?.host, first?.situacao, first?.certeza, first?.aceita],
    ['SP/ie', 'nfe.fazenda.sp.gov.br', 'disponivel', 'verificado', ['cnpj', 'cpf', 'ie']],
  )
})

test('the national register is told of with the services of registrations', async () => {
  const [ccc] = (await fontes('?uf=br&servico=ie')).found
  assert.deepEqual(
    [ccc?.fonte, ccc?.host, ccc?.aceita, ccc?.captcha.tipo, ccc?.situacao],
    ['BR/ccc', 'nfe.sefaz.ba.gov.br', ['cnpj'], 'nenhum', 'disponivel'],
  )
})

test('the national sources are told of too, by their service or as BR', async () => {
  for (const query of ['?servico=nfe-xml', '?uf=br']) {
    const found = (await fontes(query)).found.filter(({ servico }) => servico === 'nfe-xml')
    assert.deepEqual(
      found.map(({ uf, servico, ordem, fonte, host, aceita, captcha, situacao }) => [
        `${uf} ${servico} ${ordem} ${fonte} ${host} ${aceita}`,
        captcha,
        situacao,
      ]),
      [
        [
          'BR nfe-xml 1 AN/distribuicao www1.nfe.fazenda.gov.br chave',
          { tipo: 'nenhum', quando: 'nunca', resolvido: true },
          'disponivel',
        ],
        [
          'BR nfe-xml 2 AN/eventos www.nfe.fazenda.gov.br chave',
          { tipo: 'nenhum', quando: 'nunca', resolvido: true },
          'disponivel',
        ],
        [
          'BR nfe-xml 3 AN/portal www.nfe.fazenda.gov.br chave',
          { tipo: 'hcaptcha', quando: 'sempre', resolvido: true },
          'disponivel',
        ],
      ],
    )
  }
})

/** The place, id and situation of each national source of these services. */
async function situacoes(servicos: readonly string[], from = house): Promise<string[]> {
  const { found } = await fontes('?uf=BR', from)
  return found
    .filter(({ servico }) => servicos.includes(servico))
    .map(({ servico, ordem, fonte, situacao }) => `${servico} ${ordem} ${fonte} ${situacao}`)
}

test('the sources of the contract are told of, in the operator’s order; one that he left out is off', async () => {
  assert.deepEqual(await situacoes(['cnd', 'cnpj']), [
    'cnd 1 BR/cnd-contrato disponivel',
    'cnd 2 BR/cnd-portal disponivel',
    'cnpj 1 BR/cnpj disponivel',
  ])
  const own = await start({ CND_FEDERAL_ROTAS: 'portal,contrato' })
  try {
    assert.deepEqual(await situacoes(['cnd'], own), [
      'cnd 1 BR/cnd-portal disponivel',
      'cnd 2 BR/cnd-contrato disponivel',
    ])
  } finally {
    await own.close()
  }
  const contratoOnly = await start({ CND_FEDERAL_ROTAS: 'contrato' })
  try {
    assert.deepEqual(await situacoes(['cnd'], contratoOnly), [
      'cnd 1 BR/cnd-contrato disponivel',
      'cnd 2 BR/cnd-portal desligada',
    ])
  } finally {
    await contratoOnly.close()
  }
  assert.deepEqual(
    (await fontes('?servico=cnpj')).found.map(({ host, aceita }) => `${host} ${aceita}`),
    ['gateway.apiserpro.serpro.gov.br cnpj'],
  )
})

test('SIGEF is told of with its open map, and that a session is missing, or that it is off', async () => {
  assert.deepEqual(await situacoes(['sigef']), [
    'sigef 1 BR/sigef disponivel',
    'sigef 2 BR/acervo-fundiario disponivel',
  ])
  for (const [env, sigef, acervo] of [
    [{ SIGEF: 'desligado' }, 'desligada', 'desligada'],
    [{ SIGEF_WFS: 'false' }, 'disponivel', 'desligada'],
    [{ AUTHORITIES: 'live', BOOTSTRAP_API_KEY: `fk_${'0'.repeat(32)}` }, 'sem-sessao', 'sem-sessao'],
  ] as const) {
    const own = await start(env)
    try {
      assert.deepEqual(await situacoes(['sigef'], own), [
        `sigef 1 BR/sigef ${sigef}`,
        `sigef 2 BR/acervo-fundiario ${acervo}`,
      ])
    } finally {
      await own.close()
    }
  }
})

test('a look-up is told of at once: answered, and failed', async () => {
  const own = await start()
  try {
    assert.deepEqual((await fontes('?uf=SP&servico=ie', own)).found[0]?.ultima_hora, {
      consultas: 0,
      sucessos: 0,
      taxa_sucesso: null,
      vazias: 0,
      taxa_vazias: null,
      incompletas: 0,
      mediana_ms: null,
    })
    assert.equal((await own.ask(`/api/consultar?uf=SP&cnpj=${SP_TAXPAYER}`)).status, 200)
    await own.ask(`/api/consultar?uf=SP&cnpj=${SP_TAXPAYER}`)
    const answered = (await fontes('?uf=SP&servico=ie', own)).found[0]
    assert.deepEqual(
      [answered?.ultima_hora.consultas, answered?.ultima_hora.taxa_sucesso, answered?.ultimo_erro],
      [1, 1, null],
      'the second one came from the cache',
    )
    assert.equal(typeof answered?.ultima_hora.mediana_ms, 'number')
    await own.ask(`/api/consultar?uf=SP&cnpj=${DOWN}`)
    const failed = (await fontes('?uf=SP&servico=ie', own)).found[0]
    assert.equal(failed?.ultima_hora.taxa_sucesso, 0.5)
    assert.deepEqual(failed?.ultimo_erro, { tipo: 'http', codigo: 'HTTP 503', em: NOW.toISOString() })
    assert.deepEqual(failed?.circuito, { estado: 'fechado', ate: '' })
  } finally {
    await own.close()
  }
})

test('without a certificate, in production, the routes that want one say so', async () => {
  const live = await start({ AUTHORITIES: 'live', BOOTSTRAP_API_KEY: `fk_${'0'.repeat(32)}` })
  try {
    const { found, headers } = await fontes('?uf=SP', live)
    assert.equal(found[0]?.situacao, 'sem-certificado')
    assert.equal(headers.get('x-ambiente'), 'producao')
    // In live mode the register is asked if the operator says so. The client brings the certificate for the
    // other sources, and nobody solves the portal's captcha.
    assert.deepEqual(await situacoes(['ie', 'nfe-xml'], live), [
      'ie 1 BR/ccc desligada',
      'nfe-xml 1 AN/distribuicao disponivel',
      'nfe-xml 2 AN/eventos disponivel',
      'nfe-xml 3 AN/portal sem-solucao-de-captcha',
    ])
    assert.deepEqual(await situacoes(['cnd', 'cnpj'], live), [
      'cnd 1 BR/cnd-contrato sem-contrato',
      'cnd 2 BR/cnd-portal sem-solucao-de-captcha',
      'cnpj 1 BR/cnpj sem-contrato',
    ])
  } finally {
    await live.close()
  }
})

test('401 NAO_AUTENTICADO: it needs a key', async () => {
  assert.equal((await house.ask('/api/v1/fontes', { key: null })).status, 401)
})

test('400 UF_NAO_SUPORTADA and PARAMETRO_INVALIDO: a state or a service that is none', async () => {
  for (const [query, code] of [
    ['?uf=XX', 'UF_NAO_SUPORTADA'],
    ['?servico=nfe', 'PARAMETRO_INVALIDO'],
    ['?uf=SP&uf=RJ', 'PARAMETRO_INVALIDO'],
  ]) {
    const { status, body } = await house.ask(`/api/v1/fontes${query}`)
    assert.deepEqual([status, body.error_code], [400, code], query)
  }
})
