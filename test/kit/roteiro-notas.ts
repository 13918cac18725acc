import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { esperaDaLinha } from '../../simulator/roteiro/linha.ts'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'
import { type Answer, type House, start } from './harness.ts'
import { sharedSimulator } from './simulator.ts'

/** The keys belong to notes of this moment, since the service and the simulator go by the same clock. */
const now = (): Date => new Date()

/** Whether the row takes its seconds in real time: a late authority, or a second query after a pause. */
export function waits({ envio }: Linha): boolean {
  const { distribuicao, demoraDaLiberacao = 0, eventos } = comCenario(envio?.cenario ?? '')
  return distribuicao?.tipo === 'demora' || (demoraDaLiberacao > 0 && !eventos)
}

/** Declares a test for each row of the list of notes that is picked. */
export function provarNotas(isPicked: (linha: Linha) => boolean): void {
  const linhas = listNotas(now()).filter(isPicked)
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
    // The longest answered row takes two queries of 2 seconds. The row that is never answered takes all of
    // the limit.
    house = await start({ NFE_SECONDS: '8' }, now)
    pages = await sharedSimulator()
    key = (await house.open('enterprise')).key
    early = new Map(linhas.filter(waits).map((linha) => [linha, ask(linha)]))
  })
  after(() => house.close())

  // The rows go in the order of the list, since the service asks no service that failed five times in a row.
  // The slow rows run beside them.
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
}
