import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { ufs } from '../../src/documento/uf.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import type { House } from '../kit/house.ts'
import { start, UNKNOWN } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const CONSULTAR = '/painel/consultar/'
const CNPJ = '99001002000162'
const MINUTE_MS = 60_000

for (const dialect of ['sqlite', 'postgres'] as const)
  describe(`answers that are kept: ${dialect}`, () => {
    let house: House
    let visitor: Member
    const clock = { instant: NOW.getTime() }
    before(async () => {
      // The states that never answer are not waited for as long as a client would.
      const settings = { IE_SECONDS: '5', CND_SECONDS: '6' }
      const database = dialect === 'postgres' && {
        DATABASE_URL: await newPostgres(),
        SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
      }
      house = await start({ ...settings, ...database }, () => new Date(clock.instant))
      visitor = await enterPainel(house, 'enterprise')
    })
    after(() => house.close())

    const ask = async (fields: Record<string, string>, who = visitor): Promise<string> => {
      const { status, headers, text } = await who.post(CONSULTAR, fields)
      assert.equal(status, 303, text.slice(0, 500))
      return headers.get('location') ?? ''
    }
    const open = async (path: string, who = visitor) => {
      const { status, text } = await who.get(path)
      assert.equal(status, 200, path)
      return load(text)
    }
    const saldo = async (who = visitor) => (await house.ask('/api/v1/conta', { key: who.key })).body.creditos
    const rows = (conta_id: string) =>
      house.rooms.platform.db.kysely
        .selectFrom('consultas_guardadas')
        .selectAll()
        .where('conta_id', '=', conta_id)
        .execute()
    /** Sends a form as a browser does that hears the states one by one. */
    const live = async (fields: Record<string, string>, signal?: AbortSignal) => {
      const form = await visitor.get('/painel/')
      const [cookie = ''] = (form.headers.get('set-cookie') ?? '').split(';')
      const _csrf = load(form.text)('input[name="_csrf"]').attr('value') ?? ''
      return fetch(house.address + CONSULTAR, {
        method: 'POST',
        headers: {
          cookie: `${visitor.cookie}; ${cookie}`,
          'sec-fetch-site': 'same-origin',
          accept: 'text/event-stream',
        },
        body: new URLSearchParams({ _csrf, ...fields }),
        ...(signal && { signal }),
      })
    }
    const guardar = (minutos: string, who = visitor) => who.post('/painel/configuracoes/guarda/', { minutos })

    test('a question leads to its answer, which costs nothing to see again, with its files', async () => {
      const path = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'cnd' })
      assert.match(path, /^\/painel\/consultas\/[0-9a-f-]{36}\/$/)
      const before = await saldo()
      for (let turn = 0; turn < 2; turn++) {
        const $ = await open(path)
        assert.equal($('.resposta #veredito').text(), 'Negativa')
        assert.match($('#guarda').text(), /Esta resposta fica guardada por uma hora/)
        assert.match($('.veredito').text(), /Custou1 crédito saldo agora/)
        assert.match($('.veredito time.idade').attr('title') ?? '', /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}$/)
        const copiados = $('dd [data-copia]').map((_, one) => [[$(one).attr('data-copia'), $(one).text()]])
        assert.ok(copiados.length > 0)
        for (const [copiado, dito] of copiados.get()) assert.equal(copiado, dito)
        assert.match($('.margem').text(), /perguntar de novo custa 1 crédito/)
      }
      const pdf = await visitor.get(`${path}certidao.pdf`)
      assert.equal(pdf.status, 200)
      assert.equal(pdf.headers.get('content-type'), 'application/pdf')
      assert.match(pdf.headers.get('content-disposition') ?? '', /^attachment; filename="certidao/)
      assert.match(pdf.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.equal(pdf.headers.get('cache-control'), 'no-store')
      assert.match(pdf.text, /^%PDF-/)
      const agenda = await visitor.get(`${path}agenda.ics`)
      assert.equal(agenda.headers.get('content-type'), 'text/calendar; charset=utf-8')
      assert.match(agenda.text, /BEGIN:VEVENT[\s\S]*DTSTART;VALUE=DATE:\d{8}[\s\S]*TRIGGER:-P/)
      const dita = agenda.text.replace(/\r\n /g, '')
      assert.match(dita, /Conferida em \d{2}\/\d{2}\/\d{4}\./)
      assert.match(dita, new RegExp(`\nURL[^\n]*:${house.address}${path}\r`))
      for (const none of ['nota.xml', 'certidao-RS.pdf', 'agenda-RS.ics', 'certidao.exe', '..%2Fx'])
        assert.equal((await visitor.get(path + none)).status, 404, none)
      assert.deepEqual(await saldo(), before)
    })

    test('only its account sees it, and it stands sealed', async () => {
      const path = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'ie' })
      const stranger = await enterPainel(house)
      for (const part of ['', 'certidao.pdf', 'agenda.ics'])
        assert.equal((await stranger.get(path + part)).status, 404, part)
      assert.equal((await stranger.post(`${path}repetir`)).status, 404)
      const kept = await rows(visitor.conta.id)
      assert.ok(kept.length > 2)
      for (const { selado } of kept) {
        const bytes = Buffer.from(selado, 'base64url')
        for (const word of [CNPJ, 'inscricao_estadual', '%PDF', 'consultar'])
          assert.ok(!selado.includes(word) && !bytes.includes(word), word)
      }
      // A row that was moved to another account or call does not open.
      const [row] = kept
      assert.ok(row)
      const moved = { ...row, parte: '', request_id: crypto.randomUUID(), conta_id: stranger.conta.id }
      await house.rooms.platform.db.kysely.insertInto('consultas_guardadas').values(moved).execute()
      const found = await house.rooms.contas.guardadas.find(
        { conta_id: stranger.conta.id, request_id: moved.request_id },
        '',
      )
      assert.equal(found, undefined)
    })

    test('a refusal by the API is kept too: what it says, and that nothing was charged', async () => {
      const path = await ask({ documento: UNKNOWN, pergunta: 'cnpj' })
      const $ = await open(path)
      assert.ok($('.veredito').hasClass('ruim'))
      assert.match($('.veredito').text(), /Nada foi cobrado/)
      // Of nothing there is nothing to keep, to print or to download.
      assert.equal($('#guarda').length, 0)
    })

    test('the log leads to it while it is kept, then it says that it is gone, and what asking costs', async () => {
      const path = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'ie' })
      const id = path.split('/').at(-2) ?? ''
      const inLog = async () => {
        const $ = await open('/painel/registro/')
        return $(`a.ver-resposta[href="${path}"]`).length
      }
      assert.equal(await inLog(), 1)
      assert.match((await open(`/painel/registro/${id}/`))('main').text(), /Ainda pode ser aberta, sem custo/)
      clock.instant += 60 * MINUTE_MS
      assert.equal(await inLog(), 0)
      assert.match(
        (await open(`/painel/registro/${id}/`))('main').text(),
        /Não está guardada.*Chamadas da API não guardam a resposta\.Perguntar de novo · 1 crédito/,
      )
      const gone = await visitor.get(path)
      assert.equal(gone.status, 410)
      assert.match(load(gone.text)('main').text(), /não está mais guardada.*Perguntar de novo · 1 crédito/s)
      assert.ok((await house.rooms.contas.guardadas.sweep()) > 0)
      assert.deepEqual(await rows(visitor.conta.id), [])
    })

    test('the account says for how long, and may keep nothing: then the answer is shown at once', async () => {
      const path = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'ie' })
      assert.equal((await guardar('1440')).headers.get('location'), '/painel/configuracoes/?feito=guarda')
      const longer = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'ie' })
      assert.match((await open(longer))('#guarda').text(), /por 24 horas/)
      assert.equal((await guardar('17')).status, 400)
      await guardar('0')
      assert.deepEqual(await rows(visitor.conta.id), [])
      assert.equal((await visitor.get(path)).status, 410)
      const { status, text } = await visitor.post(CONSULTAR, { documento: CNPJ, uf: 'SP', pergunta: 'cnd' })
      assert.equal(status, 200)
      const $ = load(text)
      assert.equal($('.resposta #veredito').text(), 'Negativa')
      assert.match($('#guarda').text(), /Não fica guardada/)
      assert.equal($('#perguntar').attr('data-ao-vivo'), '')
      const form = $('.acoes-do-veredito form.papel')
      const fields = Object.fromEntries(form.serializeArray().map(({ name, value }) => [name, value]))
      const { _csrf: _, ...file } = fields
      const pdf = await visitor.post(form.attr('action') ?? '', file)
      assert.equal(pdf.headers.get('content-type'), 'application/pdf')
      assert.match(pdf.text, /^%PDF-/)
      for (const changed of [{ tipo: 'xml' }, { nome: 'outro' }, { papel: 'AAAA' }, { tipo: 'html' }]) {
        const { status } = await visitor.post(form.attr('action') ?? '', { ...file, ...changed })
        assert.equal(status, 400, JSON.stringify(changed))
      }
      const stranger = await enterPainel(house)
      assert.equal((await stranger.post(form.attr('action') ?? '', file)).status, 400)
      assert.deepEqual(await rows(visitor.conta.id), [])
      await guardar('60')
    })

    test('a call that was charged by a process that died has its trace under its number', async () => {
      const request_id = newRequestId(house.rooms.platform.now())
      const gasto = { conta: visitor.conta, request_id, endpoint: '/api/consultar-cnd', creditos: 1 }
      assert.ok((await house.rooms.platform.ledger.charge(gasto)).ok)
      const $ = await open(`/painel/registro/${request_id}/`)
      assert.match($('main').text(), /Cobrada, e não registrada.*pode ter se perdido.*Cobrança de 1 crédito/s)
      const dona = { conta_id: visitor.conta.id, request_id }
      await house.rooms.contas.guardadas.keep(dona, [{ parte: '', conteudo: Buffer.alloc(9) }])
      const kept = await open(`/painel/registro/${request_id}/`)
      assert.match(kept('main').text(), /A resposta ficou guardada/)
      assert.equal(kept(`main a[href="/painel/consultas/${request_id}/"]`).text(), 'veja-a')
      const stranger = await enterPainel(house)
      assert.equal((await stranger.get(`/painel/registro/${request_id}/`)).status, 404)
    })

    test('an account keeps so many answers and so many octets, the newest ones', async () => {
      const { guardadas } = house.rooms.contas
      const other = await enterPainel(house)
      const keep = (at: number, size: number) =>
        guardadas.keep(
          {
            conta_id: other.conta.id,
            request_id: `01a20000-0000-7000-8000-${String(at).padStart(12, '0')}`,
          },
          [{ parte: '', conteudo: Buffer.alloc(size) }],
        )
      for (let at = 0; at < 103; at++) assert.equal(await keep(at, 10), true)
      const kept = (await rows(other.conta.id)).map(({ request_id }) => Number(request_id.slice(-12)))
      assert.deepEqual(
        kept.toSorted((a, b) => a - b),
        Array.from({ length: 100 }, (_, at) => at + 3),
      )
      assert.equal(await keep(200, 4 * 1024 * 1024), false)
      for (let at = 300; at < 320; at++) await keep(at, 3 * 1024 * 1024)
      const bytes = (await rows(other.conta.id)).reduce((sum, one) => sum + one.bytes, 0)
      assert.ok(bytes <= 64 * 1024 * 1024 && bytes > 50 * 1024 * 1024, String(bytes))
    })

    test('what was kept just now gives way to nothing, neither to dossiers nor to answers that ended', async () => {
      const { guardadas } = house.rooms.contas
      const { conta } = await enterPainel(house)
      const keep = async (request_id: string, partes = 1, size = 10): Promise<boolean> => {
        const dona = { conta_id: conta.id, request_id }
        const isKept = await guardadas.keep(
          dona,
          Array.from({ length: partes }, (_, at) => ({
            parte: at === 0 ? '' : `P${at}`,
            conteudo: Buffer.alloc(size),
          })),
        )
        assert.equal((await guardadas.find(dona, '')) !== undefined, isKept, request_id)
        return isKept
      }
      const chamada = (at: number): string => `01a20000-0000-7000-8000-${String(at).padStart(12, '0')}`
      for (let at = 0; at < 101; at++) await keep(`f${at}`.padEnd(43, 'x'))
      for (let at = 0; at < 100; at++) await keep(chamada(at + 1))
      clock.instant += MINUTE_MS
      // An older number that is kept later is the newest.
      assert.ok(await keep(chamada(0)))
      clock.instant += 1
      assert.ok(await keep(chamada(200)))
      assert.ok(await guardadas.find({ conta_id: conta.id, request_id: chamada(0) }, ''))
      assert.equal(await guardadas.find({ conta_id: conta.id, request_id: chamada(1) }, ''), undefined)
      // Alone it is more than the account may have.
      assert.equal(await keep(chamada(300), 27, 2.5 * 1024 * 1024), false)
      clock.instant += 60 * MINUTE_MS
      const before = (await rows(conta.id)).length
      assert.ok(await keep(chamada(0)))
      assert.equal((await rows(conta.id)).length, before)
    })

    if (dialect === 'sqlite')
      test('of all states what was found comes first, and the failures may be asked again alone', async () => {
        const path = await ask({ documento: '98765057000186', pergunta: 'cnd-todos' })
        const $ = await open(path)
        assert.ok($('.achados > li').length > 3)
        const falhas = $('#falhas').text().split(':')[1]?.trim().split(', ') ?? []
        assert.ok(falhas.length > 1)
        assert.match(
          $('.acoes-do-veredito button').text(),
          new RegExp(`Perguntar de novo aos ${falhas.length} que falharam · até ${falhas.length} créditos`),
        )
        assert.equal($('.resposta .mapa a').length, 27)
        for (const one of $('.resposta .mapa a').get())
          assert.equal($($(one).attr('href') ?? '#nada').length, 1, $(one).attr('href'))
        const [first = ''] = $('.achados .arquivos a[href$=".pdf"]')
          .get()
          .map((one) => $(one).attr('href') ?? '')
        assert.match((await visitor.get(first)).text, /^%PDF-/)
        await house.rooms.contas.usos.flush()
        const calls = async () =>
          (
            await house.rooms.platform.db.kysely
              .selectFrom('usos')
              .select(['endpoint', 'uf'])
              .where('conta_id', '=', visitor.conta.id)
              .where('endpoint', '=', '/api/consultar-cnd')
              .execute()
          ).length
        const before = await calls()
        const again = await visitor.post(`${path}repetir`)
        assert.equal(again.status, 303)
        assert.equal(again.headers.get('location'), path)
        await house.rooms.contas.usos.flush()
        assert.equal((await calls()) - before, falhas.length)
        const merged = await open(path)
        assert.equal(
          merged('.achados > li').length + (merged('#falhas').text().split(',').length % 100),
          27 - merged('.sem-conexao li').length - merged('.sem-nada li').length,
        )
        // The certificates that came before are still there.
        assert.match((await visitor.get(first)).text, /^%PDF-/)
      })

    if (dialect === 'sqlite')
      test('what comes live ends in an answer that is kept', async () => {
        const text = await (await live({ documento: CNPJ, pergunta: 'ie-todos' })).text()
        assert.equal(text.match(/^event: uf$/gm)?.length, 27)
        const [, data = '{}'] = /^event: fim\ndata: (.*)$/m.exec(text) ?? []
        const { endereco } = JSON.parse(data)
        const $ = await open(endereco)
        assert.match(
          $('.veredito').text(),
          /sem inscrição\u00a0· 2 não consultáveis\u00a0· \d+\u00a0créditos\u00a0· respondida agora/,
        )
        assert.match($('.da-chamada').text(), /créditos saldo agora/)
        assert.equal($('.resposta .legenda [data-classe="1"]').text().trim(), 'Ativa 1')
        assert.equal($('.no-mapa + .da-chamada').length, 1)
      })

    /** An answer of all states about registrations, as it would be kept. */
    const keepTodos = async (results: readonly object[]): Promise<string> => {
      const request_id = newRequestId(house.rooms.platform.now())
      const corpo = { request_id, document: CNPJ, document_type: 'cnpj', results, cached_ufs: [] }
      const respondida = { http: 200, corpo, request_id, cobrados: 0, ms: 1 }
      const entrada = { tipo: 'cnpj', documento: CNPJ, uf: '', marcas: [] }
      const feita = { pergunta: 'ie-todos', entrada, respondida, refeitas: [] }
      const partes = [{ parte: '', conteudo: Buffer.from(JSON.stringify(feita)) }]
      assert.ok(await house.rooms.contas.guardadas.keep({ conta_id: visitor.conta.id, request_id }, partes))
      return `/painel/consultas/${request_id}/`
    }
    const falha = (uf: string) => ({
      uf,
      source_status: {
        status: 'error',
        error_code: 'SITE_INDISPONIVEL',
        error_message: `A SEFAZ-${uf} caiu; volta "logo".`,
        retryable: true,
      },
      results: [],
      fonte: '',
      consultado_em: '',
      avisos: [],
    })

    if (dialect === 'sqlite')
      test('all states come as a table too, with those that failed, and it costs nothing', async () => {
        const before = await saldo()
        const path = await ask({ documento: '98765057000186', pergunta: 'ie-todos' })
        const spent = await saldo()
        assert.notDeepEqual(spent, before)
        const $ = await open(path)
        const link = $('.acoes-do-veredito a[href$=".csv"]')
        assert.equal(link.text(), 'Baixar CSV dos estados')
        assert.equal(link.attr('href'), `${path}estados.csv`)
        const { status, headers, text } = await visitor.get(`${path}estados.csv`)
        assert.equal(status, 200)
        assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
        assert.equal(headers.get('content-disposition'), 'attachment; filename="estados-98765057000186.csv"')
        const [cabecalho = '', ...linhas] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
        assert.match(
          cabecalho,
          /^Consultado;UF;Estado;Resultado;Quem respondeu;Inscrição estadual;Nome;.*;Por quê$/,
        )
        const ufs = linhas.map((linha) => linha.split(';')[1])
        assert.equal(new Set(ufs).size, 27)
        assert.ok(linhas.every((linha) => linha.startsWith('98.765.057/0001-86;')))
        for (const item of $('.achados > li').get()) {
          const uf = $(item).find('.sigla').text()
          const numero = $(item).find('h3').first().text().split(': ')[1]?.split(' ')[0] ?? '?'
          assert.ok(
            linhas.some((linha) => linha.includes(`;${uf};`) && linha.includes(`;${numero};`)),
            uf,
          )
        }
        const falhas = $('#falhas').text().split(':')[1]?.trim().split(', ') ?? []
        assert.ok(falhas.length > 0)
        for (const uf of falhas)
          assert.match(
            linhas.find((linha) => linha.includes(`;${uf};`)) ?? '',
            /;(?:Falhou|Demorou);.*\S\.?"?$/,
          )
        assert.deepEqual(await saldo(), spent)
        const one = await ask({ documento: CNPJ, uf: 'SP', pergunta: 'ie' })
        for (const none of [`${one}estados.csv`, `${path}estados-SP.csv`])
          assert.equal((await visitor.get(none)).status, 404, none)
        const stranger = await enterPainel(house)
        assert.equal((await stranger.get(`${path}estados.csv`)).status, 404)
      })

    if (dialect === 'sqlite')
      test('a spreadsheet calculates nothing of what an authority wrote', async () => {
        const { body } = await house.ask(`/api/consultar?uf=SP&cnpj=${CNPJ}`, { key: visitor.key })
        const [um] = Object(body).results
        const achada = { ...um, razao_social: '=1+1;"x"', nome_fantasia: '@SUM(A1)' }
        const sp = {
          ...falha('SP'),
          source_status: { status: 'success', error_code: '', error_message: '', retryable: false },
          results: [achada],
          consultado_em: NOW.toISOString(),
        }
        const path = await keepTodos([sp, falha('BA')])
        const { text } = await visitor.get(`${path}estados.csv`)
        const [, paulista = '', baiana = ''] = text.split('\r\n')
        assert.match(paulista, /;"'=1\+1;""x""";/)
        assert.match(paulista, /;'@SUM\(A1\);/)
        assert.match(baiana, /^99\.001\.002\/0001-62;BA;Bahia;Falhou;.*"A SEFAZ-BA caiu; volta ""logo""\."$/)
      })

    if (dialect === 'sqlite')
      test('all states may be asked again at once: one visitor is listened to once', async (t) => {
        const warned: string[] = []
        const onWarning = ({ name, message }: Error) => warned.push(`${name}: ${message}`)
        process.on('warning', onWarning)
        t.after(() => process.off('warning', onWarning))
        const path = await keepTodos(ufs.map(falha))
        assert.equal((await visitor.post(`${path}repetir`)).status, 303)
        assert.ok((await open(path))('.achados > li').length > 0)
        assert.deepEqual(warned, [])
      })

    if (dialect === 'sqlite')
      test('an answer that broke off says which of its states were kept before', async () => {
        const TODOS = { documento: '98765057000186', pergunta: 'ie-todos' }
        await ask({ documento: TODOS.documento, uf: 'SP', pergunta: 'ie' })
        clock.instant += MINUTE_MS
        const leaving = new AbortController()
        const answer = await live(TODOS, leaving.signal)
        const reader = answer.body?.getReader()
        let text = ''
        while (!/"uf":"SP"/.test(text)) text += Buffer.from((await reader?.read())?.value ?? []).toString()
        leaving.abort()
        const path = `/painel/consultas/${/"request_id":"([0-9a-f-]+)"/.exec(text)?.[1]}/`
        while ((await visitor.get(path)).status !== 200) await pausa()
        const $ = await open(path)
        assert.match($('.falhas').text(), /A conexão caiu antes da resposta/)
        const [, kept = ''] = /"cached_ufs": \[([^\]]*)\]/.exec($('.json').text()) ?? []
        assert.match(kept, /"SP"/)
        const [, kepts] = /(\d+) secretarias?/.exec($('.da-chamada').text()) ?? []
        assert.equal(Number(kepts), kept.split(',').length)
        assert.match($('.veredito .selo').text(), /^Resposta reaproveitada, dada há 1 min/)
      })
  })
