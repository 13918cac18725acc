import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { type ContasRoom, openContas } from '../../src/contas/contas.ts'
import { openUsos } from '../../src/contas/store-usos.ts'
import { ufs } from '../../src/documento/uf.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import type { Outcome } from '../../src/platform/http/outcome.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { openPlatform } from '../../src/platform/platform.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import { inTurns, NOW, quiet } from './basics.ts'
import { newPostgres, openFor, type Place } from './databases.ts'
import { BANCO_DO_BRASIL, type House, start } from './house.ts'
import { fiscal as fiscalAlone, type Said, startChild } from './processes.ts'
import { sharedSimulator } from './simulator.ts'

/** Two nodes of one service have the same. */
const SECRET = 'segredo-do-servidor-para-os-testes-de-contas'

/** How a test logs in. */
export const PELA_API = { tipo: 'api', agente: 'teste' } as const

type Given = { now?: () => Date; config?: Partial<ContasRoom['config']> }

/** The room of the accounts, over a database that is closed with the test. */
export async function roomDe(
  t: TestContext,
  place: Place,
  { now = () => NOW, config }: Given = {},
): Promise<ContasRoom> {
  const db = await openFor(t, place)
  const books = { secret: SECRET, db, ledger: openLedger(db, { no: 'contas', now }) }
  const settings = { ...parseConfig({ AUTHORITIES: 'simulator' }), ...config }
  const dial = { mode: 'live', ca: [], hosts: {} } as const
  const authorities = { dial, certificado: undefined, pace: 1, simulador: undefined }
  const opening = { books, authorities, now, log: quiet, isClosing: () => false }
  const { platform } = openPlatform(settings, opening)
  return openContas(platform, undefined).contas
}

/** How often this process ran argon2 during some work: Node itself tells each run. */
export async function argon2During(work: () => Promise<unknown>): Promise<number> {
  let runs = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') runs += 1
    },
  }).enable()
  try {
    await work()
    return runs
  } finally {
    hook.disable()
  }
}

const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const EMAIL = 'ana@exemplo.test'

/** Declares what an operator does with accounts beside a service, on a database. */
export function testContas(dialect: Dialect, run: typeof fiscalAlone = fiscalAlone): void {
  let house: House
  let env: Record<string, string> = {}
  // Commands have the machine's clock, so the server has it too.
  const clock = { ahead: 0 }
  before(async () => {
    if (dialect === 'postgres')
      env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
    house = await start(env, () => new Date(Date.now() + clock.ahead))
  })
  after(() => house.close())

  const settings = () => ({ DATA_DIR: house.pasta, LOG_LEVEL: 'silent', ...env })
  // In one process, two connections to an embedded file hold each other up for five seconds.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    dialect === 'sqlite' && run !== fiscalAlone
      ? house.rooms.platform.db.kysely.connection().execute(work)
      : work()
  const fiscal = (...args: string[]): Promise<Said> => inTurn(() => run(settings(), 'contas', ...args))
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await fiscal(...args, '--json')
    assert.deepEqual([code, stderr], [0, ''], `${args}`)
    return Object(JSON.parse(stdout))
  }

  test('beside a running server an operator makes, prices, debits, blocks and unblocks an account', async () => {
    const { chave: key, ...made } = await json(
      'criar',
      '--nome',
      'Ana',
      '--email',
      EMAIL,
      '--plano',
      'starter',
    )
    assert.deepEqual([made.email, made.plano], [EMAIL, 'starter'])
    assert.equal((await house.ask(CNPJ, { key })).status, 200)
    assert.deepEqual(await json('preco-exclusivo', EMAIL, '--reais', '0,12'), {
      email: EMAIL,
      preco_exclusivo: true,
      preco_xml: { creditos: 1, reais: '0.12' },
    })
    const [ana] = (await json('listar')).filter(({ email }: { email: string }) => email === EMAIL)
    assert.deepEqual(ana.preco_xml, { creditos: 1, reais: '0.12' })
    const debit = await json('debitar', EMAIL, '99', '--motivo', 'estorno em dobro de outubro')
    assert.deepEqual([debit.creditos, debit.saldo.cota, debit.saldo.extra], [99, 900, 0])
    const blocked = await json('bloquear', EMAIL, '--motivo', 'fatura em aberto')
    assert.equal(blocked.bloqueio.motivo, 'fatura em aberto')
    clock.ahead += 5_000
    const refused = await house.ask(CNPJ, { key })
    assert.deepEqual([refused.status, refused.body.error_code], [403, 'CONTA_BLOQUEADA'])
    assert.match(String(refused.body.detail), /Motivo: fatura em aberto$/)
    assert.equal((await house.ask('/api/v1/conta', { key })).status, 403)
    const shown = await json('mostrar', EMAIL)
    assert.deepEqual([shown.id, shown.bloqueio.motivo], [made.id, 'fatura em aberto'])
    assert.deepEqual([shown.chaves.total, shown.chaves.anterior_ate], [1, null])
    assert.deepEqual(shown.uso.endpoints, [{ endpoint: '/api/consultar-cnpj', chamadas: 1, creditos: 1 }])
    assert.equal(JSON.stringify(shown).includes('fk_'), false)
    assert.deepEqual(await json('desbloquear', EMAIL), {
      email: EMAIL,
      bloqueio: null,
      estava_bloqueada: true,
    })
    clock.ahead += 5_000
    const { request_id, ...conta } = (await house.ask('/api/v1/conta', { key })).body
    for (const [name, value] of Object.entries(conta)) assert.deepEqual(shown[name], value, name)
    assert.deepEqual(await json('preco-exclusivo', EMAIL, '--remover'), {
      email: EMAIL,
      preco_exclusivo: false,
      preco_xml: { creditos: 3, reais: '0.30' },
    })
    const { stdout } = await fiscal('extrato', EMAIL)
    assert.match(stdout, new RegExp(`débito.*-99.*estorno em dobro de outubro.*${debit.request_id}`))
  })

  test('of debits by several operators at once, only those that the balance pays are made', async () => {
    await json('criar', '--nome', 'Bia', '--email', 'bia@exemplo.test')
    const runs = await Promise.all(
      ['a', 'b', 'c'].map((motivo) =>
        fiscalAlone(settings(), 'contas', 'debitar', 'bia@exemplo.test', '40', '--motivo', motivo),
      ),
    )
    assert.deepEqual(runs.map(({ code }) => code).sort(), [0, 0, 1])
    assert.equal((await json('mostrar', 'bia@exemplo.test')).creditos.disponiveis, 20)
  })

  test('what an operator must mend is told in Portuguese, and the exit code is 1', async () => {
    const failed: [string[], RegExp][] = [
      [['debitar', EMAIL, '5'], /falta a opção '--motivo <texto>'/],
      [
        ['debitar', EMAIL, '1001', '--motivo', 'x'],
        /créditos disponíveis, menos que 1\.001\. Nada foi debitado/,
      ],
      [['bloquear', 'ninguem@exemplo.test', '--motivo', 'x', '--json'], /Não há conta/],
      [['preco-exclusivo', EMAIL, '--reais', '1', '--remover'], /não vão juntas/],
    ]
    for (const [args, says] of failed) {
      const { code, stdout, stderr } = await fiscal(...args)
      assert.deepEqual([code, stdout], [1, ''], `${args}`)
      assert.match(stderr, says)
    }
  })
}

export const API_KEY = 'chave-de-teste-0123456789'

/** Everything that the process left: its output and every file of its data folder. */
export function leftBy(said: string, pasta: string): Buffer[] {
  const files = readdirSync(pasta, { recursive: true, encoding: 'utf8' }).map((name) => join(pasta, name))
  return [
    Buffer.from(said),
    ...files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)),
  ]
}

/** Looks for the operator's secrets in all that a service leaves that answered these rows of the list. */
export async function searchOperator(t: TestContext, linhas: readonly Linha[]): Promise<void> {
  const pasta = mkdtempSync(join(tmpdir(), 'segredos-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const simulador = await sharedSimulator()
  const pfx = Buffer.from(await (await fetch(`${simulador}/certificados/filial.pfx`)).arrayBuffer())
  const A1_FILE = join(pasta, 'operador.pfx')
  writeFileSync(A1_FILE, pfx)
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    PORT: '0',
    LOG_LEVEL: 'debug',
    SIMULATOR_URL: simulador,
    IE_SECONDS: '2',
    CND_SECONDS: '2',
  }
  const program = startChild('bin/servidor.js', [], pasta, {
    ...env,
    A1_FILE,
    A1_PASSWORD: 'senha-filial',
    BOOTSTRAP_API_KEY: API_KEY,
  })
  await program.says(/base-cnpj'\n/)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0]
  // Most of them wait for an authority that is slow or silent.
  const answers = await inTurns(linhas, 4, async ({ endpoint, parametros }) => {
    const query = new URLSearchParams(parametros)
    return (await fetch(`${address}${endpoint}?${query}`, { headers: { 'X-API-Key': API_KEY } })).text()
  })
  const documents = new Set(
    linhas
      .filter(({ espera }) => espera.http === 200)
      .flatMap(({ parametros: { cnpj, cpf } }) => [cnpj, cpf])
      .filter((one) => one !== undefined),
  )
  await program.stop()
  const { key } = parseA1(pfx, 'senha-filial')
  const secrets = [
    Buffer.from('senha-filial'),
    pfx.subarray(100, 160),
    Buffer.from(pfx.toString('base64').slice(200, 260)),
    key.subarray(60, 120),
  ]
  const left = leftBy(program.said() + answers.join(''), env.DATA_DIR)
  for (const secret of secrets)
    for (const found of left) assert.ok(!found.includes(secret), secret.toString('latin1'))
  const log = program.said().slice(program.said().indexOf('{'))
  assert.ok(!log.includes(API_KEY), 'no key in the log')
  assert.match(log, /"endpoint":"\/api\/consultar"/, 'the log has a line a request')
  assert.ok(documents.size > 20, `only ${documents.size} documents were answered about`)
  for (const document of documents) assert.ok(!log.includes(document), 'no whole document in the log')
}

const DAY_MS = 86_400_000
const log = { error: () => {} }

const endpoints = [
  ['/api/consultar', 1],
  ['/api/consultar-cnd', 1],
  ['/api/consultar-nfe-xml', 3],
  ['/api/consultar-cnd-federal', 1],
  ['/api/consultar-cnpj', 1],
  ['/api/consultar-cnd-todos', 26],
  ['/api/v1/sefaz/status', 0],
] as const
const falhas = [
  [503, 'SITE_INDISPONIVEL'],
  [400, 'DOCUMENTO_INVALIDO'],
  [502, 'TODAS_FONTES_FALHARAM'],
] as const
const documentos = ['12.***.***/0001-95', '00.***.***/0001-91', '***.456.789-**']

/** A call made by rule, without chance: the `at`-th one of an account. */
export function chamadaFeita(conta: string, at: number, instant: number): Outcome {
  const seed = (Math.imul(at + 1, 0x9e3779b1) >>> 7) % 101
  const [endpoint, price] = endpoints[seed % endpoints.length] ?? endpoints[0]
  const isNational = !['/api/consultar', '/api/consultar-cnd'].includes(endpoint)
  const fail = seed === 13 || seed === 57 ? falhas[at % falhas.length] : undefined
  const cached = fail === undefined && seed % 3 === 0
  const isPartial = endpoint.endsWith('-todos') && !fail && !cached && seed % 2 === 0
  const ms = cached ? 3 + (seed % 5) : 240 + seed * 31
  return {
    request_id: newRequestId(new Date(instant - ms)),
    conta,
    method: 'GET',
    endpoint,
    document: documentos[at % documentos.length] ?? '',
    sent: {},
    uf: isNational ? '' : (ufs[(at * 5) % ufs.length] ?? ''),
    http: fail?.[0] ?? 200,
    error_code: fail?.[1] ?? '',
    creditos: fail ? 0 : price,
    cached,
    source_failures: isPartial ? 2 : 0,
    source_code: isPartial ? 'SITE_INDISPONIVEL' : '',
    ms,
  }
}

/** How many calls there were so many days ago: fewer on two days of each seven. */
const quantas = (ago: number): number => (ago % 7 < 2 ? 12 : 40 + ((ago * 13) % 23))

/**
 * Makes calls of an account in each of the last days, up to `agora`, through the store's own writer. Returns
 * how many.
 */
export async function fillChamadas(
  db: Db,
  conta_id: string,
  { agora, dias = 30 }: { agora: number; dias?: number },
): Promise<number> {
  let instant = agora
  let at = 0
  const usos = openUsos(db, { now: () => new Date(instant), log })
  for (let ago = dias - 1; ago >= 0; ago--) {
    const count = quantas(ago)
    for (let i = 1; i <= count; i++) {
      // Within the six hours up to the same time of that day.
      instant = agora - ago * DAY_MS - Math.round(((count - i) / count) * 6 * 3_600_000)
      usos.note(chamadaFeita(conta_id, at++, instant))
    }
    await usos.flush()
  }
  await usos.close()
  return at
}

/** What the calls themselves come to, by the key of a sum. */
export async function countUsos(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select conta_id, cast((criado_em - 10800000) / 86400000 as integer) as dia, endpoint, http, error_code,
      cast(count(*) as bigint) as chamadas, cast(sum(cached) as bigint) as do_cache,
      cast(sum(case when fontes_falhas > 0 then 1 else 0 end) as bigint) as com_falha,
      cast(sum(creditos) as bigint) as creditos, cast(sum(ms) as bigint) as ms
    from usos group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(db.kysely)
  return rows
}

/** The sums that are kept. */
export async function readSomas(db: Db): Promise<unknown[]> {
  const { rows } =
    await sql`select * from usos_dia order by conta_id, dia, endpoint, http, error_code`.execute(db.kysely)
  return rows
}

/** The sums are those of the calls, and there are some. */
export async function assertSomas(db: Db, least = 1): Promise<void> {
  const rows = await readSomas(db)
  assert.ok(rows.length >= least)
  assert.deepEqual(rows, await countUsos(db))
}
