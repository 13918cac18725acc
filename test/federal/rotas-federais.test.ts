import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rotasFederais } from '../../src/federal/federal.ts'
import { canIssueAnew } from '../../src/federal/lookup.ts'
import { openContrato } from '../../src/federal/source-serpro.ts'
import { RotaNaoAtende } from '../../src/platform/wire/fonte.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { type CaptchaSolver, noSolver } from '../../src/portal/captcha.ts'
import { papel, tentativa } from '../kit/federal.ts'

const http = openTransport({ mode: 'live', ca: [], hosts: {} })
const now = () => new Date()
const contrato = openContrato(http, { chaves: { chave: 'c', segredo: 's' }, etiqueta: undefined, now })
const captcha: CaptchaSolver = { ...noSolver, takes: (uf, tipo) => uf === 'BR' && tipo === 'hcaptcha' }

const open = (CND_FEDERAL_ROTAS: string, capacidades: Partial<Parameters<typeof rotasFederais>[1]> = {}) =>
  rotasFederais(
    { CND_FEDERAL_ROTAS, CND_FEDERAL_VERSAO: 'v1' },
    { contrato: undefined, captcha: noSolver, ...capacidades },
  )

test('the routes come in the order of the operator, and only the portal issues beside a valid one', () => {
  for (const [ordem, ids] of [
    ['contrato,portal', ['contrato', 'portal']],
    ['portal,contrato', ['portal', 'contrato']],
    ['contrato', ['contrato']],
    ['portal', ['portal']],
  ] as const) {
    const rotas = open(ordem, { contrato, captcha })
    assert.deepEqual(
      rotas.map(({ id }) => id),
      ids,
    )
    for (const { id, issuesNova, falta } of rotas) {
      assert.equal(issuesNova, id === 'portal')
      assert.equal(falta, '')
    }
  }
})

test('a portal that lacks something issues nothing: emitir_nova has no route then', () => {
  const issuing = (...rotas: Parameters<typeof open>) => canIssueAnew(open(...rotas))
  assert.equal(issuing('contrato,portal', { contrato, captcha }), true)
  assert.equal(issuing('contrato,portal', { contrato }), false)
  assert.equal(issuing('contrato', { contrato, captcha }), false)
})

test('a route that lacks something says what the operator must set, and asks nobody', async () => {
  const [semContrato, semCaptcha] = open('contrato,portal')
  assert.match(semContrato?.falta ?? '', /SERPRO_KEY e SERPRO_SECRET/)
  assert.match(semCaptcha?.falta ?? '', /CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS/)
  for (const rota of [semContrato, semCaptcha]) {
    const { meios } = tentativa({ http })
    const asked = rota?.ask({ cnpj: papel.cnpj, emitir: 'se-preciso' }, meios)
    await assert.rejects(asked ?? Promise.resolve(), (error) => {
      return error instanceof RotaNaoAtende && error.message === rota?.falta
    })
  }
})
