import { criarAutoridades } from './autoridades/autoridades.ts'
import { criarCaptchas } from './captcha/captchas.ts'
import { type Gateway, startGateway } from './gateway/gateway.ts'
import { openIcp } from './icp/icp.ts'
import type { Cliente } from './paginas/cliente.ts'
import { criarPaginas } from './paginas/paginas.ts'

/** Where it keeps its files and serves, by which clock, and how much of the authorities' delays it takes for real (1: all). */
type Abertura = {
  pasta: string
  host: string
  porta: number
  ritmo: number
  agora: () => Date
  /** The service that asks, as far as it has said who it is. */
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
