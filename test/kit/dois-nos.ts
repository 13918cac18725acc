import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { newPostgres } from './databases.ts'
import { fiscal } from './fiscal.ts'
import { type Program, startProgram } from './program.ts'
import { freePort } from './proxy.ts'
import { putSample } from './sample-base.ts'
import { sharedSimulator } from './simulator.ts'

export type No = { port: number; start: () => Promise<Program> }

export type DoisNos = {
  nos: No[]
  /** Opens accounts of the largest plan, and gives their keys. */
  openAccounts: (count: number) => Promise<string[]>
}

/**
 * Two nodes on one database, each with a port of its own that it has again after a restart. `given`: settings
 * of both, beside those that all have.
 */
export async function twoNodes(t: TestContext, given: Record<string, string> = {}): Promise<DoisNos> {
  const env = {
    DATABASE_URL: await newPostgres(),
    SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
    SIMULATOR_URL: await sharedSimulator(),
    SEFAZ_MONITOR: 'desligado',
    TRUST_PROXY: '1',
    IE_SECONDS: '3',
    ...given,
  }
  const nos: No[] = []
  for (const _ of [1, 2]) {
    const pasta = mkdtempSync(join(tmpdir(), 'dois-nos-'))
    t.after(() => rmSync(pasta, { recursive: true, force: true }))
    await putSample(join(pasta, 'cnpj'))
    const port = await freePort()
    nos.push({
      port,
      start: async () => {
        const settings = { ...env, DATA_DIR: pasta, PORT: String(port) }
        const program = startProgram('bin/servidor.js', [], pasta, settings)
        t.after(() => program.child.kill('SIGKILL'))
        await program.says(/base-cnpj'\n/)
        return program
      },
    })
  }
  const openAccount = async (_: unknown, at: number): Promise<string> => {
    const command = [
      'criar',
      '--nome',
      'A',
      '--email',
      `${at}@exemplo.test`,
      '--plano',
      'enterprise',
      '--json',
    ]
    const { stdout } = await fiscal({ ...env, DATA_DIR: tmpdir() }, 'contas', ...command)
    return String(JSON.parse(stdout).chave)
  }
  return { nos, openAccounts: (count) => Promise.all(Array.from({ length: count }, openAccount)) }
}

/** Whether a node has answered a client, by its log. Health checks are no lines of it. */
export const hasAnswered = (program: Program): boolean => program.said().includes('/api/consultar-cnpj')
