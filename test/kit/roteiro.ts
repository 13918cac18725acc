import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { esperaDaLinha, pedidoDaLinha, porEndpoint } from '../../simulator/roteiro/linha.ts'
import { startSimulatorAt } from './exemplos.ts'
import { type House, start } from './harness.ts'
import { NOW } from './now.ts'

const SIGEF = '/api/consultar-sigef'
/** It remembers what other files asked of the simulator that they share, so here it is one of its own. */
const CND_FEDERAL = '/api/consultar-cnd-federal'
/** The connector takes today alone. */
const OF_TODAY = ['/api/consultar-cnir']

/** Half of these times may pass in waiting for a turn at the portals, which have a pace of 3 seconds. */
const SECONDS = {
  IE_SECONDS: '13',
  CND_SECONDS: '13',
  CND_FEDERAL_SECONDS: '10',
  CNIR_SECONDS: '4',
  // The open map may take 20 of them.
  SIGEF_SECONDS: '40',
}

/** Rows of one service. `aoMesmoTempo`: they only wait, and do it together. */
type Turma = { nome: string; linhas: Linha[]; aoMesmoTempo: boolean; semPausas: boolean }

/** SIGEF's pages have a pace, so that only the rows about slow answers are asked at the real one. */
const turmasDe = (todas: readonly Linha[]): Turma[] =>
  [...porEndpoint(todas)]
    .flatMap(([nome, linhas]): Turma[] => {
      if (nome !== SIGEF)
        return [{ nome, linhas: [...linhas], aoMesmoTempo: false, semPausas: nome === CND_FEDERAL }]
      const isSlow = ({ nota }: Linha): boolean => /não responde|segundos/.test(nota)
      return [
        { nome, linhas: linhas.filter((one) => !isSlow(one)), aoMesmoTempo: false, semPausas: true },
        { nome: `${nome}, tarde`, linhas: linhas.filter(isSlow), aoMesmoTempo: true, semPausas: false },
      ]
    })
    .filter(({ linhas }) => linhas.length > 0)

/**
 * Declares a test for each of these rows. Each group has a service of its own, which is asked in the order of
 * the rows, and the services wait for slow authorities at the same time.
 */
export function provarLinhas(todas: readonly Linha[]): void {
  for (const { nome, linhas, aoMesmoTempo, semPausas } of turmasDe(todas)) {
    describe(nome, { concurrency: aoMesmoTempo }, () => {
      let house: House
      let simulator: Awaited<ReturnType<typeof startSimulatorAt>> | undefined
      before(async () => {
        if (semPausas) simulator = await startSimulatorAt(() => NOW, { ritmo: 0 })
        const env = simulator ? { SIMULATOR_URL: simulator.endereco } : {}
        house = await start({ ...SECONDS, ...env }, OF_TODAY.includes(nome) ? () => new Date() : undefined)
      })
      after(async () => {
        await house.close()
        await simulator?.close()
      })

      for (const linha of linhas) {
        const { espera, nota } = linha
        test(`${pedidoDaLinha(linha)} → ${esperaDaLinha(linha)} (${nota})`, async () => {
          const { status, headers, body, text } = await house.ask(pedidoDaLinha(linha))
          const told = text.slice(0, 4_000)
          assert.equal(status, espera.http, told)
          assert.equal(body.error_code, espera.error_code, told)
          assert.equal(Object(body.source_status).error_code || undefined, espera.source_error, told)
          assert.equal(Object(body.result).status, espera.status, told)
          assert.equal(headers.get('x-ambiente'), 'simulador')
          assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
        })
      }
    })
  }
}
