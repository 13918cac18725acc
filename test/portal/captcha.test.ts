import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { estado as am } from '../../src/estados/am.ts'
import { estado as sp } from '../../src/estados/sp.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { type Desafio, openWebhook, TOKEN_MS } from '../../src/portal/captcha.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www10.fazenda.sp.gov.br', 'sistemas.sefaz.am.gov.br')
})
after(() => authority.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const KEY = '6Ld0oc4rAAAAAC_WFwEcD5Fx2sWOnwYg2wRIcYpc'

/** SP's form, with this widget and this script. */
const formulario = (widget: string, script = ''): string =>
  `<form><input type="hidden" name="__VIEWSTATE" value="v"><input type="radio" id="MainContent_cnpjradio" name="g" value="1">` +
  `<input id="MainContent_txtDocumento" name="d">${widget}<input type="submit" id="MainContent_btnPesquisar" name="b" value="E"></form>${script}`
const CAIXA = `<div class="g-recaptcha" data-sitekey="${KEY}"></div>`

/**
 * Asks SP on such a page. The solver notes the challenge, lets time pass and answers; the result is the
 * challenges and the outcome.
 */
async function ask(pagina: string, { passes = 0 } = {}) {
  const desafios: Desafio[] = []
  let now = Date.parse('2026-11-21T12:00:00Z')
  const captcha = {
    takes: () => true,
    solve: async (desafio: Desafio) => {
      desafios.push(desafio)
      now += passes
      return `resposta-${desafios.length}`
    },
  }
  const visita: Given[] = [pagina, '<p class="bg-danger">Constam débitos em nome do requerente.</p>']
  // If a token is not sent, the next line goes to the next visit.
  authority.answers(...(passes > TOKEN_MS ? [pagina, pagina, pagina] : visita))
  const meios = { ...authority.meios, captcha, now: () => new Date(now) }
  const found = await sp.cnd[0].ask(cnpj, meios).catch((error) => error)
  return { desafios, found, sent: authority.seen.filter(({ pedido }) => pedido.startsWith('POST')) }
}

test('a challenge tells what the page says of its widget: visible, invisible, bound to a button, enterprise, action', async () => {
  const url = new URL(sp.cnd[0].url)
  const comum = {
    uf: 'SP',
    source: sp.cnd[0].source,
    tipo: 'recaptcha-v2',
    siteKey: KEY,
    pagina: `${url.origin}${url.pathname}`,
    host: url.host,
    pontuacaoMinima: undefined,
  }
  const [caixa] = (await ask(formulario(CAIXA))).desafios
  assert.deepEqual(caixa, { ...comum, invisivel: false, enterprise: false, acao: '' })
  for (const [widget, script, says] of [
    [CAIXA.replace('data-', 'data-size="invisible" data-'), '', { invisivel: true }],
    [CAIXA.replace('div', 'button').replace('div', 'button'), '', { invisivel: true }],
    [CAIXA, "<script>grecaptcha.render('x', { 'size': 'invisible' })</script>", { invisivel: true }],
    [CAIXA.replace('data-', 'data-size="normal" data-'), '<script>f({ size: "invisible" })</script>', {}],
    [CAIXA, '<script src="https://www.google.com/recaptcha/enterprise.js"></script>', { enterprise: true }],
    [CAIXA.replace('data-', 'data-action="emitir" data-'), '', { acao: 'emitir' }],
    [
      CAIXA,
      `<script>grecaptcha.execute('${KEY}', { action: 'cnd/emitir' })</script>`,
      { acao: 'cnd/emitir' },
    ],
    [CAIXA, "<script>menu({ action: 'abrir' })</script>", {}],
  ] as const) {
    const [desafio] = (await ask(formulario(widget, script))).desafios
    assert.deepEqual(
      desafio,
      { ...comum, invisivel: false, enterprise: false, acao: '', ...says },
      widget + script,
    )
  }
})

test("AM's widget is invisible and in a frame: its page is the frame's, and its file says what the page does not", async () => {
  const desafios: Desafio[] = []
  const captcha = {
    takes: () => true,
    solve: async (desafio: Desafio) => {
      desafios.push(desafio)
      return 'x'
    },
  }
  const frame = '/GAE/html/recaptcha-script.html'
  authority.answers(
    `<form><input name="nrDocumento"></form><iframe src="${frame}"></iframe>`,
    `<script>desenha("${KEY}")</script>`,
    '<p>Constam débitos em nome do contribuinte.</p>',
  )
  await am.cnd[0].ask(cnpj, { ...authority.meios, captcha }).catch(() => undefined)
  assert.deepEqual(
    desafios.map((desafio) => 'siteKey' in desafio && [desafio.pagina, desafio.siteKey, desafio.invisivel]),
    [[`https://sistemas.sefaz.am.gov.br${frame}`, KEY, true]],
  )
})

test('a token is sent while it is fresh; one too old is not sent, and another is asked for', async () => {
  const fresh = await ask(formulario(CAIXA), { passes: 110_000 })
  assert.deepEqual(
    [fresh.found.status, fresh.sent[0]?.campos['g-recaptcha-response']],
    ['positiva', 'resposta-1'],
  )
  const stale = await ask(formulario(CAIXA), { passes: 116_000 })
  assert.deepEqual([stale.found.name, stale.found.codigo], ['RotaNaoAtende', 'captcha-vencido'])
  assert.deepEqual([stale.desafios.length, stale.sent.length], [3, 0])
})

test('the webhook hears all of it, and how old a token may be', async () => {
  const heard: object[] = []
  const server = createServer(async (request, reply) => {
    heard.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{"resposta":"t"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  assert.ok(typeof address === 'object' && address)
  const http = openTransport({ mode: 'live', ca: [], hosts: {} })
  const url = `http://127.0.0.1:${address.port}/`
  const solver = openWebhook(http, { url, token: '', ufs: new Set(['AM']) })
  const widget = { invisivel: true, enterprise: false, acao: 'emitir', pontuacaoMinima: 0.7 }
  const source = { id: 'AM/cnd', nome: 'A SEFAZ-AM' }
  const pagina = { siteKey: KEY, pagina: 'https://x.am.gov.br/y', host: 'x.am.gov.br' }
  await solver.solve({ uf: 'AM', source, tipo: 'recaptcha-v2', ...pagina, ...widget }, 500_000)
  server.close()
  await http.close()
  const { id, ...said } = Object(heard[0])
  assert.equal(typeof id, 'string')
  assert.deepEqual(said, {
    uf: 'AM',
    fonte: 'AM/cnd',
    tipo: 'recaptcha-v2',
    site_key: KEY,
    pagina: 'https://x.am.gov.br/y',
    host: 'x.am.gov.br',
    invisivel: true,
    enterprise: false,
    acao: 'emitir',
    pontuacao_minima: 0.7,
    validade_ms: 115_000,
    prazo_ms: 110_000,
  })
})
