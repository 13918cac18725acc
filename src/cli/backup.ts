import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { Kysely, sql } from 'kysely'
import type { Config } from '../platform/config/settings.ts'
import { migrate, SCHEMA_VERSION } from '../platform/db/migrate.ts'
import { StoreError } from '../platform/db/outage.ts'
import { lockServer, openSqlite } from '../platform/db/sqlite.ts'
import type { Tables } from '../platform/db/tables.ts'
import { messageOf } from '../platform/errors.ts'
import { makeDataFolder } from '../platform/start.ts'
import { thousands } from '../platform/texto.ts'

type Linha = { type?: unknown; name?: unknown; tbl_name?: unknown; sql?: unknown }
/** What a database has, by kind and name in Portuguese, each with the words that made it. */
type Catalogo = ReadonlyMap<string, string>

const ROWS = 'select type, name, tbl_name, sql from sqlite_schema'
const NOUNS: Record<string, string> = { table: 'tabela', index: 'índice', trigger: 'gatilho', view: 'visão' }
/** What ANALYZE leaves: figures for the planner. */
const STATISTICS = /^tabela sqlite_stat[14]$/

/** How a database differs from what this program makes in schema `versao`. Nothing in it is run. */
export async function schemaDifferences(database: DatabaseSync, versao: number): Promise<string[]> {
  const own = await catalogueAt(versao)
  const theirs = toCatalogo(database.prepare(ROWS).all())
  const strange = [...theirs].flatMap(([name, made]) => {
    if (!own.has(name)) return STATISTICS.test(name) ? [] : [`${name} não é deste programa`]
    return own.get(name) === made ? [] : [`${name} está diferente`]
  })
  return [...strange, ...[...own.keys()].filter((name) => !theirs.has(name)).map((name) => `falta ${name}`)]
}

/** Compares the table of versions as text, so that reading it runs nothing strange. */
export async function hasOwnVersions(database: DatabaseSync): Promise<boolean> {
  const theirs = toCatalogo(database.prepare(ROWS).all())
  return [...(await catalogueAt(0))].every(([name, made]) => theirs.get(name) === made)
}

const toCatalogo = (rows: readonly Linha[]): Catalogo =>
  new Map(
    rows.map(({ type, name, tbl_name, sql }) => [
      `${NOUNS[String(type)] ?? 'objeto'} ${name}`,
      JSON.stringify([tbl_name, sql === null ? null : String(sql).replaceAll(/\s+/g, ' ')]),
    ]),
  )

/** The catalogue after the migrations up to `versao`, from a database in memory. */
async function catalogueAt(versao: number): Promise<Catalogo> {
  const kysely = new Kysely<Tables>({ dialect: openSqlite(':memory:').dialect })
  try {
    await migrate(kysely, 'sqlite', versao)
    const { rows } = await sql<Linha>`${sql.raw(ROWS)}`.execute(kysely)
    return toCatalogo(rows)
  } finally {
    await kysely.destroy()
  }
}

export type Copiado = { esquema: number; contas: number; lancamentos: number; diferencas: string[] }

/** Throws StoreError where PostgreSQL is used. */
export function placesOf({ DATA_DIR, DATABASE_URL }: Config): { banco: string; guardado: string } {
  if (DATABASE_URL)
    throw new StoreError(
      'O banco é o PostgreSQL de DATABASE_URL: copie-o com pg_dump e restaure-o com pg_restore (docs/operations/backup.md).',
    )
  return { banco: join(DATA_DIR, 'consulta-fiscal.db'), guardado: join(DATA_DIR, 'segredo-do-servidor') }
}

export const inWords = ({ contas, lancamentos, esquema }: Copiado): string =>
  `contas: ${thousands(contas)}, lançamentos: ${thousands(lancamentos)}, versão ${esquema} do banco`

export function tell(done: object, json: true | undefined, lines: string[]): void {
  console.log(json ? JSON.stringify(done) : lines.join('\n'))
}

/** All pages in one step: a writer beside it could otherwise make the copy begin again for ever. */
const ALL_PAGES = 0x7fffffff
const BUSY_MS = 30_000

/** Copies the database as it is at one moment, beside whoever writes. Throws StoreError. */
export async function copyDatabase(de: string, para: string): Promise<Copiado> {
  if (!existsSync(de)) throw new StoreError(`Não há banco de dados em ${de}. Confira DATA_DIR.`)
  const parcial = `${para}.parcial`
  removeDatabase(parcial)
  const source = new DatabaseSync(de, { readOnly: true, timeout: BUSY_MS })
  try {
    closeSync(openSync(parcial, 'wx', 0o600))
    await backup(source, parcial, { rate: ALL_PAGES })
    // Only a copy that is whole and on the disk has its name.
    const found = await checkCopy(parcial, { alheia: false })
    keepOnDisk(parcial, para)
    return found
  } finally {
    source.close()
    removeDatabase(parcial)
  }
}

/**
 * Checks that a copy is whole, ours and of a schema that this program knows, else throws StoreError; it
 * is one file afterwards. `alheia`: others may have had it, so a schema that differs is refused before
 * anything in it runs.
 */
export async function checkCopy(arquivo: string, { alheia }: { alheia: boolean }): Promise<Copiado> {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(arquivo)
    // A write-ahead log would be a second file that belongs to the first.
    database.exec('pragma trusted_schema = off; pragma journal_mode = delete')
    if (!(await hasOwnVersions(database)))
      throw new Error('falta a tabela esquema, ou não é a deste programa')
    const esquema = numberIn(database, 'select max(versao) as n from esquema')
    if (esquema > SCHEMA_VERSION)
      throw new StoreError(
        `A cópia está na versão ${esquema} do banco, e este programa só conhece até a ${SCHEMA_VERSION}. Use o programa que a fez, ou um mais novo.`,
      )
    const diferencas = await schemaDifferences(database, esquema)
    if (alheia && diferencas.length > 0) throw new StoreError(differing(diferencas))
    const [fault] = database.prepare('pragma integrity_check(1)').all()
    if (fault?.integrity_check !== 'ok') throw new Error(String(fault?.integrity_check))
    const contas = numberIn(database, 'select count(*) as n from contas')
    const lancamentos = numberIn(database, 'select count(*) as n from lancamentos')
    return { esquema, contas, lancamentos, diferencas: diferencas.map(shorten) }
  } catch (error) {
    if (error instanceof StoreError) throw error
    const why = messageOf(error)
    throw new StoreError(`${arquivo} não é uma cópia inteira de um banco do Consulta Fiscal: ${why}`)
  } finally {
    database?.close()
  }
}

const MOST_SHOWN = 5
/** A name in it is a stranger's. */
const shorten = (difference: string): string =>
  difference.slice(0, 100).replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')

export function differing(diferencas: readonly string[]): string {
  const shown = diferencas.slice(0, MOST_SHOWN).map(shorten).join('; ')
  const more = diferencas.length > MOST_SHOWN ? `; e mais ${diferencas.length - MOST_SHOWN}` : ''
  return (
    `O esquema da cópia não é o que este programa faz: ${shown}${more}. ` +
    'Só uma cópia com o esquema dele é restaurada: o resto seria executado pelo serviço. Retire do banco o que foi acrescentado (drop …), ou use outra cópia.'
  )
}

const numberIn = (database: DatabaseSync, query: string): number => Number(database.prepare(query).get()?.n)

/** A login that was ended after the copy was made would be good again. */
export function endLogins(arquivo: string): void {
  const database = new DatabaseSync(arquivo)
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    for (const table of ['acessos', 'codigos'])
      if (tables.some(({ name }) => name === table)) database.exec(`delete from ${table}`)
  } finally {
    database.close()
  }
}

/** Refuses what is no regular file: a pipe would be waited for without end. Throws StoreError. */
export function refuseIrregular(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new StoreError(`Não há o arquivo ${file}.`)
  if (!found.isFile())
    throw new StoreError(
      `${file} não é um arquivo comum (é pasta, cano ou dispositivo). Indique o arquivo da cópia.`,
    )
}

/** Gives a file its name once its bytes, and then its name, are on the disk. */
export function keepOnDisk(de: string, para: string): void {
  chmodSync(de, 0o600)
  sync(de)
  renameSync(de, para)
  sync(dirname(resolve(para)))
}

/** Copies a file under its new name, on the disk and for its owner alone. */
export function putFile(de: string, para: string): void {
  copyFileSync(de, `${para}.parcial`)
  keepOnDisk(`${para}.parcial`, para)
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export function removeDatabase(arquivo: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(arquivo + end, { force: true })
}

export function addBackupCommand(program: Command, config: Config): void {
  program
    .command('backup <arquivo>')
    .description('copia o banco embutido para um arquivo novo, com o serviço no ar, e confere a cópia')
    .option('--segredo <arquivo>', 'copia também o segredo do servidor, para este outro arquivo')
    .option('--json', 'escreve JSON em vez de texto')
    .action(async (arquivo: string, { segredo, json }: { segredo?: string; json?: true }) => {
      const { banco, guardado } = placesOf(config)
      for (const file of [arquivo, segredo]) if (file) refuseTaken(file)
      if (segredo && !existsSync(guardado))
        throw new StoreError(`Não há ${guardado}: o segredo está em SERVER_SECRET, que você guarda.`)
      const found = await copyDatabase(banco, arquivo)
      if (segredo) putFile(guardado, segredo)
      tell({ arquivo, ...found }, json, [
        `Cópia conferida em ${arquivo}: ${inWords(found)}.`,
        ...(found.diferencas.length > 0
          ? [`Assim ela não volta por "restaurar". ${differing(found.diferencas)}`]
          : []),
        segredo
          ? `Segredo do servidor em ${segredo}: guarde-o longe da cópia, que ele abre.`
          : 'O segredo do servidor não está nela (docs/operations/backup.md).',
      ])
    })
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new StoreError(`${file} já existe. Escolha outro nome: nada é sobrescrito.`)
}

type Settings = { config: Config; now: () => Date }
type Options = { segredo?: string; substituir?: true; json?: true }

/** Adds `restaurar`: a copy takes the place of the embedded database, while no service uses it. */
export function addRestaurarCommand(program: Command, settings: Settings): void {
  program
    .command('restaurar <arquivo>')
    .description('põe uma cópia no lugar do banco embutido, com o serviço parado; todos entram de novo')
    .option('--segredo <arquivo>', 'traz de volta também o segredo do servidor')
    .option('--substituir', 'guarda o que existe com outro nome e põe a cópia no lugar')
    .option('--json', 'escreve JSON em vez de texto')
    .action((arquivo: string, options: Options) => restaurar(settings, arquivo, options))
}

async function restaurar({ config, now }: Settings, arquivo: string, options: Options): Promise<void> {
  const { banco, guardado } = placesOf(config)
  const { segredo, substituir, json } = options
  for (const file of [arquivo, segredo]) if (file) refuseIrregular(file)
  makeDataFolder(config)
  const unlock = lockServer(`${banco}.servidor`)
  const parcial = `${banco}.parcial`
  try {
    for (const file of [banco, ...(segredo ? [guardado] : [])])
      if (existsSync(file) && !substituir)
        throw new StoreError(`Já existe ${file}. Com --substituir ele fica guardado com outro nome.`)
    removeDatabase(parcial)
    copyFileSync(arquivo, parcial)
    const found = await checkCopy(parcial, { alheia: true })
    endLogins(parcial)
    const antes = setAside(banco, segredo ? [guardado] : [], now())
    keepOnDisk(parcial, banco)
    if (segredo) putFile(segredo, guardado)
    tell({ arquivo, ...found, antes }, json, [
      `Restaurado de ${arquivo}: ${inWords(found)}. Todos entram de novo.`,
      ...antes.map((file) => `O que havia está em ${file}.`),
      ...(config.SERVER_SECRET || existsSync(guardado)
        ? []
        : [
            'Sem o segredo do servidor: as chaves valem, mas não podem ser mostradas. Traga-o com --segredo, ou gere outras.',
          ]),
    ])
  } finally {
    removeDatabase(parcial)
    unlock()
  }
}

/** A log that stayed beside the copy would be read into it. */
function setAside(banco: string, others: string[], now: Date): string[] {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  const names = ['', '-wal', '-shm'].map(
    (end) => [`${banco}${end}`, `${banco}.antes-${stamp}${end}`] as const,
  )
  const taken = [...names, ...others.map((file) => [file, `${file}.antes-${stamp}`] as const)].filter(
    ([de]) => existsSync(de),
  )
  for (const [de, para] of taken) renameSync(de, para)
  return taken.map(([, para]) => para)
}
