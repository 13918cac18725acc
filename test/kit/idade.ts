import { dvCnpj } from '../../simulator/documento/documento.ts'
import type { Answer } from './harness.ts'
import { NOW } from './now.ts'

/** A clock that the test moves. */
export function newClock(): { now: () => Date; pass: (ms: number) => void } {
  let instant = NOW.getTime()
  const pass = (ms: number): void => {
    instant += ms
  }
  return { now: () => new Date(instant), pass }
}

/** A company of the simulator, by its root of eight digits: one for each test. */
export const company = (root: string): string => `${root}0001${dvCnpj(`${root}0001`)}`

export const cacheControl = (value: string) => ({ headers: { 'cache-control': value } })
export const anew = cacheControl('no-cache')

/** The parts of an answer that tell its age, and whether it was kept. */
export const aged = ({ status, headers, body }: Answer) => [
  status,
  headers.get('age'),
  body.consultado_em,
  body.cached,
]

export const ie = (cnpj: string, uf = 'SP'): string => `/api/consultar?uf=${uf}&cnpj=${cnpj}`
export const cnd = (cnpj: string, uf = 'GO'): string => `/api/consultar-cnd?uf=${uf}&cnpj=${cnpj}`
export const IE_TODOS = '/api/consultar-ie-todos'
export const CND_TODOS = '/api/consultar-cnd-todos'
