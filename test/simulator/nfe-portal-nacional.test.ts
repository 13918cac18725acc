import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { after, before, test } from 'node:test'
import { SignedXml } from 'xml-crypto'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, createLivroDeEventos } from '../../simulator/nfe/nota.ts'
import { createPortalNacional } from '../../simulator/nfe/portal.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { createCaptchas } from '../../simulator/portal/captcha.ts'
import { sharedIcp } from '../kit/simulator.ts'
import { type PortalReply, type Visitor, visit } from '../kit/simulator-portal.ts'

const PRODUCTION = 'www.nfe.fazenda.gov.br'
const CONSULTATION = '/portal/consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=7PhJ+gAVw2g='
const FIELD = 'ctl00$ContentPlaceHolder1$'

/** A page of the portal, and its address. */
type Page = PortalReply & { path: string }

/** The national portal alone behind a gateway. */
async function startNationalPortal(now: () => Date) {
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
async function follow(who: Visitor, path: string, host = PRODUCTION): Promise<Page> {
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
async function press(
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
function post(
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
const errorOf = ({ text }: Page): string | undefined =>
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

const NOW = new Date('2026-11-21T15:00:00Z')
const NOT_ALLOWED = /O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento\./
const DOWNLOAD =
  /^\/portal\/downloadNFe\.aspx\?tipoConsulta=resumo&a=([\w+/]{64})&tipoConteudo=7PhJ%20gAVw2g=&lp=([\w=]+)$/

let portal: Awaited<ReturnType<typeof startNationalPortal>>
before(async () => {
  portal = await startNationalPortal(() => NOW)
})
after(() => portal.close())

/** The key of the scenario's note, which is as old as its list says. */
function keyOf(scenario: string): string {
  const cenario = comCenario(scenario)
  return chaveDo(cenario, new Date(NOW.getTime() - cenario.idadeDias * 86_400_000))
}

async function consult(who: Visitor, key: string, host = PRODUCTION): Promise<Page> {
  const page = await follow(who, CONSULTATION, host)
  const token = portal.solve(page, host)
  return press(
    who,
    page,
    'btnConsultarHCaptcha',
    { txtChaveAcessoResumo: key, 'h-captcha-response': token },
    host,
  )
}

async function download(scenario: string, certificate = `nfe-${scenario}`): Promise<Page> {
  const who = await portal.visitor(certificate)
  return press(who, await consult(who, keyOf(scenario)), 'btnDownload')
}

test('a participant gets the file, signed still, and the certificate is asked for it alone', async () => {
  const who = await portal.visitor('nfe-dois-meses')
  const before = portal.renegotiated()
  const key = keyOf('dois-meses')
  const summary = await consult(who, key)
  assert.match(summary.path, /^\/portal\/consultaResumo\.aspx\?tipoConteudo=7PhJ\+gAVw2g=$/)
  assert.match(
    summary.text,
    new RegExp(`class="XSLTNFeResumida".*${key}.*Situação da NF-e</label><p>Autorizada`, 's'),
  )
  assert.match(summary.text, /value="Download do documento" [^>]*onclick="return confirm\(/)
  assert.equal(portal.renegotiated(), before)
  const { status, headers, text, path } = await press(who, summary, 'btnDownload')
  assert.equal(portal.renegotiated(), before + 1)
  const [, a = '', lp = ''] = DOWNLOAD.exec(path) ?? []
  assert.equal(Buffer.from(lp, 'base64').toString(), a)
  assert.deepEqual(
    [status, headers['content-type'], headers['content-disposition']],
    [200, 'application/xml', `attachment; filename="${key}.xml"`],
  )
  assert.match(
    text,
    new RegExp(`^<nfeProc .*<infNFe Id="NFe${key}" versao="4.00">.*<protNFe versao="4.00">`, 's'),
  )
  assert.ok(isSigned(text))
  assert.ok(!isSigned(text.replace('<natOp>', '<natOp>X')))
})

/** Whether the note of a file has a signature by its own certificate over its content. */
function isSigned(xml: string): boolean {
  const [note = ''] = /<NFe.*<\/NFe>/s.exec(xml) ?? []
  const [signature = ''] = /<Signature .*<\/Signature>/s.exec(note) ?? []
  const check = new SignedXml({ getCertFromKeyInfo: SignedXml.getCertFromKeyInfo })
  check.loadSignature(signature)
  return check.checkSignature(note)
}

test('the certificate of a note is the issuer, the recipient, its branches, the carrier or in autXML', async () => {
  for (const scenario of [
    'emitente',
    'dois-meses',
    'filial',
    'transportador',
    'autorizado',
    'pessoa',
    'ec',
    'letras',
  ])
    assert.match((await download(scenario)).text, /^<nfeProc /, scenario)
})

test('whoever is not on the note is told so, in a page', async () => {
  for (const [scenario, certificate] of [
    ['estranho', 'nfe-estranho'],
    ['dois-meses', 'outra-empresa'],
    ['dois-meses', 'pessoa'],
    ['dois-meses-portal-nega', 'nfe-dois-meses'],
  ] as const) {
    const { status, text, headers } = await download(scenario, certificate)
    assert.equal(status, 200)
    assert.match(text, NOT_ALLOWED)
    assert.equal(headers['content-disposition'], undefined)
  }
})

test('without a certificate that is accepted the download is a 403.7 page', async () => {
  for (const certificate of [undefined, 'outra-cadeia', 'vencido']) {
    const who = await portal.visitor(certificate)
    const summary = await consult(who, keyOf('dois-meses'))
    assert.equal(summary.status, 200)
    const { status, text } = await press(who, summary, 'btnDownload')
    assert.equal(status, 403)
    assert.match(text, /403\.7 - Forbidden: SSL client certificate is required/)
  }
})

test('who keeps no cookies is sent round for ever', async () => {
  let at = CONSULTATION
  for (let hop = 0; hop < 4; hop++) {
    const forgetful = await portal.visitor()
    const { status, headers } = await forgetful.get(PRODUCTION, at)
    assert.equal(status, 302)
    assert.match(String(headers['set-cookie']), /^AspxAutoDetectCookieSupport=1/)
    at = headers.location ?? ''
    assert.match(at, /^\/portal\/consultaRecaptcha\.aspx\?.*AspxAutoDetectCookieSupport=1/)
  }
})

test('a form is taken once, as it was drawn last, from its own visitor', async () => {
  const who = await portal.visitor()
  const page = await follow(who, CONSULTATION)
  const fields = (): Record<string, string> => ({
    txtChaveAcessoResumo: keyOf('dois-meses'),
    'h-captcha-response': portal.solve(page),
  })
  const stranger = await portal.visitor()
  await follow(stranger, CONSULTATION)
  assert.equal((await post(stranger, page, 'btnConsultarHCaptcha', fields())).status, 500)
  assert.equal((await post(who, page, 'btnConsultarHCaptcha', fields())).status, 302)
  const again = await post(who, page, 'btnConsultarHCaptcha', fields())
  assert.equal(again.status, 500)
  assert.match(again.text, /The state information is invalid for this page/)
})

test('a captcha token is good once and for its own host, and a wrong one is told in the list of errors', async () => {
  const who = await portal.visitor()
  const txtChaveAcessoResumo = keyOf('dois-meses')
  const first = await follow(who, CONSULTATION)
  const used = portal.solve(first)
  const attempt = async (token: string): Promise<Page> =>
    press(who, await follow(who, CONSULTATION), 'btnConsultarHCaptcha', {
      txtChaveAcessoResumo,
      'h-captcha-response': token,
    })
  assert.match((await attempt(used)).path, /consultaResumo/)
  for (const token of [used, '', portal.solve(first, 'hom.nfe.fazenda.gov.br')])
    assert.equal(errorOf(await attempt(token)), 'Falha na validação do Captcha')
  assert.equal(portal.solve(first, 'www1.nfe.fazenda.gov.br'), '')
})

test('a key that is none is refused, and one of no note, or of a note that it has not, is unknown', async () => {
  const who = await portal.visitor()
  const good = keyOf('dois-meses')
  for (const key of ['', '123', `${good.slice(0, 43)}${(Number(good[43]) + 1) % 10}`])
    assert.equal(errorOf(await consult(who, key)), 'Chave de Acesso inválida')
  for (const key of [
    keyOf('inexistente'),
    keyOf('nao-localizada'),
    '35260811222333000181550010000000011123456787',
  ])
    assert.match((await consult(who, key)).text, /NF-e INEXISTENTE na base nacional/)
})

test("another visitor's address of a download is worth nothing, nor one that was changed", async () => {
  const [mine, other] = [await portal.visitor('nfe-dois-meses'), await portal.visitor('nfe-dois-meses')]
  const { path } = await press(mine, await consult(mine, keyOf('dois-meses')), 'btnDownload')
  await consult(other, keyOf('dois-meses'))
  for (const [who, address] of [
    [other, path],
    [mine, path.replace('&a=', '&a=A')],
    [mine, path.replace(/&lp=.*/, '')],
  ] as const)
    assert.equal((await follow(who, address)).path, '/portal/erro.aspx')
  const escaped = path.replace(/&a=([^&]*)/, (_, a: string) => `&a=${encodeURIComponent(a)}`)
  for (const address of [path, escaped]) assert.match((await follow(mine, address)).text, /^<nfeProc /)
  const fresh = await portal.visitor()
  assert.match((await follow(fresh, '/portal/consultaResumo.aspx')).path, /consultaRecaptcha/)
})

test('a note that must be manifested is released after an event, but for Desconhecimento', async () => {
  const key = keyOf('dois-meses-portal-nega')
  const ask = async (): Promise<string> => (await download('dois-meses-portal-nega')).text
  const register = (tpEvento: string): void => portal.livro.register(key, { tpEvento, nSeqEvento: 1 })
  assert.match(await ask(), NOT_ALLOWED)
  register('210220')
  assert.match(await ask(), NOT_ALLOWED)
  register('210200')
  assert.match(await ask(), /^<nfeProc /)
})

test('a scenario takes the portal out, refuses every captcha, changes its pages, or spoils the file', async () => {
  const who = await portal.visitor()
  const gone = await consult(who, keyOf('dois-meses-portal-fora'))
  assert.equal(gone.path, '/portal/erro.aspx')
  assert.equal(errorOf(await consult(who, keyOf('portal-captcha'))), 'Falha na validação do Captcha')
  assert.match((await consult(who, keyOf('portal-layout'))).text, /<app-root>/)
  assert.match((await download('emitente-portal-nega')).text, NOT_ALLOWED)
  await assert.rejects(download('portal-queda'), { code: 'ECONNRESET' })
  const other = (await download('portal-outra-chave')).text
  assert.match(other, /<infNFe Id="NFe\d{44}"/)
  assert.ok(!other.includes(keyOf('portal-outra-chave')))
  assert.doesNotMatch((await download('portal-sem-protocolo')).text, /protNFe/)
})

test('homologation is the same portal under its own name', async () => {
  const host = 'hom.nfe.fazenda.gov.br'
  const who = await portal.visitor('nfe-emitente')
  const summary = await consult(who, keyOf('emitente'), host)
  assert.match((await press(who, summary, 'btnDownload', {}, host)).text, /^<nfeProc /)
  assert.equal((await who.get(host, '/portal/nada.aspx')).status, 404)
})
