import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import type { Icp } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import type { Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { createPaginas } from '../../simulator/site/site.ts'
import { sharedIcp } from './simulator.ts'

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string }

export type Question = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The name of the A1 file to present; null for no file. */
  certificate?: string | null
}

export type Authorities = {
  /** Asks a host by its real name, over TLS, through the gateway. Rejects when the connection fails. */
  ask: (host: string, question: Question) => Promise<Reply>
  address: string
  icp: Icp
  close: () => Promise<void>
}

/** Starts the simulator in this process, with a fixed clock. Late answers come at once. */
export async function startAuthorities(now: () => Date, given: { sefaz?: Sefaz } = {}): Promise<Authorities> {
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const { assinante, cadeia } = icp
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: createAutoridades({ agora: now, ritmo: 0, captchas, assinante, cadeia, ...given }),
    paginas: createPaginas(now),
    resolvedor: captchas.resolvedor,
  })
  const agents = new Map<string, Agent>()
  const agentFor = async (host: string, certificate: string | null): Promise<Agent> => {
    const name = `${host} ${certificate}`
    const known = agents.get(name)
    if (known) return known
    const a1 = certificate ? await icp.certificado(certificate) : undefined
    const identity = a1 ? { pfx: a1.pfx, passphrase: a1.item.senha } : {}
    const agent = new Agent({ keepAlive: true, ca: icp.ca, servername: host, ...identity })
    agents.set(name, agent)
    return agent
  }
  return {
    address: gateway.endereco,
    icp,
    ask: async (host, { path, method = 'POST', headers = {}, body = '', certificate = 'empresa' }) => {
      const agent = await agentFor(host, certificate)
      return new Promise((resolve, reject) => {
        const options = { agent, host: '127.0.0.1', port: gateway.porta, path, method }
        const sent = request({ ...options, headers: { ...headers, host } }, async (response) => {
          try {
            const chunks: Buffer[] = []
            for await (const chunk of response) chunks.push(chunk)
            const all = Buffer.concat(chunks)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: all,
              text: all.toString(),
            })
          } catch (error) {
            reject(error)
          }
        })
        sent.on('error', reject).end(body)
      })
    },
    close: async () => {
      for (const agent of agents.values()) agent.destroy()
      await gateway.close()
    },
  }
}
