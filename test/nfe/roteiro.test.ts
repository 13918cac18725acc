import { describe } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { testNotas, waits } from '../kit/nfe-steps.ts'

const seen = new Set<string>()

/** One row of each outcome. `npm run test:longo` has all rows. */
function isFirst(linha: Linha): boolean {
  const { http, error_code, status, manifestacao } = linha.espera
  const outcome = [http, error_code, status, manifestacao].join(' ')
  if (waits(linha) || seen.has(outcome)) return false
  seen.add(outcome)
  return true
}

describe('the list of notes is right, by a row of each outcome', { concurrency: false }, () =>
  testNotas(isFirst),
)
