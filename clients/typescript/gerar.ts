import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { parseConfig } from '../../src/platform/config/config.ts'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { startServer } from '../../src/server.ts'
import { errosDe, operacoesDe, quebrado } from './gerar-operacoes.ts'

/** The generated types, which a test compares with what the service says. */
export const ARQUIVO = join(import.meta.dirname, 'openapi.d.ts')

/** The other generated files with their texts: the table of operations, and a class for each code. */
export function tabelasDe(documento: string): Record<string, string> {
  const { properties } = JSON.parse(documento).components.schemas.SituacaoDaFonte
  const daFonte: string[] = properties.error_code.enum
  const titulos: Record<string, { title: string }> = { ...errorCodes, ...sourceCodes }
  const fonte = daFonte.flatMap((codigo) => (titulos[codigo] ? [[codigo, titulos[codigo]] as const] : []))
  return {
    [join(import.meta.dirname, 'gerado/operacoes.ts')]: operacoesDe(documento),
    [join(import.meta.dirname, 'gerado/erros.ts')]: errosDe({
      api: errorCodes,
      fonte: Object.fromEntries(fonte),
    }),
  }
}

/** The types of an OpenAPI 3.1 document, as TypeScript. Throws where the document is not valid. */
export async function tiposDe(documento: string): Promise<string> {
  // Named schemas are exported by their names. A member of a request that has a default may be left out.
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false }
  return COMMENT_HEADER + astToString(await openapiTS(JSON.parse(documento, paraTipos), options))
}

/** What the types take of a member of the document. */
function paraTipos(nome: string, valor: unknown): unknown {
  // A body's example would come as a comment, longer than the types and with a certificate of this service.
  if (nome === 'example' && typeof valor === 'object') return undefined
  return nome === 'description' && typeof valor === 'string' ? quebrado(valor) : valor
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

if (import.meta.main) {
  const documento = await documentoServido()
  writeFileSync(ARQUIVO, await tiposDe(documento))
  for (const [arquivo, texto] of Object.entries(tabelasDe(documento))) writeFileSync(arquivo, texto)
}
