import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { sql } from 'kysely'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { newPostgres } from '../kit/databases.ts'
import { type Answer, type House, start } from '../kit/house.ts'
import { newEmail, newVisitor, SENHA, type Visitor } from '../kit/pages.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

for (const dialect of ['sqlite', 'postgres'] as const)
  describe(`the doors on ${dialect}`, () => {
    let house: House
    before(async () => {
      const DATABASE_URL = dialect === 'postgres' ? await newPostgres() : ''
      house = await start({ DATABASE_URL, SERVER_SECRET, TRUST_PROXY: 'true' })
    })
    after(() => house.close())

    /** A browser at an address of its own. */
    function em(rede: string, at: House = house): Visitor {
      const ask: House['ask'] = (path, options) => {
        const headers = new Headers(options?.headers)
        headers.set('x-forwarded-for', rede)
        return at.ask(path, { ...options, headers })
      }
      return newVisitor({ ask })
    }
    const entrar = (rede: string, email: string, senha = SENHA): Promise<Answer> =>
      em(rede).submit('/entrar/', { email, senha })

    const cadastrar = async (rede: string): Promise<string> => {
      const email = newEmail()
      const { status } = await em(rede).submit('/criar-conta/', { nome: 'Ana', email, senha: SENHA })
      assert.equal(status, 303)
      return email
    }

    const counted = async (): Promise<unknown> => {
      const { db } = house.rooms.platform
      return (
        dialect === 'postgres' &&
        (await sql`select key, points from limites order by key`.execute(db.kysely)).rows
      )
    }

    test('tries of a network that is used up shut nobody out, at the page and by the API, and leave no row', async () => {
      const { attempts } = house.rooms.contas
      const email = await cadastrar('203.0.113.1')
      for (let at = 0; at < 60; at++) await attempts.take(['entrar/endereco', '198.51.100.1'])
      const before = await counted()
      const other = em('198.51.100.1')
      for (let at = 0; at < 110; at++) {
        const { status, headers } = await other.submit('/entrar/', {
          email: at % 2 ? email : `p${at}@a.com`,
          senha: 'x',
        })
        assert.equal(status, 429)
        assert.ok(Number(headers.get('retry-after')) > 0)
      }
      const byApi = await house.ask('/api/v1/auth/login', {
        method: 'POST',
        key: null,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
        body: JSON.stringify({ email, senha: SENHA }),
      })
      assert.equal(byApi.status, 429)
      assert.deepEqual(await counted(), before)
      assert.equal((await entrar('203.0.113.1', email)).status, 303)
      assert.equal((await entrar('203.0.113.2', email)).status, 303, 'from a new network too')
    })

    test('strangers of ever more networks shut no owner out where he was before, and their count names no address', async () => {
      const { attempts, db } = house.rooms.contas
      const email = await cadastrar('203.0.113.3')
      for (let at = 0; at < 100; at++) await attempts.take(['entrar/email', email])
      const stranger = await entrar('198.51.100.3', email, 'errada errada')
      assert.equal(stranger.status, 429)
      assert.match(load(stranger.text)('[role="alert"]').text(), /Tente de novo em \d+ min/)
      assert.equal(
        (await entrar('198.51.100.3', email)).status,
        429,
        'the right password is refused unread too',
      )
      assert.equal((await entrar('203.0.113.3', email, 'errada errada')).status, 401)
      assert.equal((await entrar('203.0.113.3', email)).status, 303)
      const conta = await findContaByEmail(db, email)
      const rows = await db.kysely
        .selectFrom('redes')
        .selectAll()
        .where('conta_id', '=', conta?.id ?? '')
        .execute()
      assert.equal(rows.length, 1)
      assert.doesNotMatch(JSON.stringify(rows), /203\.0/, 'no address stands there')
    })

    test('letters that strangers ask for tell the owner to look for the newest, and stop none of his own', async (t) => {
      const letters = await start({
        ...(dialect === 'postgres' && { DATABASE_URL: await newPostgres() }),
        SERVER_SECRET,
        TRUST_PROXY: 'true',
        SMTP_URL: 'smtp://127.0.0.1:9',
        PUBLIC_URL: 'http://127.0.0.1',
      })
      t.after(() => letters.close())
      const { conta } = await letters.open('lite')
      const { db, redes } = letters.rooms.contas
      const { email } = await db.kysely
        .selectFrom('contas')
        .select('email')
        .where('id', '=', conta.id)
        .executeTakeFirstOrThrow()
      await redes.note(conta.id, '203.0.113.4')
      const pedir = (rede: string, who = email) =>
        em(rede, letters).submit('/recuperar-senha/', { email: who })
      for (const who of [email, 'ninguem@exemplo.test']) {
        for (let at = 0; at < 3; at++) assert.equal((await pedir(`198.51.100.${at}`, who)).status, 200)
        const { status, text } = await pedir('198.51.100.9', who)
        assert.equal(status, 429)
        assert.match(load(text)('#email-falha').text(), /link da mais nova/)
      }
      assert.equal((await pedir('203.0.113.4')).status, 200)
    })
  })
