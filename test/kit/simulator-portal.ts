import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { solveChallenge } from 'altcha-lib/v1'
import { load } from 'cheerio'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import type { Portal } from '../../simulator/portal/portal.ts'
import { type Authorities, openAuthorities, type Reply } from './authority.ts'
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
export async function openPortais(
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

/** The hidden inputs of a page, as its form would send them back. */
export function hiddenOf(page: string): Record<string, string> {
  const $ = load(page)
  return Object.fromEntries(
    [...$('input[type=hidden]')].map((input) => [$(input).attr('name') ?? '', $(input).attr('value') ?? '']),
  )
}

/** The site key of a page's widget. */
export const siteKeyOf = (page: string): string => load(page)('[data-sitekey]').attr('data-sitekey') ?? ''

export type Fields = Readonly<Record<string, string>>

/** A request that asks a portal about a document, not sent yet. */
export type Question = {
  host: string
  path: string
  fields: Fields
  /** The place of the fields: a form (the default), the address of a GET or of a POST, or a JSON object. */
  as?: 'form' | 'get' | 'query' | 'json'
  sent?: Sent
}

/** A page on the screen, and what a person can do with it. */
export type Screen = {
  text: string
  /** The fields that its first form would send if nobody filled it in. No button is pressed. */
  fields: Fields
  /** The form's request, with these fields filled in or pressed. */
  ask: (filled: Fields, sent?: Sent) => Question
  /** The text of a picture. Without a selector, of the first picture of the page. */
  picture: (selector?: string, kind?: 'imagem' | 'palavras') => Promise<string>
  /** A token for the site key of the page's widget, or for the one given. */
  token: (kind: string, given?: { key?: string; widget?: Record<string, unknown> }) => Promise<string>
}

/** One visitor of one portal. */
export type Visit = {
  visitor: Visitor
  open: (host: string, path: string, sent?: Sent) => Promise<Screen>
  /** The screen of a page that came otherwise than by opening an address. */
  see: (host: string, path: string, text: string, sent?: Sent) => Screen
  /** Solves a challenge of ALTCHA. */
  proof: (host: string, path: string) => Promise<string>
  /** The last answer to a captcha. */
  answered: () => string
}

/**
 * A visitor who reads pages as a browser does.
 *
 * @param answer what to say to every captcha, instead of its solution
 */
export function startVisit(portals: Portals, visitor = portals.visitor(), answer?: string): Visit {
  let last = ''
  const give = async (solve: () => Promise<string>): Promise<string> => {
    last = answer ?? (await solve())
    return last
  }
  const see: Visit['see'] = (host, path, text, sent = {}) => {
    const $ = load(text)
    const here = new URL(path, `https://${host}`)
    const fields = fieldsOf(text)
    const to = new URL($('form').first().attr('action') ?? '', here)
    return {
      text,
      fields,
      ask: (filled, more = {}) => ({
        host: to.hostname,
        path: to.pathname + to.search,
        fields: { ...fields, ...filled },
        sent: { ...sent, ...more },
      }),
      picture: (selector = 'img', kind = 'imagem') =>
        give(async () => {
          const src = new URL($(selector).attr('src') ?? '', here)
          const { body } = await visitor.get(src.hostname, src.pathname + src.search)
          return portals.readImage(body, kind)
        }),
      token: (kind, { key = $('[data-sitekey]').attr('data-sitekey') ?? '', widget } = {}) =>
        give(() => portals.token(kind, key, here.href, widget)),
    }
  }
  return {
    visitor,
    see,
    open: async (host, path, sent = {}) => see(host, path, (await visitor.get(host, path, sent)).text, sent),
    proof: (host, path) =>
      give(async () => {
        const { challenge, salt, algorithm, maxnumber, signature } = JSON.parse(
          (await visitor.get(host, path)).text,
        )
        const number = (await solveChallenge(challenge, salt, algorithm, maxnumber).promise)?.number
        return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString(
          'base64',
        )
      }),
    answered: () => last,
  }
}

/** The fields of the first form as they were drawn: hidden ones, texts, lists and radio buttons. */
function fieldsOf(text: string): Record<string, string> {
  const $ = load(text)
  const all: Record<string, string> = {}
  for (const input of $('form').first().find('input[name]')) {
    const [name = '', type = 'text'] = [$(input).attr('name'), $(input).attr('type')]
    const chosen = $(input).attr('checked') !== undefined
    if (['hidden', 'text'].includes(type) || chosen) all[name] = $(input).attr('value') ?? ''
  }
  for (const select of $('form').first().find('select[name]'))
    all[$(select).attr('name') ?? ''] =
      $(select).find('option[selected]').attr('value') ?? $(select).find('option').attr('value') ?? ''
  return all
}

/** Sends a question. Gives the reply in one text: the status, the target of a redirect, and the page. */
export async function send(visitor: Visitor, { host, path, fields, as = 'form', sent = {} }: Question) {
  const query = new URLSearchParams(fields).toString()
  const address = query === '' ? path : `${path}?${query}`
  if (as === 'json') return written(await visitor.postJson(host, path, fields))
  if (as === 'get') return written(await visitor.get(host, address, sent))
  if (as === 'query') return written(await visitor.post(host, address, {}, sent))
  return written(await visitor.post(host, path, fields, sent))
}

export function written({ status, headers, text }: PortalReply): string {
  return `${status} ${headers.location ?? ''}\n${text}`
}

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

export async function openSubscriber(now: () => Date): Promise<Subscriber> {
  const authorities = await openAuthorities(now)
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
export type FederalVisitor = {
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

export function visitPortal({ authorities, json }: Subscriber): FederalVisitor {
  let cookie = ''
  const call: FederalVisitor['call'] = async (method, path, body, token) => {
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
