import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'

export const MAIN = join(import.meta.dirname, '../../simulator/main.ts')

let folder: string

/** The folder that the simulators of a file share. */
export const pasta = (): string => folder

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulador-'))
})
after(() => rm(folder, { recursive: true }))

/**
 * Starts a simulator in a process of its own. Gives the process once it is ready, with its output until then;
 * it stops when the test ends.
 */
export async function start(
  t: TestContext,
  ...options: string[]
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [MAIN, '--pasta', folder, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, line: String(line) }
}

export function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

export async function outraPasta(t: TestContext): Promise<string> {
  const pasta = await mkdtemp(join(tmpdir(), 'simulador-porta-'))
  t.after(() => rm(pasta, { recursive: true }))
  return pasta
}
