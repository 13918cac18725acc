import { after, before } from 'node:test'
import { entradas, writeCatalogo } from './catalogo.ts'
import { type Answer, type House, start } from './harness.ts'

type Casa = {
  /** Codes that the catalogue has besides the small one's. */
  codigos?: readonly number[]
  env?: Record<string, string>
  now?: () => Date
  /** What the service needs before the first test. */
  prepare?: (house: House) => Promise<void>
}

/** A service on a small catalogue of its own: started before the tests of a file, closed behind them. */
export function houseOfCatalogo({ codigos = [], env, now, prepare }: Casa = {}): () => House {
  const catalogo = writeCatalogo([
    ...entradas,
    ...codigos.map((codigo) => ({ ...entradas[0], codigo, slug: `rejeicao-${codigo}-de-teste` })),
  ])
  let house: House
  before(async () => {
    house = await start({ REJEICOES_FILE: catalogo.arquivo, ...env }, now)
    await prepare?.(house)
  })
  after(async () => {
    await house.close()
    catalogo.remove()
  })
  return () => house
}

export const DIAGNOSTICAR = '/api/v1/rejeicoes/diagnosticar'

/** Sends a note with its options to be diagnosed, as JSON; a text goes as it stands. */
export const postNota = (
  { ask }: House,
  body: Record<string, unknown> | string,
  { key, ...headers }: { key?: string | null } & Record<string, string | null> = {},
): Promise<Answer> =>
  ask(DIAGNOSTICAR, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...Object(headers) },
    ...(key !== undefined && { key }),
  })
