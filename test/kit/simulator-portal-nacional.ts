import { Agent } from 'node:https'
import { createLivroDeEventos } from '../../simulator/nfe/nota.ts'
import { createPortalNacional } from '../../simulator/nfe/portal.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { sharedIcp } from './simulator.ts'
import { type PortalReply, type Visitor, visit } from './simulator-portal.ts'

export const PRODUCTION = 'www.nfe.fazenda.gov.br'
export const CONSULTATION = '/portal/consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=7PhJ+gAVw2g='
const FIELD = 'ctl00$ContentPlaceHolder1$'

/** A page of the portal, and its address. */
export type Page = PortalReply & { path: string }

/** The national portal alone behind a gateway. */
export async function startNationalPortal(now: () => Date) {
  const icp = await sharedIcp()
  const captchas = createCaptchas(now)
  const livro = createLivroDeEventos()
  const writeNfeProc = createEscrivao(createAssinantes())
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: [createPortalNacional({ agora: now, ritmo: 0, captchas, livro, writeNfeProc })],
    paginas: () => undefined,
  })
  const agents: Agent[] = []
  return {
    livro,
    renegotiated: () => gateway.estatisticas().handshakes.renegociados,
    /** A visitor with this A1 file, or without a certificate. */
    visitor: async (certificate?: string): Promise<Visitor> => {
      const a1 = certificate ? await icp.certificado(certificate) : undefined
      const identity = a1 ? { pfx: a1.pfx, passphrase: a1.item.senha } : {}
      const agent = new Agent({ keepAlive: true, ca: icp.ca, ...identity })
      agents.push(agent)
      return visit(agent, gateway.porta)
    },
    /** A token for the widget of a page. */
    solve: (page: Page, host = PRODUCTION): string => {
      const task = { tipo: 'hcaptcha', site_key: siteKey(page), pagina: `https://${host}${page.path}` }
      const { token, resolver } = captchas.resolvedor
      const { json } = resolver(`Bearer ${token}`, Buffer.from(JSON.stringify(task)))
      return 'resposta' in json ? json.resposta : ''
    },
    close: async () => {
      for (const agent of agents) agent.destroy()
      await gateway.close()
    },
  }
}

/** Gets a page. Follows at most five redirects. */
export async function follow(who: Visitor, path: string, host = PRODUCTION): Promise<Page> {
  let at = path
  for (let hops = 0; hops < 6; hops++) {
    const reply = await who.get(host, at)
    const { location } = reply.headers
    if (reply.status !== 302 || location === undefined) return { ...reply, path: at }
    at = location
  }
  throw new Error(`no end of redirects: ${at}`)
}

/** Posts the form of a page back by that button, and follows the redirects. */
export async function press(
  who: Visitor,
  page: Page,
  button: string,
  fields: Record<string, string> = {},
  host = PRODUCTION,
): Promise<Page> {
  const reply = await post(who, page, button, fields, host)
  const { location } = reply.headers
  return location === undefined ? { ...reply, path: page.path } : follow(who, location, host)
}

/** Posts the form of a page back by that button. */
export function post(
  who: Visitor,
  page: Page,
  button: string,
  fields: Record<string, string> = {},
  host = PRODUCTION,
): Promise<PortalReply> {
  const named = Object.entries(fields).map(([name, value]) => [fieldName(name), value])
  return who.post(host, page.path, {
    ...hiddenOf(page),
    ...Object.fromEntries(named),
    [FIELD + button]: buttonValue(page, button),
  })
}

/** The text of the error list of a page. */
export const errorOf = ({ text }: Page): string | undefined =>
  /bltMensagensErroHCaptcha"><li>([^<]*)</.exec(text)?.[1]

const fieldName = (name: string): string => (name.startsWith('h-captcha') ? name : FIELD + name)

function siteKey({ text }: Page): string {
  return /class="h-captcha" data-sitekey="([^"]*)"/.exec(text)?.[1] ?? ''
}

function hiddenOf({ text }: Page): Record<string, string> {
  const found = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries(Array.from(found, ([, name = '', value = '']) => [name, value]))
}

function buttonValue({ text }: Page, button: string): string {
  const name = FIELD.replaceAll('$', '\\$') + button
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}
