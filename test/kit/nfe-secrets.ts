import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import type { Enviado } from './a1.ts'
import type { Fresh } from './databases.ts'
import { putSample } from './databases.ts'
import type { NfeHouse } from './nfe.ts'
import { type Child, startChild } from './processes.ts'

const API_KEY = 'chave-de-teste-0123456789'
export const PATH = '/api/consultar-nfe-xml'

/** A call: any body under any headers. */
export type Chamada = { corpo: unknown; headers?: Record<string, string>; path?: string; method?: string }

/** The service in its own process, with new folders. It logs all that it can log. */
export type Servico = {
  program: Child
  send: (chamada: Chamada, signal?: AbortSignal) => Promise<string>
  /** Its whole output: standard output and error, octet by octet. */
  written: () => Buffer
}

export async function startServico(
  house: Pick<NfeHouse, 'simulador'>,
  pasta: string,
  databaseUrl: string | undefined,
): Promise<Servico> {
  const [DATA_DIR, TMPDIR] = [join(pasta, 'dados'), join(pasta, 'tmp')]
  await mkdir(TMPDIR)
  await putSample(join(DATA_DIR, 'cnpj'))
  const env = { DATA_DIR, TMPDIR, DATABASE_URL: databaseUrl ?? '', BOOTSTRAP_API_KEY: API_KEY }
  // Node keeps its compiled form of our own source here, outside the folder that is searched.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache')
  const program = startChild('bin/servidor.js', [], pasta, {
    ...env,
    PORT: '0',
    LOG_LEVEL: 'debug',
    SEFAZ_MONITOR: 'desligado',
    SIMULATOR_URL: house.simulador,
    NODE_COMPILE_CACHE,
  })
  const chunks: Buffer[] = []
  for (const stream of [program.child.stdout, program.child.stderr])
    stream?.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  await program.says(/base-cnpj'\n/)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0] ?? program.said()
  return {
    program,
    written: () => Buffer.concat(chunks),
    send: async ({ corpo, headers, path = PATH, method = 'POST' }, signal) => {
      const response = await fetch(address + path, {
        method,
        headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers },
        body: typeof corpo === 'object' ? JSON.stringify(corpo) : String(corpo),
        signal: signal ?? null,
        ...(method === 'GET' ? { body: null } : {}),
      })
      return `${response.status} ${JSON.stringify([...response.headers])}\n${await response.text()}`
    },
  }
}

export const SENHA = 'Sênha "do\\cliente" çom €uro'
export const ERRADA = 'uma senha êrrada, que também é segredo'

/**
 * An A1 file of the scenario's holder, which the authorities accept, with a password that is hard to hide.
 */
export const fileOf = (
  house: NfeHouse,
  cenario: string,
  diferenca: Parameters<NfeHouse['cartorio']['issue']>[1] = {},
): Promise<Enviado> =>
  house.cartorio.issue(comCenario(cenario).titular, { senha: SENHA, protecao: '3des', ...diferenca })

/** Files that are refused, each for a reason of its own. */
export async function makeOthers(house: NfeHouse): Promise<Enviado[]> {
  return [
    await fileOf(house, 'ciencia', { validade: 'vencida' }),
    await fileOf(house, 'ciencia', { validade: 'futura' }),
    await fileOf(house, 'ciencia', { conteudo: 'sem-chave' }),
    await fileOf(house, 'ciencia', { documento: 'ausente' }),
    await fileOf(house, 'ciencia', { documento: 'cn' }),
    await house.cartorio.forge(comCenario('ciencia').titular),
  ]
}

/**
 * Calls with every fault that a certificate may have, and some without a fault. All of them are about `file`.
 */
export async function chamadasDe(
  house: NfeHouse,
  file: Enviado,
  others: readonly Enviado[],
): Promise<Chamada[]> {
  const { certificado, senha } = file
  const pfx = Buffer.from(certificado, 'base64')
  const chave = house.chaveDe('ciencia')
  const corpo = { chave, ...file }
  const pem = parseA1(pfx, senha).key.toString()
  const json = JSON.stringify(corpo)
  const once = { 'idempotency-key': 'uma-vez' }
  return [
    { corpo, headers: once },
    { corpo, headers: once },
    { corpo: { ...corpo, senha: ERRADA }, headers: once },
    { corpo: { ...corpo, simular: true } },
    ...others.map((other) => ({ corpo: { ...corpo, ...other } })),
    { corpo: { ...corpo, senha: ERRADA } },
    { corpo: { ...corpo, certificado: pem } },
    { corpo: { ...corpo, certificado: pem.replaceAll(/-----.*-----/g, '') } },
    { corpo: { ...corpo, certificado: `*${certificado}` } },
    { corpo: { ...corpo, certificado: pfx.subarray(0, pfx.length / 2).toString('base64') } },
    { corpo: { ...corpo, certificado: certificado.repeat(20) } },
    { corpo: { ...corpo, certificado: [certificado], senha: { senha } } },
    { corpo: { ...corpo, manifestar: senha, simular: certificado } },
    { corpo: { ...corpo, chave: senha } },
    { corpo: { ...corpo, chave: certificado } },
    { corpo: { ...corpo, [senha]: senha, [certificado]: certificado, outro: { senha, pem } } },
    { corpo: `${json.slice(0, -1)} oops` },
    { corpo: json.replace('"chave"', "'chave'") },
    { corpo: `${json}${json}` },
    { corpo: senha },
    { corpo: JSON.stringify([corpo]) },
    { corpo: JSON.stringify({ ...corpo, outro: certificado.repeat(400) }) },
    { corpo, headers: { 'content-type': 'text/plain' } },
    { corpo: json, headers: { 'idempotency-key': encodeURIComponent(senha).repeat(9) } },
    { corpo: json, headers: { 'x-api-key': encodeURIComponent(senha) } },
    { corpo: json, path: '/api/consultar-nfe' },
    { corpo: json, path: `${PATH}?senha=${encodeURIComponent(senha)}` },
    { corpo: undefined, method: 'GET', path: `${PATH}?senha=${encodeURIComponent(senha)}` },
    ...(await scenarios(house, file)),
  ]
}

/**
 * A call for each misbehaviour of the authorities. Each has the key and the password of the file that the
 * search is about.
 */
const scenarios = async (house: NfeHouse, { senha }: Enviado): Promise<Chamada[]> =>
  Promise.all(
    ['html-403', 'tls', 'fault', 'queda', 'malformada', 'ciencia-fault', 'ciencia-494', 'fora-prazo'].map(
      async (cenario) => ({
        corpo: { chave: house.chaveDe(cenario), ...(await fileOf(house, cenario, { senha })) },
      }),
    ),
  )

/** Makes all calls, one after the other. Gives their answers. */
export async function tour(
  house: NfeHouse,
  servico: Servico,
  db: Db,
  chamadas: readonly Chamada[],
): Promise<string> {
  const answers: string[] = []
  for (const chamada of chamadas) answers.push(await servico.send(chamada))
  // The client of this call leaves.
  const corpo = { chave: house.chaveDe('pessoa'), ...(await fileOf(house, 'pessoa')) }
  const consulta = house.reter('consulta')
  const leaving = new AbortController()
  const left = servico.send({ corpo, headers: { 'idempotency-key': 'saiu' } }, leaving.signal)
  await consulta.chegam(1)
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  consulta.soltar()
  // The database fails during these calls.
  for (const table of ['idempotencia', 'retencoes', 'consumo', 'lancamentos', 'cache']) {
    await sql`alter table ${sql.table(table)} rename to longe`.execute(db.kysely)
    answers.push(await servico.send({ corpo, headers: { 'idempotency-key': table } }))
    await sql`alter table longe rename to ${sql.table(table)}`.execute(db.kysely)
  }
  return answers.join('\n')
}

/** So many octets of a file or key, or so many letters of its text form, are enough for a trace of it. */
const OCTETOS = 24
const LETRAS = 32

/** Finds secrets that must be nowhere. */
export type Busca = {
  /**
   * The name of a secret that is in the traces, as octets or in any text form. Undefined if there is none.
   */
  find: (traces: Buffer) => string | undefined
}

/** Looks for passwords and other texts as a whole, and for any piece of files and private keys. */
export function openBusca({ textos, binarios }: Segredos): Busca {
  const whole = new Map(
    Object.entries(textos).flatMap(([nome, texto]) => formsOf(texto).map((form) => [form, nome] as const)),
  )
  const windows = new Map<string, string>()
  const beginnings = new Uint8Array(1 << 24)
  const add = (text: string, size: number, nome: string): void => {
    const content = Buffer.from(text, 'latin1')
    for (let at = 0; at <= text.length - size; at++) {
      windows.set(text.slice(at, at + size), nome)
      beginnings[beginningOf(content, at)] = 1
    }
  }
  for (const [nome, content] of Object.entries(binarios)) {
    add(content.toString('latin1'), OCTETOS, nome)
    for (const text of textsOf(content)) add(text, LETRAS, nome)
  }
  return {
    find: (traces) => {
      const text = traces.toString('latin1')
      for (const [form, nome] of whole) if (text.includes(form)) return nome
      for (let at = 0; at <= text.length - OCTETOS; at++) {
        // A text is cut out only where one may begin, since there are millions of places.
        if (beginnings[beginningOf(traces, at)] !== 1) continue
        const found = windows.get(text.slice(at, at + OCTETOS)) ?? windows.get(text.slice(at, at + LETRAS))
        if (found) return found
      }
      return undefined
    },
  }
}

/** The first four octets as a number of 24 bits. */
const beginningOf = (content: Buffer, at: number): number =>
  Math.imul(content.readUInt32LE(at), 0x9e3779b1) >>> 8

export type Segredos = { textos: Record<string, string>; binarios: Record<string, Buffer> }

/**
 * The secrets of an A1 file: the file, its password, and its private key, as a whole and number by number.
 */
export function segredosDe({ certificado, senha }: Enviado): Segredos {
  const pfx = Buffer.from(certificado, 'base64')
  const key = createPrivateKey(parseA1(pfx, senha).key)
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const { d = '', p = '', q = '', dp = '', dq = '', qi = '' } = key.export({ format: 'jwk' })
  const numbers = Object.entries({ d, p, q, dp, dq, qi }).map(([nome, text]) => [
    `the key's ${nome}`,
    Buffer.from(text, 'base64url'),
  ])
  return {
    textos: { 'the password': senha },
    binarios: { 'the file': pfx, 'the key': der, ...Object.fromEntries(numbers) },
  }
}

/**
 * The forms of a text in a log, a database, a form, an address or a PKCS#12 file. Each is given as Latin-1 of
 * its octets.
 */
function formsOf(texto: string): string[] {
  const utf8 = Buffer.from(texto)
  const utf16 = Buffer.from(texto, 'utf16le')
  const json = JSON.stringify(texto).slice(1, -1)
  const ascii = json.replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const forms = [
    utf8,
    Buffer.from(texto, 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(json),
    Buffer.from(JSON.stringify(json).slice(1, -1)),
    Buffer.from(ascii),
    Buffer.from(encodeURIComponent(texto)),
  ].map((octets) => octets.toString('latin1'))
  // Letters that depend on the text before or after are left out.
  return [...forms, ...textsOf(utf8).map((text) => text.slice(0, -4))].filter(({ length }) => length >= 8)
}

/** Octets in hexadecimal, and in base64 from each of the places where they may begin in the encoded text. */
function textsOf(octets: Buffer): string[] {
  const base64 = [0, 1, 2].flatMap((pad) => {
    const padded = Buffer.concat([Buffer.alloc(pad), octets])
    return (['base64', 'base64url'] as const).map((form) => padded.toString(form).slice(pad && 4))
  })
  return [...base64, octets.toString('hex'), octets.toString('hex').toUpperCase()]
}

/** Every file under a folder, by its path in it. */
export async function readAll(pasta: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(pasta, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(pasta.length + 1), await readFile(file)] as const),
    ),
  )
}

/** Every row of every table of a PostgreSQL, as text. The embedded database is searched through its files. */
async function dump({ kysely, dialect }: Db): Promise<string> {
  if (dialect === 'sqlite') return ''
  const tables = await kysely.introspection.getTables()
  const rows = tables.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(kysely),
  )
  return (await Promise.all(rows)).flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

/** Declares that nothing of a client's certificate stays anywhere, on a database. */
export function testSegredos(nfeOf: () => NfeHouse, dialect: Dialect, fresh: Fresh): void {
  test("nothing of a client's certificate, password or key is kept, logged or echoed, whatever goes wrong", async (t) => {
    const house = nfeOf()
    const { databaseUrl } = await fresh(t)
    const pasta = await mkdtemp(join(tmpdir(), 'segredos-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    house.pass(3_600_000)
    const file = await fileOf(house, 'ciencia')
    const others = await makeOthers(house)
    const { textos, binarios }: Segredos = segredosDe(file)
    const files = others.map(({ certificado }, at) => [`file ${at}`, Buffer.from(certificado, 'base64')])
    const { find } = openBusca({
      textos: { ...textos, 'a wrong password': ERRADA },
      binarios: { ...binarios, ...Object.fromEntries(files) },
    })
    const servico = await startServico(house, pasta, databaseUrl)
    t.after(() => servico.program.child.kill('SIGKILL'))
    const db = await openDb({ databaseUrl, arquivo: join(pasta, 'dados', 'consulta-fiscal.db') })
    t.after(() => db.close())
    const answers = await tour(house, servico, db, await chamadasDe(house, file, others))
    // The traces while the service runs, with the write-ahead log, and after it ended.
    const traces = async (): Promise<Map<string, Buffer>> =>
      new Map([
        ...(await readAll(pasta)),
        ['the log', servico.written()],
        ['the answers', Buffer.from(answers)],
        ['the tables', Buffer.from(await dump(db))],
      ])
    const running = await traces()
    await servico.program.stop()
    const stopped = await traces()
    for (const left of [running, stopped])
      for (const [place, content] of left) assert.equal(find(content), undefined, `in ${place}`)
    assertSeen(stopped, answers, dialect)
    for (const folder of ['dados', 'tmp', '.'])
      await writeFile(
        join(pasta, folder, 'rastro'),
        Buffer.from(file.certificado, 'base64').subarray(700, 724),
      )
    const planted = [...(await traces())].filter(([, content]) => find(content)).map(([place]) => place)
    assert.deepEqual(planted.sort(), ['dados/rastro', 'rastro', 'tmp/rastro'])
  })
}

/**
 * Asserts that there was something to find: the calls arrived where they should, and left what they may
 * leave.
 */
function assertSeen(left: ReadonlyMap<string, Buffer>, answers: string, dialect: Db['dialect']): void {
  for (const piece of [
    ...['"manifestacao":"ciencia_registrada"', '<nfeProc', 'idempotency-replayed', '"simulacao":{'],
    ...['IDEMPOTENCIA_CONFLITANTE', 'CERTIFICADO_INVALIDO', 'CORPO_INVALIDO', 'PARAMETRO_INVALIDO'],
    ...['CHAVE_INVALIDA', 'CORPO_MUITO_GRANDE', 'TIPO_NAO_SUPORTADO', 'NAO_AUTENTICADO', 'ERRO_INTERNO'],
    ...['METODO_NAO_PERMITIDO', 'venceu em', 'só vale a partir de', 'não tem a chave privada'],
    ...['A senha não abre', 'está em PEM', 'não está em base64', 'recusou o certificado'],
  ])
    assert.ok(answers.includes(piece), piece)
  const log = String(left.get('the log'))
  for (const piece of ['event sent', 'unexpected failure', '"http":499', '"http":500', '"http":413'])
    assert.ok(log.includes(piece), piece)
  const stored = dialect === 'sqlite' ? left.get('dados/consulta-fiscal.db') : left.get('the tables')
  assert.ok(stored?.includes(PATH), 'the books are there to be read')
}
