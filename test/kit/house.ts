import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { dvCnpj } from '../../simulator/documento/documento.ts'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { type Running, startServer } from '../../src/server.ts'
import { newConta } from './account.ts'
import { NOW, pausa } from './basics.ts'
import { putDatabase, putSample } from './databases.ts'
import { sharedSimulator } from './simulator.ts'

/** An answer as it came, with what was asked. */
type Vinda = {
  path: string
  method: string
  status: number
  headers: Headers
  text: string
}

type Parametro = { schema?: { type?: string; enum?: string[]; minimum?: number } }
type Resposta = { headers?: Record<string, Parametro & { $ref?: string }>; content?: Record<string, object> }
type Operacao = { responses: Record<string, Resposta>; 'x-eventos'?: { $ref: string } }
type Documento = {
  paths: Record<string, Record<string, Operacao>>
  components: { headers: Record<string, Parametro> }
}

/** What a request may be refused with at any address, before an operation is reached. */
const BEFORE: ReadonlySet<unknown> = new Set([
  'REQUISICAO_INVALIDA',
  'ROTA_NAO_ENCONTRADA',
  'METODO_NAO_PERMITIDO',
  'TEMPO_ESGOTADO',
  'CABECALHOS_MUITO_GRANDES',
])

/** The headers that say something of a call. The others are of HTTP, or of the browser's safety. */
const SAID =
  /^(?:x-(?!content-type-options$|frame-options$|accel-)|ratelimit|retry-after$|www-authenticate$|age$|etag$|idempotency-)/

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Holds the answers of a service against the OpenAPI document that it serves. Ajv is told nothing of our
 * serializer: each schema is compiled once, with its formats.
 */
export type Contrato = { check: (vinda: Vinda) => void }

let contrato: Promise<Contrato> | undefined

/** The contract of the code under test, read from the first service that is asked in this process. */
export const contratoDe = (address: string): Promise<Contrato> =>
  (contrato ??= fetch(`${address}/openapi.json`)
    .then((answer) => answer.text())
    .then((text) => openContrato(JSON.parse(text))))

/** Opens the contract of a document. `conferir` throws what of an answer is not as the document says. */
export function openContrato(documento: Documento): Contrato {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  addFormats.default(ajv)
  ajv.removeKeyword('contentEncoding')
  ajv.addKeyword({
    keyword: 'contentEncoding',
    type: 'string',
    validate: (encoding: unknown, text: string) => encoding === 'base64' && BASE64.test(text),
  })
  ajv.addSchema(documento, 'documento')
  const compiled = new Map<string, ValidateFunction>()
  const paths = Object.entries(documento.paths).map(([path, methods]) => ({
    shape: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    path,
    methods,
  }))

  function validate(pointer: string, value: unknown, told: string): void {
    const known = compiled.get(pointer)
    const validate = known ?? ajv.compile({ $ref: `documento#${pointer}` })
    if (!known) compiled.set(pointer, validate)
    if (validate(value)) return
    const faults = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params, data }) => {
      const found = JSON.stringify(data)?.slice(0, 80)
      return `${instancePath} ${message} ${JSON.stringify(params)} ${found ?? ''}`
    })
    assert.fail(`${told}: the answer is not as the document says:\n${faults.join('\n')}`)
  }

  function checkHeaders(declared: Resposta['headers'], headers: Headers, told: string): void {
    const known = new Map(
      Object.entries(declared ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        documento.components.headers[header.$ref?.split('/').at(-1) ?? ''] ?? header,
      ]),
    )
    for (const [name, value] of headers) {
      if (!SAID.test(name)) continue
      const header = known.get(name)
      assert.ok(header, `${told}: the document says nothing of the header ${name}`)
      const { type, enum: words, minimum } = header.schema ?? {}
      if (type === 'integer') assert.match(value, /^-?\d+$/, `${told}: ${name}`)
      if (minimum !== undefined) assert.ok(Number(value) >= minimum, `${told}: ${name} ${value}`)
      if (words) assert.ok(words.includes(value), `${told}: ${name} ${value}`)
    }
  }

  function checkEvents(reference: string | undefined, text: string, told: string): void {
    assert.ok(reference, `${told}: the document says nothing of events`)
    for (const block of text.split('\n\n').slice(0, -1)) {
      const name = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (name === undefined || data === undefined) continue
      validate(`${reference.slice(1)}/properties/${name}`, JSON.parse(data), `${told} event ${name}`)
    }
  }

  return {
    check: ({ path, method, status, headers, text }) => {
      const type = headers.get('content-type')?.split(';')[0] ?? ''
      const told = `${method} ${path} ${status}`
      const [address = ''] = path.split('?')
      const found = paths.find(({ shape }) => shape.test(address))
      const operation = found?.methods[method.toLowerCase()]
      const body: unknown = /json$/.test(type) && text !== '' ? JSON.parse(text) : undefined
      const isBefore = BEFORE.has(Object(body).error_code)
      if (!found || !operation || isBefore) {
        if (type === 'application/problem+json' && body !== undefined)
          validate('/components/schemas/Problema', body, told)
        return
      }
      const response = operation.responses[status]
      assert.ok(response, `${told}: the document has no such status`)
      checkHeaders(response.headers, headers, told)
      if (type === 'text/event-stream') checkEvents(operation['x-eventos']?.$ref, text, told)
      if (body === undefined) return
      assert.ok(response.content?.[type], `${told}: the document has no answer of ${type}`)
      const place = [
        'paths',
        found.path,
        method.toLowerCase(),
        'responses',
        status,
        'content',
        type,
        'schema',
      ]
      validate(place.map(pointerOf).join(''), body, told)
    },
  }
}

/** A step of a JSON pointer in a fragment (RFC 6901, 6). */
const pointerOf = (name: string | number): string =>
  `/${encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'))}`

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
  const SIMULATOR_URL = env.SIMULATOR_URL ?? (await sharedSimulator())
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
    const { check } = await contratoDe(address)
    check({ path, method: init.method ?? 'GET', status, headers: sent, text })
    const isJson = /json/.test(sent.get('content-type') ?? '')
    return {
      status,
      headers: sent,
      text,
      body: isJson && text ? JSON.parse(text) : {},
    }
  }

/**
 * How many queries have reached a host of the simulator since it started. Throws for a service without a
 * simulator.
 */
export async function queriesTo({ rooms }: Pick<House, 'rooms'>, host: string): Promise<number> {
  const { simulador } = rooms.platform
  if (simulador === undefined) throw new Error('the service has no simulator')
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}

/** Asks a question and waits until it has reached the host. Gives the answer that is still to come. */
export async function askAndReach(
  house: Pick<House, 'rooms' | 'ask'>,
  { path, key, host }: { path: string; key: string; host: string },
): Promise<{ answer: Promise<Answer> }> {
  const before = await queriesTo(house, host)
  let ended = false
  const answer = house.ask(path, { key }).finally(() => {
    ended = true
  })
  while (!ended && (await queriesTo(house, host)) === before) await pausa()
  return { answer }
}

/**
 * A table that a service cannot do without: its accounts, its cached answers, its balances, its credit
 * holds, its jobs, or its session with SIGEF.
 */
export type Vital = 'contas' | 'cache' | 'saldos' | 'retencoes' | 'trabalhos' | 'sessoes'

/** Takes a table away from a running service. The next use of the table is then a failure of our own. */
export async function loseTable({ rooms }: Pick<House, 'rooms'>, table: Vital): Promise<void> {
  await rooms.platform.db.kysely.schema.alterTable(table).renameTo(`${table}_perdida`).execute()
}

/** A refused question: what is wrong with it, its query, the code, and what the message must say. */
export type Fault = [name: string, query: string, code: string, says: RegExp]

/** What every endpoint refuses that takes a `cpf` and a `cnpj`, of which the CNPJ is meant. */
export const faultsOfDocuments: readonly Fault[] = [
  ['neither cpf nor cnpj sent', '', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['empty ones count as not sent', 'cpf=&cnpj=', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['a cnpj with a wrong digit', `cnpj=${WRONG_DIGIT}`, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a wrong cpf beside a good cnpj', `cpf=1&cnpj=${UNKNOWN}`, 'DOCUMENTO_INVALIDO', /cpf/],
  ['a repeated cnpj', `cnpj=${UNKNOWN}&cnpj=${UNKNOWN}`, 'PARAMETRO_INVALIDO', /mais de uma vez/],
]

/** The service refuses each question with its code and a message, and charges nothing. */
export function testFaults(house: () => House, path: string, faults: readonly Fault[]): void {
  for (const [name, query, code, says] of faults) {
    test(`${code}: ${name}`, async () => {
      const { status, headers, body } = await house().ask(`${path}?${query}`)
      assert.equal(status, 400)
      assert.equal(body.error_code, code)
      assert.match(String(body.detail), says)
      assert.equal(headers.get('x-credits-charged'), '0')
    })
  }
}

/** The service checks the account and its rate limit before it looks at the question. */
export function testWhoAsksFirst(house: () => House, path: string): void {
  test('401 and 429 come before everything else', async () => {
    const { ask, open, rooms } = house()
    assert.equal((await ask(path, { key: null })).status, 401)
    const { key, conta } = await open('lite')
    for (let i = 0; i < 30; i++) await rooms.contas.rateLimit.consume(conta)
    assert.equal((await ask(path, { key })).body.error_code, 'RATE_LIMIT_EXCEEDED')
  })
}

/** The service loses a table without which the endpoint at `path` (with its query) cannot answer. */
export function testOwnFailure(path: string, table: Vital): void {
  test('500 ERRO_INTERNO: a failure of our own tells nothing of the inside and charges nothing', async (t) => {
    const broken = await start()
    t.after(() => broken.close())
    const { key } = await broken.open('lite')
    await loseTable(broken, table)
    const { status, headers, body, text } = await broken.ask(path, { key })
    assert.equal(status, 500)
    assert.equal(body.error_code, 'ERRO_INTERNO')
    assert.doesNotMatch(text, new RegExp(`${table}|sqlite|select|\\.ts`, 'i'))
    assert.equal(headers.get('x-credits-charged'), '0')
    assert.equal(headers.get('x-credits-remaining'), '100')
  })
}

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
