import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { type SimulatorProcess, startSimulator } from '../../src/platform/simulator.ts'

let running: Promise<SimulatorProcess> | undefined
let icp: Promise<Icp> | undefined
const pasta = mkdtempSync(join(tmpdir(), 'simulador-'))
/** Where the shared certificate authority keeps its chain. */
export const pastaDaIcp = mkdtempSync(join(tmpdir(), 'icp-'))

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

/**
 * The certificate authority of all simulators that tests start in their own process: its keys take longer to
 * make than the rest of a simulator. TLS goes by the real clock.
 */
export function sharedIcp(): Promise<Icp> {
  icp ??= openIcp(pastaDaIcp, () => new Date(), CATALOGO_NFE)
  return icp
}

function assertNever(message: string): never {
  throw new Error(message)
}

after(async () => {
  await (await running)?.stop()
  for (const folder of [pasta, pastaDaIcp]) rmSync(folder, { recursive: true, force: true })
})
