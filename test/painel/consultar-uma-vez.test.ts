import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { sql } from 'kysely'
import { openPapeis } from '../../src/painel/consultar/papeis.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, leaveOnTheWay, type Member, openLive } from '../kit/pages.ts'

const CONSULTAR = '/painel/consultar/'
const CNPJ = '99001002000162'
const TODOS = { documento: '98765057000186', pergunta: 'cnd-todos' }
const UM = { documento: CNPJ, uf: 'SP', pergunta: 'cnd' }
const MINUTE_MS = 60_000

describe('what is paid is paid once, and is not lost', () => {
  let house: House
  const clock = { instant: NOW.getTime() }
  before(async () => {
    house = await start({ IE_SECONDS: '5', CND_SECONDS: '6' }, () => new Date(clock.instant))
  })
  after(() => house.close())

  const restam = async ({ key }: Member): Promise<number> =>
    Object((await house.ask('/api/v1/conta', { key })).body.creditos).disponiveis
  const chamadasDe = async ({ conta }: Member) => {
    await house.rooms.contas.usos.flush()
    return house.rooms.platform.db.kysely
      .selectFrom('usos')
      .select(['endpoint', 'request_id', 'http', 'creditos'])
      .where('conta_id', '=', conta.id)
      .where('endpoint', 'like', '/api/consultar%')
      .execute()
  }
  const formularioDe = async (who: Member, path = CONSULTAR): Promise<string> => {
    const value = load((await who.get(path)).text)('#perguntar input[name="formulario"]').attr('value') ?? ''
    assert.match(value, /^[0-9a-f-]{36}$/)
    return value
  }
  const open = async (who: Member, path: string) => {
    const { status, text } = await who.get(path)
    assert.equal(status, 200, path)
    return load(text)
  }
  const onlyOne = <T>(values: readonly T[]): T | undefined => {
    assert.equal(new Set(values).size, 1, JSON.stringify(values))
    return values[0]
  }

  test('a form that is sent twice, at once or later, is charged once and leads to one answer', async () => {
    const who = await enterPainel(house)
    const fields = { ...UM, formulario: await formularioDe(who) }
    const before = await restam(who)
    const sent = await Promise.all([who.post(CONSULTAR, fields), who.post(CONSULTAR, fields)])
    sent.push(await who.post(CONSULTAR, fields))
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303, 303],
    )
    const path = onlyOne(sent.map(({ headers }) => headers.get('location'))) ?? ''
    assert.equal(await restam(who), before - 1)
    assert.equal((await open(who, path))('.resposta #veredito').text(), 'Negativa')
    // By Back the same form asks something else, and the form above an answer asks anew.
    for (const other of [
      { ...fields, uf: 'RS' },
      { ...fields, formulario: await formularioDe(who, path) },
    ]) {
      const { headers } = await who.post(CONSULTAR, other)
      assert.notEqual(headers.get('location'), path)
    }
    assert.equal((await chamadasDe(who)).length, 3)
    // Another account's form is another form.
    const stranger = await enterPainel(house)
    assert.notEqual((await stranger.post(CONSULTAR, fields)).headers.get('location'), path)
  })

  test('where nothing is kept both get the answer, and later the page says that it was charged', async () => {
    const who = await enterPainel(house)
    await who.post('/painel/configuracoes/guarda/', { minutos: '0' })
    const fields = { ...UM, formulario: await formularioDe(who) }
    const before = await restam(who)
    const sent = await Promise.all([who.post(CONSULTAR, fields), who.post(CONSULTAR, fields)])
    const numbers = sent.map(({ status, text }) => {
      assert.equal(status, 200)
      return load(text)('.pedido-da-resposta code').text()
    })
    const number = onlyOne(numbers)
    const later = await who.post(CONSULTAR, fields)
    assert.equal(later.headers.get('location'), `/painel/consultas/${number}/`)
    assert.equal((await who.get(`/painel/consultas/${number}/`)).status, 410)
    assert.equal(await restam(who), before - 1)
  })

  test('a form that is heard live and sent again plainly is charged once', async () => {
    const who = await enterPainel(house)
    const live = await openLive(house, who)
    const fields = { documento: CNPJ, pergunta: 'ie-todos', formulario: await formularioDe(who) }
    const heard = live(fields)
    const [first, second] = await Promise.all([heard, heard.then(() => live(fields))])
    assert.equal(second.status, 204)
    const plain = await who.post(CONSULTAR, fields)
    const [, data = '{}'] = /^event: fim\ndata: (.*)$/m.exec(await first.text()) ?? []
    assert.equal(plain.headers.get('location'), JSON.parse(data).endereco)
    assert.equal((await chamadasDe(who)).length, 1)
  })

  test('of a stream that breaks off what came is kept, with what it cost, and the rest may be asked', async () => {
    const who = await enterPainel(house)
    const live = await openLive(house, who)
    const fields = { ...TODOS, formulario: await formularioDe(who) }
    const { path } = await leaveOnTheWay(live, fields)
    let kept = await who.get(path)
    while (kept.status !== 200) {
      await pausa()
      kept = await who.get(path)
    }
    const $ = load(kept.text)
    assert.ok($('.achados > li').length > 0)
    assert.equal($('.resposta .mapa a').length, 27)
    assert.match(
      $('.acoes-do-veredito button').text(),
      /Perguntar de novo aos (\d+) que falharam · até \1 créditos/,
    )
    assert.match($('#falhas').parent().text(), /A conexão caiu antes da resposta/)
    // The page is kept when the visitor is gone, and the log's row when the call has ended for that.
    while ((await chamadasDe(who)).length === 0) await pausa()
    const [charged] = await chamadasDe(who)
    assert.equal(charged?.http, 499)
    // What was on its way to him is kept too, and is not charged.
    const [, came = ''] = /Respond(?:eu|eram)(\d+) secretaria/.exec($('.da-chamada').text()) ?? []
    assert.ok((charged?.creditos ?? 99) <= Number(came), `${charged?.creditos} of ${came}`)
    assert.match($('.da-chamada').text(), /Custou ?só o que chegou, e o registro diz quanto saldo agora/)
    // The same form does not pay for them again.
    assert.equal((await who.post(CONSULTAR, fields)).headers.get('location'), path)
    assert.equal((await chamadasDe(who)).length, 1)
  })

  test('states that failed are asked again once, and the answer is kept no longer for that', async () => {
    const who = await enterPainel(house, 'enterprise')
    const path = (await who.post(CONSULTAR, TODOS)).headers.get('location') ?? ''
    const $ = await open(who, path)
    const falhas = $('#falhas').text().split(':')[1]?.trim().split(', ') ?? []
    assert.ok(falhas.length > 1)
    const ate = async () =>
      (
        await house.rooms.platform.db.kysely
          .selectFrom('consultas_guardadas')
          .select('expira_em')
          .where('request_id', '=', path.split('/').at(-2) ?? '')
          .execute()
      ).map(({ expira_em }) => Number(expira_em))
    const before = onlyOne(await ate())
    clock.instant += 10 * MINUTE_MS
    const asked = (await chamadasDe(who)).length
    const sent = await Promise.all([who.post(`${path}repetir`), who.post(`${path}repetir`)])
    assert.deepEqual(
      sent.map(({ status, headers }) => [status, headers.get('location')]),
      [
        [303, path],
        [303, path],
      ],
    )
    assert.equal((await chamadasDe(who)).length - asked, falhas.length)
    assert.equal(onlyOne(await ate()), before)
  })

  test('where nothing failed nothing is asked again, and no button offers it', async () => {
    const who = await enterPainel(house)
    const path = (await who.post(CONSULTAR, UM)).headers.get('location') ?? ''
    assert.equal((await who.post(`${path}repetir`)).headers.get('location'), path)
    assert.equal((await chamadasDe(who)).length, 1)
  })

  test('of a profile only the states that failed are asked again, each by its own question', async () => {
    const who = await enterPainel(house)
    const perfil = await who.post(CONSULTAR, { ...TODOS, pergunta: 'perfil' })
    const path = perfil.headers.get('location') ?? ''
    const $ = await open(who, path)
    assert.match($('.quem-falhou').text(), /^Falharam: [A-Z]{2}, [A-Z ,]+ \(por quê\?\)$/)
    for (const one of $('.falhas li').get())
      assert.match($(one).text(), /^[A-Z]{2}(?:, [A-Z]{2})* (?:Inscrição e certidão|Inscrição|Certidão): \S/)
    // A state is a row: both answers, its paper, and one fold.
    for (const one of $('.achados > li').get()) {
      assert.equal($(one).find('.celula').length, 2)
      assert.equal($(one).find('details').length, 1)
    }
    const quantas = Number(
      /o que falhou · até (\d+) créditos$/.exec($('.acoes-do-veredito button').text())?.[1],
    )
    assert.equal((await who.post(`${path}repetir`)).headers.get('location'), path)
    const feitas = await chamadasDe(who)
    assert.equal(feitas.length, quantas)
    assert.deepEqual(
      new Set(feitas.map(({ endpoint }) => endpoint)),
      new Set(['/api/consultar', '/api/consultar-cnd']),
    )
    const again = await open(who, path)
    assert.equal(again('.achados > li').length >= $('.achados > li').length, true)
  })

  test('an answer that cannot be written is shown all the same, and its failure is logged', async (t) => {
    const who = await enterPainel(house)
    const logged = t.mock.method(house.rooms.platform.log, 'error', () => {})
    const { kysely } = house.rooms.platform.db
    await sql`create trigger cheio before insert on consultas_guardadas begin select raise(abort, 'cheio'); end`.execute(
      kysely,
    )
    t.after(() => sql`drop trigger if exists cheio`.execute(kysely))
    const { status, text } = await who.post(CONSULTAR, UM)
    await sql`drop trigger cheio`.execute(kysely)
    assert.equal(status, 200, text.slice(0, 300))
    const $ = load(text)
    assert.equal($('.resposta #veredito').text(), 'Negativa')
    assert.match($('.veredito').text(), /Custou1 crédito/)
    assert.equal($('.acoes-do-veredito form.papel').length > 0, true)
    const said = logged.mock.calls.map(({ arguments: words }) => words)
    assert.equal(said.length, 1)
    assert.ok(!JSON.stringify(said).includes(CNPJ))
  })

  test('a file that is too large to be kept is handed out by its page', async () => {
    const who = await enterPainel(house)
    const { secret, db } = house.rooms.platform
    const { id: dono } = await db.kysely
      .selectFrom('acessos')
      .select('id')
      .where('conta_id', '=', who.conta.id)
      .executeTakeFirstOrThrow()
    const conteudo = Buffer.alloc(4 * 1024 * 1024, 'x')
    const form = openPapeis(secret, `${CONSULTAR}papel`).drawForm(
      { tipo: 'pdf', nome: 'grande.pdf', conteudo },
      { rotulo: 'PDF', classe: '' },
      { dono, campoCsrf: undefined },
    )
    const $ = load(String(form))
    const fields = Object.fromEntries(
      $('form')
        .serializeArray()
        .map(({ name, value }) => [name, value]),
    )
    const { status, text } = await who.post(`${CONSULTAR}papel`, fields)
    assert.equal(status, 200)
    assert.equal(text.length, conteudo.length)
  })
})
