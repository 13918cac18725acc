import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { type Program, startProgram } from './program.ts'

export const run = promisify(execFile)
export const root = join(import.meta.dirname, '../..')
export const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-start-'))

/** Ends what a file of tests started, after its last test. */
export function endPrograms(): void {
  after(() => {
    for (const { child } of programs) child.kill('SIGKILL')
    rmSync(pasta, { recursive: true, force: true })
  })
}

/** All programs that were started. A test that fails in the middle leaves one behind. */
export const programs: Program[] = []

/** The server in the shared data folder, once it wrote what `until` matches or ended. */
export async function startServer(
  env: Record<string, string>,
  until: RegExp,
  how: Parameters<typeof startProgram>[4] = {},
): Promise<Program> {
  const defaults = { DATA_DIR: join(pasta, 'dados'), PORT: '0', LOG_LEVEL: 'silent' }
  const program = startProgram('bin/servidor.js', [], pasta, { ...defaults, ...env }, how)
  programs.push(program)
  await program.says(until)
  return program
}

export const LAST_LINE = /base-cnpj'\n/
export const keyIn = (text: string) => /fk_\w{38}/.exec(text)?.[0]

/** Whether anything listens there. */
export const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** The process id of the simulator that answers there; undefined when none does. */
export async function processAt(pages: string): Promise<number | undefined> {
  const headers = { connection: 'close' }
  const reply = await fetch(`${pages}/estatisticas.json`, { headers }).catch(() => undefined)
  return reply && Object(await reply.json()).processo
}

export const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)/

export function findRow(nota: string) {
  const row = listRoteiro().find((linha) => linha.nota === nota)
  assert.ok(row)
  return row
}

/** How many queries have reached the simulator's authorities. */
export async function queriesAt(pages: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${pages}/estatisticas.json`)).json())
  return Object.values<number>(pedidos).reduce((sum, count) => sum + count, 0)
}
