import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { FATIA, OLHAR, readFolha } from '../../src/contas/lookup-usos.ts'
import { openUsos } from '../../src/contas/store-usos.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { NOW } from '../kit/basics.ts'
import { chamadaFeita, fillChamadas } from '../kit/contas.ts'
import { BANCO_DO_BRASIL, type House } from '../kit/house.ts'
import { enterPainel, type Member, startOn } from '../kit/pages.ts'

const AGORA = NOW.getTime()
const DAY_MS = 86_400_000
const REGISTRO = '/painel/registro/'

for (const dialect of ['sqlite', 'postgres'] as const)
  describe(`the log on ${dialect}`, () => {
    let house: House
    let visitor: Member
    let total: number
    before(async () => {
      house = await startOn(dialect)
      visitor = await enterPainel(house)
      total = await fillChamadas(house.rooms.platform.db, visitor.conta.id, { agora: AGORA, dias: 12 })
    })
    after(() => house.close())

    const abrir = async (path: string, who = visitor): Promise<CheerioAPI> => {
      const { status, text } = await who.get(path)
      assert.equal(status, 200, path)
      return load(text)
    }
    const pedidosDe = (page: CheerioAPI): string[] =>
      page('.chamadas .pedido a')
        .map((_, one) => page(one).attr('title'))
        .get()
    const ir = (page: CheerioAPI, rel: 'next' | 'prev'): string | undefined =>
      page(`.passagem a[rel="${rel}"]`).attr('href')

    test('older pages show each call once, and the way back shows the same pages', async () => {
      const pages: string[][] = []
      let [path, last]: (string | undefined)[] = [REGISTRO, undefined]
      while (path) {
        const page: CheerioAPI = await abrir(path)
        pages.push(pedidosDe(page))
        last = ir(page, 'prev')
        path = ir(page, 'next')
      }
      const all = pages.flat()
      assert.equal(all.length, total)
      assert.equal(new Set(all).size, total)
      const back: string[][] = []
      for (path = last; path; ) {
        const page: CheerioAPI = await abrir(path)
        back.unshift(pedidosDe(page))
        path = ir(page, 'prev')
      }
      assert.deepEqual(back.flat(), all.slice(0, back.flat().length))
      assert.ok(back.length >= pages.length - 1)
    })

    test('it goes back 90 days, today included, and no further by any way', async () => {
      const who = await enterPainel(house)
      const ids: string[] = []
      let at = AGORA
      const usos = openUsos(house.rooms.platform.db, { now: () => new Date(at), log: { error: () => {} } })
      for (const ago of [0, 89, 90, 91]) {
        at = AGORA - ago * DAY_MS
        const chamada = chamadaFeita(who.conta.id, ago, at)
        ids.push(chamada.request_id)
        usos.note(chamada)
      }
      await usos.close()
      assert.deepEqual(pedidosDe(await abrir(REGISTRO, who)), ids.slice(0, 2))
      const { text } = await who.get(`${REGISTRO}registro.csv`)
      assert.equal(text.trim().split('\r\n').length, 3)
      const found = await Promise.all(ids.map((id) => who.get(`${REGISTRO}${id}/`)))
      assert.deepEqual([found[0]?.status, found[1]?.status, found[3]?.status], [200, 200, 404])
    })

    test('a call that has just been answered is the first of it', async () => {
      const who = await enterPainel(house)
      for (const _time of [1, 2]) {
        const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: who.key })
        const listed = pedidosDe(await abrir(REGISTRO, who))
        assert.ok(listed.includes(headers.get('x-request-id') ?? ''))
      }
    })

    test('filters leave out what they say, alone and together', async () => {
      for (const [query, passes] of [
        ['endpoint=/api/consultar-cnd', (row: string) => row.includes('Certidão estadual')],
        ['desfecho=entregues', (row: string) => /Entregue|Reaproveitada|Em parte: 2 sem resposta/.test(row)],
        ['desfecho=fonte', (row: string) => row.includes('2 sem resposta')],
        ['desfecho=cache', (row: string) => row.includes('Reaproveitada')],
        ['desfecho=SITE_INDISPONIVEL', (row: string) => row.includes('Fonte indisponível')],
        ['desfecho=falhas', (row: string) => !/Entregue|Reaproveitada|Em parte/.test(row)],
        ['uf=SP', (row: string) => row.includes('SP')],
        ['dia=2026-11-10', (row: string) => row.startsWith('10/11')],
        ['endpoint=/api/consultar&uf=SP', (row: string) => /Inscrição estadual.*SP/.test(row)],
      ] as const) {
        const page = await abrir(`${REGISTRO}?${query}`)
        const rows = page('.chamadas tbody tr').map((_, row) => page(row).text())
        assert.ok(rows.length > 0, query)
        assert.ok(rows.length < total, query)
        for (const row of rows.get()) assert.ok(passes(row), `${query}: ${row}`)
      }
    })

    test('the search takes whatever a line of the table shows', async () => {
      const linhas = async (q: string): Promise<string[]> => {
        const page = await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`)
        return page('.chamadas tbody tr')
          .map((_, row) => page(row).text())
          .get()
      }
      const page = await abrir(`${REGISTRO}?uf=SP`)
      const [id = ''] = pedidosDe(page)
      assert.deepEqual(pedidosDe(await abrir(`${REGISTRO}?q=${id.slice(-8)}`)), [id])
      const documento = page('.chamadas .documento').first().text()
      for (const [q, shows] of [
        [documento, documento],
        [documento.toLowerCase(), documento],
        ['certidao est', 'Certidão estadual'],
        ['inscrição estadual', 'Inscrição estadual'],
        ['consultar-cnpj', 'Empresa (CNPJ)'],
        ['sp', 'SP'],
        ['São Paulo', 'SP'],
        ['site_indisponivel', 'Fonte indisponível'],
        ['SITE_INDISP', 'Fonte indisponível'],
        ['Fonte indisponível', 'Fonte indisponível'],
        ['indisponivel', 'Fonte indisponível'],
        ['reaproveitada', 'Reaproveitada'],
        ['2 sem resposta', '2 sem resposta'],
      ] as const) {
        const rows = await linhas(q)
        assert.ok(rows.length > 0 && rows.length < total, q)
        if (q !== 'consultar-cnpj')
          for (const row of rows) assert.ok(row.includes(shows) || row.includes('Em parte'), `${q}: ${row}`)
      }
      const quando = page('.chamadas time').last().attr('title') ?? ''
      for (const q of [quando.slice(0, 5), quando.slice(0, 10)]) {
        const achada = await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`)
        const dias = achada('.chamadas time').map((_, time) => achada(time).attr('title')?.slice(0, 10))
        assert.deepEqual([...new Set(dias.get())], [quando.slice(0, 10)])
        assert.ok(dias.length < total)
      }
      assert.deepEqual(await linhas('31/02'), [])
      const [hora = ''] = /\d\d:\d\d/.exec(quando) ?? []
      const naHora = await abrir(`${REGISTRO}?q=${hora}`)
      const horas = naHora('.chamadas time').map(
        (_, time) =>
          naHora(time)
            .attr('title')
            ?.match(/\d\d:\d\d/)?.[0],
      )
      assert.deepEqual([...new Set(horas.get())], [hora])
      assert.ok(horas.length < total)
      const custou = page('.chamadas .creditos').first().text()
      for (const q of [custou, custou.replace(/ .*/, '')]) {
        const achada = await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`)
        const creditos = achada('.chamadas .creditos').map((_, one) => achada(one).text())
        assert.deepEqual([...new Set(creditos.get())], [custou])
        assert.ok(creditos.length < total)
      }
      assert.deepEqual(await linhas('nada disso'), [])
      assert.deepEqual(await linhas('%'), [])
      assert.deepEqual(await linhas('_'), [])
    })

    test('the search takes the words of a call that has no code', async () => {
      const who = await enterPainel(house)
      const usos = openUsos(house.rooms.platform.db, { now: () => NOW, log: { error: () => {} } })
      const plain = {
        ...chamadaFeita(who.conta.id, 1, AGORA),
        endpoint: '/api/consultar',
        http: 200,
      } as const
      const whole = {
        ...plain,
        error_code: '',
        cached: false,
        source_failures: 0,
        source_code: '',
        creditos: 1,
      } as const
      for (const chamada of [
        whole,
        { ...whole, cached: true },
        { ...whole, http: 499 },
        { ...whole, endpoint: '/api/consultar-nfe-xml', creditos: 0 },
        { ...whole, endpoint: '/api/perfil-produtor', creditos: 0 },
        { ...whole, endpoint: '/api/consultar-cnd-federal', creditos: 0 },
        { ...whole, source_failures: 3 },
      ])
        usos.note({ ...chamada, request_id: newRequestId(NOW) })
      await usos.close()
      for (const [q, shown] of [
        ['reaproveitada', 'Reaproveitada'],
        ['Interrompida', 'Interrompida'],
        ['sem o xml', 'Sem o XML'],
        ['nada encontrado', 'Nada encontrado'],
        ['sem certidão', 'Sem certidão'],
        ['3 sem resposta', 'Em parte: 3 sem resposta'],
      ] as const) {
        const page = await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`, who)
        assert.equal(page('.chamadas .selo').text(), shown, q)
      }
    })

    test('the page of a call says once that it was delivered, and to programmers how', async () => {
      const who = await enterPainel(house)
      await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: who.key })
      const page = await abrir(String((await abrir(REGISTRO, who))('.chamadas .pedido a').attr('href')), who)
      assert.equal(
        page('main')
          .text()
          .match(/Entregue/g)?.length,
        1,
      )
      assert.match(page('main details').text(), /Caminho\/api\/consultar-cnpjHTTP200/)
      page('main details').remove()
      assert.doesNotMatch(page('main').text(), /HTTP|\/api\//)
    })

    test('a whole document is looked for as the log has it, and the file has the same lines', async () => {
      const who = await enterPainel(house)
      const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: who.key })
      await house.ask('/api/v1/rejeicoes/539', { key: who.key })
      for (const q of [BANCO_DO_BRASIL, '00.000.000/0001-91']) {
        const page = await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`, who)
        assert.deepEqual(pedidosDe(page), [headers.get('x-request-id')], q)
        const { text } = await who.get(String(page('a[href*="registro.csv"]').attr('href')))
        assert.equal(text.trim().split('\r\n').length, 2)
      }
    })

    test('a column that nothing is in is not there', async () => {
      const who = await enterPainel(house)
      await house.ask('/api/v1/rejeicoes/539', { key: who.key })
      const heads = async (): Promise<string> => (await abrir(REGISTRO, who))('.chamadas thead').text()
      assert.doesNotMatch(await heads(), /Documento|UF/)
      await house.ask(`/api/consultar?uf=RS&cnpj=${BANCO_DO_BRASIL}`, { key: who.key })
      assert.match(await heads(), /DocumentoUF/)
    })

    test('a call of today has its hour, with the exact instant as its title', async () => {
      const who = await enterPainel(house)
      await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: who.key })
      const page = await abrir(REGISTRO, who)
      const time = page('.chamadas time').first()
      assert.equal(time.text(), time.attr('title')?.slice(11, 16))
      assert.match(time.attr('title') ?? '', /^\d\d\/\d\d\/2026 \d\d:\d\d:\d\d$/)
    })

    test('an answer that tells a failure of its source is no plain delivery, in list, detail and file', async () => {
      const who = await enterPainel(house)
      const { status, body } = await house.ask('/api/consultar-cnd-federal?cnpj=99001002000163', {
        key: who.key,
      })
      assert.deepEqual([status, Object(body.source_status).error_code], [200, 'CNPJ_INVALIDO'])
      const page = await abrir(`${REGISTRO}?desfecho=CNPJ_INVALIDO`, who)
      assert.equal(page('.chamadas .selo.ruim').text(), 'CNPJ inválido')
      assert.equal(page('.chamadas .selo').attr('title'), 'CNPJ_INVALIDO')
      for (const q of ['CNPJ inválido', 'cnpj_inv'])
        assert.equal(
          (await abrir(`${REGISTRO}?q=${encodeURIComponent(q)}`, who))('.chamadas tbody tr').length,
          1,
        )
      const detail = await abrir(String(page('.chamadas .pedido a').attr('href')), who)
      assert.match(
        detail('main').text(),
        /com HTTP 200, e nela 1 fonte diz em source_status que não deu certo/,
      )
      assert.equal(detail('a[href$="/erros#CNPJ_INVALIDO"]').length, 1)
      const { text } = await who.get(`${REGISTRO}registro.csv`)
      assert.match(text, /;falha;CNPJ_INVALIDO;1;200;/)
    })

    test('a call of all states that nobody answered is a failure wherever it is told', async () => {
      const who = await enterPainel(house)
      await house.ask('/api/consultar-cnd-todos?cnpj=98765055000197', { key: who.key })
      const page = await abrir(`${REGISTRO}?desfecho=falhas`, who)
      assert.equal(page('.chamadas .selo.ruim').text(), 'Fonte indisponível')
      for (const none of ['entregues', 'fonte'])
        assert.equal((await abrir(`${REGISTRO}?desfecho=${none}`, who))('.chamadas tbody tr').length, 0)
      const detail = await abrir(String(page('.chamadas .pedido a').attr('href')), who)
      assert.match(detail('main').text(), /Nenhuma das 21 fontes perguntadas respondeu, e nada foi cobrado/)
      assert.match(detail('main').text(), /Não houve\./)
      assert.doesNotMatch(detail('main').text(), /A resposta veio, mas|Entregue/)
      assert.match((await who.get(`${REGISTRO}registro.csv`)).text, /;falha;SITE_INDISPONIVEL;21;200;/)
      assert.match((await abrir('/painel/uso/', who))('main').text(), /Respondidas0%1 falha, não cobrada/)
      assert.match((await abrir('/painel/comecar/', who))('.aceso').text(), /, sem resposta \(Fonte indisp/)
    })

    test('what is asked wrong is told, and the rest holds', async () => {
      const page = await abrir(`${REGISTRO}?dia=2026-02-30&uf=XX&endpoint=/api/consultar-cnd&antes=nada`)
      assert.match(page('.faixa-aviso').text(), /UF.*dia que exista/s)
      assert.ok(page('.chamadas tbody tr').length > 0)
      assert.match((await abrir(`${REGISTRO}?dia=2020-01-01`))('.faixa-aviso').text(), /guarda 90 dias/)
    })

    test('a day without a call says so', async () => {
      const page = await abrir(`${REGISTRO}?dia=2026-09-01&desfecho=falhas`)
      assert.match(page('.vazio').text(), /Nenhuma chamada com estes filtros/)
    })

    test('a request number leads to its call, with the entry of the books', async () => {
      const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: visitor.key })
      const id = headers.get('x-request-id') ?? ''
      const { status, headers: to } = await visitor.get(`${REGISTRO}?pedido=urn:uuid:${id}`)
      assert.deepEqual([status, to.get('location')], [303, `${REGISTRO}${id}/`])
      const page = await abrir(`${REGISTRO}${id}/`)
      assert.match(page('#no-extrato').parent().parent().text(), /Cobrança de 1 crédito/)
      assert.equal(page('main a[href="/painel/extrato/2026-11/"]').length, 1)
      assert.ok(!page.html().includes(BANCO_DO_BRASIL))
    })

    test('a failure says what its code means', async () => {
      const [path] = (await abrir(`${REGISTRO}?desfecho=SITE_INDISPONIVEL`))('.pedido a')
        .map((_, one) => one.attribs.href)
        .get()
      const page = await abrir(path ?? assert.fail('none'))
      assert.match(page('.topo .selo').text(), /^Fonte indisponível$/)
      assert.match(page('#desfecho').closest('section').text(), /O que houve.*O que fazer/)
      assert.doesNotMatch(page('#desfecho').closest('section').text(), /SITE_INDISPONIVEL|retryable|detail/)
      assert.equal(page('main details a[href$="/erros#SITE_INDISPONIVEL"]').length, 1)
      assert.match(page('main').text(), /Nada foi cobrado: não há lançamento/)
    })

    test('the call of a source that fell says when to repeat it, of one that is not asked here what helps', async () => {
      const who = await enterPainel(house)
      for (const [question, retryable, said] of [
        ['uf=RS&cnpj=98765055000197', true, /O que fazerTente de novo em 1 minuto\.$/],
        [
          'uf=RR&cnpj=99034721000180',
          false,
          /O que fazerRepetir não adianta: este órgão não é consultado por aqui/,
        ],
      ] as const) {
        const { status, body, headers } = await house.ask(`/api/consultar-cnd?${question}`, { key: who.key })
        assert.deepEqual([status, body.error_code, body.retryable], [503, 'SITE_INDISPONIVEL', retryable])
        const page = await abrir(`${REGISTRO}${headers.get('x-request-id')}/`, who)
        assert.match(page('#desfecho').closest('section').text(), said)
      }
      const { text } = await who.get(`${REGISTRO}registro.csv`)
      assert.equal(text.match(/;falha;SITE_INDISPONIVEL;0;503;/g)?.length, 2)
    })

    test('an account reaches no call of another, neither by number nor by place nor by file', async () => {
      const other = await enterPainel(house)
      const [id = ''] = pedidosDe(await abrir(REGISTRO))
      assert.equal((await other.get(`${REGISTRO}${id}/`)).status, 404)
      assert.equal((await other.get(`${REGISTRO}?pedido=${id}`)).status, 200)
      for (const query of ['', `?antes=${AGORA + 1}_${id}`, `?depois=${AGORA - 30 * DAY_MS}_${id}`, '?uf=SP'])
        assert.equal((await abrir(REGISTRO + query, other))('.chamadas').length, 0, query)
      const { text } = await other.get(`${REGISTRO}registro.csv`)
      assert.equal(text.trim().split('\r\n').length, 1)
      assert.equal((await visitor.get(`${REGISTRO}${newRequestId(NOW)}/`)).status, 404)
      assert.equal((await visitor.get(`${REGISTRO}x/`)).status, 404)
    })

    test('the file has every call of the filter, and no document', async () => {
      const { text, headers } = await visitor.get(`${REGISTRO}registro.csv?uf=SP`)
      assert.equal(headers.get('content-disposition'), 'attachment; filename="registro-2026-11-14.csv"')
      const lines = text.trim().split('\r\n').slice(1)
      const rows = await house.rooms.platform.db.kysely
        .selectFrom('usos')
        .select('request_id')
        .where('conta_id', '=', visitor.conta.id)
        .where('uf', '=', 'SP')
        .execute()
      assert.ok(lines.length > 3)
      assert.deepEqual(
        lines.map((line) => line.split(';').at(-1)).sort(),
        rows.map(({ request_id }) => request_id).sort(),
      )
      for (const line of lines)
        assert.match(line, /^2026-\d\d-\d\d \d\d:\d\d:\d\d;\/api\/consultar[\w-]*;[^;/]+ estadual;[^;]*\*/)
    })

    /** The turns that the thread takes for others while the whole of a page is read. */
    async function turnsOf(conta: string): Promise<number> {
      let turns = 0
      let isOver = false
      const count = (): void => {
        turns++
        if (!isOver) setImmediate(count)
      }
      setImmediate(count)
      const busca = { endpoint: undefined, desfecho: undefined, uf: 'AC', dia: undefined }
      const { stoppedAt } = await readFolha(house.rooms.contas, conta, busca, {
        sentido: 'antigas',
        marco: undefined,
        linhas: 50,
      })
      isOver = true
      assert.ok(stoppedAt)
      return turns
    }

    test('a filter that hardly matches reads so many calls a page, and goes on from there', async () => {
      const busy = await enterPainel(house)
      let at = AGORA - DAY_MS
      const usos = openUsos(house.rooms.platform.db, { now: () => new Date(at), log: { error: () => {} } })
      const rare = {
        ...chamadaFeita(busy.conta.id, 1, at),
        uf: 'AC',
        request_id: newRequestId(new Date(at)),
      } as const
      usos.note(rare)
      const some: string[] = []
      for (let i = 0; i < OLHAR + 10; i++) {
        at += 1
        const uf = i % 100 === 50 ? 'RR' : 'SP'
        const request_id = newRequestId(new Date(at))
        if (uf === 'RR') some.unshift(request_id)
        usos.note({ ...rare, uf, request_id })
        if (i % 1_000 === 999) await usos.flush()
      }
      await usos.close()
      const first = await abrir(`${REGISTRO}?uf=AC`, busy)
      assert.equal(first('.chamadas').length, 0)
      assert.match(first('main').text(), /Foram olhadas 10\.000 chamadas, até 13\/11 .* nenhuma é assim/)
      const next = await abrir(ir(first, 'next') ?? assert.fail('no way on'), busy)
      assert.deepEqual(pedidosDe(next), [rare.request_id])
      // One call in a hundred: two full pages, each read in parts, and the same ones on the way back.
      const pages = [await abrir(`${REGISTRO}?uf=RR`, busy)]
      for (let to = ir(pages[0] ?? first, 'next'); to; to = ir(pages.at(-1) ?? first, 'next'))
        pages.push(await abrir(to, busy))
      assert.deepEqual(pages.flatMap(pedidosDe), some)
      assert.deepEqual(pages.map((page) => pedidosDe(page).length).slice(0, 2), [50, 50])
      const back = await abrir(ir(pages[1] ?? first, 'prev') ?? assert.fail('no way back'), busy)
      assert.deepEqual(pedidosDe(back), some.slice(0, 50))
      if (dialect === 'sqlite') assert.ok((await turnsOf(busy.conta.id)) >= OLHAR / FATIA.sqlite - 1)
      // Days without such a call are not read at all.
      const none = await abrir(`${REGISTRO}?desfecho=RATE_LIMIT`, busy)
      assert.match(none('.vazio').text(), /Nenhuma chamada com estes filtros/)
    })
  })
