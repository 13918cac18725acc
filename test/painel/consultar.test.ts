import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { highlightJson } from '../../src/painel/consultar/pagina.ts'
import { perguntas } from '../../src/painel/consultar/perguntas.ts'
import { apresentadores, doEstado } from '../../src/painel/consultar/respondida.ts'
import { mostOf } from '../../src/platform/http/exchange.ts'
import { pausa } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member, openLive } from '../kit/pages.ts'
import { reservado } from '../kit/simulator.ts'

const CONSULTAR = '/painel/consultar/'

const DO_CNPJ = 'ie-todos ie cnd-todos cnd cnd-federal cnpj cnpj-ao-vivo cnir sigef perfil'.split(' ')

describe('the page where one asks', () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
  })
  after(() => house.close())

  type Answer = Awaited<ReturnType<Member['get']>>
  /** Sends the form, and opens the answer that it leads to. */
  const ask = async (who: Member, fields: Record<string, string>): Promise<Answer> => {
    const sent = await who.post(CONSULTAR, fields)
    return sent.status === 303 ? who.get(sent.headers.get('location') ?? '') : sent
  }
  const page = async (answer: Promise<Answer>, expected = 200) => {
    const { status, text } = await answer
    assert.equal(status, expected, text.slice(0, 2_000))
    return load(text)
  }
  const saldo = async (who = visitor) => (await house.ask('/api/v1/conta', { key: who.key })).body.creditos
  const disponiveis = (creditos: unknown): number => Number(Object(creditos).disponiveis)
  const veredito = ($: ReturnType<typeof load>): string => $('.veredito').text()

  test('every question has its price on its button, from the endpoint that it asks', async () => {
    const $ = await page(visitor.get(CONSULTAR))
    const buttons = $('.oferta button').get()
    assert.deepEqual(
      buttons.map((one) => $(one).attr('value')),
      [...perguntas.map(({ id }) => id), 'dossie'],
    )
    for (const [at, { nome, price }] of perguntas.entries()) {
      const said = $(buttons[at] ?? '').text()
      assert.match(said, new RegExp(`· (?:até )?${mostOf(price)} créditos?: ${RegExp.escape(nome)}$`), said)
    }
    assert.match($('.restam').text(), /Restam [\d.]+ créditos/)
  })

  test('the answer to each has somebody who says what it is', () => {
    for (const { id, endpoint, porEstado } of perguntas) {
      assert.ok(apresentadores[endpoint], id)
      assert.equal(doEstado[endpoint] !== undefined, porEstado, id)
    }
  })

  test('a document is read with or without its mask, and only what fits it is offered', async () => {
    const before = await saldo()
    const rows: [text: string, uf: string, dito: RegExp, offered: string[]][] = [
      ['99001002000162', '', /CNPJ válido/, DO_CNPJ],
      ['99.001.002/0001-62', '', /CNPJ válido/, DO_CNPJ],
      ['12.abc.345/01de-35', '', /CNPJ válido/, DO_CNPJ],
      ['529.982.247-25', '', /CPF válido/, ['ie-todos', 'ie', 'cnd-todos', 'cnd', 'cnir', 'sigef', 'perfil']],
      ['110.042.490.114', 'SP', /Inscrição estadual válida em São Paulo/, ['ie']],
      ['0966922786', 'RS', /Inscrição estadual válida no Rio Grande do Sul/, ['ie']],
      ['0966922786', '', /^Parece inscrição estadual: escolha o estado\.$/, ['ie']],
      ['3526 1198 7630 0100 0192 5500 1000 0000 0211 9111 2343', '', /Chave de acesso válida/, ['nota']],
    ]
    for (const [text, uf, dito, offered] of rows) {
      const $ = await page(visitor.get(`${CONSULTAR}?documento=${encodeURIComponent(text)}&uf=${uf}`))
      assert.match($('#dito').text(), dito, text)
      const shown = $('.oferta:not([hidden]) button').get()
      assert.deepEqual(
        shown.map((one) => $(one).attr('value')).filter((one) => one !== 'dossie'),
        offered,
        text,
      )
      const { body } = await visitor.post('/painel/consultar/documento', { documento: text, uf })
      assert.match(String(body.dito), dito)
      assert.equal(body.mascarado, $('#documento').attr('value'))
      assert.equal(body.recusado, $('#perguntar').attr('data-recusado'))
      assert.equal($('label[for="uf"] .falta').text(), '(obrigatório)')
      assert.equal($('.oferta:has([value="ie"]) .falta').text(), ' Falta o estado.')
      assert.equal($('.oferta .falta').length, 1)
    }
    for (const [documento, uf, mascarado, inteiro] of [
      ['110042490114', 'SP', '110.042.490.114', true],
      ['110042490115', 'SP', '110.042.490.115', true],
      ['096/6922786', 'RS', '096/692278-6', true],
      ['09669', 'RS', '09669', false],
      ['0966922786', '', '0966922786', false],
      ['3526119876300100019255001000', '', '3526 1198 7630 0100 0192 5500 1000', false],
    ] as const) {
      const { body } = await visitor.post('/painel/consultar/documento', { documento, uf })
      assert.deepEqual([body.mascarado, body.inteiro], [mascarado, inteiro])
    }
    assert.deepEqual(await saldo(), before)
  })

  test('a check digit that fails is told at once, by the same words with and without a script', async () => {
    const before = await saldo()
    for (const [documento, uf, pergunta] of [
      ['99001002000163', '', 'cnpj'],
      ['12ABC34501DE36', '', 'cnpj'],
      ['52998224724', '', 'cnir'],
      ['110042490115', 'SP', 'ie'],
      ['35261198763001000192550010000000021191112344', '', 'nota'],
    ] as const) {
      const { body } = await visitor.post('/painel/consultar/documento', { documento, uf })
      assert.deepEqual([body.problema, body.inteiro], [true, true])
      assert.match(String(body.dito), /o dígito verificador não confere/)
      assert.doesNotMatch(String(body.dito), /sem pontos|somente dígitos/)
      const $ = await page(visitor.post(CONSULTAR, { documento, uf, pergunta }), 400)
      assert.equal($('#dito').text(), body.dito)
      assert.equal($('#documento').attr('aria-invalid'), 'true')
      assert.equal($('#documento').attr('value'), documento)
    }
    assert.deepEqual(await saldo(), before)
  })

  test('a wrong number that a registration of its state is as long as is told as none of both', async () => {
    for (const [documento, uf, nome] of [
      ['29010227837', 'TO', 'CPF'],
      ['00131837797', 'MT', 'CPF'],
      ['18100100000048', 'PE', 'CNPJ'],
      ['00000000625214', 'RO', 'CNPJ'],
    ] as const) {
      const { body } = await visitor.post('/painel/consultar/documento', { documento, uf })
      assert.deepEqual([body.problema, body.inteiro, body.recusado], [true, true, 'sim'])
      const dito = `Não é ${nome} nem inscrição estadual de ${uf}: o dígito verificador não confere em nenhum dos dois. Verifique o número e o estado.`
      assert.equal(body.dito, dito)
      const $ = await page(visitor.post(CONSULTAR, { documento, uf, pergunta: 'ie' }), 400)
      assert.equal($('#dito').text(), dito)
      // The right one of the same state is read, and in a state without such numbers nothing else is meant.
      const elsewhere = await visitor.post('/painel/consultar/documento', { documento, uf: 'SP' })
      assert.match(String(elsewhere.body.dito), new RegExp(`^${nome}: o dígito verificador não confere`))
    }
    for (const [documento, uf] of [
      ['29010227836', 'TO'],
      ['00131837796', 'MT'],
      ['18100100000049', 'PE'],
      ['00000000625213', 'RO'],
    ] as const) {
      const { body } = await visitor.post('/painel/consultar/documento', { documento, uf })
      assert.deepEqual([body.tipo, body.problema], ['ie', false], uf)
    }
  })

  test('what cannot be asked is told before anybody is asked', async () => {
    const before = await saldo()
    for (const [fields, dito] of [
      [{ pergunta: 'cnpj' }, /Escreva um CPF/],
      [{ documento: '99001002000162', pergunta: 'ie' }, /escolha também o estado/],
      [{ documento: '52998224725', pergunta: 'cnd-federal' }, /não se pergunta por este documento/],
      [{ documento: '1234567890', pergunta: 'ie' }, /Se é uma inscrição estadual, escolha também o estado/],
    ] as const) {
      const $ = await page(visitor.post(CONSULTAR, { ...fields }), 400)
      assert.match($('#dito').text(), dito)
    }
    const dossie = await visitor.post(CONSULTAR, { documento: '529.982.247-25', pergunta: 'dossie' })
    assert.equal(dossie.headers.get('location'), '/painel/dossie/52998224725/')
    // Enter in the field asks nothing: it shows what may be asked.
    const $ = await page(visitor.post(CONSULTAR, { documento: '529.982.247-25' }))
    assert.match($('#dito').text(), /CPF válido/)
    assert.deepEqual(await saldo(), before)
  })

  test('a question is a call of the account: charged, counted, and with its number', async () => {
    const $ = await page(ask(visitor, { documento: '99.001.002/0001-62', uf: 'SP', pergunta: 'ie' }))
    const pedido = $('.pedido-da-resposta code').text()
    assert.match(pedido, /^[0-9a-f-]{36}$/)
    assert.match(veredito($), /Custou1 crédito saldo agora/)
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

  test('the code for programmers is this call, without the key', async () => {
    const { text } = await ask(visitor, {
      documento: '99001002000162',
      uf: 'SP',
      pergunta: 'ie',
      'Cache-Control': 'true',
    })
    const $ = load(text)
    assert.match($('#sh').text(), /\/api\/consultar\?uf=SP&cnpj=99001002000162'/)
    assert.match($('#sh').text(), /-H "X-API-Key: \$CHAVE"/)
    assert.match($('#sh').text(), /cache-control: no-cache/)
    assert.match($('#ts').text(), /fiscal\.consultar\(\{ uf: "SP", cnpj: "99001002000162" \}/)
    assert.ok(!text.includes(visitor.key))
  })

  test('a paper that we printed is called ours, and one of the authority is not', async () => {
    const deMinas = { documento: reservado('cnd-efeitos'), uf: 'MG', pergunta: 'cnd' }
    const nosso = (await page(ask(visitor, deMinas)))('.papel-da-resposta').text()
    assert.match(nosso, /Impressão nossa da página do órgão/)
    assert.doesNotMatch(nosso, /sem mudança nossa|como veio do órgão/)
    const deSp = { documento: '99001002000162', uf: 'SP', pergunta: 'cnd' }
    const oficial = (await page(ask(visitor, deSp)))('.papel-da-resposta').text()
    assert.match(oficial, /O PDF como o órgão o mandou, sem mudança nossa/)
  })

  test('which debts a certificate leaves out is said once, and who certifies those', async () => {
    const $ = await page(ask(visitor, { documento: '99001002000162', uf: 'SP', pergunta: 'cnd' }))
    const said = $('.resposta').text()
    assert.match(said, /Não cobre os débitos inscritos em dívida ativa: quem os tem também a recebe/)
    assert.equal(said.split('a Procuradoria-Geral do Estado').length - 1, 1)
  })

  test('a company is told by its name, with its status as a seal beside it', async () => {
    const $ = await page(ask(visitor, { documento: '99001002000162', pergunta: 'cnpj' }))
    const name = $('.resposta #veredito').clone()
    assert.equal(name.find('.selo.bom').text(), 'Ativa')
    name.find('.selo').remove()
    assert.match(name.text(), /^\S.+\S $/)
    assert.ok(!$('.resposta .assunto').text().includes(name.text().trim()))
    assert.equal($('.resposta td[data-rotulo="CNAE"]').length, $('.resposta tbody tr').length)
  })

  test('the dossier says what it costs at most before it is opened', async () => {
    const $ = load((await visitor.get(CONSULTAR)).text)
    assert.match($('.oferta [value="dossie"]').text(), /até 56 créditos$/)
  })

  test('an answer that was kept at the authority’s side says so, with its age', async () => {
    const fields = { documento: '99001002000162', uf: 'SP', pergunta: 'ie' }
    await ask(visitor, fields)
    const $ = await page(ask(visitor, fields))
    assert.match(veredito($), /Resposta reaproveitada, dada agora/)
  })

  test('a state that failed leads to its own page and is asked anew from its verdict, with the code below', async () => {
    const first = await page(ask(visitor, { documento: '98765055000197', uf: 'PA', pergunta: 'ie' }))
    assert.equal(first('.resposta #veredito').text(), 'O cadastro nacional não respondeu')
    assert.equal(
      first('.resposta .frase').text(),
      'Por aqui, a inscrição só se consulta por ele. Tente de novo em 1 minuto.',
    )
    assert.match(
      first('.resposta .fatos-do-veredito').text(),
      /^CNPJ98\.765\.055\/0001-97CustouNada foi cobrado/,
    )
    assert.match(first('.resposta .assunto').text(), /^Inscrição estadual · Pará/)
    assert.doesNotMatch(first('.resposta').text(), /https?:|HTTP|SITE_INDISPONIVEL|Vale repetir/)
    assert.equal(first('.resposta').text().split('Nada foi cobrado').length, 2)
    assert.equal(first('.programadores a[href$="/erros#SITE_INDISPONIVEL"]').length, 1)
    const own = first('.acoes-do-veredito a')
    assert.match(own.text(), /Consultar na SEFAZ-PA/)
    assert.match(own.attr('href') ?? '', /^https?:/)
    assert.doesNotMatch(first('.frase').text(), /página/)
    const form = first('.acoes-do-veredito form')
    assert.equal(form.find('button').text(), 'Perguntar de novo · 1 crédito')
    assert.equal(first('.acoes-do-veredito p').text(), 'Só se paga se a resposta vier.')
    assert.equal(first('.fichas [name="de-novo"]').length, 0)
    const fields = form
      .find('input, button')
      .get()
      .map((one) => [first(one).attr('name') ?? '', first(one).attr('value') ?? ''])
      .filter(([nome]) => nome !== '_csrf')
    assert.equal(Object.fromEntries(fields)['Cache-Control'], 'true')
    const again = await page(ask(visitor, Object.fromEntries(fields)))
    assert.equal(again('.resposta #veredito').text(), 'O cadastro nacional não respondeu')
    assert.notEqual(
      again('.resposta .pedido-da-resposta').text(),
      first('.resposta .pedido-da-resposta').text(),
    )
    for (const [uf, documento, said, way] of [
      ['AL', '98765055000197', 'A SEFAZ-AL está com erro', 'na SEFAZ-AL'],
      ['GO', '98765005000100', 'A SEFAZ-GO está com erro', 'na SEFAZ-GO'],
      // It has no page of its own for registrations.
      ['MG', '98765006000154', 'A SEFAZ-MG mandou uma página que não é a resposta', 'no cadastro nacional'],
      ['BA', '98765003000110', 'A SEFAZ-BA recusou a consulta', 'na SEFAZ-BA'],
    ] as const) {
      const $ = await page(ask(visitor, { documento, uf, pergunta: 'ie' }))
      assert.equal($('.resposta #veredito').text(), said)
      assert.equal($('.acoes-do-veredito form button.botao').text(), 'Perguntar de novo · 1 crédito')
      assert.match($('.acoes-do-veredito a').text(), new RegExp(`${way} em outra aba$`))
      assert.match($('.resposta .frase').text(), /de novo em|de novo agora/)
      assert.equal($('.resposta').text().split('Nada foi cobrado').length, 2)
      assert.doesNotMatch($('.resposta').text(), /HTTP|outra coisa|algo que não/)
    }
  })

  test('a certificate that did not come, the federal one too, is asked anew from its verdict', async () => {
    for (const [fields, said] of [
      [{ pergunta: 'cnd-federal', documento: '98764020000133' }, 'A Receita Federal não respondeu'],
      [{ pergunta: 'cnd-federal', documento: '98764019000109' }, 'A Receita Federal não respondeu'],
      [{ pergunta: 'cnd', uf: 'SE', documento: '98765016000190' }, 'Veio a certidão de outro contribuinte'],
    ] as const) {
      const $ = await page(ask(visitor, fields))
      assert.equal($('.resposta #veredito').text(), said)
      assert.match($('.acoes-do-veredito button.botao').text(), /^Perguntar de novo · 1 crédito$/)
      assert.equal($('.acoes-do-veredito a').length, 'uf' in fields ? 1 : 0)
    }
  })

  test('a state that can never be asked is offered anew nowhere', async () => {
    const $ = await page(ask(visitor, { documento: '99034721000180', uf: 'RR', pergunta: 'cnd' }))
    assert.equal($('.resposta #veredito').text(), 'A SEFAZ-RR não é consultada por aqui')
    assert.doesNotMatch($('.resposta').text(), /Perguntar de novo|Consulte na página/)
    assert.equal($('.acoes-do-veredito a').length, 1)
    assert.equal($('.fichas button[value="ie"]').length, 1)
  })

  test('who has found the only state of a company is offered its certificate there, before all others', async () => {
    const $ = await page(ask(visitor, { documento: '99034721000180', pergunta: 'ie-todos' }))
    const buttons = $('.fichas > div > button')
    assert.equal(buttons.eq(1).text(), 'Certidão estadual, RS · 1 crédito')
    assert.equal($('#uf option[selected]').attr('value'), 'RS')
    const asked = await page(ask(visitor, { documento: '99034721000180', uf: 'RS', pergunta: 'cnd' }))
    assert.doesNotMatch(asked('.fichas').text(), /Certidão estadual, /)
  })

  test('the button below an answer asks the authority anew, for the price that it says', async () => {
    const rich = await enterPainel(house, 'enterprise')
    const anew = perguntas.filter(({ marcas }) => marcas.some(({ onde }) => onde === 'header'))
    assert.deepEqual(
      anew.map(({ id }) => id),
      'ie-todos ie cnd-todos cnd cnpj-ao-vivo cnir sigef perfil'.split(' '),
    )
    for (const { id, price } of anew) {
      const fields = { documento: '99001002000162', uf: 'SP' }
      await ask(rich, { ...fields, pergunta: id })
      const kept = await page(ask(rich, { ...fields, pergunta: id }))
      const button = kept('.fichas button').first()
      assert.equal(button.attr('value'), id)
      assert.equal(kept('.fichas > div > button').length, 4, id)
      const folded = kept('.fichas details button').length
      assert.equal(kept('.fichas summary').text(), `Outras perguntas (${folded})`)
      assert.match(button.text(), new RegExp(`^Perguntar de novo · (?:até )?${mostOf(price)} créditos?$`))
      const before = disponiveis(await saldo(rich))
      const $ = await page(ask(rich, { ...fields, [button.attr('name') ?? '']: id }))
      assert.doesNotMatch(veredito($), /Resposta guardada/, id)
      assert.doesNotMatch($('.json').text(), /"cached": true/, id)
      assert.match($('#sh').text(), /cache-control: no-cache/, id)
      const paid = before - disponiveis(await saldo(rich))
      assert.ok(paid <= mostOf(price), `${id}: ${paid}`)
    }
  })

  test('a profile by CPF costs at most what it holds, wherever its price stands', async () => {
    const $ = await page(ask(visitor, { documento: '529.982.247-25', pergunta: 'perfil' }))
    assert.equal($('.fichas button').first().text(), 'Perguntar de novo · até 54 créditos')
    assert.match($('#guarda').parent().text(), /perguntar de novo custa até 54 créditos/)
    assert.doesNotMatch($('.resposta').text(), /\b55\b/)
  })

  test('a button that cannot ask anew says what it does instead', async () => {
    for (const [pergunta, said, sent] of [
      ['cnpj', 'Reler a base do mês · 1 crédito', /force_fresh=false/],
      ['cnd-federal', 'Emitir outra certidão federal · 1 crédito', /emitir_nova=true/],
    ] as const) {
      const documento = '99001002000162'
      const button = (await page(ask(visitor, { documento, pergunta })))('.fichas button').first()
      assert.equal(button.text(), said)
      const $ = await page(ask(visitor, { documento, [button.attr('name') ?? '']: pergunta }))
      assert.match($('#sh').text(), sent)
    }
  })

  test('a form of another session, or without its token, asks nothing', async () => {
    const before = await saldo()
    for (const path of [CONSULTAR, '/painel/consultar/documento']) {
      const { status } = await house.ask(path, {
        key: null,
        method: 'POST',
        headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ documento: '99001002000162', uf: 'SP', pergunta: 'ie' }),
      })
      assert.equal(status, 400)
    }
    assert.deepEqual(await saldo(), before)
  })

  test('the addresses that the room had before lead to it', async () => {
    const old = await visitor.get('/painel/experimentar/consultar/?uf=SP&cnpj=99001002000162')
    assert.equal(old.status, 301)
    assert.equal(old.headers.get('location'), '/painel/consultar/consultar/?uf=SP&cnpj=99001002000162')
    const form = await visitor.get(old.headers.get('location') ?? '')
    assert.equal(form.status, 301)
    assert.equal(form.headers.get('location'), '/painel/consultar/?documento=99001002000162&uf=SP')
    assert.equal((await visitor.get('/painel/experimentar/')).headers.get('location'), CONSULTAR)
  })

  test('an unknown page of the room is an unknown page', async () => {
    for (const name of ['nada', 'constructor', 'diagnosticar', '__proto__'])
      assert.equal((await visitor.get(`${CONSULTAR}${name}/`)).status, 404, name)
  })

  test('without credits, and above the limit of the plan, the page says what to do', async () => {
    const poor = await enterPainel(house, 'lite')
    const todos = { documento: '99001002000162', pergunta: 'cnd-todos' }
    for (let at = 0; at < 5; at++) await poor.post(CONSULTAR, todos)
    const $ = await page(ask(poor, todos))
    assert.match($('.programadores a[href$="/erros#LIMITE_ATINGIDO"]').text(), /LIMITE_ATINGIDO/)
    assert.match(veredito($), /precisa de 27 créditos/)
    assert.match(veredito($), /Nada foi cobrado/)
    for (let at = 0; at < 30; at++)
      await poor.post(CONSULTAR, { documento: '99001002000162', pergunta: 'cnpj' })
    const limited = await page(ask(poor, { documento: '99001002000162', pergunta: 'cnpj' }))
    assert.match(limited('.programadores a[href$="/erros#RATE_LIMIT_EXCEEDED"]').text(), /RATE_LIMIT/)
    assert.match(veredito(limited), /Tente de novo em \d+ s/)
  })

  test('a visitor who leaves aborts his call, and pays for no more than he was sent', async () => {
    const leaver = await enterPainel(house, 'pro')
    const live = await openLive(house, leaver)
    const leaving = new AbortController()
    const fields = { documento: '98765057000186', pergunta: 'cnd-todos', 'Cache-Control': 'true' }
    const answer = await live(fields, leaving.signal)
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
    const body = new URLSearchParams({ _csrf, documento: '99034721000180', pergunta: 'ie-todos' }).toString()
    const head = [
      `POST ${CONSULTAR} HTTP/1.1`,
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

  test('what is typed, or an authority wrote, stays text, and an enormous answer stays a page', async () => {
    const hostile = '<img src=x onerror=alert(1)>"\'</pre><script>alert(1)</script>'
    const typed = await page(visitor.get(`${CONSULTAR}?documento=${encodeURIComponent(hostile)}`))
    assert.equal(typed('main img, main script').length, 0)
    assert.equal(typed('#documento').attr('value'), hostile)
    const answer = {
      results: Array.from({ length: 5_000 }, () => ({ razao_social: hostile, [hostile]: 'x'.repeat(5_000) })),
      fundo: Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), hostile),
    }
    const drawn = String(highlightJson(answer))
    const $ = load(drawn)
    assert.equal($('img, script').length, 0)
    assert.ok($.text().includes(JSON.stringify(hostile).slice(1, -1)))
    assert.ok(drawn.length < 1_000_000, String(drawn.length))
    assert.match($.text(), /A resposta é maior do que se mostra aqui/)
  })
})
