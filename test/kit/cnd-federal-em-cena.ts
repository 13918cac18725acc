import assert from 'node:assert/strict'
import type { CertidaoFederal } from '../../simulator/federal/cenarios.ts'
import { octetosDaCertidao } from '../../simulator/federal/papel.ts'
import type { AndamentoFederal, MeiosFederais, RespostaFederal } from '../../src/federal/source.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import type { Leitura } from '../../src/platform/wire/leituras.ts'
import { noSolver } from '../../src/portal/captcha.ts'

export const AGORA = new Date('2026-11-14T15:00:00Z')

/** A certificate of today. */
export const papel = {
  id: '1',
  cnpj: '11222333000181',
  nome: 'EMPRESA DE TESTE LTDA',
  tipo: 'negativa',
  codigo: 'A1B2.C3D4.E5F6.0789',
  emissao: '2026-11-14',
  hora: '11:58:00',
  validade: '2027-05-13',
  anulada: false,
  papel: 'certo',
} as const satisfies CertidaoFederal

export const pdfOf = async (mais: Partial<CertidaoFederal> = {}): Promise<string> =>
  (await octetosDaCertidao({ ...papel, ...mais })).toString('base64')

/** The means of an attempt, and what a route does with them. */
export type Tentativa = {
  meios: MeiosFederais
  /** What the route noted, in order. */
  notas: AndamentoFederal[]
  leituras: Leitura[]
  /** The lines of the log. */
  linhas: string[]
}

/** Means without waiting between two polls. */
export function tentativa(mais: Partial<MeiosFederais> & { http: Http }): Tentativa {
  const notas: AndamentoFederal[] = []
  const leituras: Leitura[] = []
  const linhas: string[] = []
  const log = { info: (fields: object, message: string) => linhas.push(JSON.stringify({ fields, message })) }
  const meios: MeiosFederais = {
    guard: createGuard(log, { now: () => AGORA, onCall: (leitura) => leituras.push(leitura) }),
    captcha: noSolver,
    now: () => AGORA,
    request_id: 'pedido-1',
    deadlineMs: 10_000,
    signal: new AbortController().signal,
    pace: 0,
    andamento: undefined,
    noteAndamento: async (andamento) => {
      notas.push(andamento)
    },
    ...mais,
  }
  return { meios, notas, leituras, linhas }
}

/** Gives the failure of an answer that should fail. */
export async function failureOf(asked: Promise<RespostaFederal>): Promise<SourceError> {
  const error = await asked.then(
    (answer) => assert.fail(`it answered ${JSON.stringify(answer).slice(0, 300)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SourceError, String(error))
  return error
}
