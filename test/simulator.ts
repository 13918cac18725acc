import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type SimulatorProcess, startSimulator } from '../src/context/simulator-process.ts'

let running: Promise<SimulatorProcess> | undefined
const pasta = mkdtempSync(join(tmpdir(), 'simulador-'))

/**
 * The address of the simulator that all tests share. It starts with the first request for it, and stops after
 * the last test.
 */
export async function sharedSimulator(): Promise<string> {
  running ??= startSimulator({
    pasta,
    onCrash: assertNever,
  })
  return (await running).endereco
}

function assertNever(message: string): never {
  throw new Error(message)
}

after(async () => {
  await (await running)?.stop()
  rmSync(pasta, { recursive: true, force: true })
})
