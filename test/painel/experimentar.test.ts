import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { drawDados, drawDesfecho, highlightJson } from '../../src/painel/experimentar/resposta.ts'
import { pausa } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const IE = '/painel/experimentar/consultar/'

describe('the pages where lookups are tried', () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
  })
  after(() => house.close())

  const page = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.equal(status, 200, text.slice(0, 2_000))
    return load(text)
  }
  const selo = ($: ReturnType<typeof load>): string => $('.desfecho .selo').first().text()

  test('every lookup with a key has its page, with what it costs', async () => {
    const $ = await page(visitor.get('/painel/experimentar/'))
    const { body } = await house.ask('/openapi.json', { key: null })
    const operations = Object.values(Object(body.paths)).flatMap((one) =>
      Object.values<{ operationId: string; security: [] }>(Object(one)),
    )
    const keyed = operations
      .filter(({ security, operationId }) => security.length > 0 && operationId !== 'sair')
      .map(({ operationId }) => operationId)
    const linked = $('.consultas a')
      .get()
      .map((one) => $(one).attr('href') ?? '')
    assert.deepEqual(
      linked.map((href) => (href.includes('/blog/') ? 'diagnosticar' : href.split('/').at(-2))).toSorted(),
      keyed.toSorted(),
    )
    for (const href of linked.filter((one) => one.startsWith('/painel/'))) {
      const form = (await page(visitor.get(href)))('form.consulta')
      assert.equal(form.attr('action'), href)
      assert.match(form.find('.preco').text(), /Custo: \S/)
    }
  })

  test('a form has each parameter of the document, and an address fills it in without asking', async () => {
    const before = (await house.ask('/api/v1/conta', { key: visitor.key })).body
    const $ = await page(visitor.get(`${IE}?uf=SP&cnpj=99001002000162`))
    assert.deepEqual(
      $('form.consulta [name]')
        .get()
        .map((one) => $(one).attr('name')),
      ['_csrf', 'uf', 'cpf', 'cnpj', 'ie', 'Cache-Control'],
    )
    assert.equal($('option[selected]').attr('value'), 'SP')
    assert.equal($('input[name="cnpj"]').attr('value'), '99001002000162')
    assert.ok($('.exemplos a').length > 6)
    const { body } = await house.ask('/api/v1/conta', { key: visitor.key })
    assert.deepEqual(body.creditos, before.creditos)
  })

  test('a call by the page is a call of the account: charged, counted, and with its number', async () => {
    const $ = await page(visitor.post(IE, { uf: 'sp', cnpj: '99.001.002/0001-62' }))
    assert.match(selo($), /Entregue|Do cache/)
    const pedido = $('.desfecho a[href*="/painel/registro/"]').text()
    assert.match(pedido, /^[0-9a-f-]{36}$/)
    assert.match($('.desfecho .dados').text(), /1 crédito; restam/)
    assert.match($('.json').text(), /"inscricao_estadual"/)
    await house.rooms.contas.usos.flush()
    const row = await house.rooms.platform.db.kysely
      .selectFrom('usos')
      .selectAll()
      .where('request_id', '=', pedido)
      .execute()
    assert.deepEqual(
      row.map(({ conta_id, endpoint, http, creditos }) => ({ conta_id, endpoint, http, creditos })),
      [{ conta_id: visitor.conta.id, endpoint: '/api/consultar', http: 200, creditos: 1 }],
    )
  })

  test('the code beside the answer is this call, without the key', async () => {
    const { text } = await visitor.post(IE, { uf: 'SP', cnpj: '99001002000162', 'Cache-Control': 'true' })
    const $ = load(text)
    assert.match($('#sh').text(), /\/api\/consultar\?uf=SP&cnpj=99001002000162'/)
    assert.match($('#sh').text(), /-H "X-API-Key: \$CHAVE"/)
    assert.match($('#sh').text(), /cache-control: no-cache/)
    assert.match($('#ts').text(), /fiscal\.consultar\(\{ uf: "SP", cnpj: "99001002000162" \}/)
    assert.ok(!text.includes(visitor.key))
  })

  test('a refusal says what to do, and costs nothing', async () => {
    const $ = await page(visitor.post(IE, { uf: 'SP', cnpj: '99001002000163' }))
    assert.equal(selo($), 'Documento inválido')
    assert.match($('.desfecho').text(), /DOCUMENTO_INVALIDO/)
    assert.match($('.desfecho .dados').text(), /Nada foi cobrado/)
    assert.equal($('input[name="cnpj"]').attr('value'), '99001002000163')
  })

  test('a check digit that fails is told as such, and never as a mask', async () => {
    for (const [nome, value] of [
      ['cnpj', '99001002000163'],
      ['cnpj', '12ABC34501DE36'],
      ['cpf', '52998224724'],
      ['ie', '110042490115'],
    ] as const) {
      const told = (await page(visitor.post(IE, { uf: 'SP', [nome]: value })))('.desfecho').text()
      assert.match(told, /DOCUMENTO_INVALIDO/, value)
      assert.match(told, /o dígito verificador não confere/, value)
      assert.doesNotMatch(told, /sem pontos|somente dígitos/, value)
      const { body } = await house.ask(`/api/consultar?uf=SP&${nome}=${value}`, { key: visitor.key })
      assert.match(String(body.detail), new RegExp(`^Parâmetro ${nome}: o dígito verificador não confere`))
    }
  })

  test('a form of another session, or without its token, asks nothing', async () => {
    const before = await house.ask('/api/v1/conta', { key: visitor.key })
    const { status } = await house.ask(IE, {
      key: null,
      method: 'POST',
      headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ uf: 'SP', cnpj: '99001002000162' }),
    })
    assert.notEqual(status, 200)
    const { body } = await house.ask('/api/v1/conta', { key: visitor.key })
    assert.deepEqual(body.creditos, before.body.creditos)
  })

  test('an unknown lookup is an unknown page', async () => {
    for (const name of ['nada', 'constructor', 'diagnosticar', '__proto__']) {
      const { status } = await visitor.get(`/painel/experimentar/${name}/`)
      assert.equal(status, 404, name)
    }
  })

  test('a certificate that is still being issued says to come back, and when', () => {
    const answer = drawDesfecho(
      {
        http: 200,
        corpo: {
          source_status: {
            status: 'error',
            error_code: 'EM_PROCESSAMENTO',
            error_message: 'Consulte de novo.',
          },
          result: null,
        },
        request_id: 'x',
        cobrados: 0,
        restantes: 9,
        retryS: 30,
        ms: 5,
      },
      '',
    )
    const $ = load(String(answer))
    assert.equal(selo($), 'Em emissão')
    assert.match($('.conselho').text(), /em 30 s: volte ao formulário/)
    assert.match($('.dados').text(), /Nada foi cobrado; restam 9/)
  })

  test('without credits, and above the limit of the plan, the page says what to do', async () => {
    const poor = await enterPainel(house, 'lite')
    const path = '/painel/experimentar/consultar-cnd-todos/'
    for (let at = 0; at < 5; at++) await poor.post(path, { cnpj: '99001002000162' })
    const $ = await page(poor.post(path, { cnpj: '99001002000162' }))
    assert.match($('.desfecho').text(), /LIMITE_ATINGIDO/)
    assert.match($('.desfecho').text(), /precisa de 27 créditos/)
    assert.match($('.desfecho .dados').text(), /Nada foi cobrado/)
    for (let at = 0; at < 30; at++) await poor.post('/painel/experimentar/conta/')
    const limited = await page(poor.post('/painel/experimentar/conta/'))
    assert.match(limited('.desfecho').text(), /RATE_LIMIT_EXCEEDED/)
    assert.match(limited('.desfecho').text(), /Vale repetir em \d+ s/)
  })

  test('a visitor who leaves aborts his call, and pays for no more than he was sent', async () => {
    const leaver = await enterPainel(house, 'pro')
    const form = await leaver.get('/painel/')
    const [formulario = ''] = (form.headers.get('set-cookie') ?? '').split(';')
    const _csrf = load(form.text)('input[name="_csrf"]').attr('value') ?? ''
    const leaving = new AbortController()
    const answer = await fetch(`${house.address}/painel/experimentar/consultar-cnd-todos/`, {
      method: 'POST',
      headers: {
        cookie: `${leaver.cookie}; ${formulario}`,
        'sec-fetch-site': 'same-origin',
        accept: 'text/event-stream',
      },
      body: new URLSearchParams({ _csrf, cnpj: '98765057000186', 'Cache-Control': 'true' }),
      signal: leaving.signal,
    })
    assert.match(answer.headers.get('content-type') ?? '', /text\/event-stream/)
    const reader = answer.body?.getReader()
    await reader?.read()
    leaving.abort()
    const rows = async () => {
      await house.rooms.contas.usos.flush()
      return house.rooms.platform.db.kysely
        .selectFrom('usos')
        .select(['http', 'creditos'])
        .where('conta_id', '=', leaver.conta.id)
        .execute()
    }
    let found = await rows()
    while (found.length === 0) {
      await pausa()
      found = await rows()
    }
    assert.equal(found[0]?.http, 499)
    assert.ok((found[0]?.creditos ?? 99) < 16)
  })

  test('a visitor may leave a stream at any moment, and the service goes on', async (t) => {
    const failed = t.mock.method(house.rooms.platform.log, 'error')
    // What would end the process, were it not a test's.
    const fatal: unknown[] = []
    const onFatal = (error: unknown) => fatal.push(error)
    process.on('uncaughtExceptionMonitor', onFatal)
    t.after(() => process.off('uncaughtExceptionMonitor', onFatal))
    const leaver = await enterPainel(house, 'pro')
    const form = await leaver.get('/painel/')
    const [formulario = ''] = (form.headers.get('set-cookie') ?? '').split(';')
    const _csrf = load(form.text)('input[name="_csrf"]').attr('value') ?? ''
    const body = new URLSearchParams({ _csrf, cnpj: '99034721000180' }).toString()
    const head = [
      'POST /painel/experimentar/consultar-ie-todos/ HTTP/1.1',
      'Host: x',
      `Cookie: ${leaver.cookie}; ${formulario}`,
      'Sec-Fetch-Site: same-origin',
      'Accept: text/event-stream',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ]
    for (let turns = 0; turns < 12; turns++) {
      const socket = connect(Number(new URL(house.address).port), '127.0.0.1')
      socket.resume().write(`${head.join('\r\n')}\r\n\r\n${body}`)
      // Each answer to another is a moment later.
      for (let turn = 0; turn < turns; turn++) await house.ask('/healthz', { key: null })
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    }
    assert.equal((await leaver.get('/painel/')).status, 200)
    assert.deepEqual(fatal, [])
    assert.deepEqual(
      failed.mock.calls.map(({ arguments: [what] }) => String(Object(what).err)),
      [],
    )
  })

  test('what an authority wrote stays text, and an enormous answer stays a page', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'</pre><script>alert(1)</script>'
    const answer = {
      results: Array.from({ length: 5_000 }, () => ({ razao_social: hostile, [hostile]: 'x'.repeat(5_000) })),
      fundo: Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), hostile),
    }
    const drawn = String(highlightJson(answer)) + String(drawDados(answer))
    const $ = load(drawn)
    assert.equal($('img, script').length, 0)
    assert.ok($.text().includes(hostile))
    assert.ok(drawn.length < 1_000_000, String(drawn.length))
    assert.match($.text(), /A resposta é maior do que se mostra aqui/)
  })
})
