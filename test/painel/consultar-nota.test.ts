import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { readExemplos } from '../../src/platform/simulator.ts'
import { pausa } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { openBusca, segredosDe } from '../kit/nfe-secrets.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const NOTA = '/painel/consultar/nota/'

describe('the page that asks for a note with a certificate', () => {
  let house: House
  let visitor: Member
  let chave: string
  let senha: string
  let arquivo: Buffer
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
    const known = (await readExemplos(house.rooms.platform.simulador))['/api/consultar-nfe-xml']
    chave = String(known?.chave)
    senha = String(known?.senha)
    arquivo = Buffer.from(String(known?.certificado), 'base64')
  })
  after(() => house.close())

  /** Opens the form, as a browser does before it sends it. */
  async function openForm(): Promise<{ cookie: string; campos: Record<string, string> }> {
    const { text, headers } = await visitor.get(NOTA)
    const $ = load(text)
    const [formulario = ''] = (headers.get('set-cookie') ?? '').split(';')
    const hidden = $('form.da-nota input[type="hidden"]').get()
    const campos = hidden.map((one) => [$(one).attr('name') ?? '', $(one).attr('value') ?? ''])
    return { cookie: `${visitor.cookie}; ${formulario}`, campos: Object.fromEntries(campos) }
  }

  async function send(
    fields: Record<string, string>,
    { file = arquivo, form }: { file?: Buffer; form?: Awaited<ReturnType<typeof openForm>> } = {},
  ) {
    const { cookie, campos } = form ?? (await openForm())
    const body = new FormData()
    for (const [nome, value] of Object.entries({ ...campos, ...fields })) body.set(nome, value)
    body.set('certificado', new Blob([new Uint8Array(file)]), 'a1.pfx')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const sent = await house.ask(NOTA, { key: null, method: 'POST', headers, body })
    const path = sent.headers.get('location') ?? ''
    const answer = sent.status === 303 ? await visitor.get(path) : sent
    return { ...answer, $: load(answer.text), cookie, path }
  }
  const saldo = async () => (await house.ask('/api/v1/conta', { key: visitor.key })).body.creditos

  test('the note comes, is charged once, and its XML is handed out as a file', async () => {
    const form = await openForm()
    const first = await send({ chave, senha }, { form })
    assert.equal(first.status, 200)
    assert.match(first.$('.veredito').text(), /Custou3 créditos saldo agora/)
    const before = await saldo()
    const again = await send({ chave, senha }, { form })
    assert.equal(again.path, first.path)
    assert.deepEqual(await saldo(), before)
    const link = first.$('.acoes-do-veredito a').attr('href') ?? ''
    assert.equal(link, `${first.path}nota.xml`)
    const file = await visitor.get(link)
    assert.equal(file.status, 200)
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="nfe-${chave}.xml"`)
    assert.equal(file.headers.get('cache-control'), 'no-store')
    assert.match(file.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(file.text, /^<\?xml.*<nfeProc.*<\/nfeProc>\s*$/s)
    assert.ok(file.text.includes(chave))
    assert.deepEqual(await saldo(), before)
    // What was repeated was the answer that was kept, and the log says so.
    await house.rooms.contas.usos.flush()
    const log = load((await visitor.get('/painel/registro/')).text)
    assert.deepEqual(
      log('.chamadas tbody tr')
        .get()
        .filter((one) => /nfe-xml|NF-e/.test(log(one).find('.folgada').html() ?? ''))
        .map((one) => log(one).find('.selo').text())
        .toSorted(),
      ['Entregue', 'Reaproveitada'],
    )
  })

  test('no event is registered unless the box is marked, and the page says what it does', async () => {
    const { text } = await visitor.get(NOTA)
    const $ = load(text)
    assert.equal($('input[name="manifestar"]').attr('checked'), undefined)
    // What few need is in a fold, which is open where something of it is set.
    assert.equal($('.opcoes:not([open])').find('[name="cnpj"], [name="simular"]').length, 2)
    for (const query of ['manifestar=true', 'cnpj=99001002000162'])
      assert.ok(load((await visitor.get(`${NOTA}?${query}`)).text)('.opcoes').is('[open]'), query)
    assert.match($('label[for="campo-manifestar"]').parent().text(), /não podem ser desfeitas/)
    const { $: answer } = await send({ chave, senha })
    assert.match(answer('#sh').text(), /"manifestar":false/)
  })

  test('a wrong password says so, costs nothing, and stands nowhere on the page', async () => {
    const before = await saldo()
    const wrong = 'MARCA-SENHA-ERRADA-7731'
    const { $, text } = await send({ chave, senha: wrong })
    assert.match($('.programadores a').text(), /CERTIFICADO_INVALIDO/)
    assert.ok(!text.includes(wrong))
    assert.ok(!text.includes(arquivo.toString('base64').slice(100, 160)))
    assert.equal($('input[name="senha"]').attr('value'), undefined)
    assert.deepEqual(await saldo(), before)
  })

  test('a password that is longer than any is refused, and not cut: nothing is asked', async () => {
    const before = await saldo()
    for (const extra of [201, 1_500]) {
      const long = senha.padEnd(extra, 'x')
      const { status, $, text } = await send({ chave, senha: long })
      assert.equal(status, 400)
      assert.match($('#senha-falha').text(), /mais de 200 caracteres.*Nada foi perguntado nem cobrado/)
      assert.equal($('#senha').attr('aria-invalid'), 'true')
      assert.equal($('#chave').text().replaceAll(' ', ''), chave)
      assert.ok(!text.includes(long.slice(0, 100)))
    }
    assert.deepEqual(await saldo(), before)
  })

  test('a file that is too large, and a form with too much, are refused', async () => {
    const large = await send({ chave, senha }, { file: Buffer.alloc(65 * 1024) })
    assert.equal(large.status, 413)
    const huge = await send({ chave, senha }, { file: Buffer.alloc(200 * 1024) })
    assert.equal(huge.status, 413)
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`campo${at}`, 'x']))
    assert.equal((await send({ chave, senha, ...many })).status, 413)
    for (const nome of ['__proto__', 'constructor']) {
      const { status } = await send(
        Object.fromEntries([
          ['chave', chave],
          [nome, 'x'],
        ]),
      )
      assert.ok(status === 400 || status === 200, `${nome}: ${status}`)
    }
  })

  test('a body that is no form, or breaks off, is refused and is no failure of the service', async (t) => {
    const failed = t.mock.method(house.rooms.platform.log, 'error')
    const { cookie } = await openForm()
    const part = '--x\r\ncontent-disposition: form-data; name="chave"'
    for (const [type, body] of [
      ['multipart/form-data', `${part}\r\n\r\n1\r\n--x--`],
      ['multipart/form-data; boundary=x', `${part}\r\n\r\n1`],
      ['multipart/form-data; boundary=x', part + 'a'.repeat(60_000)],
      ['multipart/form-data; boundary=x', 'nada'],
    ] as const) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': type }
      const { status } = await house.ask(NOTA, { key: null, method: 'POST', headers, body })
      assert.equal(status, 400, `${type} ${body.slice(0, 20)}`)
    }
    assert.equal(failed.mock.callCount(), 0)
  })

  test('who leaves before his form is here, or before its answer, is no failure of the service', async (t) => {
    const failed = t.mock.method(house.rooms.platform.log, 'error')
    const { cookie, campos } = await openForm()
    const head = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`
    const asked = new URLSearchParams({
      ...campos,
      documento: '99034721000180',
      pergunta: 'ie-todos',
    }).toString()
    const todos = '/painel/consultar/'
    for (const [path, body, length] of [
      ['/entrar/', 'email=a', 500],
      [todos, asked, asked.length],
    ] as const) {
      const socket = connect(Number(new URL(house.address).port), '127.0.0.1')
      socket.write(head(path, length))
      assert.match(String(await once(socket, 'data')), /^HTTP\/1.1 100 /)
      socket.write(body)
      await visitor.get('/painel/')
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    }
    // A page of its own comes after what the others left to do.
    assert.equal((await visitor.get(todos)).status, 200)
    // What was asked before he left ends by itself, and gives back what it held.
    while ((await house.rooms.platform.ledger.balanco(visitor.conta)).reservados > 0) await pausa()
    assert.deepEqual(
      failed.mock.calls.map(({ arguments: [what] }) => String(Object(what).err)),
      [],
    )
  })

  test('a note of which only the summary came is said so, on its page and in the log', async () => {
    const { $, status } = await send({ chave, senha, simular: 'true' })
    assert.equal(status, 200)
    assert.ok(!$('.veredito').hasClass('bom'))
    assert.match($('.veredito').text(), /Nada foi cobrado/)
    await house.rooms.contas.usos.flush()
    const log = load((await visitor.get('/painel/registro/')).text)
    assert.match(log('.chamadas tbody .desfecho .selo').text(), /Sem o XML/)
  })

  test('without the token of the session nothing is asked', async () => {
    const before = await saldo()
    const { status } = await send({ chave, senha, _csrf: 'x' })
    assert.equal(status, 400)
    assert.deepEqual(await saldo(), before)
  })

  test('neither certificate nor password is in a file of the service, nor in what it says', async () => {
    const said: string[] = []
    const { log } = house.rooms.platform
    for (const level of ['info', 'warn', 'error', 'debug'] as const) {
      const write = log[level].bind(log)
      log[level] = (...words: unknown[]) => {
        said.push(JSON.stringify(words))
        return Reflect.apply(write, log, words)
      }
    }
    const { text } = await send({ chave, senha })
    await send({ chave, senha: 'MARCA-SENHA-7731' })
    await house.rooms.contas.usos.flush()
    const files = readdirSync(house.pasta, { recursive: true, encoding: 'utf8' })
      .map((name) => join(house.pasta, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file))
    const busca = openBusca(segredosDe({ certificado: arquivo.toString('base64'), senha }))
    assert.ok(files.length > 1)
    for (const trace of [...files, Buffer.from(said.join('')), Buffer.from(text.replaceAll(senha, ''))]) {
      assert.equal(busca.find(trace), undefined)
      assert.ok(!trace.includes('MARCA-SENHA-7731'))
    }
  })

  test('the simulator hands out the certificate that goes with its note', async () => {
    const { text } = await visitor.get(NOTA)
    const $ = load(text)
    const href = $('a[download]').attr('href') ?? ''
    const response = await fetch(house.address + href, { headers: { cookie: visitor.cookie } })
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), arquivo)
    assert.ok(text.includes(senha))
  })
})
