import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import { forEachDatabase } from '../store/databases.ts'
import { type CasaNfe, startNfe } from './casa.ts'
import { chamadasDe, ERRADA, fileOf, makeOthers, SENHA, tour } from './chamadas.ts'
import { openBusca, readAll, type Segredos, segredosDe } from './segredos.ts'
import { PATH, startServico } from './servico.ts'

let casa: CasaNfe
before(async () => {
  casa = await startNfe()
})
after(() => casa.close())

/** Every row of every table of a PostgreSQL, as text. The embedded database is searched through its files. */
async function dump({ kysely, dialect }: Db): Promise<string> {
  if (dialect === 'sqlite') return ''
  const tables = await kysely.introspection.getTables()
  const rows = tables.map(({ name }) =>
    sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(kysely),
  )
  return (await Promise.all(rows)).flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

test('the search finds a secret in any form, wherever it is', async () => {
  const file = await fileOf(casa, 'ciencia')
  const { find } = openBusca(segredosDe(file))
  const pfx = Buffer.from(file.certificado, 'base64')
  const pem = parseA1(pfx, SENHA).key.toString()
  const noise = Buffer.from(`{"level":30,"msg":"${'nfe-xml '.repeat(50)}"}`)
  assert.equal(find(noise), undefined)
  const pieceOf = (content: string | Buffer, size: number) =>
    fc.nat(content.length - size).map((at) => Buffer.from(content.slice(at, at + size)))
  const escaped = [...SENHA].map((one) =>
    one > '~' ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
  )
  const traces = fc.oneof(
    pieceOf(pfx, 24),
    pieceOf(file.certificado, 32),
    pieceOf(pfx.toString('base64url'), 32),
    pieceOf(pfx.toString('hex'), 32),
    pieceOf(
      Buffer.concat([Buffer.from('x'), pfx])
        .toString('base64')
        .slice(4),
      32,
    ),
    fc.constantFrom(...pem.split('\n').slice(1, -3)).map((line) => Buffer.from(line)),
    ...[SENHA, JSON.stringify(SENHA), encodeURIComponent(SENHA)].map((text) =>
      fc.constant(Buffer.from(text)),
    ),
    ...(['utf16le', 'latin1'] as const).map((form) => fc.constant(Buffer.from(SENHA, form))),
    fc.constant(Buffer.from(JSON.stringify(escaped.join('')).slice(1, -1).replaceAll('\\\\u', '\\u'))),
    fc.constant(Buffer.from(Buffer.from(SENHA).toString('base64'))),
  )
  const place = fc.nat(noise.length)
  fc.assert(
    fc.property(traces, place, (trace, at) => {
      assert.ok(find(Buffer.concat([noise.subarray(0, at), trace, noise.subarray(at)])), trace.toString())
    }),
  )
})

forEachDatabase((dialect, fresh) => {
  test("nothing of a client's certificate, password or key is kept, logged or echoed, whatever goes wrong", async (t) => {
    const { databaseUrl } = await fresh(t)
    const pasta = await mkdtemp(join(tmpdir(), 'segredos-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    casa.pass(3_600_000)
    const file = await fileOf(casa, 'ciencia')
    const others = await makeOthers(casa)
    const { textos, binarios }: Segredos = segredosDe(file)
    const files = others.map(({ certificado }, at) => [`file ${at}`, Buffer.from(certificado, 'base64')])
    const { find } = openBusca({
      textos: { ...textos, 'a wrong password': ERRADA },
      binarios: { ...binarios, ...Object.fromEntries(files) },
    })
    const servico = await startServico(casa, pasta, databaseUrl)
    t.after(() => servico.program.child.kill('SIGKILL'))
    const db = await openDb({ databaseUrl, arquivo: join(pasta, 'dados', 'consulta-fiscal.db') })
    t.after(() => db.close())
    const answers = await tour(casa, servico, db, await chamadasDe(casa, file, others))
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
})

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
