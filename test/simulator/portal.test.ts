import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { entrada, formulario, ocultos, tabelaDePares } from '../../simulator/portal/html.ts'
import type { PedidoPortal } from '../../simulator/portal/pedido.ts'
import { createSessoes } from '../../simulator/portal/pedido.ts'
import { portal } from '../../simulator/portal/portal.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

/**
 * A classic form, with a token at each step and a certificate behind the session. It is in ISO-8859-1 and
 * does not say so.
 */
const FORM = 'cadastro.exemplo.gov.br'
/** A JSON interface with the session in the path. It is closed at times. */
const API = 'certidao.exemplo.gov.br'

type Kept = { times: number }

const form = portal<Kept>({
  uf: 'BA',
  servico: 'ie',
  nome: 'cadastro',
  hosts: [FORM],
  serves: (caminho) => caminho.startsWith('/cadastro/'),
  charset: 'iso-8859-1',
  declaresCharset: false,
  motor: 'asp',
  sessao: { em: 'cookie', nome: 'ASPSESSIONIDABC' },
  novaSessao: () => ({ times: 0 }),
  documento: (pedido) => pedido.campo('doc') || undefined,
  answer: answerForm,
  expirada: (pedido) => pedido.pagina('Erro', 'Estado inválido'),
})

function answerForm(pedido: PedidoPortal<Kept>) {
  const { sessao, metodo, campos } = pedido
  sessao.dados.times += 1
  if (metodo === 'GET') {
    pedido.porCookie('FLOW=1; path=/')
    const token = sessao.issueToken('filtro')
    return pedido.pagina('Início', formulario({ name: 'f' }, ocultos({ token }), entrada('doc')))
  }
  if (!sessao.checkToken('filtro', pedido.campo('token'))) return pedido.expirada()
  const achadas = pedido.search({ tipo: 'cnpj', documento: pedido.campo('doc') })
  if (achadas.length === 0) return pedido.redirect(`/cadastro/erro/Não+cadastrado`)
  const pares = achadas.map(({ contribuinte, inscricao }) => [contribuinte.nome, inscricao.ie] as const)
  const said = `${sessao.dados.times} ${campos.get('nota') ?? ''}`
  return pedido.pagina('Resultado – ação', tabelaDePares([...pares, ['Nota:', said]]))
}

const api = portal<undefined>({
  uf: 'SP',
  servico: 'cnd',
  nome: 'certidão',
  hosts: [API],
  charset: 'utf-8',
  motor: 'spa',
  sessao: { em: 'caminho' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('cnpj') || undefined,
  answer: (pedido) => {
    const { raiz } = pedido.sessao
    if (pedido.metodo === 'GET') return pedido.pagina('Certidão', `${raiz} ${pedido.caminho}`)
    const certidao = pedido.certidao({ tipo: 'cnpj', documento: pedido.campo('cnpj') })
    if (pedido.campo('pdf')) return pedido.pdf(certidao)
    return pedido.answerJson({ desfecho: certidao.desfecho, nome: certidao.nome })
  },
  fechada: (pedido) => pedido.pagina('Fora do horário', 'Volte amanhã'),
})

let portals: Portals
before(async () => {
  portals = await openPortais([form, api])
})
after(() => portals.close())

const known = exemplos().umaInscricao.get('BA') ?? ''

async function tokenOf(visitor: Visitor): Promise<string> {
  const { text } = await visitor.get(FORM, '/cadastro/')
  return /name="token" value="([^"]*)"/.exec(text)?.[1] ?? assert.fail(text)
}

/** Asks the toy form as a browser does. */
async function askForm(doc: string, nota = '') {
  const visitor = portals.visitor()
  const token = (await tokenOf(visitor)).replaceAll('&#43;', '+')
  return visitor.post(FORM, '/cadastro/', { token, doc, nota }, { charset: 'iso-8859-1' })
}

/** Asks the toy API with a session of its own. */
async function askApi(cnpj: string, more: Record<string, string> = {}) {
  const visitor = portals.visitor()
  const { headers } = await visitor.get(API, '/Pages/x.aspx?a=b')
  const path = new URL(headers.location ?? '', `https://${API}`).pathname
  return visitor.postJson(API, path, { cnpj, ...more })
}

test('a portal answers in its charset, both ways, and keeps who visits it', async () => {
  const { status, headers, text } = await askForm(known, 'São João d’Água')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html')
  assert.match(String(headers.server), /IIS/)
  assert.match(new TextDecoder('windows-1252').decode((await askForm(known, 'Água')).body), />2 Água</)
  assert.ok(text.includes('Resultado &#8211; a'))
})

test('a session has its own cookie once, next to those of the portal, and its own data', async () => {
  const visitor = portals.visitor()
  const first = await visitor.get(FORM, '/cadastro/')
  assert.deepEqual(
    first.headers['set-cookie']?.map((line) => line.split('=')[0]),
    ['ASPSESSIONIDABC', 'FLOW'],
  )
  assert.equal((await visitor.get(FORM, '/cadastro/')).headers['set-cookie']?.length, 1)
})

test('a token is good once, and in the session that got it', async () => {
  const [one, other] = [portals.visitor(), portals.visitor()]
  const token = (await tokenOf(one)).replaceAll('&#43;', '+')
  const ask = (visitor: Visitor, value = token) =>
    visitor.post(FORM, '/cadastro/', { token: value, doc: known })
  assert.match((await ask(other)).text, /Estado/)
  assert.match((await ask(one)).text, /Resultado/)
  assert.match((await ask(one)).text, /Estado/)
  assert.match((await ask(one, 'x')).text, /Estado/)
})

test('a form takes forms and an interface takes JSON, and neither a body that says to be something else', async () => {
  const visitor = portals.visitor()
  const token = (await tokenOf(visitor)).replaceAll('&#43;', '+')
  assert.match((await visitor.postJson(FORM, '/cadastro/', { token, doc: known })).text, /Estado/)
  const headers = { 'content-type': 'text/plain' }
  assert.match((await visitor.post(FORM, '/cadastro/', { token, doc: known }, { headers })).text, /Estado/)
  assert.match((await visitor.post(FORM, '/cadastro/', { token, doc: known })).text, /Resultado/)
  const { headers: sent } = await visitor.get(API, '/')
  const asForm = await visitor.post(API, sent.location ?? '', { cnpj: reservado('html-403') })
  assert.deepEqual([asForm.status, JSON.parse(asForm.text).nome], [200, ''])
})

test('a redirect carries its reason in the charset of the portal', async () => {
  const { status, headers } = await askForm(exemplos().desconhecido)
  assert.deepEqual([status, headers.location], [302, '/cadastro/erro/N%E3o+cadastrado'])
})

test('portals share a host by their paths, and a path of nobody is not found', async () => {
  assert.equal((await portals.visitor().get(FORM, '/outra')).status, 404)
})

test('a session in the path is given by a redirect, kept in the links, and hidden from the pages', async () => {
  const visitor = portals.visitor()
  const { status, headers } = await visitor.get(API, '/Pages/x.aspx?a=b')
  assert.equal(status, 302)
  assert.match(headers.location ?? '', /^\/\(S\([0-9a-f]{24}\)\)\/Pages\/x\.aspx\?a=b$/)
  const page = await visitor.get(API, headers.location ?? '')
  assert.match(page.text, /\/\(S\([0-9a-f]{24}\)\) \/Pages\/x\.aspx/)
  assert.equal((await visitor.get(API, '/(S(stranger))/Pages/x.aspx')).status, 302)
})

test('reserved documents are registered, and misbehave at the step that carries them', async () => {
  assert.match((await askForm(reservado('257'))).text, /PANIFICA/)
  assert.equal((await askForm(reservado('muitas'))).text.match(/PANIFICA/g)?.length, 40)
  for (const [name, status, text] of [
    ['html-403', 403, /Acesso bloqueado/],
    ['html-200', 200, /manuten/],
    ['redireciona', 302, /^$/],
    ['vazio', 200, /^$/],
    ['waf', 200, /Acesso Negado[\s\S]*pol.tica de seguran.a/],
    ['layout', 200, /<app-root>/],
    ['sessao-velha', 200, /Estado inv/],
    ['captcha-inesperado', 200, /Digite os caracteres/],
    ['portal-fora', 503, /fora do ar/],
    ['ws-fora', 200, /PANIFICA/],
    ['cnd-positiva', 200, /PANIFICA/],
    ['cnd-fechado', 200, /PANIFICA/],
    ['lento', 200, /PANIFICA/],
  ] as const) {
    const reply = await askForm(reservado(name))
    assert.equal(reply.status, status, name)
    assert.match(reply.text, text, name)
  }
  for (const name of ['corta-antes', 'reset', 'misto']) await assert.rejects(askForm(reservado(name)), name)
  assert.ok((await askForm(reservado('gigante'))).body.length > 10 << 20)
  const cut = await askForm(reservado('xml-malformado'))
  assert.doesNotMatch(cut.text, /<\/html>/)
})

test('a charset is said wrongly or rightly, whichever the portal has', async () => {
  const wrong = await askForm(reservado('charset'))
  assert.equal(wrong.headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(wrong.text.includes('\ufffd'))
  const right = await askForm(reservado('charset-certo'))
  assert.ok(right.text.includes('PANIFICAÇÃO'))
  const json = await askApi(reservado('charset'))
  assert.ok(new TextDecoder().decode(json.body).includes('\ufffd'))
})

test('a certificate comes out as its document wants it', async () => {
  for (const [name, desfecho] of [
    ['cnd-positiva', 'positiva'],
    ['cnd-efeitos', 'efeitos'],
    ['cnd-nao-inscrito', 'nao-inscrito'],
    ['cnd-sem-certidao', 'irregular'],
    ['muitas', 'negativa'],
    ['misto', 'negativa'],
  ] as const)
    assert.equal(JSON.parse((await askApi(reservado(name))).text).desfecho, desfecho, name)
  assert.match((await askApi(reservado('cnd-fechado'))).text, /Volte amanhã/)
  const changed = JSON.parse((await askApi(reservado('layout'))).text)
  assert.deepEqual(Object.keys(changed.conteudo), ['campo1', 'campo2'])
  const html = await askApi(reservado('cnd-html-como-pdf'), { pdf: '1' })
  assert.equal(html.headers['content-type'], 'application/pdf')
  assert.match(html.text, /^<!DOCTYPE/)
  const pdf = await askApi(reservado('cnd-lenta'), { pdf: '1' })
  assert.match(pdf.body.toString('latin1'), /^%PDF-1\.[\s\S]*%%EOF\s*$/)
  const broken = await askApi(reservado('cnd-pdf-corrompido'), { pdf: '1' })
  assert.match(broken.body.toString('latin1'), /^%PDF-1\.(?![\s\S]*%%EOF)/)
})

test('the registration of a reserved document misbehaves as it does', async () => {
  const ask = portal<undefined>({
    uf: 'MA',
    servico: 'ie',
    nome: 'por IE',
    hosts: ['ie.exemplo.gov.br'],
    charset: 'utf-8',
    motor: 'java',
    sessao: { em: 'cookie', nome: 'JSESSIONID' },
    novaSessao: () => undefined,
    documento: (pedido) => pedido.campo('ie') || undefined,
    answer: (pedido) => {
      const [found] = pedido.search(
        pedido.campo('ie')
          ? { tipo: 'ie', documento: pedido.campo('ie') }
          : { tipo: 'cnpj', documento: pedido.campo('cnpj') },
      )
      return pedido.answerJson(found?.inscricao.ie ?? '')
    },
  })
  const alone = await openPortais([ask])
  const visitor = alone.visitor()
  const asked = await visitor.post('ie.exemplo.gov.br', '/', { cnpj: reservado('html-429') })
  const ie: unknown = JSON.parse(asked.text)
  assert.match(String(ie), /^12\d{7}$/)
  assert.equal((await visitor.post('ie.exemplo.gov.br', '/', { ie: String(ie) })).status, 429)
  await alone.close()
})

test('the solver is one of the pages of the gateway, and the surroundings say where, with its password', async () => {
  const surroundings = JSON.parse(await (await fetch(`${portals.address}/ambiente.json`)).text())
  assert.equal(surroundings.captcha.webhook, `${portals.address}/captcha/resolver`)
  assert.equal(surroundings.ritmo, 0)
  const { status, json } = await portals.solve({ tipo: 'imagem' }, surroundings.captcha.token)
  assert.equal(status, 422)
  assert.ok(typeof json === 'object' && json && 'motivo' in json)
  assert.equal((await portals.solve({}, 'x')).status, 401)
  const post = (body: string) =>
    fetch(surroundings.captcha.webhook, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${surroundings.captcha.token}` },
    })
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('x'.repeat(2 << 20))).status, 413)
  assert.equal((await fetch(surroundings.captcha.webhook)).status, 404)
})

test('a visitor is forgotten after twenty idle minutes, when the portal says so, and when too many come', () => {
  let now = Date.parse('2026-11-21T12:00:00Z')
  const sessions = createSessoes(
    { sessao: { em: 'cookie' }, novaSessao: () => ({ seen: 0 }) },
    () => new Date(now),
  )
  const { id, dados } = sessions.open(undefined)
  dados.seen = 7
  now += 20 * 60_000
  assert.deepEqual([sessions.open(id).dados.seen, sessions.open(id).nova], [7, false])
  now += 20 * 60_000 + 1
  assert.ok(!sessions.exists(id))
  const again = sessions.open(id)
  assert.deepEqual([again.nova, again.dados.seen, again.id === id], [true, 0, false])
  again.end()
  assert.ok(!sessions.exists(again.id))
  const first = sessions.open(undefined)
  for (let i = 0; i < 4000; i++) sessions.open(undefined)
  assert.ok(!sessions.exists(first.id))
})
