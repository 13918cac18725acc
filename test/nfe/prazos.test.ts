import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DIA_MS, startNfe, useNfe } from '../kit/nfe.ts'

const SEGUNDO_MS = 1000
const TRES_HORAS_MS = 3 * 3_600_000

/**
 * A scenario's note in the last second of a window, what that second brings, and what the next one brings.
 */
type Prazo = [frase: string, cenario: string, dias: number, dentro: Fim, depois: Fim]
type Fim = { status: string; manifestacao: string | null; passos: string }

const prazos: Prazo[] = [
  [
    'the Ciência is accepted within 10 days of authorization',
    'ciencia',
    10,
    { status: 'ok', manifestacao: 'ciencia_registrada', passos: 'consulta 210210 consulta' },
    { status: 'ok', manifestacao: 'ciencia_fora_prazo', passos: 'consulta 210210 portal' },
  ],
  [
    'the authority accepts the Confirmação for 90 days, whatever the setting says',
    'quatro-meses',
    90,
    { status: 'ok', manifestacao: 'confirmacao_registrada', passos: 'consulta portal 210200 consulta' },
    {
      status: 'somente_resumo',
      manifestacao: 'confirmacao_rejeitada',
      passos: 'consulta portal 210200',
    },
  ],
  [
    'no event is sent beyond 180 days',
    'quatro-meses',
    180,
    {
      status: 'somente_resumo',
      manifestacao: 'confirmacao_rejeitada',
      passos: 'consulta portal 210200',
    },
    { status: 'somente_resumo', manifestacao: null, passos: 'consulta' },
  ],
]

describe('the windows of the events, to the second', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  for (const [frase, cenario, dias, dentro, depois] of prazos)
    test(`${frase}, to the second`, async () => {
      const { house, key } = nfeOf()
      const chave = house.chaveDe(cenario, dias)
      const later = house.chaveDe(cenario, dias - SEGUNDO_MS / DIA_MS)
      const last = await house.askFor(cenario, { chave, key })
      const { status, manifestacao } = last.item
      assert.deepEqual({ status, manifestacao, passos: last.passos }, dentro)
      house.pass(2 * SEGUNDO_MS)
      const over = await house.askFor(cenario, { chave: later, key })
      const { item } = over
      assert.deepEqual({ status: item.status, manifestacao: item.manifestacao, passos: over.passos }, depois)
    })

  test('two months by the calendar of Brasília, to the second: up to then the Ciência is tried', async () => {
    const { house, key } = nfeOf()
    // Every month has this day.
    while (new Date(house.now().getTime() - TRES_HORAS_MS).getUTCDate() > 28) house.pass(DIA_MS)
    const local = new Date(house.now().getTime() - TRES_HORAS_MS)
    local.setUTCMonth(local.getUTCMonth() - 2)
    const days = (house.now().getTime() - TRES_HORAS_MS - local.getTime()) / DIA_MS
    const last = await house.askFor('ciencia-fora-prazo', { dias: days, key })
    assert.equal(last.passos, 'consulta 210210 portal')
    const over = await house.askFor('ciencia-fora-prazo', { dias: days + SEGUNDO_MS / DIA_MS, key })
    assert.equal(over.passos, 'consulta portal')
  })

  test('the 10 days of the service are words alone: with another setting, the authority still judges', async (t) => {
    const house = await startNfe({ NFE_CIENCIA_DIAS: '2', NFE_CONFIRMACAO_DIAS: '5' })
    t.after(house.close)
    const told = await house.askFor('sem-manifestar', { corpo: { manifestar: false } })
    assert.match(told.item.mensagem, /a Confirmação da Operação é aceita até /)
    assert.equal((await house.askFor('ciencia')).item.manifestacao, 'ciencia_registrada')
    const late = await house.askFor('ciencia-fora-prazo-portal-nega', { dias: 6 })
    assert.deepEqual([late.item.status, late.passos], ['somente_resumo', 'consulta'])
  })
})
