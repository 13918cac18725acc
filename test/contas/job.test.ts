import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { confirmByOperator, confirmEmail, createConvite } from '../../src/contas/cadastro.ts'
import { askSenhaNova, logIn, resetSenha } from '../../src/contas/login.ts'
import { revealKey } from '../../src/contas/store-chaves.ts'
import { NOW } from '../kit/basics.ts'
import { argon2During, PELA_API } from '../kit/contas.ts'
import { newPostgres } from '../kit/databases.ts'
import { type House, start } from '../kit/house.ts'

/** A letter as the mail server took it. */
type Recebida = { de: string; para: string[]; texto: string }

/** A mail server in this process. */
type Carteiro = {
  url: string
  recebidas: Recebida[]
  /** Waits until so many letters have come. */
  espera: (count: number) => Promise<Recebida[]>
}

/** Starts a mail server, which is closed with the test. `options` may make it refuse. */
async function abrirCarteiro(t: TestContext, options: SMTPServerOptions = {}): Promise<Carteiro> {
  const recebidas: Recebida[] = []
  const waiting: { count: number; resolve: (letters: Recebida[]) => void }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        recebidas.push({
          de: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          para: envelope.rcptTo.map(({ address }) => address),
          texto: Buffer.concat(parts).toString(),
        })
        for (const { count, resolve } of waiting) if (recebidas.length >= count) resolve(recebidas)
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = Object(server.server.address())
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    recebidas,
    espera: (count) =>
      recebidas.length >= count
        ? Promise.resolve(recebidas)
        : new Promise((resolve) => waiting.push({ count, resolve })),
  }
}

/** The body of a letter, without its transfer encoding: quoted-printable (RFC 2045, 6.7). */
const corpoDe = ({ texto }: Recebida): string =>
  Buffer.from(
    texto
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** The code in the address of a letter. */
const codigoDe = (letter: Recebida): string => /\?codigo=([\w-]+)/.exec(corpoDe(letter))?.[1] ?? ''

const ANA = { nome: 'Ana <b>Souza</b>', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }
const endereco = '203.0.113.9'
const PUBLIC_URL = 'https://fiscal.exemplo.com.br/app'

const registrar = ({ ask }: House, body: object) =>
  ask('/api/v1/auth/registrar', {
    key: null,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The answer without what differs each time. */
const told = ({ status, body }: { status: number; body: object }) => ({ status, ...body, request_id: '' })

for (const dialect of ['sqlite', 'postgres'] as const) {
  const env = async (): Promise<Record<string, string>> =>
    dialect === 'sqlite' ? {} : { DATABASE_URL: await newPostgres() }

  test(`${dialect}: a sign-up is no account before its letter was followed, and no answer tells who has one`, async (t) => {
    const { url, espera } = await abrirCarteiro(t)
    const house = await start({
      ...(await env()),
      SMTP_URL: url,
      PUBLIC_URL,
      SMTP_FROM: 'Fiscal <fiscal@exemplo.com.br>',
    })
    t.after(() => house.close())
    const { db, secret } = house.rooms.platform
    const first = await registrar(house, ANA)
    assert.equal(first.body.situacao, 'confirmar')
    const [letter] = await espera(1)
    assert.ok(letter)
    assert.deepEqual([letter.de, letter.para], ['fiscal@exemplo.com.br', [ANA.email]])
    assert.match(letter.texto, /^Subject: =\?UTF-8\?Q\?Confirme_o_seu_e-mail/m)
    assert.doesNotMatch(corpoDe(letter), /Souza|<b>/, 'no letter has what a stranger typed')
    assert.ok(corpoDe(letter).includes(`${PUBLIC_URL}/confirmar-email/?codigo=`))
    assert.equal(await logIn(house.rooms.contas, { ...PELA_API, ...ANA, endereco }), 'invalidas')
    const codigo = codigoDe(letter)
    const daCarta = { ...ANA, codigo, endereco }
    assert.equal(
      await confirmEmail(house.rooms.contas, { ...daCarta, senha: 'a senha de um estranho' }),
      'senha-errada',
    )
    const conta = await confirmEmail(house.rooms.contas, daCarta)
    assert.ok(typeof conta === 'object' && 'nome' in conta)
    assert.equal(conta.nome, ANA.nome)
    assert.match((await revealKey(db, secret, conta.id)) ?? '', /^fk_/)
    assert.equal(await confirmEmail(house.rooms.contas, daCarta), 'codigo-invalido')
    assert.ok(Object(await logIn(house.rooms.contas, { ...PELA_API, ...ANA, endereco })).conta)
    const again = await registrar(house, { ...ANA, senha: 'outra frase bem longa' })
    assert.deepEqual(told(again), told(first))
    const [, second] = await espera(2)
    assert.ok(second)
    assert.match(corpoDe(second), /já tem uma/)
    assert.equal(codigoDe(second), '')
    assert.ok(
      Object(await logIn(house.rooms.contas, { ...PELA_API, ...ANA, endereco })).conta,
      'the password is the first one',
    )
  })

  test(`${dialect}: a forgotten password is set by the code of a letter; an unknown e-mail gets the same work and no letter`, async (t) => {
    const { url, espera, recebidas } = await abrirCarteiro(t)
    const house = await start({ ...(await env()), SMTP_URL: url, PUBLIC_URL })
    t.after(() => house.close())
    const { db, jobs } = house.rooms.platform
    const pedir = (email: string) => askSenhaNova(house.rooms.contas, { email, endereco })
    const { conta } = await house.open('lite')
    const { email } = await db.kysely
      .selectFrom('contas')
      .select('email')
      .where('id', '=', conta.id)
      .executeTakeFirstOrThrow()
    const runs = await argon2During(async () => {
      assert.deepEqual(await pedir('ninguem@exemplo.com.br'), { carta: true })
      assert.deepEqual(await pedir(email.toUpperCase()), { carta: true })
    })
    assert.equal(runs, 0)
    const [letter] = await espera(1)
    const open = await db.kysely.selectFrom('trabalhos').select(['id', 'dados']).execute()
    for (const { id, dados } of open) {
      assert.doesNotMatch(dados, /exemplo|teste/, 'what a letter is about is sealed')
      assert.equal((await jobs.waitFor(id, 60_000))?.state, 'done')
    }
    assert.equal(recebidas.length, 1)
    assert.ok(letter)
    assert.deepEqual(letter.para, [email])
    const codigo = codigoDe(letter)
    const nova = 'a frase que escolhi agora'
    assert.ok(Object(await resetSenha(house.rooms.contas, { codigo, nova, endereco })).id)
    assert.ok(Object(await logIn(house.rooms.contas, { ...PELA_API, email, senha: nova, endereco })).conta)
    const [, notice] = await espera(2)
    assert.match(corpoDe(notice ?? letter), /foi trocada/)
  })
}

test('an invitation is used up when the e-mail is proved, and gives its plan', async (t) => {
  const { url, espera } = await abrirCarteiro(t)
  const house = await start({ SMTP_URL: url, PUBLIC_URL, CADASTRO: 'convite' })
  t.after(() => house.close())
  const convite = await createConvite(house.rooms.platform.db, { email: '', plano: 'pro', dias: 7, now: NOW })
  for (const email of ['bia@exemplo.com.br', 'caio@exemplo.com.br'])
    assert.equal((await registrar(house, { ...ANA, email, convite })).status, 200)
  const letters = await espera(2)
  const made = await Promise.all(
    letters.map((letter) => confirmEmail(house.rooms.contas, { ...ANA, codigo: codigoDe(letter), endereco })),
  )
  assert.deepEqual(made.map((one) => Object(one).plano ?? one).sort(), ['convite-invalido', 'pro'])
})

test('a letter that does not arrive: the operator confirms by hand', async (t) => {
  const { url, espera } = await abrirCarteiro(t)
  const house = await start({ SMTP_URL: url, PUBLIC_URL })
  t.after(() => house.close())
  await registrar(house, ANA)
  await espera(1)
  assert.equal(await confirmByOperator(house.rooms.contas, 'ninguem@exemplo.com.br'), 'codigo-invalido')
  assert.equal(Object(await confirmByOperator(house.rooms.contas, ANA.email)).email, ANA.email)
})

test('an address that the server refuses for ever is not tried again, and nothing names it', async (t) => {
  const { url } = await abrirCarteiro(t, {
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`no such user ${address}`), { responseCode: 550 })),
  })
  const house = await start({ SMTP_URL: url, PUBLIC_URL })
  t.after(() => house.close())
  await registrar(house, ANA)
  const { id } = await house.rooms.platform.db.kysely
    .selectFrom('trabalhos')
    .select('id')
    .executeTakeFirstOrThrow()
  const ended = await house.rooms.platform.jobs.waitFor(id, 60_000)
  assert.deepEqual(ended, { state: 'dead', reason: 'O servidor de e-mail respondeu 550.' })
})

test('a server whose certificate nobody vouches for gets no letter', async (t) => {
  const { url, recebidas } = await abrirCarteiro(t, { secure: true, disabledCommands: ['AUTH'] })
  const house = await start({ SMTP_URL: `${url}/?tls.rejectUnauthorized=false`, PUBLIC_URL })
  t.after(() => house.close())
  await registrar(house, ANA)
  const { db } = house.rooms.platform
  for (;;) {
    const row = await db.kysely.selectFrom('trabalhos').select('motivo').executeTakeFirstOrThrow()
    if (row.motivo) {
      assert.match(row.motivo, /não atendeu/)
      break
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(recebidas.length, 0)
})

test('settings that cannot send the letters that they promise do not start', async () => {
  const live = { AUTHORITIES: 'live', CADASTRO: 'aberto' }
  await assert.rejects(start(live), /SMTP_URL e PUBLIC_URL/)
  await assert.rejects(start({ SMTP_URL: 'smtps://x:465' }), /PUBLIC_URL/)
})
