import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDb } from '../../src/platform/db/db.ts'

const pasta = mkdtempSync(join(tmpdir(), 'banco-vazio-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

let made: Promise<string> | undefined

/**
 * Puts an embedded database with the schema and without rows at `arquivo`: a copy is faster than the
 * migrations.
 */
export async function putDatabase(arquivo: string): Promise<void> {
  made ??= make()
  await copyFile(await made, arquivo)
}

async function make(): Promise<string> {
  const arquivo = join(pasta, 'banco.sqlite')
  const db = await openDb({ databaseUrl: undefined, arquivo })
  // The last connection writes the log into the file.
  await db.close()
  return arquivo
}
