import type { Autoridade } from '../../simulator/platform/autoridade.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import type { ClientCertificate, Dial, HostProfile } from '../../src/platform/wire/dial.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { sharedIcp } from './simulator.ts'

/**
 * The gateway in this process, with authorities made for a test, and a transport whose names all lead to it.
 */
export type StandIn = {
  http: Http
  gateway: Gateway
  icp: Icp
  certificate: (nome: string) => ReturnType<typeof readPfx>
  /** Another transport to the same gateway. */
  open: (hosts?: Record<string, HostProfile>, porta?: Porta) => Http
  /** A transport that presents a certificate in each request. */
  openWith: (certificate: ClientCertificate, hosts?: Record<string, HostProfile>) => Http
  close: () => Promise<void>
}

type Porta = NonNullable<Parameters<typeof openTransport>[1]>

/** Starts a gateway under the authority of the whole process, or under `own`. */
export async function startStandIn(autoridades: readonly Autoridade[], own?: Icp): Promise<StandIn> {
  const icp = own ?? (await sharedIcp())
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades,
    paginas: () => undefined,
  })
  const opened: Http[] = []
  const dial = (hosts: Record<string, HostProfile> = {}): Dial => {
    const address = { host: '127.0.0.1', port: gateway.porta }
    return { mode: 'simulator', ca: icp.ca, gateway: address, hosts }
  }
  const keep = (http: Http): Http => {
    opened.push(http)
    return http
  }
  const open: StandIn['open'] = (hosts, porta) => keep(openTransport(dial(hosts), porta))
  return {
    http: open(),
    gateway,
    icp,
    open,
    openWith: (certificate, hosts) => keep(openTransport(dial(hosts), { certificate })),
    certificate: async (nome) => {
      const made = await icp.certificado(nome)
      if (!made) throw new Error(`no certificate is called ${nome}`)
      return readPfx(made.pfx, made.item.senha)
    },
    close: async () => {
      await Promise.all(opened.map((http) => http.close()))
      await gateway.close()
    },
  }
}
