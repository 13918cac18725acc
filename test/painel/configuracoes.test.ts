import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { negotiatePreco } from '../../src/contas/store-contas.ts'
import { NOW } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { enterPainel, newVisitor, SENHA, signUp, type Visitor } from '../kit/pages.ts'

const PAGINA = '/painel/configuracoes/'
const HOUR_MS = 3_600_000
const NOVA = 'outra frase comprida'

let house: House
const clock = { instant: NOW.getTime() }
before(async () => {
  house = await start({}, () => new Date(clock.instant))
})
after(() => house.close())

/** What the page says, without spaces that do not show. */
const lida = async (visitor: Visitor): Promise<string> =>
  load((await visitor.get(PAGINA)).text)('main')
    .text()
    .replace(/\s+/g, ' ')

/** Shows the key, as its owner does. */
const mostrar = async (visitor: Visitor): Promise<string> =>
  load((await visitor.submit(`${PAGINA}chave/mostrar/`, {}, PAGINA)).text)('#chave').text()

const consultar = async (key: string): Promise<number> =>
  (await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })).status

const idDe = async (email: string): Promise<string> => {
  const { kysely } = house.rooms.platform.db
  return (await kysely.selectFrom('contas').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id
}

describe('the key', () => {
  test('stands in the answer to its form alone, which nobody keeps, and works', async () => {
    const { visitor } = await signUp(house)
    const hidden = await visitor.get(PAGINA)
    const shown = await visitor.submit(`${PAGINA}chave/mostrar/`, {}, PAGINA)
    const key = load(shown.text)('#chave').text()
    assert.match(key, /^fk_[0-9A-Za-z]{38}$/)
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    assert.ok(!hidden.text.includes(key.slice(3, 20)))
    assert.ok(load(hidden.text)('.segredo code').text().endsWith(key.slice(-4)))
    assert.equal(await consultar(key), 200)
    const opened = await visitor.get(`${PAGINA}chave/mostrar/`)
    assert.deepEqual([opened.status, opened.headers.get('location')], [303, PAGINA])
  })

  test('its last use is told from the log of the account', async () => {
    const { visitor } = await signUp(house)
    assert.match(await lida(visitor), /Última chamada da contanenhuma nos últimos 90 dias/)
    await consultar(await mostrar(visitor))
    clock.instant += HOUR_MS
    await house.rooms.contas.usos.flush()
    assert.match(await lida(visitor), /Última chamada da conta14\/11\/2026 às 1\d:00/)
    await visitor.submit(`${PAGINA}chave/nova/`)
    clock.instant += HOUR_MS
    assert.match(await lida(visitor), /, antes desta chave/)
  })

  test('a new one ends the old one at once, or in the hours that its owner chooses', async () => {
    const { visitor } = await signUp(house)
    const first = await mostrar(visitor)
    const { status, headers } = await visitor.submit(`${PAGINA}chave/nova/`, { carencia: '0' })
    assert.deepEqual([status, headers.get('location')], [303, `${PAGINA}?feito=chave`])
    const second = await mostrar(visitor)
    assert.notEqual(second, first)
    assert.deepEqual([await consultar(first), await consultar(second)], [401, 200])
    await visitor.submit(`${PAGINA}chave/nova/`, { carencia: '6' })
    const third = await mostrar(visitor)
    assert.match(await lida(visitor), /A chave anterior vale até \d\d\/11\/2026 às \d\d:\d\d/)
    assert.deepEqual([await consultar(second), await consultar(third)], [200, 200])
    clock.instant += 6 * HOUR_MS
    assert.deepEqual([await consultar(second), await consultar(third)], [401, 200])
    assert.doesNotMatch(await lida(visitor), /A chave anterior vale/)
  })

  test('the one before can be ended sooner, within five seconds', async () => {
    const { visitor } = await signUp(house)
    const first = await mostrar(visitor)
    await visitor.submit(`${PAGINA}chave/nova/`, { carencia: '24' })
    assert.equal(await consultar(first), 200)
    const { headers } = await visitor.submit(`${PAGINA}chave/anterior/`, {}, PAGINA)
    assert.equal(headers.get('location'), `${PAGINA}?feito=anterior`)
    clock.instant += 5_000
    assert.equal(await consultar(first), 401)
    assert.equal(await consultar(await mostrar(visitor)), 200)
  })

  test('another time than those of the form is refused, and changes nothing', async () => {
    const { visitor } = await signUp(house)
    const key = await mostrar(visitor)
    for (const carencia of ['', '-1', '25', '1e9', 'NaN', '0x6'])
      assert.equal((await visitor.submit(`${PAGINA}chave/nova/`, { carencia })).status, 400)
    assert.equal(await mostrar(visitor), key)
  })

  test('an account without a key makes one', async () => {
    const { visitor, email } = await signUp(house)
    const id = await idDe(email)
    await house.rooms.platform.db.kysely.deleteFrom('chaves').where('conta_id', '=', id).execute()
    assert.match(await lida(visitor), /Esta conta não tem chave/)
    await visitor.submit(`${PAGINA}chave/nova/`)
    assert.equal(await consultar(await mostrar(visitor)), 200)
  })

  test('one that was sealed with another secret cannot be shown, and can be replaced', async () => {
    const { visitor, email } = await signUp(house)
    const { kysely } = house.rooms.platform.db
    const { cifrada } = await kysely
      .selectFrom('chaves')
      .select('cifrada')
      .where('conta_id', '<>', await idDe(email))
      .executeTakeFirstOrThrow()
    await kysely
      .updateTable('chaves')
      .set({ cifrada })
      .where('conta_id', '=', await idDe(email))
      .execute()
    assert.match(await lida(visitor), /continua valendo, mas não pode ser mostrada/)
    await visitor.submit(`${PAGINA}chave/nova/`)
    assert.equal(await consultar(await mostrar(visitor)), 200)
  })
})

describe('the password', () => {
  const trocar = (visitor: Visitor, atual: string, nova: string) =>
    visitor.submit(`${PAGINA}senha/`, { atual, nova }, PAGINA)

  test('is changed by who knows the one before, and ends all other log-ins', async () => {
    const { visitor, email } = await signUp(house)
    const other = newVisitor(house)
    await other.submit('/entrar/', { email, senha: SENHA })
    const wrong = await trocar(visitor, 'não é essa', NOVA)
    assert.equal(wrong.status, 401)
    assert.match(load(wrong.text)('#atual-falha').text(), /não é a senha atual/)
    const weak = await trocar(visitor, SENHA, email)
    assert.equal(weak.status, 400)
    assert.match(load(weak.text)('#nova-falha').text(), /não pode ser o seu e-mail/)
    assert.equal((await other.get(PAGINA)).status, 200)
    const done = await trocar(visitor, SENHA, NOVA)
    assert.equal(done.headers.get('location'), `${PAGINA}?feito=senha`)
    assert.deepEqual([(await visitor.get(PAGINA)).status, (await other.get(PAGINA)).status], [200, 303])
    assert.equal((await newVisitor(house).submit('/entrar/', { email, senha: NOVA })).status, 303)
  })

  test('is not guessed by who found an open browser: the tries are counted', async () => {
    const { visitor } = await signUp(house)
    let answer = await trocar(visitor, 'não é essa', NOVA)
    for (let tries = 1; tries < 30 && answer.status === 401; tries++)
      answer = await trocar(visitor, 'não é essa', NOVA)
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.match(load(answer.text)('[role="alert"]').text(), /Tente de novo em/)
  })
})

describe('the log-ins', () => {
  const CHROME =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

  test('are told by browser and address, and each can be ended, or all but this one', async () => {
    const { visitor, email } = await signUp(house)
    const [chrome, iphone] = [newVisitor(house, CHROME), newVisitor(house, IPHONE)]
    for (const one of [chrome, iphone]) await one.submit('/entrar/', { email, senha: SENHA })
    const page = load((await iphone.get(PAGINA)).text)
    const said = page('.acessos li')
      .map((_, one) => page(one).text().replace(/\s+/g, ' ').trim())
      .get()
    assert.equal(said.length, 3)
    assert.match(said.join('\n'), /^Chrome no WindowsDe 127\.0\.0\.1, desde \d\d\/11\/2026 às/m)
    assert.match(said.join('\n'), /^Safari no iPhone Este navegador/m)
    const id = page('.acessos li:contains("Chrome") input[name="id"]').attr('value') ?? ''
    const _csrf = page('input[name="_csrf"]').attr('value') ?? ''
    const done = await iphone.post(`${PAGINA}acessos/encerrar/`, { _csrf, id })
    assert.equal(done.headers.get('location'), `${PAGINA}?feito=acesso`)
    assert.deepEqual([(await chrome.get(PAGINA)).status, (await visitor.get(PAGINA)).status], [303, 200])
    await iphone.submit(`${PAGINA}acessos/encerrar-outros/`, {}, PAGINA)
    assert.deepEqual([(await iphone.get(PAGINA)).status, (await visitor.get(PAGINA)).status], [200, 303])
  })

  test('a hostile name of a browser is text', async () => {
    const { email } = await signUp(house)
    const visitor = newVisitor(house, '<img src=x onerror=alert(1)> "Chrome/1')
    await visitor.submit('/entrar/', { email, senha: SENHA })
    assert.equal(load((await visitor.get(PAGINA)).text)('main img').length, 0)
  })
})

test('the terms are told: the plan, and a price that was negotiated', async () => {
  const { visitor, email } = await signUp(house)
  assert.match(
    await lida(visitor),
    /PlanoLite.*Créditos por mês100Requisições por minuto30XML de uma NF-e3 créditos cada, que são R\$ 2,00/,
  )
  await negotiatePreco(house.rooms.platform.db, await idDe(email), '0.12')
  assert.match(await lida(visitor), /XML de uma NF-e1 crédito cada, que é R\$ 0,12 \(preço negociado\)/)
})

test('where there are letters, an e-mail that is not confirmed can ask for one, but not for many', async (t) => {
  const letters = await start({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' })
  t.after(() => letters.close())
  const { get, post } = await enterPainel(letters)
  assert.match((await get(PAGINA)).text, /Não confirmado/)
  let answer = await post(`${PAGINA}email/carta/`)
  assert.equal(answer.headers.get('location'), `${PAGINA}?feito=carta`)
  for (let asked = 1; asked < 20 && answer.status === 303; asked++)
    answer = await post(`${PAGINA}email/carta/`)
  assert.equal(answer.status, 429)
})
