import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { lookups } from '../../src/painel/chamadas.ts'
import { perguntas } from '../../src/painel/consultar/perguntas.ts'
import { errorCodes } from '../../src/platform/errors.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel } from '../kit/pages.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

test('what a lookup may cost is declared in words, which its description tells', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  for (const { url, words, price } of lookups.map(({ declared }) => declared)) {
    assert.equal(words.custo === undefined, price === 'free', url)
    const operations = Object.values<{ description: string }>(Object(Object(body.paths)[pathOf(url)]))
    assert.equal(operations.length, 1, url)
    for (const { description } of operations) {
      assert.ok(!description.includes('{custo}'), url)
      if (words.custo !== undefined) assert.ok(description.includes(`**Custo.** ${words.custo}`), url)
    }
  }
})

const pathOf = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}')

test('the OpenAPI 3.1 description names every endpoint, its parameters, its answers and its errors', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  assert.equal(body.openapi, '3.1.0')
  assert.deepEqual(Object.keys(Object(body.paths)).sort(), [
    '/api/consultar',
    '/api/consultar-cnd',
    '/api/consultar-cnd-federal',
    '/api/consultar-cnd-todos',
    '/api/consultar-cnir',
    '/api/consultar-cnpj',
    '/api/consultar-ie-todos',
    '/api/consultar-nfe-xml',
    '/api/consultar-sigef',
    '/api/perfil-produtor',
    '/api/v1/auth/login',
    '/api/v1/auth/registrar',
    '/api/v1/auth/sair',
    '/api/v1/base-cnpj',
    '/api/v1/conta',
    '/api/v1/fontes',
    '/api/v1/public/rejeicoes',
    '/api/v1/rejeicoes',
    '/api/v1/rejeicoes/diagnosticar',
    '/api/v1/rejeicoes/{codigo}',
    '/api/v1/sefaz/ambiente-nacional',
    '/api/v1/sefaz/historico',
    '/api/v1/sefaz/status',
  ])
  const { get } = Object(body.paths)['/api/consultar-cnpj']
  assert.deepEqual(
    get.parameters.map(({ name, required = false }: { name: string; required?: boolean }) => [
      name,
      required,
    ]),
    [
      ['cnpj', true],
      ['force_fresh', false],
      ['Cache-Control', false],
    ],
  )
  assert.deepEqual(Object.keys(get.responses), [
    '200',
    '400',
    '401',
    '402',
    '403',
    '404',
    '429',
    '500',
    '502',
    '503',
  ])
  assert.match(get.responses[402].description, /LIMITE_ATINGIDO/)
  const [problema, own] = get.responses[400].content['application/problem+json'].schema.allOf
  assert.deepEqual(problema, { $ref: '#/components/schemas/Problema' })
  assert.deepEqual(own.properties.error_code.enum, [
    'PARAMETRO_AUSENTE',
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_INVALIDO',
  ])
  assert.ok(get.responses[200].headers['X-Credits-Charged'])
  assert.deepEqual(get.security, [{ chave: [] }, { login: [] }])
})

test('the headers of the failures are described as they come', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const described = Object(body.paths)['/api/consultar-nfe-xml'].post.responses
  const post = (query = '', key = house.apiKey ?? null) =>
    house.ask(`/api/consultar-nfe-xml${query}`, { method: 'POST', key })
  // A good key that stands in the URL too is refused once its limit and credits are known.
  for (const { status, headers } of [await post(), await post(`?api_key=${house.apiKey}`)]) {
    const names = Object.keys(described[status].headers)
    for (const name of names) assert.ok(headers.has(name), `${status} ${name}`)
    const ours = [...headers.keys()].filter((name) => /^(x-(r|c[^o]|a)|ratelimit|www|retry)/.test(name))
    assert.deepEqual(ours.toSorted(), names.map((name) => name.toLowerCase()).toSorted(), String(status))
  }
  const nobody = await post('', null)
  assert.equal(nobody.status, 401)
  assert.ok(nobody.headers.has('www-authenticate'))
  assert.ok(!nobody.headers.has('x-credits-remaining'))
  assert.ok(described[409].headers['Retry-After'])
  assert.ok(described[429].headers['Retry-After'])
})

test('the calls to every state are described as JSON, and their stream outside the answer', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const { schemas } = Object(body.components)
  for (const [path, name, entrada] of [
    ['/api/consultar-ie-todos', 'ConsultarIeTodos', 'EntradaIe'],
    ['/api/consultar-cnd-todos', 'ConsultarCndTodos', 'EntradaCnd'],
  ] as const) {
    const { get } = Object(body.paths)[path]
    const { content, headers } = get.responses[200]
    assert.deepEqual(Object.keys(content), ['application/json'])
    assert.deepEqual(content['application/json'].schema, { $ref: `#/components/schemas/Resposta${name}` })
    assert.deepEqual(get['x-eventos'], { $ref: `#/components/schemas/Eventos${name}` })
    const eventos = schemas[`Eventos${name}`].properties
    assert.deepEqual(Object.keys(eventos), ['uf', 'creditos', 'resultado', 'erro'])
    assert.deepEqual(eventos.uf, { $ref: `#/components/schemas/${entrada}` })
    assert.match(get.description, /evento `uf` por estado/)
    assert.match(get.description, /event: resultado/)
    assert.ok(headers['X-Credits-Charged'])
    assert.deepEqual(Object.keys(get.responses), ['200', '400', '401', '402', '403', '429', '500', '503'])
  }
})

test('the status of the SEFAZ is described with its tag that nothing changed, and with its events', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const { get } = Object(body.paths)['/api/v1/sefaz/status']
  assert.match(get.responses[304].description, /If-None-Match/)
  assert.deepEqual(get['x-eventos'], { $ref: '#/components/schemas/EventosSefazStatus' })
  const { EventosSefazStatus: eventos } = Object(body.components).schemas
  assert.deepEqual(Object.keys(eventos.properties), ['estado', 'mudanca', 'erro'])
  assert.deepEqual(eventos.properties.estado, { $ref: '#/components/schemas/RespostaSefazStatus' })
})

test('the reference page and everything that it loads come from our own host, by the policy of all pages', async () => {
  const { status, text, headers } = await house.ask('/documentacao/', { key: null })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /text\/html/)
  const sources = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(?!data:)([^"]+)"/g)].map(
    ([, url = '']) => url,
  )
  assert.ok(sources.length > 2)
  for (const source of sources) {
    assert.match(source, /^\/(?!\/)/, source)
    assert.equal((await house.ask(source, { key: null })).status, 200, source)
  }
  const others = await house.ask('/erros', { key: null })
  assert.equal(headers.get('content-security-policy'), others.headers.get('content-security-policy'))
  assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|https:/)
})

test('the reference page has every call of the document, whole', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const page = load((await house.ask('/documentacao', { key: null })).text)
  const operations = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      path,
      method,
      operation: Object(operation),
    })),
  )
  assert.equal(page('article.operacao').length, operations.length)
  for (const { path, method, operation } of operations) {
    const article = page(`article[id="${operation.operationId}"]`)
    assert.equal(article.find('h3').text(), operation.summary)
    assert.equal(article.find('.rota').text(), `${method.toUpperCase()} ${path}`)
    const lookup = lookups.find(({ declared }) => pathOf(declared.url) === path)
    const price = lookup?.declared.words.custo ?? 'Não custa créditos.'
    assert.equal(article.find('.preco span').text(), price.replaceAll('`', ''))
    const said = article.find('.explicada').text()
    for (const { name, description, required, example, schema } of operation.parameters ?? []) {
      const term = article
        .find('.membros > dt')
        .filter((_, one) => page(one).find('code').first().text() === name)
      const detail = term.first().next('dd').text()
      assert.ok(detail.startsWith(description.replaceAll('`', '')), `${path} ${name}`)
      assert.equal(/obrigatório/.test(term.first().text()), required === true, `${path} ${name}`)
      for (const value of [...(schema.enum ?? []), example, schema.default])
        if (value !== undefined) assert.ok(detail.includes(String(value)), `${path} ${name}: ${value}`)
    }
    const sent = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
    const answered = operation.responses[200].content['application/json'].schema.$ref.split('/').at(-1)
    const members = (name: string): string[] =>
      Object.keys(Object(body.components).schemas[name].properties ?? {})
    if (sent) for (const member of members(sent)) assert.ok(said.includes(member), `${path}: ${member}`)
    // Two calls with one answer show its members once.
    assert.ok(article.find(`[id="modelo-${answered}"], a[href="#modelo-${answered}"]`).length > 0, path)
    const shown = page(`[id="modelo-${answered}"]`).text()
    for (const member of members(answered)) assert.ok(shown.includes(member), `${path}: ${member}`)
    const codes = Object.entries(operation.responses).flatMap(([status, response]) =>
      Number(status) < 400 ? [] : Object(response).description.split(', '),
    )
    for (const code of [...codes, ...(operation['x-codigos-da-fonte'] ?? [])])
      assert.equal(article.find(`.erros a[href="/erros#${code}"]`).length > 0, true, `${path}: ${code}`)
    assert.ok(article.find('.saida code').text().includes('"'), path)
    const tag = String(operation.tags).toLowerCase().replaceAll(' ', '-')
    const old = `tag/${tag}/${method.toUpperCase()}${path}`
    assert.equal(article.find('span[id]').attr('id'), old)
  }
})

test('the reference page leads to every header, model and failure of the document, and no link of it is broken', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const page = load((await house.ask('/documentacao', { key: null })).text)
  const ids = page('[id]')
    .get()
    .map((one) => page(one).attr('id') ?? '')
  assert.deepEqual(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  )
  const { schemas, headers, examples } = Object(body.components)
  for (const name of Object.keys(schemas))
    if (!/^PedidoDe/.test(name)) assert.ok(ids.includes(`modelo-${name}`), name)
  for (const code of Object.keys(examples)) assert.ok(ids.includes(`falha-${code}`), code)
  const told = page('section[aria-labelledby="cabecalhos"] dt > code')
    .get()
    .map((one) => page(one).text())
  for (const name of [...Object.keys(headers), 'X-API-Key', 'Idempotency-Key', 'If-None-Match'])
    assert.ok(told.includes(name), name)
  const pages = new Map<string, string>()
  for (const link of page('main a').get()) {
    const { pathname, hash } = new URL(page(link).attr('href') ?? '', `${house.address}/documentacao`)
    if (pathname === '/documentacao') assert.ok(ids.includes(decodeURIComponent(hash.slice(1))), hash)
    else if (!pages.has(pathname)) {
      const { status, text } = await house.ask(pathname, { key: null })
      assert.ok(status === 200 || status === 303, pathname)
      pages.set(pathname, text)
    }
    if (pathname === '/erros' && hash) assert.ok(pages.get(pathname)?.includes(`id="${hash.slice(1)}"`), hash)
  }
})

test('the page of errors explains every code that a problem may point to', async () => {
  const { status, text } = await house.ask('/erros', { key: null })
  assert.equal(status, 200)
  for (const code of Object.keys(errorCodes)) assert.match(text, new RegExp(`id="${code}"`))
})

test('the document and the pages name the address that the operator gave, never that of Host', async (t) => {
  const named = await start({ PUBLIC_URL: 'https://exemplo.com.br/fiscal/' })
  t.after(() => named.close())
  const asked = { key: null, headers: { Host: 'outro.test', 'X-Forwarded-Host': 'outro.test' } }
  const { body, text } = await named.ask('/openapi.json', asked)
  assert.deepEqual(body.servers, [{ url: 'https://exemplo.com.br/fiscal' }])
  assert.match(named.welcome, /Para clientes https:\/\/exemplo\.com\.br\/fiscal\n/)
  assert.match(text, /\(https:\/\/exemplo\.com\.br\/fiscal\/erros\)/)
  assert.ok(Object.hasOwn(Object(body.paths), '/api/consultar'))
  const page = await named.ask('/documentacao', asked)
  const addresses = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url)
  assert.ok(addresses.includes('/fiscal/openapi.json'))
  for (const address of addresses) assert.match(address, /^(#|(https:\/\/exemplo\.com\.br)?\/fiscal\/)/)
  assert.match(
    page.text,
    /curl<\/span> -s <span class="s">&#39;https:\/\/exemplo\.com\.br\/fiscal\/api\/consultar\?/,
  )
  const { text: errors } = await named.ask('/erros', asked)
  const links = [...errors.matchAll(/(?:href|src)="([^#"]+)"/g)].map(([, url = '']) => url)
  assert.ok(links.includes('/fiscal/documentacao'))
  for (const link of links) assert.match(link, /^(https:\/\/exemplo\.com\.br)?\/fiscal\//)
  const { text: first } = await named.ask('/', asked)
  assert.ok(first.includes('<link rel="canonical" href="https://exemplo.com.br/fiscal/"/>'))
  assert.doesNotMatch(first, /outro\.test|127\.0\.0\.1/)
  const unnamed = await house.ask('/openapi.json', asked)
  assert.deepEqual(unnamed.body.servers, [{ url: '/' }])
  assert.doesNotMatch(unnamed.text, /outro\.test/)
})

test('in simulator mode every answer and every page says so; in production none does', async (t) => {
  const live = await start({ AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789' })
  const env = {
    AUTHORITIES: 'live',
    SEFAZ_AMBIENTE: 'homologacao',
    BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789',
  }
  const tests = await start(env)
  t.after(() => Promise.all([live.close(), tests.close()]))
  for (const [where, ambiente, says] of [
    [house, 'simulador', true],
    [live, 'producao', false],
    [tests, 'homologacao', false],
  ] as const) {
    for (const path of ['/erros', '/openapi.json', '/api/consultar', '/nada']) {
      const { headers, text } = await where.ask(path, { key: null })
      assert.equal(headers.get('x-ambiente'), ambiente)
      if (path.startsWith('/api') || path === '/nada') continue
      assert.equal(/Modo simulador/.test(text), says, path)
    }
  }
})

test('what is asked by POST is described by its body, and refused by codes of its own', async () => {
  const { body } = await house.ask('/openapi.json', { key: null })
  const { post } = Object(body.paths)['/api/consultar-nfe-xml']
  const [header] = post.parameters
  assert.deepEqual([header.in, header.name, header.required], ['header', 'Idempotency-Key', false])
  for (const name of ['X-Sefaz-Consultas-Restantes', 'Retry-After', 'X-Request-Id'])
    assert.ok(post.responses[200].headers[name], name)
  const { $ref } = post.requestBody.content['application/json'].schema
  assert.equal($ref, '#/components/schemas/PedidoDeNfe')
  const schema = Object(body.components).schemas.PedidoDeNfe
  assert.deepEqual(schema.required, ['chave', 'certificado', 'senha'])
  assert.deepEqual(Object.keys(schema.properties), [
    'chave',
    'certificado',
    'senha',
    'cnpj',
    'manifestar',
    'simular',
  ])
  assert.equal(schema.properties.manifestar.default, true)
  assert.match(post.responses[429].description, /\bRATE_LIMIT\b/)
  assert.match(post.responses[402].description, /\bLIMITE_PLANO\b/)
  assert.match(post.responses[409].description, /IDEMPOTENCIA_CONFLITANTE/)
})

test('each call leads to its chapter, and one of a bookkeeper to his question, which is the first there', async () => {
  const page = load((await house.ask('/documentacao', { key: null })).text)
  const { get } = await enterPainel(house)
  const asked = new Map<string, string>()
  for (const one of page('article.operacao').get()) {
    const links = page(one).find('.outras-portas a').get()
    const hrefs = new Map(links.map((link) => [page(link).text(), page(link).attr('href') ?? '']))
    assert.equal((await house.ask(hrefs.get('No guia') ?? '', { key: null })).status, 200)
    const to = hrefs.get('Fazer esta consulta')
    if (to !== undefined) asked.set(page(one).find('.rota code').text(), to)
  }
  assert.deepEqual(
    [...asked.keys()].toSorted(),
    [...new Set(perguntas.map(({ endpoint }) => endpoint))].toSorted(),
  )
  for (const [endpoint, to] of asked) {
    const shown = load((await get(to)).text)
    if (endpoint === '/api/consultar-nfe-xml') assert.equal(shown('form.da-nota').length, 1)
    else {
      const [first] = shown('.oferta button').get()
      const id = shown(first).attr('value')
      assert.equal(perguntas.find((one) => one.id === id)?.endpoint, endpoint)
      assert.equal(shown(`.oferta button[value="${id}"]`).length, 1)
      assert.equal(shown('.oferta button').length, perguntas.length + 1)
    }
    const stranger = await house.ask(to, { key: null })
    assert.equal(stranger.headers.get('location'), `/entrar/?para=${encodeURIComponent(to)}`)
  }
})
