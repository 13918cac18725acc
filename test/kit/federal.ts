import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { listJobs } from '../../src/platform/jobs/admin.ts'
import type { Fresh } from './databases.ts'
import { startSimulatorAt } from './exemplos.ts'
import { type Answer, type House, start } from './harness.ts'
import { NOW } from './now.ts'

const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const CONTRATO = 'gateway.apiserpro.serpro.gov.br'
export const PORTAL = 'servicos.receitafederal.gov.br'

/** The company that the simulator has for an outcome, by the name of its row. */
export function empresa(nome: string): string {
  const found = cenariosFederais.find((one) => one.nome === nome)
  return found?.documento ?? assert.fail(`the simulator has no company ${nome}`)
}

/** A service and a tax office that have one clock, which the test moves. */
export type Reparticao = {
  house: House
  key: string
  /** Lets time pass, for both. */
  pass: (ms: number) => void
  /** Asks for the certificate of the company with this row, or of this CNPJ. */
  ask: (nome: string, query?: string) => Promise<Answer>
  /** How many issuances of a company the tax office has begun. */
  emissoes: (nome: string) => Promise<number>
  /** Waits for the end of all jobs. */
  settled: () => Promise<void>
}

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

/** Opens a service of one test, and a tax office of its own. `fresh` gives its database. */
export async function openReparticao(
  t: TestContext,
  sent: Record<string, string> = {},
  fresh?: Fresh,
): Promise<Reparticao> {
  const DATABASE_URL = (await fresh?.(t))?.databaseUrl
  const env = { ...sent, ...(DATABASE_URL && { DATABASE_URL, SERVER_SECRET }) }
  let agora = NOW
  const now = () => agora
  const simulador = await startSimulatorAt(now, { ritmo: 0.02 })
  t.after(() => simulador.close())
  const house = await start({ SIMULATOR_URL: simulador.endereco, ...env }, now)
  t.after(() => house.close())
  const { key } = await house.open('starter')
  const cnpjOf = (nome: string): string => (/^[0-9A-Z]{14}$/.test(nome) ? nome : empresa(nome))
  return {
    house,
    key,
    pass: (ms) => {
      agora = new Date(agora.getTime() + ms)
    },
    ask: (nome, query = '') => house.ask(`/api/consultar-cnd-federal?cnpj=${cnpjOf(nome)}${query}`, { key }),
    emissoes: (nome) => emissoesOf(simulador.endereco, cnpjOf(nome)),
    settled: () => settle(house),
  }
}

/** Waits for the end of all jobs of a service. */
export async function settle({ rooms }: Pick<House, 'rooms'>): Promise<void> {
  const { db, jobs } = rooms.platform
  for (const { id } of await listJobs(db, { limite: 100 })) {
    const end = await jobs.waitFor(id, 60_000)
    assert.equal(end?.state, 'done')
  }
}

/** How many issuances of a company a simulator has begun. */
export async function emissoesOf(simulador: string, cnpj: string): Promise<number> {
  const { federal } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(federal.emissoes[cnpj] ?? 0)
}

/** The parts of an answer that the decision rules speak of. */
export function dito({ status, body, headers }: Answer) {
  const { status: situacao, modo } = Object(body.result)
  const error = Object(body.source_status).error_code
  assert.equal(status, 200, JSON.stringify(body))
  return {
    ...(error ? { error } : { situacao, modo }),
    cached: body.cached,
    creditos: Number(headers.get('x-credits-charged')),
  }
}

/** The control code of the certificate that was delivered. */
export const codigoDe = ({ body }: Answer): string => String(Object(body.result).protocolo)
