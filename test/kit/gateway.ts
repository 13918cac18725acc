import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createSefaz } from '../../simulator/sefaz/sefaz.ts'
import { sharedIcp } from './simulator.ts'

/** A gateway with every authority, for clients that are not ours. They may write in `folder`. */
export type Stage = { folder: string; icp: Icp; gateway: Gateway; close: () => Promise<void> }

/**
 * Starts the gateway in a new folder. It follows the real clock, as these clients do; all authorizers work.
 */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'contrato-'))
  const icp = await sharedIcp()
  const { assinante, cadeia } = icp
  const agora = () => new Date()
  const sefaz = createSefaz({ agora })
  sefaz.impose({ padrao: { caso: 'normal', ms: 0 } })
  const autoridades = createAutoridades({ agora, assinante, cadeia, sefaz })
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades,
    paginas: () => undefined,
  })
  const close = async () => {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, icp, gateway, close }
}
