import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { changePlano } from '../../src/contas/store-contas.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const NOVEMBER = new Date('2026-11-14T15:00:00Z')
const LAST_SECOND = new Date('2026-12-01T02:59:59.000Z')
const MIDNIGHT = new Date('2026-12-01T03:00:00.000Z')
const NOTA = '/api/consultar-nfe-xml'

let house: House
let now = NOVEMBER
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

/** Charges as the pipeline does, and gives the id of the request. */
async function cobrar({ conta }: Member, endpoint: string, creditos: number): Promise<string> {
  const request_id = newRequestId(now)
  const call = { conta, request_id, endpoint, creditos, nota: endpoint === NOTA }
  assert.ok((await house.rooms.platform.ledger.charge(call)).ok)
  return request_id
}

/** Charges many calls at once. */
const cobrarMuitas = (me: Member, quantas: number, endpoint: (at: number) => string): Promise<string[]> =>
  Promise.all(Array.from({ length: quantas }, (_, at) => cobrar(me, endpoint(at), 1)))

/** Enters again, as somebody does whose session ended meanwhile. */
async function voltar(me: Member): Promise<Member['get']> {
  const browser = { agente: 'teste', endereco: '127.0.0.1' }
  const { token } = await house.rooms.contas.acessos.open({
    conta_id: me.conta.id,
    tipo: 'painel',
    ...browser,
  })
  return (path) => house.ask(path, { key: null, headers: { cookie: `acesso=${token}` } })
}

/** Text of each row of a table, its cells parted by `|`. */
function rowsOf(text: string, table: string): string[] {
  const $ = load(text)
  return $(`${table} tbody tr`)
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim())
        .join(' | '),
    )
}

/** Reads a CSV as its format says (RFC 4180, with `;`), by a reader of its own. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r\n)/gy
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ';') continue
    rows.push(row)
    row = []
  }
  assert.equal(
    rows.map((one) => one.length).every((length) => length === rows[0]?.length),
    true,
  )
  return rows
}

test('the months tell what was opened, given, charged and left, and what notes cost in BRL', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  const { ledger, db } = house.rooms.platform
  await cobrar(me, '/api/consultar-cnpj', 1)
  await cobrar(me, NOTA, 3)
  await changePlano(db, me.conta.id, 'pro', now)
  await cobrar(me, NOTA, 3)
  await ledger.grant({ conta_id: me.conta.id, creditos: 50, request_id: randomUUID(), motivo: 'pix 7' })
  now = LAST_SECOND
  await cobrar(me, NOTA, 3)
  now = MIDNIGHT
  await cobrar(me, '/api/consultar', 2)
  const get = await voltar(me)
  const { status, text } = await get('/painel/extrato/')
  assert.equal(status, 200)
  assert.deepEqual(rowsOf(text, '.meses'), [
    'dezembro de 2026 | 10.040 | +10 | 0 | −2 | 10.048 | –',
    'novembro de 2026 | 0 | +10.000 | +50 | −10 | 10.040 | R$ 2,39',
  ])
  const december = await get('/painel/extrato/2026-12/')
  assert.deepEqual(rowsOf(december.text, '.conta-do-mes'), [
    'Saldo inicial | 10.040',
    'Cota do mês anterior que venceu | −9.990',
    'Cota do mês | +10.000',
    'Consultas cobradas | −2',
    'Saldo final | 10.048',
  ])
  const { saldo } = await ledger.livro(me.conta.id)
  assert.equal(saldo.cota + saldo.extra, 10_048)
  const november = await get('/painel/extrato/2026-11/')
  assert.deepEqual(rowsOf(november.text, '[aria-labelledby="por-consulta"]'), [
    'XML da NF-e | 3 | 9 | R$ 2,39',
    'Empresa (CNPJ) | 1 | 1 | –',
  ])
})

test('a line tells its instant in Brasília, what it was, its request, its credits and its price', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  now = LAST_SECOND
  const note = await cobrar(me, NOTA, 3)
  const { text } = await (await voltar(me))('/painel/extrato/2026-11/')
  const [first, last] = rowsOf(text, '.linhas')
  assert.equal(first, `30/11/2026 23:59:59 | XML da NF-e | ${note.slice(-8)} | −3 | R$ 2,00`)
  assert.match(last ?? '', /^14\/11\/2026 12:00:00 \| Renovação da cota 100 créditos \| {2}\| \+100 \| –$/)
  const $ = load(text)
  assert.equal($(`a[href="/painel/registro/${note}/"]`).length, 1)
  assert.equal($('.linhas time').first().attr('datetime'), LAST_SECOND.toISOString())
  // The log keeps 90 days: an older line is no link.
  now = new Date('2027-03-10T12:00:00Z')
  const later = await (await voltar(me))('/painel/extrato/2026-11/')
  assert.equal(load(later.text)('.linhas a').length, 0)
  assert.match(later.text, new RegExp(note))
})

test('what the operator gave and took stands apart from what calls were charged', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  const { ledger } = house.rooms.platform
  const ato = { conta_id: me.conta.id, motivo: 'acerto' }
  await ledger.grant({ ...ato, creditos: 50, request_id: randomUUID() })
  await ledger.debit({ ...ato, creditos: 7, request_id: randomUUID() })
  await cobrar(me, '/api/consultar', 2)
  const months = await me.get('/painel/extrato/')
  assert.deepEqual(rowsOf(months.text, '.meses'), ['novembro de 2026 | 0 | +100 | +50 | −2 | −7 | 141'])
  const november = await me.get('/painel/extrato/2026-11/')
  assert.deepEqual(rowsOf(november.text, '.conta-do-mes'), [
    'Saldo inicial | 0',
    'Cota do mês | +100',
    'Créditos extras concedidos | +50',
    'Consultas cobradas | −2',
    'Ajustes do operador | −7',
    'Saldo final | 141',
  ])
})

test('a note from before prices were kept shows none, and the page says so', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  const old = await cobrar(me, NOTA, 3)
  const { kysely } = house.rooms.platform.db
  await kysely.updateTable('lancamentos').set({ reais: null }).where('request_id', '=', old).execute()
  const { text } = await me.get('/painel/extrato/2026-11/')
  // A column of dashes alone would say nothing.
  assert.match(rowsOf(text, '.linhas')[0] ?? '', /\| −3$/)
  assert.match(text, /1 nota está sem preço aqui: foi cobrada antes de o extrato guardar o preço/)
  await cobrar(me, NOTA, 3)
  const both = (await me.get('/painel/extrato/2026-11/')).text
  assert.deepEqual(
    rowsOf(both, '.linhas').map((line) => line.split(' | ').at(-1)),
    ['R$ 2,00', '–', '–'],
  )
  assert.match(both, /1 nota está sem preço aqui/, 'a note with a price is not counted')
  const free = await enterPainel(house, 'lite')
  await cobrar(free, '/api/consultar', 1)
  assert.doesNotMatch((await free.get('/painel/extrato/2026-11/')).text, /sem preço/)
})

test('pages hold a hundred lines, and follow each other until the renewal of the month', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'starter')
  const charged: string[] = []
  for (let i = 0; i < 250; i++) charged.push(await cobrar(me, '/api/consultar', 1))
  const seen: string[] = []
  const sizes: number[] = []
  let path: string | undefined = '/painel/extrato/2026-11/'
  while (path) {
    const page: string = (await me.get(path)).text
    const $ = load(page)
    sizes.push($('.linhas tbody tr').length)
    seen.push(
      ...$('.linhas .pedido a')
        .toArray()
        .map((one) => $(one).attr('title') ?? ''),
    )
    path = $('a[rel="next"]').attr('href')
  }
  assert.deepEqual(sizes, [50, 50, 50, 50, 50, 1])
  assert.deepEqual(seen, charged.toReversed())
})

test('a page of another account, of another month, or of nothing is refused', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'starter')
  const other = await enterPainel(house, 'starter')
  for (const one of [me, other]) await cobrarMuitas(one, 120, () => '/api/consultar')
  now = MIDNIGHT
  for (const one of [me, other]) await cobrar(one, '/api/consultar', 1)
  const [mine, others] = [await voltar(me), await voltar(other)]
  const next = load((await others('/painel/extrato/2026-11/')).text)('a[rel="next"]').attr('href')
  const [, mark = ''] = next?.split('?depois=') ?? []
  assert.ok(mark.length > 20)
  assert.equal((await others(`/painel/extrato/2026-11/?depois=${mark}`)).status, 200)
  const bad = ['x', mark.slice(1), 'a'.repeat(9_000), `${mark}&depois=${mark}`]
  for (const [who, path] of [
    [mine, `/painel/extrato/2026-11/?depois=${mark}`],
    [others, `/painel/extrato/2026-12/?depois=${mark}`],
    ...bad.map((one) => [mine, `/painel/extrato/2026-11/?depois=${one}`] as const),
  ] as const) {
    const { status, text } = await who(path)
    assert.equal(status, 400, path.slice(0, 60))
    assert.doesNotMatch(text, /class="linhas"/)
  }
})

test('a month without entries, and what is no month, are not found', async () => {
  now = NOVEMBER
  const me = await enterPainel(house)
  for (const mes of ['2026-10', '2026-12', '2026-13', 'x', '..%2f', "'"])
    for (const rest of ['', 'extrato.csv', 'imprimir/'])
      assert.equal((await me.get(`/painel/extrato/${mes}/${rest}`)).status, 404, mes + rest)
})

test('an account that has used nothing sees its quota, and is told that nothing was charged', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  now = new Date('2027-01-20T12:00:00Z')
  const get = await voltar(me)
  const { text } = await get('/painel/extrato/2027-01/')
  assert.match(text, /Nenhuma consulta foi cobrada em janeiro de 2027/)
  assert.equal(rowsOf(text, '.linhas').length, 1)
  assert.match((await get('/painel/extrato/')).text, /novembro de 2026/)
})

test('credits that open calls hold are told, and the closing balance is what is left and what is held', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  const { ledger } = house.rooms.platform
  const held = {
    conta: me.conta,
    request_id: randomUUID(),
    endpoint: '/api/consultar-cnd-todos',
    creditos: 27,
  }
  const { saldo } = await ledger.hold(held)
  const { text } = await me.get('/painel/extrato/2026-11/')
  assert.match(text, /27 estão reservados para consultas em andamento/)
  assert.equal(rowsOf(text, '.conta-do-mes').at(-1), `Saldo final | ${saldo.cota + saldo.extra + 27}`)
})

test('the CSV of a month has every line, and its credits add up to what the balance moved', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'pro')
  const { ledger } = house.rooms.platform
  const motivo = '=cmd|calc; "oi"'
  await ledger.grant({ conta_id: me.conta.id, creditos: 7, request_id: 'pix-1', motivo })
  await cobrarMuitas(me, 1_200, (at) => (at % 2 === 0 ? NOTA : '/api/consultar'))
  const { status, headers, text } = await me.get('/painel/extrato/2026-11/extrato.csv')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="extrato-2026-11.csv"')
  const [heading, ...lines] = readCsv(text)
  assert.equal(heading?.[1], 'Lançamento')
  assert.equal(lines.length, 1_202)
  assert.equal(
    lines.reduce((sum, [, , , , creditos]) => sum + Number(creditos), 0),
    10_000 + 7 - 1_200,
  )
  assert.deepEqual(lines[0]?.slice(1, 3), ['Inscrição estadual', '/api/consultar'])
  assert.deepEqual(lines[0]?.slice(4), ['-1', '-1', '0', ''])
  assert.deepEqual(lines[1]?.slice(4), ['-1', '-1', '0', '0,195'])
  assert.deepEqual(lines.at(-2)?.slice(1, 5), ['Créditos extras', `'${motivo}`, 'pix-1', '7'])
  assert.deepEqual(lines.at(-1)?.slice(1, 3), ['Renovação da cota', '10.000 créditos'])
  assert.equal(lines[0]?.[0], '14/11/2026 12:00:00')
})

test('the sheet for paper tells whose it is, of when, by whom, and says where it leaves lines out', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'pro')
  await cobrarMuitas(me, 20, () => '/api/consultar')
  const { text } = await me.get('/painel/extrato/2026-11/imprimir/')
  const told = load(text)('.emissao').text()
  for (const part of [
    'Teste',
    'conta-',
    'Pro',
    '01/11/2026 a 30/11/2026',
    'Consulta Fiscal',
    '14/11/2026 12:00:00',
  ])
    assert.ok(told.includes(part), part)
  assert.equal(rowsOf(text, '.linhas').length, 21)
  assert.doesNotMatch(text, /mais novos\. Os totais/)
  await cobrarMuitas(me, 1_000, () => '/api/consultar')
  const long = await me.get('/painel/extrato/2026-11/imprimir/')
  assert.equal(rowsOf(long.text, '.linhas').length, 1_000)
  assert.match(long.text, /Aqui estão os 1\.000 mais novos/)
})

test('nobody sees the statement of another, and a visitor none', async () => {
  now = NOVEMBER
  const me = await enterPainel(house, 'lite')
  const other = await enterPainel(house, 'lite')
  const mine = await cobrar(me, NOTA, 3)
  for (const path of ['', '2026-11/', '2026-11/extrato.csv', '2026-11/imprimir/']) {
    const seen = await other.get(`/painel/extrato/${path}`)
    assert.equal(seen.status, 200)
    assert.ok(!seen.text.includes(mine))
    assert.equal((await house.ask(`/painel/extrato/${path}`, { key: null })).status, 303)
    // A key of the API opens no page.
    assert.equal((await house.ask(`/painel/extrato/${path}`, { key: me.key })).status, 303)
  }
})
