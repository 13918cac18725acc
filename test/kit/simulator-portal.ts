import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import type { Portal } from '../../simulator/portal/portal.ts'
import { sharedIcp } from './simulator.ts'

export type PortalReply = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The text in the charset of the header, else in the given one. windows-1252 reads ISO-8859-1. */
  text: string
}

export type Sent = { charset?: 'utf-8' | 'iso-8859-1'; headers?: Record<string, string> }

/** The part of a browser that keeps cookies, by host. It follows no redirect. */
export type Visitor = {
  get: (host: string, path: string, sent?: Sent) => Promise<PortalReply>
  /** Posts a form's fields, percent-encoded in `charset` (by default UTF-8). */
  post: (host: string, path: string, fields: Record<string, string>, sent?: Sent) => Promise<PortalReply>
  postJson: (host: string, path: string, value: unknown) => Promise<PortalReply>
}

export type Portals = {
  visitor: () => Visitor
  /** Asks the solver. The task has the address of an image as `imagem`, or a site key and its page. */
  solve: (task: Record<string, unknown>, token?: string) => Promise<{ status: number; json: unknown }>
  /** The solver's answer to an image. */
  readImage: (image: Buffer, tipo?: 'imagem' | 'palavras') => Promise<string>
  /** A token for a site key on a page. */
  token: (tipo: string, siteKey: string, page: string, widget?: Record<string, unknown>) => Promise<string>
  address: string
  close: () => Promise<void>
}

/** Starts these portals alone behind a gateway, with a solver. Late answers come at once. */
export async function startPortais(
  portais: readonly Portal[],
  now: () => Date = () => new Date(),
): Promise<Portals> {
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: portais.map((portal) => portal.open({ agora: now, ritmo: 0, captchas })),
    paginas: () => undefined,
    resolvedor: captchas.resolvedor,
    ritmo: 0,
  })
  // Visitors share connections, so only cookies and addresses tell them apart.
  const agent = new Agent({ keepAlive: true, ca: icp.ca })
  const solve: Portals['solve'] = async (task, token = captchas.resolvedor.token) => {
    const reply = await fetch(`${gateway.endereco}/captcha/resolver`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ id: '1', prazo_ms: 1000, ...task }),
    })
    return { status: reply.status, json: await reply.json() }
  }
  const answer = async (task: Record<string, unknown>): Promise<string> => {
    const { json } = await solve(task)
    if (typeof json === 'object' && json !== null && 'resposta' in json) return String(json.resposta)
    throw new Error(`unsolved: ${JSON.stringify(json)}`)
  }
  return {
    address: gateway.endereco,
    visitor: () => visit(agent, gateway.porta),
    solve,
    readImage: (image, tipo = 'imagem') => answer({ tipo, imagem_base64: image.toString('base64') }),
    token: (tipo, site_key, pagina, widget) => answer({ tipo, site_key, pagina, ...widget }),
    close: async () => {
      agent.destroy()
      await gateway.close()
    },
  }
}

/** A browser at a gateway on the loopback. */
export function visit(agent: Agent, port: number): Visitor {
  const jars = new Map<string, Map<string, string>>()
  const send = async (
    host: string,
    path: string,
    method: string,
    { headers = {}, charset = 'utf-8' }: Sent,
    body: string,
  ) => {
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { ...headers, host, ...(cookie ? { cookie } : {}) }
    const options = { agent, host: '127.0.0.1', servername: host, port, path, method, headers: all }
    return new Promise<PortalReply>((resolve, reject) => {
      const sent = request(options, async (response) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          for (const line of response.headers['set-cookie'] ?? []) {
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
            jar.set(name, value)
          }
          const whole = Buffer.concat(chunks)
          const declared = /charset=([\w-]+)/.exec(response.headers['content-type'] ?? '')?.[1] ?? charset
          const text = new TextDecoder(declared).decode(whole)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, text })
        } catch (error) {
          reject(error)
        }
      })
      sent.on('error', reject).end(body)
    })
  }
  return {
    get: (host, path, sent = {}) => send(host, path, 'GET', sent, ''),
    post: (host, path, fields, sent = {}) => {
      const pairs = Object.entries(fields).map(
        ([name, value]) => `${encode(name, sent.charset)}=${encode(value, sent.charset)}`,
      )
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers }
      return send(host, path, 'POST', { ...sent, headers }, pairs.join('&'))
    },
    postJson: (host, path, value) =>
      send(host, path, 'POST', { headers: { 'content-type': 'application/json' } }, JSON.stringify(value)),
  }
}

function encode(text: string, charset: Sent['charset'] = 'utf-8'): string {
  const octets = Buffer.from(text, charset === 'utf-8' ? 'utf8' : 'latin1')
  return [...octets].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
}
