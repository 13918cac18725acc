import { describe } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { testRoteiro } from '../kit/portal.ts'

/** Whether the row takes its seconds in real time. */
const waits = ({ nota }: Linha): boolean => /não responde|segundos|demora/.test(nota)

/** One row of each outcome that a service has. `npm run test:longo` has all rows. */
function umaDeCada(linhas: readonly Linha[]): Linha[] {
  const found = new Map<string, Linha>()
  for (const linha of linhas) {
    const { http, error_code, source_error, status } = linha.espera
    const outcome = [linha.endpoint, http, error_code, source_error, status].join(' ')
    if (!waits(linha) && !found.has(outcome)) found.set(outcome, linha)
  }
  return [...found.values()]
}

describe('the list is right, by a row of each outcome', { concurrency: true }, () =>
  testRoteiro(umaDeCada(listRoteiro())),
)
