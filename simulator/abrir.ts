import { criarAutoridades } from './autoridades.ts'
import { type Gateway, startGateway } from './platform/gateway.ts'
import { openIcp } from './platform/icp/icp.ts'
import { criarCaptchas } from './portal/captcha.ts'
import type { Cliente } from './site/cliente.ts'
import { criarPaginas } from './site/paginas.ts'

/** Folder, address, clock, and the factor of the authorities' delays (1: as long as the real ones). */
type Abertura = {
  pasta: string
  host: string
  porta: number
  ritmo: number
  agora: () => Date
  /** The service that started the simulator, once it has told its address. */
  cliente?: () => Cliente | undefined
}

/** Opens the whole simulator: every authority, its certificates, its captchas and its pages, on one port. */
export async function abrirSimulador({
  pasta,
  host,
  porta,
  ritmo,
  agora,
  cliente,
}: Abertura): Promise<Gateway> {
  const icp = await openIcp(pasta, agora)
  const { assinante, cadeia } = icp
  const captchas = criarCaptchas(agora, icp.ca)
  return startGateway({
    porta,
    host,
    icp,
    autoridades: criarAutoridades({ agora, ritmo, captchas, assinante, cadeia }),
    paginas: criarPaginas(agora, cliente),
    resolvedor: captchas.resolvedor,
    ritmo,
  })
}
