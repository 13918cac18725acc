import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findCertidao } from '../../src/certidao/lookup.ts'
import { ufs } from '../../src/documento/uf.ts'
import { findInscricoes } from '../../src/inscricao/lookup.ts'
import { parseConfig, usesCcc } from '../../src/platform/config/config.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { RotaIe } from '../../src/portal/estado.ts'
import type { Inscricao, InscricaoParcial } from '../../src/portal/rules-inscricao.ts'
import { paginaPorNumero, semPausas } from '../kit/authority.ts'
import { type House, queriesTo, start } from '../kit/house.ts'
import { entriesOf, succeeded } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'nfe.sefaz.ba.gov.br'
/** Nobody solves captchas here, so the states that ask for one at each query cannot be asked. */
const startClosed = async (more = {}) =>
  start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20', ...(await semPausas()), ...more })
/** This CNPJ is registered once in every state, and every state says so. */
const IN_ALL = reservado('259')
/** A state whose page has a captcha that nobody solves here, for CNPJ, CPF and IE. */
const CLOSED = 'MA'
const CCC_FALHOU = /O cadastro nacional \(CCC\) também não respondeu desta vez/

let house: House
before(async () => {
  house = await startClosed()
})
after(() => house.close())

/** How many requests have reached the host of the register. */
const asked = (of = house): Promise<number> => queriesTo(of, HOST)

const itemsOf = (body: Record<string, unknown>): InscricaoParcial[] =>
  Array.isArray(body.results) ? body.results : []

describe('one state that cannot be asked about this CNPJ', () => {
  test('it answers what the register shows, says that it is partial, and costs one credit', async () => {
    const { key } = await house.open('lite')
    const { status, headers, body } = await house.ask(`/api/consultar?uf=${CLOSED}&cnpj=${IN_ALL}`, { key })
    assert.equal(status, 200)
    assert.deepEqual([body.fonte, body.cached], ['BR/ccc', false])
    assert.match(String(body.avisos), /^De MA responde só o cadastro nacional \(CCC\).*captcha/)
    const [item, ...others] = itemsOf(body)
    assert.deepEqual(others, [])
    assert.equal(item?.parcial, true)
    assert.equal(item?.situacao_ie, 'ATIVA')
    assert.equal(item?.situacao_cadastral, 'Habilitado como contribuinte na UF')
    assert.equal(item?.uf_ie, CLOSED)
    assert.equal(item?.municipio, '')
    assert.equal(headers.get('x-credits-charged'), '1')
  })

  test('the register is kept by CNPJ for all states: another state asks it no more', async () => {
    const before = await asked()
    const { body } = await house.ask(`/api/consultar?uf=SE&cnpj=${IN_ALL}`)
    assert.deepEqual([body.fonte, body.cached], ['BR/ccc', true])
    assert.equal(itemsOf(body)[0]?.uf_ie, 'SE')
    assert.equal(await asked(), before)
  })

  test('a state for which it shows no row keeps its own failure, uncharged', async () => {
    const { key } = await house.open('lite')
    // This document is known in SP alone.
    const { status, headers, body } = await house.ask(`/api/consultar?uf=${CLOSED}&cnpj=99001002000162`, {
      key,
    })
    assert.deepEqual([status, body.error_code], [503, 'SITE_INDISPONIVEL'])
    assert.match(String(body.detail), /pede um captcha/)
    assert.doesNotMatch(String(body.detail), /CCC/)
    assert.equal(headers.get('x-credits-charged'), '0')
  })

  test('a state that can be asked is asked, and the register is not', async () => {
    const before = await asked()
    const { body } = await house.ask(`/api/consultar?uf=SP&cnpj=${IN_ALL}`)
    assert.deepEqual([body.fonte, itemsOf(body)], ['SP/ie', []])
    assert.equal(
      await asked(),
      before,
      'the state’s own answer wins, though the register shows a registration there',
    )
  })

  test('a state that failed has failed: the register is not asked in its place', async () => {
    const before = await asked()
    const { status } = await house.ask(`/api/consultar?uf=SP&cnpj=${reservado('html-503')}`)
    assert.equal(status, 503)
    assert.equal(await asked(), before)
  })

  test('it is not asked about a CPF', async () => {
    const before = await asked()
    assert.equal((await house.ask(`/api/consultar?uf=${CLOSED}&cpf=52998224725`)).status, 503)
    assert.equal(await asked(), before)
  })
})

describe('all states', () => {
  test('one question to the register answers all that cannot be asked', async () => {
    const own = await startClosed()
    try {
      const { key } = await own.open('lite')
      const before = await asked(own)
      const { headers, body } = await own.ask(`/api/consultar-ie-todos?cnpj=${reservado('264')}`, { key })
      const entries = entriesOf(body)
      const partial = entries.filter(({ fonte }) => fonte === 'BR/ccc')
      assert.ok(partial.length > 5)
      // The page of SE asks for a captcha at each query. Nobody knows the page of DF.
      for (const uf of ['SE', 'DF'])
        assert.ok(
          partial.some((entry) => entry.uf === uf),
          uf,
        )
      for (const { uf, results = [], avisos } of partial) {
        assert.deepEqual([results.length, results[0]?.uf_ie, avisos.length], [1, uf, 1])
      }
      // The requests are its form, the question, and the three pages of 27 rows. BA’s own web service is at
      // the same host.
      assert.equal((await asked(own)) - before, 2 + 2 + 1)
      assert.equal(succeeded(entries).length, ufs.length)
      assert.equal(headers.get('x-credits-charged'), '27')
    } finally {
      await own.close()
    }
  })

  test('where certificates need registrations, they come from it too', async () => {
    const known: unknown[] = []
    const cnd = {
      familia: 'teste',
      source: { id: 'MA/teste', nome: 'A página' },
      url: 'https://teste.example/',
      aceita: ['cnpj'],
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'teste',
      em: '2026',
      naoContribuinte: 'ie',
      abrange: { debitos: 'ambos', origem: 'teste' },
      espera: { marca: '', minimo: 0 },
      ask: async ({ inscricoes }: { inscricoes: unknown }) => {
        known.push(inscricoes)
        throw new SourceError('network', 'fora', { source: 'MA/teste', elapsedMs: 1 })
      },
    } as const
    const asked = { tipo: 'cnpj', documento: IN_ALL } as const
    await assert.rejects(
      findCertidao(house.rooms.inscricao, 'MA', asked, { request_id: 'r' }, { cnd: [cnd] }),
      {
        kind: 'network',
      },
    )
    assert.equal(Object(known[0])[0]?.parcial, true)
  })
})

describe('under the numbers that the register names, the state is asked by number where it takes one', () => {
  const find = (answer: RotaIe['ask'], documento: string) =>
    findInscricoes(
      house.rooms.inscricao,
      'MA',
      { tipo: 'cnpj', documento },
      { request_id: 'r' },
      {
        ie: paginaPorNumero(answer),
      },
    )
  const shown = async (documento: string): Promise<InscricaoParcial> => {
    const [one] = itemsOf((await house.ask(`/api/consultar?uf=MA&cnpj=${documento}`)).body)
    assert.ok(one)
    return one
  }
  /** The state itself would say the same. */
  const whole = ({ parcial: _, ...one }: InscricaoParcial): Inscricao => ({
    ...one,
    situacao_ie: 'BAIXADA',
    municipio: 'SAO LUIS',
  })

  test('its own answer wins, whole, and avisos says where the number came from', async () => {
    const one = await shown(IN_ALL)
    const numbers: string[] = []
    const found = await find(async ({ documento }) => {
      numbers.push(documento)
      return [whole(one)]
    }, IN_ALL)
    assert.deepEqual(numbers, [one.inscricao_estadual])
    assert.deepEqual(found.inscricoes, [whole(one)])
    assert.match(found.fonte, /^MA\/por-numero/)
    assert.match(found.avisos.join(), /os números vieram do cadastro nacional/)
  })

  test('where it is out of reach by number too, the register answers, and avisos says why', async () => {
    const cnpj = reservado('261')
    const one = await shown(cnpj)
    const found = await find(async () => {
      throw new SourceError('timeout', 'A SEFAZ-MA não respondeu.', { source: 'MA/ie', elapsedMs: 1 })
    }, cnpj)
    assert.deepEqual(found.inscricoes, [one])
    assert.equal(found.fonte, 'BR/ccc')
    assert.match(found.avisos.join(), /A SEFAZ-MA não respondeu/)
  })

  for (const [what, cnpj, answer] of [
    ['does not know the number', reservado('263'), () => []],
    [
      'tells somebody else’s',
      reservado('265'),
      (one: InscricaoParcial) => [{ ...whole(one), cpf_cnpj: '11.222.333/0001-81' }],
    ],
  ] as const)
    test(`a state that ${what} contradicts the register: nobody is answered`, async () => {
      const one = await shown(cnpj)
      await assert.rejects(
        find(async () => [...answer(one)], cnpj),
        { kind: 'parse', message: /se contradizem/ },
      )
    })
})

test('CCC=nenhum: the register is never asked', async () => {
  const own = await startClosed({ CCC: 'nenhum' })
  try {
    const before = await asked(own)
    const { status, body } = await own.ask(`/api/consultar?uf=${CLOSED}&cnpj=${IN_ALL}`)
    assert.deepEqual([status, body.error_code], [503, 'SITE_INDISPONIVEL'])
    assert.equal(await asked(own), before)
  } finally {
    await own.close()
  }
})

test('after HTTP 403 it is left alone: the next question goes on without it, at once', async () => {
  const own = await startClosed()
  try {
    const refused = await own.ask(`/api/consultar?uf=${CLOSED}&cnpj=${reservado('html-403')}`)
    assert.deepEqual([refused.status, refused.body.error_code], [503, 'SITE_INDISPONIVEL'])
    assert.match(String(refused.body.detail), /pede um captcha/, 'the failure is the state’s own')
    const before = await asked(own)
    const resting = await own.ask(`/api/consultar?uf=${CLOSED}&cnpj=${IN_ALL}`)
    assert.equal(resting.status, 503)
    for (const { body } of [refused, resting]) assert.match(String(body.detail), CCC_FALHOU)
    assert.equal(await asked(own), before)
    const { fontes } = Object((await own.ask('/api/v1/fontes?uf=BR&servico=ie')).body)
    assert.deepEqual(
      [fontes[0].fonte, fontes[0].ultima_hora.consultas, fontes[0].ultimo_erro.codigo],
      ['BR/ccc', 1, 'HTTP 403'],
    )
  } finally {
    await own.close()
  }
})

test('out of the box it is asked with the simulator, and live never', () => {
  for (const [given, uses] of [
    [{}, true],
    [{ AUTHORITIES: 'live' }, false],
    [{ AUTHORITIES: 'live', CCC: 'descoberta' }, true],
    [{ CCC: 'nenhum' }, false],
  ] as const)
    assert.equal(usesCcc(parseConfig(given)), uses)
})

test('a question that would wait over six seconds for its turn goes on without the register', async () => {
  const own = await startClosed()
  try {
    // Another node asks, and its question does not end.
    assert.ok(await own.rooms.platform.turnos.take('BR/ccc', { patienceMs: 0, pauseMs: 0, leaseMs: 60_000 }))
    const before = await asked(own)
    const { status, body } = await own.ask(`/api/consultar?uf=${CLOSED}&cnpj=${IN_ALL}`)
    assert.deepEqual([status, body.error_code], [503, 'SITE_INDISPONIVEL'])
    assert.match(String(body.detail), /pede um captcha/)
    assert.match(String(body.detail), CCC_FALHOU)
    assert.equal(await asked(own), before)
  } finally {
    await own.close()
  }
})
