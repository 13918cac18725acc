import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { type Authorities, type Reply, startAuthorities } from './simulator-authority.ts'

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

/** The public portal of certificates. */
export const PORTAL = 'servicos.receitafederal.gov.br'
const API = '/servico/certidoes/api'

/** A visitor of the portal, with its cookie and its captchas solved. */
export type Visitor = {
  /** One call of the API: HTTP status, and the JSON that came. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it asserts
  call: (method: string, path: string, body?: unknown, token?: string) => Promise<{ http: number; json: any }>
  /** The site key that the portal shows now. */
  siteKey: () => Promise<string>
  /** A token for a site key. */
  solve: (siteKey: string) => Promise<string>
  /** The search for a company's certificates. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it asserts
  search: (cnpj: string) => Promise<any>
  /** The captcha of an issuance, and what the portal says before it. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it asserts
  verify: (cnpj: string) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it asserts
  issue: (cnpj: string) => Promise<any>
}

export function visitPortal({ authorities, json }: Subscriber): Visitor {
  let cookie = ''
  const call: Visitor['call'] = async (method, path, body, token) => {
    const headers = {
      'content-type': 'application/json',
      cookie,
      ...(token ? { 'x-captcha-token': token } : {}),
    }
    const sent = body === undefined ? '' : JSON.stringify(body)
    const reply = await authorities.ask(PORTAL, { path: API + path, method, headers, body: sent })
    const [set] = reply.headers['set-cookie'] ?? []
    if (set) cookie = set.split(';')[0] ?? ''
    const isJson = reply.headers['content-type']?.startsWith('application/json')
    return { http: reply.status, json: isJson ? JSON.parse(reply.text) : reply.text }
  }
  const siteKey = async () => (await call('GET', '/env')).json.captchaPublicKey
  const solve = async (key: string) => {
    const { captcha } = await json('/ambiente.json')
    const task = { tipo: 'hcaptcha', site_key: key, pagina: `https://${PORTAL}/servico/certidoes/` }
    const reply = await fetch(captcha.webhook, {
      method: 'POST',
      headers: { authorization: `Bearer ${captcha.token}` },
      body: JSON.stringify(task),
    })
    return JSON.parse(await reply.text()).resposta
  }
  const issuance = (ni: string) => ({ ni, tipoContribuinte: 'PJ', tipoContribuinteEnum: 'CNPJ' })
  return {
    call,
    siteKey,
    solve,
    search: async (ni) => {
      const person = { ni, tipoContribuinte: 'PJ' }
      const { json: valid } = await call(
        'POST',
        '/consulta/validar-contribuinte',
        person,
        await solve(await siteKey()),
      )
      const period = { periodoInicio: '2025-11-22', periodoFim: '2026-11-30' }
      const search = { ...person, tipoPesquisa: 'DATA_EMISSAO', ...period, idConsulta: valid.idConsulta }
      return (await call('POST', '/consulta', search)).json
    },
    verify: async (ni) =>
      (await call('POST', '/Emissao/verificar', issuance(ni), await solve(await siteKey()))).json,
    issue: async (ni) => (await call('POST', '/Emissao', issuance(ni))).json,
  }
}
