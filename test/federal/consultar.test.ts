import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pausa, rowsOf, testOnce } from '../kit/basics.ts'
import { forEachDatabase } from '../kit/databases.ts'
import {
  CONTRATO,
  codigoDe,
  DAY_MS,
  dito,
  empresa,
  HOUR_MS,
  MINUTE_MS,
  openSpent,
  PORTAL,
  startFederal,
} from '../kit/federal.ts'
import { queriesTo, start } from '../kit/house.ts'

const EMITIDA = { situacao: 'negativa', modo: 'emissao', cached: false, creditos: 1 }
const EXISTENTE = { situacao: 'negativa', modo: 'consulta', cached: false, creditos: 1 }
const GUARDADA = { ...EXISTENTE, cached: true }
const NOVA = '&emitir_nova=true'

forEachDatabase(
  (_dialect, fresh) => {
    describe('Federal CND decision rules', () => {
      test('a valid certificate that is valid for more than 3 more days is returned; nothing is issued', async (t) => {
        const { ask, emissoes, pass, house } = await startFederal(t, {}, fresh)
        const answer = await ask('valida')
        assert.deepEqual(dito(answer), EXISTENTE)
        const { pdf_base64, ...result } = Object(answer.body.result)
        assert.deepEqual(result, {
          tipo: 'cnd_federal',
          status: 'negativa',
          status_raw:
            'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO',
          modo: 'consulta',
          validade: '13/04/2027',
          validade_iso: '2027-04-13',
          emissao: '15/10/2026',
          emissao_iso: '2026-10-15',
          protocolo: result.protocolo,
          url_verificacao: '',
          orgao: 'RFB+PGFN',
        })
        assert.match(result.protocolo, /^[0-9A-F]{4}(\.[0-9A-F]{4}){3}$/)
        assert.equal(Buffer.from(pdf_base64, 'base64').subarray(0, 5).toString(), '%PDF-')
        const asked = await queriesTo(house, CONTRATO)
        pass(HOUR_MS)
        const again = await ask('valida')
        assert.deepEqual(dito(again), GUARDADA)
        assert.equal(again.headers.get('age'), String(HOUR_MS / 1000))
        assert.equal(again.body.consultado_em, answer.body.consultado_em)
        assert.deepEqual([again.body.fonte, again.body.avisos], ['BR/cnd-contrato', []])
        assert.equal(await queriesTo(house, CONTRATO), asked, 'the authority is not asked')
        assert.deepEqual(dito(await ask('vence-em-4')), EXISTENTE)
        assert.equal((await emissoes('valida')) + (await emissoes('vence-em-4')), 0)
      })

      test('no certificate exists: a new one is issued and returned', async (t) => {
        const { ask, emissoes, pass } = await startFederal(t, {}, fresh)
        assert.deepEqual(dito(await ask('emite')), EMITIDA)
        assert.equal(await emissoes('emite'), 1)
        // From its end, whoever asks.
        pass(15 * MINUTE_MS)
        assert.deepEqual(dito(await ask('emite')), { ...EMITIDA, cached: true })
        pass(1)
        assert.deepEqual(dito(await ask('emite')), GUARDADA)
        assert.equal(await emissoes('emite'), 1)
      })

      test('the existing one expires within 3 days: a new one is issued and returned', async (t) => {
        const { ask, emissoes, pass } = await startFederal(t, {}, fresh)
        for (const nome of ['vence-em-3', 'vencendo', 'vence-hoje']) {
          assert.deepEqual(dito(await ask(nome)), EMITIDA, nome)
          assert.equal(await emissoes(nome), 1, nome)
        }
        // A stored one that comes to its last days, and then one that has ended.
        pass(176 * DAY_MS)
        assert.deepEqual(dito(await ask('vencendo')), GUARDADA)
        pass(DAY_MS)
        assert.deepEqual(dito(await ask('vencendo')), EMITIDA)
        pass(200 * DAY_MS)
        assert.deepEqual(dito(await ask('vencendo')), EMITIDA)
        assert.equal(await emissoes('vencendo'), 3)
      })

      test('emitir_nova = true: a new one is always issued, and repeated calls within 15 minutes return the same issuance', async (t) => {
        const { ask, emissoes, pass } = await startFederal(t, {}, fresh)
        const old = await ask('valida')
        const first = await ask('valida', NOVA)
        assert.deepEqual(dito(first), EMITIDA)
        assert.notEqual(codigoDe(first), codigoDe(old))
        pass(15 * MINUTE_MS)
        const again = await ask('valida', NOVA)
        assert.deepEqual(dito(again), { ...EMITIDA, cached: true })
        assert.equal(codigoDe(again), codigoDe(first))
        assert.equal(await emissoes('valida'), 1)
        pass(1)
        const other = await ask('valida', NOVA)
        assert.deepEqual(dito(other), EMITIDA)
        assert.notEqual(codigoDe(other), codigoDe(first))
        assert.equal(await emissoes('valida'), 2)
      })

      test('the authority may return the same control code on the same day', async (t) => {
        const { ask, pass } = await startFederal(t, {}, fresh)
        const first = await ask('mesma-no-dia')
        pass(16 * MINUTE_MS)
        const again = await ask('mesma-no-dia', NOVA)
        assert.deepEqual(dito(again), EMITIDA)
        assert.equal(codigoDe(again), codigoDe(first))
      })

      test('issuance does not finish in time: EM_PROCESSAMENTO with Retry-After, and a later call gets it without another', async (t) => {
        const sent = { CND_FEDERAL_SECONDS: '5' }
        const { ask, emissoes, pass, settled, house } = await startFederal(t, sent, fresh)
        const early = await ask('processa-muito')
        assert.deepEqual(dito(early), { error: 'EM_PROCESSAMENTO', cached: false, creditos: 0 })
        assert.equal(early.headers.get('retry-after'), '30')
        assert.equal(early.body.result, null)
        assert.deepEqual(Object(early.body.source_status).retryable, true)
        assert.match(String(Object(early.body.source_status).error_message), /Consulte de novo/)
        pass(180_000)
        await settled()
        // It was announced, so it is an issuance for its first caller, however late, and for no other.
        pass(HOUR_MS)
        // Who cannot pay it does not end the announcement.
        const key = await openSpent(house)
        const path = `/api/consultar-cnd-federal?cnpj=${empresa('processa-muito')}`
        assert.equal((await house.ask(path, { key })).body.error_code, 'LIMITE_ATINGIDO')
        assert.deepEqual(dito(await ask('processa-muito', NOVA)), { ...EMITIDA, cached: true })
        assert.deepEqual(dito(await ask('processa-muito')), GUARDADA)
        assert.equal(await emissoes('processa-muito'), 1)
      })
    })
  },
  rowsOf(['sqlite', 'postgres']),
)

// What two nodes do at the same instant is harder to keep apart on the server than in a file.
forEachDatabase(
  (_dialect, fresh) => {
    describe('callers at once', () => {
      test('a caller with emitir_nova waits for the question that runs, and gets its issuance', async (t) => {
        const { ask, emissoes } = await startFederal(t, {}, fresh)
        const answers = await Promise.all([ask('processa'), ask('processa', NOVA), ask('processa')])
        for (const answer of answers) assert.deepEqual(dito(answer), EMITIDA)
        assert.equal(new Set(answers.map(codigoDe)).size, 1)
        assert.equal(await emissoes('processa'), 1)
      })

      test('after a question that found one, the caller with emitir_nova has a new one issued', async (t) => {
        const { ask, emissoes } = await startFederal(t, {}, fresh)
        const [plain, anew] = await Promise.all([ask('valida'), ask('valida', NOVA)])
        assert.deepEqual(dito(anew), EMITIDA)
        assert.equal(Object(plain.body.result).status, 'negativa')
        assert.equal(await emissoes('valida'), 1)
      })

      test('of two that begin at the same instant on two nodes, the one with emitir_nova still has a new one issued', async (t) => {
        const { ask, emissoes, house } = await startFederal(t, {}, fresh)
        const { jobs } = house.rooms.platform
        const look = jobs.findOpen
        const both = Promise.withResolvers<void>()
        let looks = 0
        // Both look before either asks for a job.
        jobs.findOpen = async (...key) => {
          const found = await look(...key)
          looks += 1
          if (looks === 2) both.resolve()
          if (looks <= 2) await both.promise
          return found
        }
        const [, anew] = await Promise.all([ask('valida'), ask('valida', NOVA)])
        assert.deepEqual(dito(anew), EMITIDA)
        assert.equal(await emissoes('valida'), 1)
      })

      test('a client that leaves pays nothing, and the issuance goes on for the next', async (t) => {
        const { ask, emissoes, pass, settled, house, key } = await startFederal(t, {}, fresh)
        const left = new AbortController()
        const path = '/api/consultar-cnd-federal?cnpj=98764017000110'
        const gone = house.ask(path, { key, signal: left.signal }).catch(() => {})
        while ((await emissoes('processa-muito')) === 0) await pausa()
        left.abort()
        await gone
        pass(180_000)
        await settled()
        // The service learns of the leaver by its connection, and gives back what the call held.
        const creditos = async () => Object((await house.ask('/api/v1/conta', { key })).body.creditos)
        while ((await creditos()).reservados > 0) await pausa()
        assert.equal((await creditos()).disponiveis, 1_000)
        const answer = await ask('processa-muito')
        assert.deepEqual(dito(answer), { ...EMITIDA, cached: true })
        assert.equal(answer.headers.get('x-credits-remaining'), '999')
        assert.equal(await emissoes('processa-muito'), 1)
      })
    })
  },
  rowsOf(['postgres', 'sqlite']),
)

describe('routes', () => {
  testOnce(
    'without a route that can issue, emitir_nova and 3 days or less left are PROVIDER_ERROR, for good',
    async (t) => {
      const { ask, house } = await startFederal(t, { CND_FEDERAL_ROTAS: 'contrato' })
      for (const [nome, query, ends] of [
        ['valida', NOVA, '13/04/2027'],
        ['vencendo', '', '16/11/2026'],
      ] as const)
        for (const _time of [1, 2]) {
          const answer = await ask(nome, query)
          assert.deepEqual(dito(answer), { error: 'PROVIDER_ERROR', cached: false, creditos: 0 })
          const { retryable, error_message } = Object(answer.body.source_status)
          assert.equal(retryable, false)
          assert.match(error_message, new RegExp(`vale até ${ends}`))
          assert.equal(answer.headers.get('retry-after'), null)
        }
      assert.equal(await queriesTo(house, PORTAL), 0)
      assert.deepEqual(dito(await ask('emite', NOVA)), EMITIDA, 'where there is none, the contract issues')
    },
  )

  testOnce(
    'live with nothing set up: PROVIDER_ERROR for good, which says what each route lacks',
    async (t) => {
      const live = await start({ AUTHORITIES: 'live' })
      t.after(() => live.close())
      const { key } = await live.open('starter')
      for (const query of ['', NOVA]) {
        const answer = await live.ask(`/api/consultar-cnd-federal?cnpj=${empresa('valida')}${query}`, { key })
        assert.deepEqual(dito(answer), { error: 'PROVIDER_ERROR', cached: false, creditos: 0 })
        const { retryable, error_message } = Object(answer.body.source_status)
        assert.match(error_message, /SERPRO_KEY e SERPRO_SECRET.*CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS/)
        assert.equal(retryable, false)
      }
    },
  )

  testOnce('a route that is out of reach is replaced by the next of the operator', async (t) => {
    const { ask } = await startFederal(t)
    const answer = await ask('gateway-503')
    assert.deepEqual(dito(answer), EMITIDA)
    assert.equal(answer.body.fonte, 'BR/cnd-portal')
  })
})
