import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { parseConfig } from '../../src/config/config.ts'
import { startServer } from '../../src/server/server.ts'

/** The generated file, which a test compares with what the service says. */
export const ARQUIVO = join(import.meta.dirname, 'openapi.d.ts')

/** The types of an OpenAPI 3.1 document, as TypeScript. Throws where the document is not valid. */
export async function tiposDe(documento: string): Promise<string> {
  // Named schemas are exported by their names. A member of a request that has a default may be left out.
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false }
  return COMMENT_HEADER + astToString(await openapiTS(JSON.parse(documento, paraTipos), options))
}

/** Columns of a comment's text, so that the deepest indentation of the file fits into 110. */
const COLUNAS = 76

/** What the types take of a member of the document. */
function paraTipos(nome: string, valor: unknown): unknown {
  // A body's example would come as a comment, longer than the types and with a certificate of this service.
  if (nome === 'example' && typeof valor === 'object') return undefined
  return nome === 'description' && typeof valor === 'string' ? quebrado(valor) : valor
}

/** A text in lines of at most `COLUNAS` columns. A longer word has a line of its own. */
const quebrado = (texto: string): string =>
  texto.replace(new RegExp(`(?=.{${COLUNAS + 1}})(.{1,${COLUNAS}}|\\S+) +`, 'g'), '$1\n')

/** The document that a new service with the simulator serves at /openapi.json. */
async function documentoServido(): Promise<string> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'tipos-'))
  const server = await startServer(parseConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' }))
  try {
    return await (await fetch(`${server.address}/openapi.json`)).text()
  } finally {
    await server.close()
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

if (import.meta.main) writeFileSync(ARQUIVO, await tiposDe(await documentoServido()))
