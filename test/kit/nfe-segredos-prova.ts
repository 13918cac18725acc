import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import type { Fresh } from './databases.ts'
import type { CasaNfe } from './nfe-casa.ts'
import { chamadasDe, ERRADA, fileOf, makeOthers, tour } from './nfe-chamadas.ts'
import { openBusca, readAll, type Segredos, segredosDe } from './nfe-segredos.ts'
import { PATH, startServico } from './nfe-servico.ts'

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
export function provarSegredos(casaOf: () => CasaNfe, dialect: Dialect, fresh: Fresh): void {
  test("nothing of a client's certificate, password or key is kept, logged or echoed, whatever goes wrong", async (t) => {
    const casa = casaOf()
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
