import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios/cenarios.ts'
import { esperaDaLinha } from '../../simulator/roteiro/escrita.ts'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listarNotas } from '../../simulator/roteiro/roteiro.ts'
import { type Answer, type House, start } from '../harness.ts'
import { sharedSimulator } from '../simulator.ts'

/** The keys are of notes of the moment: the service and the simulator go by the same clock. */
const now = (): Date => new Date()

/** Whether the row takes its seconds for real: an authority that is late, or a second look after a pause. */
function waits({ envio }: Linha): boolean {
  const { distribuicao, demoraDaLiberacao = 0, eventos } = comCenario(envio?.cenario ?? '')
  return distribuicao?.tipo === 'demora' || (demoraDaLiberacao > 0 && !eventos)
}

describe('the list of notes is right', { concurrency: false }, () => {
  const linhas = listarNotas(now())
  let house: House
  let pages: string
  let key: string
  let early: Map<Linha, Promise<Answer>>

  const ask = async ({ endpoint, envio }: Linha): Promise<Answer> => {
    assert.ok(envio)
    const { certificado, senha, corpo } = envio
    const file = await (await fetch(`${pages}/certificados/${certificado}.pfx`)).arrayBuffer()
    return house.ask(endpoint, {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...corpo, certificado: Buffer.from(file).toString('base64'), senha }),
    })
  }

  before(async () => {
    // The longest row that is answered takes two queries of 2 seconds; the one that never is takes all of it.
    house = await start({ NFE_SECONDS: '8' }, now)
    pages = await sharedSimulator()
    key = (await house.open('enterprise')).key
    early = new Map(linhas.filter(waits).map((linha) => [linha, ask(linha)]))
  })
  after(() => house.close())

  // In the order of the list, for a service that fails five times in a row is not asked any more; the slow ones meanwhile.
  for (const linha of linhas.toSorted((a, b) => Number(waits(a)) - Number(waits(b)))) {
    const { envio, espera, nota } = linha
    test(`${envio?.cenario} (${envio?.certificado}) → ${esperaDaLinha(linha)}: ${nota}`, async () => {
      const { status, headers, body, text } = await (early.get(linha) ?? ask(linha))
      const [result]: Record<string, unknown>[] = Array.isArray(body.resultados) ? body.resultados : []
      const told = text.slice(0, 2_000)
      assert.equal(status, espera.http, told)
      assert.equal(body.error_code, espera.error_code, told)
      assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
      assert.equal(result?.status, espera.status, told)
      assert.equal(result?.manifestacao, espera.manifestacao, told)
      assert.equal(result?.cstat, espera.cstat, told)
      assert.equal(typeof result?.xml === 'string', espera.status === 'ok', told)
    })
  }
})
