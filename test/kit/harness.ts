import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { type Running, startServer } from '../../src/server.ts'
import { newConta } from './conta.ts'
import { contratoDe } from './contrato.ts'
import { putDatabase } from './empty-database.ts'
import { NOW } from './now.ts'
import { putSample } from './sample-base.ts'
import { sharedSimulator } from './simulator.ts'

/**
 * A CNPJ of the sample base, another with valid check digits that the base lacks, and one with a wrong check
 * digit.
 */
export const BANCO_DO_BRASIL = '00000000000191'
export const UNKNOWN = '11222333000181'
export const WRONG_DIGIT = '00000000000192'

export type Answer = {
  status: number
  headers: Headers
  body: Record<string, unknown>
  text: string
}

export type House = Running & {
  /** Asks the server; `key` defaults to the initial account's. */
  ask: (path: string, options?: RequestInit & { key?: string | null }) => Promise<Answer>
  /** A new account on the plan, with its key. */
  open: (plano: NomePlano) => Promise<{ conta: { id: string; plano: NomePlano }; key: string }>
  pasta: string
}

/**
 * Starts the real service in simulator mode on a free port, with a new data folder and a fixed clock; close
 * it when done. `clock` measures the answers of the status services, `figuresClock` the
 * age of the figures: a second passes between two looks at it.
 */
export async function start(
  env: Record<string, string> = {},
  now: () => Date = () => NOW,
  { clock, figuresClock = bySeconds() }: { clock?: () => number; figuresClock?: () => number } = {},
): Promise<House> {
  const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-'))
  const SIMULATOR_URL = await sharedSimulator()
  const standard = { PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
  const config = parseConfig({ ...standard, DATA_DIR: pasta, SIMULATOR_URL, ...env })
  if (config.DATA_DIR === pasta) {
    if (config.AUTHORITIES === 'simulator') await putSample(join(pasta, 'cnpj'))
    if (!config.DATABASE_URL) await putDatabase(join(pasta, 'consulta-fiscal.db'))
  }
  const kept = { server: await startServer(config, now, { clock, figuresClock }) }
  const { rooms, ...told } = kept.server
  closed.add(() => {
    Object.assign(kept, { server: undefined })
    for (const part of Object.keys(rooms)) Object.assign(rooms, { [part]: undefined })
  })
  return {
    ...told,
    rooms,
    pasta,
    ask: askOf(told.address, told.apiKey ?? null),
    open: async (plano) => {
      const { db, secret } = rooms.platform
      const conta = await newConta(db, plano, now())
      return { conta, key: await issueKey(db, secret, conta.id, { now: now() }) }
    },
    warm: () => kept.server.warm(),
    close: async () => {
      await kept.server.close()
      rmSync(pasta, { recursive: true, force: true })
    },
  }
}

/** What lets go of the services of the file of tests that runs. */
const closed = new Set<() => void>()

/**
 * Lets go of the services that were started, once the tests of a file are over. A file's variables live as
 * long as its process, and so would what they hold.
 */
export function forget(): void {
  for (const one of closed) one()
  closed.clear()
}

/** A clock by which each scrape finds figures of its own moment. */
function bySeconds(): () => number {
  let ms = 0
  return () => (ms += 1_000)
}

/**
 * Asks the server at an address; `own` is the key of a question that names none. Each answer of the API is
 * held against the OpenAPI document.
 */
export const askOf =
  (address: string, own: string | null): House['ask'] =>
  async (path, { key = own, ...init } = {}) => {
    const headers = new Headers(init.headers)
    if (key) headers.set('X-API-Key', key)
    const response = await fetch(address + path, { redirect: 'manual', ...init, headers })
    const text = await response.text()
    const { status, headers: sent } = response
    const { conferir } = await contratoDe(address)
    conferir({ path, method: init.method ?? 'GET', status, headers: sent, text })
    const isJson = /json/.test(sent.get('content-type') ?? '')
    return {
      status,
      headers: sent,
      text,
      body: isJson && text ? JSON.parse(text) : {},
    }
  }
