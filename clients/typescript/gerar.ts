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
  // A body's example would come as a comment, longer than the types and with a certificate of this service.
  const semCorpos = JSON.parse(documento, (nome, valor) =>
    nome === 'example' && typeof valor === 'object' ? undefined : valor,
  )
  return COMMENT_HEADER + astToString(await openapiTS(semCorpos, options))
}

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
