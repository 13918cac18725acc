import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { NOW, rowsOf, testOnce } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import {
  enterPainel,
  listRotas,
  type Member,
  newEmail,
  newVisitor,
  type Rota,
  SENHA,
  signUp,
} from '../kit/pages.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** The doors, whose pages and forms are for who has no session. */
const PORTAS = ['/entrar', '/criar-conta', '/recuperar-senha', '/nova-senha', '/confirmar-email', '/sair']

let house: House
let visitor: Member
let rotas: Rota[]
const clock = { instant: NOW.getTime() }
before(async () => {
  house = await start({}, () => new Date(clock.instant))
  visitor = await enterPainel(house)
  rotas = await listRotas(house.rooms)
})
after(() => house.close())

/** What is answered to a form that says its length and type, and whose body never comes. */
async function withoutBody(path: string, headers: Record<string, string>) {
  const sent = request(house.address + path, {
    method: 'POST',
    headers: { ...headers, 'content-length': 1_000 },
  })
  sent.flushHeaders()
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  assert.ok(answer)
  const { statusCode: status, headers: said } = answer
  const told = { status, connection: said.connection, text: await text(answer) }
  sent.on('error', () => {}).destroy()
  return told
}

const isDoor = (url: string): boolean => PORTAS.includes(url.replace(/\/$/, ''))
const isPanel = (url: string): boolean => url.startsWith('/painel')
const formas = (method: string): string[] =>
  rotas.filter((one) => one.method === method && (isDoor(one.url) || isPanel(one.url))).map(({ url }) => url)

/** What is tried at a form: all of it at the log-in, and at all others the first alone in `npm test`. */
const rowsBeyond = <Row>(url: string, all: readonly Row[]): readonly Row[] =>
  url.startsWith('/entrar') ? all : rowsOf(all)

/** A path of a route, whatever stands for its parameters. */
const caminhoDe = (url: string): string => url.replace(/:\w+/g, 'x')

test('every page of an account, and every door, is strict, framed by nobody, and kept by nobody', async () => {
  const paths = formas('GET')
  assert.ok(paths.length > 10)
  for (const url of paths) {
    const path = caminhoDe(url)
    const { headers } = isDoor(url) ? await house.ask(path, { key: null }) : await visitor.get(path)
    assert.equal(headers.get('content-security-policy'), POLICY, url)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', url)
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', url)
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', url)
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/, url)
    assert.match(headers.get('referrer-policy') ?? '', isDoor(url) ? /^strict-origin$/ : /^same-origin$/, url)
    assert.equal(headers.get('cache-control'), 'no-store', url)
  }
})

describe('cookies', () => {
  testOnce('are of this host, out of reach of scripts, and not sent by forms of other sites', async () => {
    const { visitor } = await signUp(house)
    assert.match(
      visitor.said.get('acesso') ?? '',
      /^acesso=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    assert.match(
      visitor.said.get('formulario') ?? '',
      /^formulario=[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    await visitor.submit('/sair', {}, '/painel/configuracoes/')
    assert.match(visitor.said.get('acesso') ?? '', /^acesso=; .*HttpOnly; SameSite=Lax$/)
  })

  testOnce(
    'with HTTPS they are Secure, and of this host alone; the plain names are nothing then',
    async (t) => {
      const secure = await start({ PUBLIC_URL: 'https://exemplo.com.br/fiscal/' })
      t.after(() => secure.close())
      const own = newVisitor(secure)
      const fields = { nome: 'Ana', email: newEmail(), senha: SENHA }
      const page = load((await own.get('/criar-conta/')).text)
      assert.equal(page('main form').attr('action'), '/fiscal/criar-conta/')
      const _csrf = page('[name="_csrf"]').attr('value') ?? ''
      const { status, headers } = await own.post('/criar-conta/', { ...fields, _csrf })
      assert.deepEqual([status, headers.get('location')], [303, '/fiscal/painel/comecar/'])
      assert.match(
        own.said.get('boas-vindas') ?? '',
        /^boas-vindas=1; Max-Age=300; Path=\/fiscal\/painel\/comecar\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      for (const name of ['acesso', 'formulario']) {
        const said = own.said.get(`__Host-${name}`) ?? ''
        assert.match(said, /Path=\/; HttpOnly; Secure; SameSite=(Lax|Strict)$/)
        assert.doesNotMatch(said, /Domain/i)
      }
      const token = own.cookies.get('__Host-acesso')
      const plain = await secure.ask('/painel/', { key: null, headers: { cookie: `acesso=${token}` } })
      assert.equal(plain.status, 303)
    },
  )
})

describe('a form', () => {
  /** Another visitor's token, with the cookie that it came with. */
  const alheio = async (cookie = ''): Promise<{ token: string; formulario: string }> => {
    const { text, headers } = await house.ask(cookie ? '/painel/' : '/entrar/', {
      key: null,
      headers: { cookie },
    })
    const [formulario = ''] = (headers.get('set-cookie') ?? '').split(';')
    return { token: load(text)('[name="_csrf"]').attr('value') ?? '', formulario }
  }
  const send = (path: string, cookie: string, _csrf: string, headers: Record<string, string>) =>
    house.ask(path, {
      key: null,
      method: 'POST',
      headers: { cookie, ...headers },
      body: new URLSearchParams({ _csrf }),
    })
  const OURS = { 'sec-fetch-site': 'same-origin' }

  testOnce('without its token, or with that of somebody else, does nothing', async () => {
    const paths = formas('POST').filter((url) => url.replace(/\/$/, '') !== '/sair')
    assert.ok(paths.length > 10)
    const other = await enterPainel(house)
    for (const url of paths) {
      const path = caminhoDe(url)
      const mine = isDoor(url) ? '' : visitor.cookie
      const own = await alheio(mine)
      const jar = [mine, own.formulario].filter(Boolean).join('; ')
      const visitors = await alheio()
      const strangers = await alheio(other.cookie)
      // The right cookie with each wrong token, and wrong pairs of both.
      const wrong: [cookie: string, token: string][] = [
        [jar, ''],
        [jar, 'x'.repeat(60)],
        [jar, visitors.token],
        [jar, strangers.token],
        [[mine, strangers.formulario].filter(Boolean).join('; '), strangers.token],
        [mine, own.token],
      ]
      if (!isDoor(url)) wrong.push([`${mine}; ${visitors.formulario}`, visitors.token])
      for (const [at, [cookie, token]] of wrong.entries()) {
        const { status, text } = await send(path, cookie, token, OURS)
        assert.equal(status, 400, `${url} ${at}`)
        assert.match(text, /formulário venceu|não pôde ser lido/, `${url} ${at}`)
      }
    }
  })

  testOnce('from another site, a sibling of ours, or nowhere, does nothing', async () => {
    for (const url of formas('POST')) {
      const path = caminhoDe(url)
      const mine = isDoor(url) && !url.startsWith('/sair') ? '' : visitor.cookie
      const own = await alheio(mine)
      const cookie = [mine, own.formulario].filter(Boolean).join('; ')
      const wrong: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://outro.test' },
        { origin: 'null' },
        {},
      ]
      const refused = rowsBeyond(url, wrong).map(async (headers) => {
        const { status, text } = await send(path, cookie, own.token, headers)
        assert.equal(status, 400, `${url} ${JSON.stringify(headers)}`)
        assert.match(text, /não veio desta página/)
      })
      await Promise.all(refused)
    }
  })

  testOnce('that stood open before its visitor entered is not good after it', async () => {
    const { visitor: own, email } = await signUp(house)
    await own.submit('/sair', {}, '/painel/configuracoes/')
    const before = load((await own.get('/entrar/')).text)('[name="_csrf"]').attr('value') ?? ''
    await own.submit('/entrar/', { email, senha: SENHA })
    assert.equal((await own.post('/painel/configuracoes/chave/mostrar/', { _csrf: before })).status, 400)
  })

  testOnce(
    'is all that a page takes: any other type is refused with 415 before a byte of it is read',
    async () => {
      const paths = rotas.filter(({ method, url }) => method === 'POST' && !url.startsWith('/api/'))
      assert.ok(paths.length > 10)
      for (const { url } of paths) {
        const cookie = isPanel(url) || url.startsWith('/sair') ? visitor.cookie : ''
        const types = ['application/json', 'text/plain', 'application/xml', '']
        const refused = rowsBeyond(url, types).map(async (type) => {
          const { status, text } = await withoutBody(caminhoDe(url), {
            ...OURS,
            cookie,
            'content-type': type,
          })
          assert.equal(status, 415, `${url} ${type}`)
          assert.match(text, /só os seus próprios formulários/)
        })
        await Promise.all(refused)
      }
    },
  )

  testOnce('of another site is refused before a byte of it is read, and ends its connection', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
    for (const path of [...PORTAS, '/blog/rejeicoes/diagnosticar']) {
      const { status, text, connection } = await withoutBody(path, foreign)
      assert.deepEqual([status, connection], [400, 'close'], path)
      assert.match(text, /não veio desta página/)
    }
  })

  testOnce('of more than 16 KiB is refused before it is read', async () => {
    const big = { _csrf: 'x'.repeat(17 * 1024) }
    for (const path of ['/entrar/', '/painel/configuracoes/senha/'])
      assert.equal((await visitor.post(path, big)).status, 413)
  })
})

describe('a session', () => {
  testOnce('has a name that nobody knew before: not the one that the browser came with', async () => {
    const own = newVisitor(house)
    own.cookies.set('acesso', 'a'.repeat(43))
    await own.submit('/criar-conta/', { nome: 'Ana', email: newEmail(), senha: SENHA })
    const { acesso = '' } = Object.fromEntries(own.cookies)
    assert.match(acesso, /^[\w-]{43}$/)
    assert.notEqual(acesso, 'a'.repeat(43))
    const planted = await house.ask('/painel/', {
      key: null,
      headers: { cookie: `acesso=${'a'.repeat(43)}` },
    })
    assert.equal(planted.status, 303)
  })

  testOnce('that was there at a log-in ends with it', async () => {
    const { visitor: own } = await signUp(house)
    const { email } = await signUp(house)
    const before = own.cookies.get('acesso') ?? ''
    const _csrf = load((await own.get('/painel/configuracoes/')).text)('[name="_csrf"]').attr('value') ?? ''
    assert.equal((await own.post('/entrar/', { _csrf, email, senha: SENHA })).status, 303)
    assert.notEqual(own.cookies.get('acesso'), before)
    const old = await house.ask('/painel/', { key: null, headers: { cookie: `acesso=${before}` } })
    assert.equal(old.status, 303)
  })

  testOnce('that nobody used for a week is over, and its forms do nothing', async () => {
    const { visitor: own } = await signUp(house)
    const _csrf = load((await own.get('/painel/configuracoes/')).text)('[name="_csrf"]').attr('value') ?? ''
    clock.instant += 7 * 86_400_000 + 60_000
    const { status, headers } = await own.get('/painel/configuracoes/')
    const entrar = '/entrar/?para=%2Fpainel%2F'
    assert.deepEqual([status, headers.get('location')], [303, `${entrar}configuracoes%2F&aviso=sessao`])
    assert.match((await own.get(headers.get('location') ?? '')).text, /A sua sessão terminou\. Entre de novo/)
    const sent = await own.post('/painel/configuracoes/chave/nova/', { _csrf, carencia: '0' })
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${entrar}&aviso=envio`])
    assert.match((await own.get(`${entrar}&aviso=envio`)).text, /o que você enviou não foi feito/)
  })
})

test('a log-in leads to a page of the dashboard, whatever the address asks for', async () => {
  const { visitor: own, email } = await signUp(house)
  const wrong = [
    'https://outro.test/painel/',
    '//outro.test/painel/',
    '/\\outro.test/painel/',
    '\\/outro.test',
    '/painel/..//outro.test',
    '/painel/../../outro.test',
    '/painel/%2e%2e//outro.test',
    '/painel/\\..\\..\\\\outro.test',
    '/painel',
    '/painelx/',
    '/sair',
    'javascript:alert(1)//painel/',
    '/\t/outro.test',
    ' //outro.test',
    `/painel/${'x'.repeat(3_000)}`,
  ]
  for (const para of wrong) {
    const query = `?para=${encodeURIComponent(para)}`
    assert.equal((await own.get(`/entrar/${query}`)).headers.get('location'), '/painel/', para)
  }
  // A log-in takes long: the third part of them is tried at it in `npm test`.
  for (const para of process.env.LONGO ? wrong : wrong.filter((_, at) => at % 3 === 0)) {
    const query = `?para=${encodeURIComponent(para)}`
    const other = newVisitor(house)
    const answer = await other.submit('/entrar/', { email, senha: SENHA }, `/entrar/${query}`)
    assert.equal(answer.headers.get('location'), '/painel/', para)
  }
  const split = await own.get(`/entrar/?para=${encodeURIComponent('/painel/uso/\r\nset-cookie: a=b')}`)
  assert.match(split.headers.get('location') ?? '', /^\/painel\/uso\/[^\r\n]*$/)
  assert.equal(split.headers.get('set-cookie'), null)
})
