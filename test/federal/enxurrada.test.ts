import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dvCnpj } from '../../simulator/documento/documento.ts'
import { codigoDe, dito, startFederal } from '../kit/federal.ts'
import type { Answer } from '../kit/house.ts'
import { toldBy } from '../kit/rural.ts'

const CHAMADAS = 60
const EMITIDA = { situacao: 'negativa', modo: 'emissao', creditos: 1 }

/** What each caller may be told: a refusal of the tax office is free, and so is all that is not delivered. */
const DITO = {
  certidao: { http: 200, codigo: '', retryable: false, repetir: null, creditos: '1' },
  recusa: { http: 200, codigo: '', retryable: false, repetir: null, creditos: '0' },
  cheio: { http: 200, codigo: 'PROVIDER_ERROR', retryable: true, repetir: '60', creditos: '0' },
  espera: { http: 200, codigo: 'EM_PROCESSAMENTO', retryable: true, repetir: '30', creditos: '0' },
}

function kindOf({ body }: Answer): keyof typeof DITO {
  if (body.result !== null) return Object(body.result).pdf_base64 === '' ? 'recusa' : 'certidao'
  return Object(body.source_status).error_code === 'PROVIDER_ERROR' ? 'cheio' : 'espera'
}

/** The head office of a root that no test names. */
function cnpjOf(at: number): string {
  const corpo = `${77_000_000 + at}0001`
  return corpo + dvCnpj(corpo)
}

test('many callers at once for one company are one issuance, and each is charged once', async (t) => {
  const { house, emissoes } = await startFederal(t)
  const { key } = await house.open('enterprise')
  const cnpj = cnpjOf(0)
  const path = `/api/consultar-cnd-federal?cnpj=${cnpj}`
  const answers = await Promise.all(Array.from({ length: CHAMADAS }, () => house.ask(path, { key })))
  for (const { cached: _, ...told } of answers.map(dito)) assert.deepEqual(told, EMITIDA)
  assert.equal(new Set(answers.map(codigoDe)).size, 1)
  assert.equal(await emissoes(cnpj), 1)
  const { headers } = await house.ask(path, { key })
  assert.equal(headers.get('x-credits-remaining'), String(100_000 - CHAMADAS - 1))
})

test('many companies at once are one issuance each at most, and who is not served is told why and when', async (t) => {
  const { house, emissoes } = await startFederal(t, { CND_FEDERAL_SECONDS: '20' })
  const { key } = await house.open('enterprise')
  const all = Array.from({ length: CHAMADAS }, (_, at) => cnpjOf(at))
  const answers = await Promise.all(
    all.map((cnpj) => house.ask(`/api/consultar-cnd-federal?cnpj=${cnpj}`, { key })),
  )
  const count = { certidao: 0, recusa: 0, cheio: 0, espera: 0 }
  for (const answer of answers) {
    const kind = kindOf(answer)
    assert.deepEqual(toldBy(answer), DITO[kind])
    count[kind] += 1
  }
  t.diagnostic(JSON.stringify(count))
  assert.ok(count.certidao > 0 && CHAMADAS - count.cheio >= 50, 'an account has fifty places')
  const begun = await Promise.all(all.map(emissoes))
  assert.ok(
    begun.every((one, at) => one <= 1 && (!answers[at] || kindOf(answers[at]) !== 'cheio' || one === 0)),
  )
  const last = await house.ask(`/api/consultar-cnd-federal?cnpj=${all[0]}`, { key })
  const paid = count.certidao + Number(last.headers.get('x-credits-charged'))
  assert.equal(last.headers.get('x-credits-remaining'), String(100_000 - paid))
})
