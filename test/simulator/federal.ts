import { comportamentos } from '../../simulator/comportamento.ts'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { type Authorities, type Reply, startAuthorities } from './authority.ts'

const FORM = 'application/x-www-form-urlencoded'

/** SERPRO's gateway. */
export const GATEWAY = 'gateway.apiserpro.serpro.gov.br'

/** The simulator in this process, asked as a subscriber asks the gateway. */
export type Subscriber = {
  authorities: Authorities
  /** A page of the simulator's own, which is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it asserts
  json: (path: string) => Promise<any>
  token: (headers: Record<string, string>, body?: string) => Promise<Reply>
  /** `Basic` of the subscriber. */
  basic: Record<string, string>
  get: (path: string, headers?: Record<string, string>) => Promise<Reply>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Reply>
}

export async function startSubscriber(now: () => Date): Promise<Subscriber> {
  const authorities = await startAuthorities(now)
  const json = async (path: string) => JSON.parse(await (await fetch(`${authorities.address}${path}`)).text())
  const { federal } = await json('/ambiente.json')
  const pair = Buffer.from(`${federal.chave}:${federal.segredo}`).toString('base64')
  const basic = { authorization: `Basic ${pair}` }
  const token = (headers: Record<string, string>, body = 'grant_type=client_credentials') =>
    authorities.ask(GATEWAY, { path: '/token', headers: { 'content-type': FORM, ...headers }, body })
  const bearer = async () => ({
    authorization: `Bearer ${JSON.parse((await token(basic)).text).access_token}`,
  })
  return {
    authorities,
    json,
    token,
    basic,
    get: async (path, headers) =>
      authorities.ask(GATEWAY, { path, method: 'GET', headers: { ...(await bearer()), ...headers } }),
    post: async (path, body, headers) =>
      authorities.ask(GATEWAY, {
        path,
        headers: { ...(await bearer()), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** The document that stands for a misbehaviour or for a company out of the ordinary. */
export function reserved(name: string): string {
  const found = [...cenariosFederais, ...comportamentos].find(({ nome }) => nome === name)
  if (!found) throw new Error(`No document is reserved for ${name}.`)
  return found.documento
}
