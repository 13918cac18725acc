import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Andamento, isOld, proximoPasso } from '../../src/nfe/rules-manifestacao.ts'
import { forecastEvento } from '../../src/nfe/rules-simulacao.ts'
import { comeco, limitada } from '../kit/nfe-steps.ts'

/** A call at this moment, in which the summary told this authorization. Both instants have their offset. */
function resumoEm(autorizacao: string, agora: string): Andamento {
  const resposta = { tipo: 'resumo', situacao: 'autorizada', autorizacao: new Date(autorizacao) } as const
  return comeco(0, { agora: new Date(agora), feitos: [{ passo: 'consulta', resposta }] })
}

test('the 180 days end with the second of the authorization, and the next second sends no event', () => {
  const autorizacao = '2026-03-10T23:59:59-03:00'
  assert.equal(proximoPasso(resumoEm(autorizacao, '2026-09-06T23:59:59.999-03:00')).tipo, 'portal')
  const depois = proximoPasso(resumoEm(autorizacao, '2026-09-07T00:00:00-03:00'))
  assert.equal(depois.tipo === 'responder' && depois.motivo, 'passou-do-prazo')
})

test('the 10 days end with the second of the authorization; the Ciência is sent all the same, for the authority judges', () => {
  const autorizacao = '2026-11-10T12:00:00-03:00'
  const prever = (agora: string) => forecastEvento(resumoEm(autorizacao, agora)).evento
  assert.deepEqual(prever('2026-11-20T15:00:00Z'), {
    codigo: '210210',
    nome: 'Ciência da Operação',
    prazo: new Date('2026-11-20T15:00:00Z'),
    noPrazo: true,
  })
  assert.equal(prever('2026-11-20T15:00:01Z')?.noPrazo, false)
  assert.equal(proximoPasso(resumoEm(autorizacao, '2026-11-20T15:00:01Z')).tipo, 'ciencia')
})

test('two months are counted by the calendar of Brasília', () => {
  const rows: [autorizacao: string, ultimo: string][] = [
    ['2026-09-20T12:00:00-03:00', '2026-11-20T12:00:00-03:00'],
    // There is no 30th or 31st of February.
    ['2026-12-31T08:00:00-03:00', '2027-02-28T08:00:00-03:00'],
    ['2027-12-31T08:00:00-03:00', '2028-02-29T08:00:00-03:00'],
    // It is already July in UTC, and still June in Brasília.
    ['2026-06-30T22:30:00-03:00', '2026-08-30T22:30:00-03:00'],
  ]
  for (const [autorizacao, ultimo] of rows) {
    const next = new Date(Date.parse(ultimo) + 1000).toISOString()
    assert.equal(isOld(resumoEm(autorizacao, ultimo)), false, autorizacao)
    assert.equal(isOld(resumoEm(autorizacao, next)), true, autorizacao)
    assert.equal(proximoPasso(resumoEm(autorizacao, ultimo)).tipo, 'ciencia')
    assert.equal(proximoPasso(resumoEm(autorizacao, next)).tipo, 'portal')
  }
})

test('without a summary the note is as young as its key allows: 30 days after the month, and two months more', () => {
  const limitadaEm = (agora: string): Andamento =>
    comeco(0, {
      agora: new Date(agora),
      mes: { ano: 2026, mes: 12 },
      feitos: [{ passo: 'consulta', resposta: limitada }],
    })
  assert.equal(proximoPasso(limitadaEm('2027-03-31T00:00:00-03:00')).tipo, 'ciencia')
  assert.equal(proximoPasso(limitadaEm('2027-03-31T00:00:01-03:00')).tipo, 'portal')
})

test('the windows are settings', () => {
  const start = resumoEm('2026-08-01T12:00:00-03:00', '2026-11-20T12:00:00-03:00')
  const prazos = { ciencia: 10, confirmacao: 90 }
  const passo = proximoPasso({ ...start, prazos })
  assert.equal(passo.tipo === 'responder' && passo.motivo, 'passou-do-prazo')
  assert.equal(proximoPasso(start).tipo, 'portal')
})
