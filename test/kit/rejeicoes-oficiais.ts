import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Categoria, Periodo, Vigencia } from '../../src/rejeicoes/rules.ts'
import { type House, start } from './harness.ts'

export const PATH = '/api/v1/rejeicoes'
export const PUBLIC = '/api/v1/public/rejeicoes'

/** A minute after the base notes were issued, and each call has a minute of its own. */
export const clock = { instant: Date.parse('2026-11-10T10:16:00-03:00') }

let house: House
let key: string

/** The service that the tests of a file ask, and the key of an account. It starts and ends with them. */
export const casa = (): { house: House; key: string } => ({ house, key })

before(async () => {
  house = await start({}, () => new Date(clock.instant))
  key = (await house.open('enterprise')).key
})
after(() => house.close())

export type Entrada = Record<'titulo' | 'slug' | 'motivo' | 'url_blog', string> & {
  codigo: number
  categoria: string | null
}
export type Lista = { total: number; page: number; page_size: number; results: Entrada[] }

export async function list(query: Record<string, string>, path = PATH): Promise<Lista> {
  clock.instant += path === PUBLIC ? 61_000 : 0
  const { status, text } = await house.ask(`${path}?${new URLSearchParams(query)}`, {
    key: path === PUBLIC ? null : key,
  })
  assert.equal(status, 200, text.slice(0, 300))
  return JSON.parse(text)
}

export const codesOf = ({ results }: Lista): number[] => results.map(({ codigo }) => codigo)

export const detail = async (codigo: number): Promise<Record<string, unknown>> => {
  const { status, body } = await house.ask(`${PATH}/${codigo}`, { key })
  assert.equal(status, 200)
  return body
}

/** How many codes each category of the specification has. */
export const CATEGORIES: Record<Categoria, number> = {
  'Chave de Acesso': 49,
  Pagamento: 35,
  Evento: 77,
  Destinatário: 60,
  Emitente: 56,
  'Certificado Digital': 28,
  Duplicidade: 15,
  'Schema XML': 22,
  'ICMS/Tributação': 234,
  'Produto/Item': 74,
  Transporte: 32,
  'Autorização/Contingência': 55,
  'Totalização/Valores': 97,
  'Data/Prazo': 26,
  'Número/Série': 12,
  'Operação/Fiscal': 143,
  Outros: 44,
}

export const SEM_DIAS = { de: '', de_talvez: '', ate: '', ate_talvez: '' }

/** The days of production, which are those of homologation where it has none of its own. */
export const soDias = ({ texto, homologacao, ...dias }: Vigencia = {}): Periodo => dias
