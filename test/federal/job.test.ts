import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { rotasFederais } from '../../src/federal/federal.ts'
import { issueCertidao } from '../../src/federal/job.ts'
import { openCertidoes, openConfianca } from '../../src/federal/store.ts'
import { quiet } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import { AGORA, papel, useContrato, usePortal } from '../kit/federal.ts'

const portal = usePortal()
const gateway = useContrato()

/** The job, with its stores, the routes in this order, and the time that each captcha was given. */
async function open(t: TestContext, place: Place, CND_FEDERAL_ROTAS: string) {
  const db = await openFor(t, place)
  const options = {
    now: () => AGORA,
    ambiente: 'simulador',
    secret: 'segredo-de-teste-com-mais-de-32-letras',
  }
  const certidoes = openCertidoes(db, options)
  const { meios } = portal.meios()
  const given: number[] = []
  const captcha: typeof meios.captcha = {
    ...meios.captcha,
    solve: (desafio, deadlineMs) => {
      given.push(deadlineMs)
      return meios.captcha.solve(desafio, deadlineMs)
    },
  }
  const { http, guard, pace, now, signal } = meios
  const job = issueCertidao({
    now,
    log: quiet,
    certidoes,
    confianca: openConfianca(db, options),
    http,
    guard: Object.assign(guard, { circuit: () => 'fechado' as const }),
    captcha,
    pace,
    rotas: rotasFederais(
      { CND_FEDERAL_ROTAS, CND_FEDERAL_VERSAO: 'v1' },
      { contrato: gateway.open(), captcha },
    ),
  })
  const payload = { ...certidoes.seal(papel.cnpj), emitir: 'se-preciso' } as const
  const run = async () => {
    const { result, write } = await job.run(payload, { id: 'job-1', conta: '', attempt: 1, signal })
    await write?.(db.kysely)
    return result
  }
  return { run, given, certidoes }
}

forEachDatabase((_dialect, fresh) => {
  test('each of the two captchas of an issuance has more than a minute', async (t) => {
    const { run, given } = await open(t, await fresh(t), 'portal')
    assert.deepEqual(await run(), { tipo: 'feito' })
    assert.equal(given.length, 2)
    for (const ms of given) assert.ok(ms > 60_000, `${ms} ms`)
  })

  test('an answer whose HTTP contradicts it is a failure, and no refusal that is kept; the issuance stays noted', async (t) => {
    const PROCESSANDO = { Status: 7, Mensagem: 'Em processamento.', Chave: 'chave-1' }
    gateway.setAnswers({ status: 201, body: PROCESSANDO }, { status: 400, body: PROCESSANDO })
    const { run, certidoes } = await open(t, await fresh(t), 'contrato')
    assert.equal(Object(await run()).tipo, 'falha')
    const { recusada, andamento } = await certidoes.find(papel.cnpj)
    assert.equal(recusada, undefined)
    assert.equal(Object(andamento).chave, 'chave-1')
  })
})
