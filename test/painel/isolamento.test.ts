import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { SignJWT } from 'jose'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { blockConta, findContaByEmail } from '../../src/contas/store-contas.ts'
import { issueToken } from '../../src/contas/token.ts'
import { NOW } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, type House, start, UNKNOWN } from '../kit/house.ts'
import { listRotas, newVisitor, type Rota, SENHA, signUp, type Visitor } from '../kit/pages.ts'

/** The account that another one is not to see: what is its own, and nobody else's. */
type Alvo = {
  id: string
  visitor: Visitor
  chaves: string[]
  /** The numbers of its calls. */
  pedidos: string[]
  /** Its log-ins, of the dashboard and of the API. */
  acessos: string[]
}

/** What of the target stands in a path that has a parameter, and what the other account is answered. */
const EM_CAMINHOS: Record<string, (alvo: Alvo) => [value: string, status: number]> = {
  ':consulta': () => ['consultar-cnpj', 301],
  ':arquivo': () => ['certidao.pdf', 404],
  ':documento': () => [BANCO_DO_BRASIL, 200],
  ':mes': () => ['2026-11', 200],
  ':pedido': ({ pedidos }) => [pedidos[0] ?? '', 404],
}

/** What is sent to each form, besides all names by which one might mean the other account. */
const ENVIOS: Record<string, (alvo: Alvo) => Record<string, string>> = {
  '/painel/comecar/mostrar/': () => ({}),
  '/painel/configuracoes/chave/nova/': () => ({ carencia: '0' }),
  '/painel/configuracoes/chave/mostrar/': () => ({}),
  '/painel/configuracoes/chave/anterior/': () => ({}),
  '/painel/configuracoes/senha/': () => ({ atual: SENHA, nova: 'a senha de um estranho' }),
  '/painel/configuracoes/acessos/encerrar/': ({ acessos }) => ({ id: acessos[0] ?? '' }),
  '/painel/configuracoes/acessos/encerrar-outros/': () => ({}),
  '/painel/configuracoes/email/carta/': () => ({}),
  '/painel/configuracoes/guarda/': () => ({ minutos: '0' }),
  '/painel/consultar/': () => ({ documento: BANCO_DO_BRASIL, pergunta: 'cnpj' }),
  '/painel/consultar/documento': () => ({ documento: BANCO_DO_BRASIL }),
  '/painel/consultar/nota/': () => ({ chave: 'x', formulario: 'x' }),
  '/painel/consultas/:pedido/repetir': () => ({}),
  '/painel/dossie/:documento/': () => ({ formulario: 'x', rural: 'sim' }),
  '/painel/consultar/papel': () => ({ tipo: 'pdf', nome: 'x', papel: 'x' }),
}

/** The routes of the API that want no account: a new one is public only once it stands here. */
const PUBLICAS = ['/api/v1/auth/login', '/api/v1/auth/registrar', '/api/v1/public/rejeicoes']

let house: House
let rotas: Rota[]
let alvo: Alvo
let outro: Visitor
const clock = { instant: NOW.getTime() }

before(async () => {
  house = await start({}, () => new Date(clock.instant))
  rotas = await listRotas(house.rooms)
  alvo = await criarAlvo()
  outro = (await signUp(house, { nome: 'Outra Conta' })).visitor
})
after(() => house.close())

/** An account with keys, calls, log-ins and a history. */
async function criarAlvo(): Promise<Alvo> {
  const { db, secret, acessos: logins, usos, now } = house.rooms.contas
  const { visitor, email } = await signUp(house, { nome: 'Cerealista Secreta Ltda' })
  const conta = await findContaByEmail(db, email)
  assert.ok(conta)
  const chaves = []
  const pedidos = []
  for (const cnpj of [BANCO_DO_BRASIL, UNKNOWN]) {
    const key = await issueKey(db, secret, conta.id, { carenciaHoras: 24, now: now() })
    const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${cnpj}`, { key })
    chaves.push(key)
    pedidos.push(headers.get('x-request-id') ?? '')
  }
  await newVisitor(house).submit('/entrar/', { email, senha: SENHA })
  await logins.open({ conta_id: conta.id, tipo: 'api', agente: 'curl/8', endereco: '192.0.2.77' })
  await usos.flush()
  const acessos = (await logins.list(conta.id)).map(({ id }) => id)
  assert.equal(acessos.length, 3)
  return { id: conta.id, visitor, chaves, pedidos, acessos }
}

/** All rows that are the target's, but for when its log-ins were last seen. */
async function linhasDoAlvo(): Promise<unknown> {
  const { kysely } = house.rooms.platform.db
  await house.rooms.contas.usos.flush()
  const of = (
    table: 'consultas_guardadas' | 'chaves' | 'saldos' | 'lancamentos' | 'retencoes' | 'usos' | 'codigos',
  ) => kysely.selectFrom(table).selectAll().where('conta_id', '=', alvo.id).execute()
  return {
    conta: await kysely.selectFrom('contas').selectAll().where('id', '=', alvo.id).execute(),
    acessos: await kysely
      .selectFrom('acessos')
      .select('id')
      .where('conta_id', '=', alvo.id)
      .orderBy('id')
      .execute(),
    chaves: await of('chaves'),
    saldos: await of('saldos'),
    lancamentos: await of('lancamentos'),
    retencoes: await of('retencoes'),
    usos: await of('usos'),
    codigos: await of('codigos'),
    guardadas: await of('consultas_guardadas'),
  }
}

/** What nobody else may read. */
const segredos = (): string[] => [
  'Cerealista Secreta',
  '192.0.2.77',
  '1122********81',
  alvo.id,
  ...alvo.chaves,
  ...alvo.pedidos,
  ...alvo.acessos,
  alvo.visitor.cookies.get('acesso') ?? '',
]

const semSegredos = (text: string, where: string): void => {
  for (const segredo of segredos()) assert.ok(segredo && !text.includes(segredo), `${where}: ${segredo}`)
}

const doPainel = (method: string): string[] =>
  rotas.filter((one) => one.method === method && one.url.startsWith('/painel')).map(({ url }) => url)

/** The path of a route with what is the target's in it, and what is to be answered. */
function caminhoDe(url: string): [path: string, status: number | undefined] {
  let answered: number | undefined
  const path = url.replace(/:\w+/g, (name) => {
    const fill = EM_CAMINHOS[name]
    assert.ok(fill, `${url}: say in EM_CAMINHOS what of another account can stand for ${name}`)
    const [value, status] = fill(alvo)
    answered = status
    return value
  })
  return [path, answered]
}

describe('of two accounts neither sees the other', () => {
  test('on any page, opened with what is the other one’s', async () => {
    const paths = doPainel('GET')
    assert.ok(paths.length > 10)
    for (const url of paths) {
      const [path, status] = caminhoDe(url)
      const query = new URLSearchParams({ conta: alvo.id, conta_id: alvo.id, id: alvo.acessos[0] ?? '' })
      for (const one of [path, `${path}?${query}&pedido=${alvo.pedidos[0]}`]) {
        const answer = await outro.get(one)
        assert.ok(answer.status < 500, `${one}: ${answer.status}`)
        if (status !== undefined) assert.equal(answer.status, status, one)
        // A question may be repeated; what it is about may not.
        semSegredos(answer.text.replaceAll(alvo.pedidos[0] ?? '', ''), one)
      }
      assert.equal((await house.ask(path, { key: null })).status, 303, path)
    }
    // The same pages do tell their owner.
    assert.match((await alvo.visitor.get(`/painel/registro/${alvo.pedidos[1]}/`)).text, /1122\*{8}81/)
  })

  test('by any form, sent with the ids of the other one: no row of its changes', async () => {
    const before = await linhasDoAlvo()
    const paths = doPainel('POST')
    assert.ok(paths.length > 5)
    for (const url of paths) {
      const fields = ENVIOS[url]
      assert.ok(fields, `${url}: say in ENVIOS what a stranger would send to this form`)
      const [path] = caminhoDe(url)
      const all = { conta: alvo.id, conta_id: alvo.id, acesso: alvo.acessos[1] ?? '', ...fields(alvo) }
      // A change of the password, and the end of log-ins, leave no session behind.
      outro = (await signUp(house, { nome: 'Outra Conta' })).visitor
      clock.instant += 3_600_000
      const _csrf =
        load((await outro.get('/painel/configuracoes/')).text)('[name="_csrf"]').attr('value') ?? ''
      const answer = await outro.post(path, { ...all, _csrf })
      assert.ok(answer.status < 500, `${path}: ${answer.status}`)
      semSegredos(answer.text, path)
      // The token of the other one's page is none of this session's.
      const alheio = load((await alvo.visitor.get('/painel/configuracoes/')).text)('[name="_csrf"]').attr(
        'value',
      )
      assert.equal((await outro.post(path, { ...all, _csrf: alheio ?? '' })).status, 400, path)
      assert.equal((await newVisitor(house).post(path, all)).status, 303, path)
    }
    assert.deepEqual(await linhasDoAlvo(), before)
  })

  test('and a form that shows something shows its sender’s own', async () => {
    const { visitor } = await signUp(house)
    const shown = await visitor.submit('/painel/configuracoes/chave/mostrar/', {}, '/painel/configuracoes/')
    assert.match(load(shown.text)('#chave').text(), /^fk_/)
    semSegredos(shown.text, 'mostrar')
  })
})

describe('every endpoint of the API', () => {
  test('wants an account, unless it is known to be public', () => {
    const open = rotas.filter(({ url, isKeyed }) => url.startsWith('/api/') && !isKeyed).map(({ url }) => url)
    assert.deepEqual(
      open.filter((url) => !PUBLICAS.includes(url)),
      [],
    )
    assert.ok(rotas.filter(({ isKeyed }) => isKeyed).length > 15)
  })

  test('refuses a session of the pages, tokens that are over, and tokens that it did not make', async () => {
    const { rooms } = house
    const { visitor, email } = await signUp(house)
    const conta = await findContaByEmail(rooms.platform.db, email)
    assert.ok(conta)
    const before = await linhasDoAlvo()
    for (const { method, url } of rotas.filter(({ isKeyed }) => isKeyed)) {
      const novo = { conta_id: conta.id, tipo: 'api', agente: '', endereco: '127.0.0.1' } as const
      const { acesso } = await rooms.contas.acessos.open(novo)
      const { access_token: good } = await issueToken(rooms.contas, acesso)
      const over = await rooms.contas.acessos.open(novo)
      const { access_token: ended } = await issueToken(rooms.contas, over.acesso)
      await rooms.contas.acessos.end(conta.id, over.acesso.id)
      const [head, , signature] = good.split('.')
      const stranger = {
        sub: alvo.id,
        sid: alvo.acessos[2],
        iss: 'consulta-fiscal',
        aud: 'consulta-fiscal/api',
      }
      const body = Buffer.from(JSON.stringify({ ...stranger, iat: 1, exp: 9_999_999_999 })).toString(
        'base64url',
      )
      const foreign = await new SignJWT(stranger)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime('30d')
        .sign(Buffer.alloc(32, 1))
      const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
      const ask = async (headers: Record<string, string>): Promise<[status: number, text: string]> => {
        const json = method === 'POST' ? { 'content-type': 'application/json' } : undefined
        const { status, text } = await house.ask(url.replace(/:\w+/g, '999'), {
          key: null,
          method,
          headers: { ...json, ...headers },
          ...(json && { body: '{}' }),
        })
        return [status, text]
      }
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
      const wrong: [what: string, headers: Record<string, string>][] = [
        ['nothing', {}],
        ['the cookie of a session', { cookie: `acesso=${visitor.cookies.get('acesso')}` }],
        ['the text of a session', bearer(visitor.cookies.get('acesso') ?? '')],
        ['a login that ended', bearer(ended)],
        ['another account under a good signature', bearer(`${head}.${body}.${signature}`)],
        ['a stranger’s signature', bearer(foreign)],
        ['no signature', bearer(`${none}.${body}.`)],
        ['no signature, and one', bearer(`${none}.${body}.${signature}`)],
      ]
      for (const [what, headers] of wrong) {
        const [status, text] = await ask(headers)
        assert.equal(status, 401, `${method} ${url}: ${what}`)
        semSegredos(text, url)
      }
      const [status, text] = await ask(bearer(good))
      assert.ok(![401, 403, 500].includes(status), `${method} ${url}: ${status}`)
      semSegredos(text, url)
      clock.instant += 61_000
    }
    assert.deepEqual(await linhasDoAlvo(), before)
  })
})

test('a session that was ended elsewhere is over at once, on every page', async () => {
  const { visitor, email } = await signUp(house)
  const other = newVisitor(house)
  await other.submit('/entrar/', { email, senha: SENHA })
  await visitor.submit('/painel/configuracoes/acessos/encerrar-outros/', {}, '/painel/configuracoes/')
  for (const url of doPainel('GET')) assert.equal((await other.get(caminhoDe(url)[0])).status, 303, url)
})

test('a blocked account opens its pages, which say so, and its lookups are refused', async () => {
  clock.instant += 3_600_000
  const { visitor, email } = await signUp(house)
  const { db, now } = house.rooms.platform
  const conta = await findContaByEmail(db, email)
  assert.ok(conta)
  const shown = await visitor.submit('/painel/configuracoes/chave/mostrar/', {}, '/painel/configuracoes/')
  await blockConta(db, conta.id, { motivo: 'Uso fora do contrato', now: now() })
  for (const path of ['/painel/', '/painel/configuracoes/', '/painel/registro/', '/painel/consultar/']) {
    const { status, text } = await visitor.get(path)
    assert.equal(status, 200, path)
    assert.match(load(text)('main').text(), /bloqueou esta conta.*Motivo: Uso fora do contrato/, path)
  }
  const key = load(shown.text)('#chave').text()
  const refused = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
  assert.deepEqual([refused.status, refused.body.error_code], [403, 'CONTA_BLOQUEADA'])
  const tried = await visitor.submit('/painel/consultar/', { documento: BANCO_DO_BRASIL, pergunta: 'cnpj' })
  const told = await visitor.get(tried.headers.get('location') ?? '')
  assert.match(load(told.text)('main').text(), /CONTA_BLOQUEADA/)
})
