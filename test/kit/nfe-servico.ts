import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CasaNfe } from './nfe-casa.ts'
import { type Program, startProgram } from './program.ts'
import { putSample } from './sample-base.ts'

const API_KEY = 'chave-de-teste-0123456789'
export const PATH = '/api/consultar-nfe-xml'

/** A call: any body under any headers. */
export type Chamada = { corpo: unknown; headers?: Record<string, string>; path?: string; method?: string }

/** The service in its own process, with new folders. It logs all that it can log. */
export type Servico = {
  program: Program
  send: (chamada: Chamada, signal?: AbortSignal) => Promise<string>
  /** Its whole output: standard output and error, octet by octet. */
  written: () => Buffer
}

export async function startServico(
  casa: Pick<CasaNfe, 'simulador'>,
  pasta: string,
  databaseUrl: string | undefined,
): Promise<Servico> {
  const [DATA_DIR, TMPDIR] = [join(pasta, 'dados'), join(pasta, 'tmp')]
  await mkdir(TMPDIR)
  await putSample(join(DATA_DIR, 'cnpj'))
  const env = { DATA_DIR, TMPDIR, DATABASE_URL: databaseUrl ?? '', BOOTSTRAP_API_KEY: API_KEY }
  // Node keeps its compiled form of our own source here, outside the folder that is searched.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache')
  const program = startProgram('bin/servidor.js', [], pasta, {
    ...env,
    PORT: '0',
    LOG_LEVEL: 'debug',
    SEFAZ_MONITOR: 'desligado',
    SIMULATOR_URL: casa.simulador,
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
