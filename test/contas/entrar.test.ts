import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConvite, signUp } from '../../src/contas/cadastro.ts'
import type { ContasRoom } from '../../src/contas/contas.ts'
import { changeSenha, logIn, resetSenha, setSenha } from '../../src/contas/login.ts'
import { hashDaSenha } from '../../src/contas/senha.ts'
import { revealKey } from '../../src/contas/store-chaves.ts'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { argon2During, PELA_API, roomDe } from '../kit/contas.ts'
import { comResto, type Fresh, forEachDatabase } from '../kit/databases.ts'

const ANA = { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }
const endereco = '203.0.113.7'

/** Signs Ana up. */
async function comAna(room: ContasRoom) {
  const made = await signUp(room, { ...ANA, endereco })
  assert.ok(typeof made === 'object' && 'conta' in made && made.conta)
  return made.conta
}

function provarEntrar(dialect: Dialect, fresh: Fresh): void {
  test('who signs up has an account of plan lite with its first key, and logs in', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { db, secret } = room
    const conta = await comAna(room)
    assert.equal(conta.plano, 'lite')
    assert.match((await revealKey(db, secret, conta.id)) ?? '', /^fk_/)
    const found = await logIn(room, {
      ...PELA_API,
      email: ' ANA@Exemplo.com.BR ',
      senha: ANA.senha,
      endereco,
    })
    assert.equal(Object(found).conta.id, conta.id)
    const { senha_hash } = await db.kysely.selectFrom('contas').select('senha_hash').executeTakeFirstOrThrow()
    assert.match(
      senha_hash ?? '',
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
  })

  test('after 20 wrong tries in 15 minutes an e-mail is refused to their network, unread, on each node', async (t) => {
    const place = await fresh(t)
    let instant = NOW
    const nodes = [
      await roomDe(t, place, { now: () => instant }),
      await roomDe(t, place, { now: () => instant }),
    ]
    const [first, second] = nodes
    assert.ok(first && second)
    await comAna(first)
    // In memory each process counts for itself, and an embedded database has one.
    const turns = dialect === 'postgres' ? nodes : [first]
    const tryOnce = (at: number, senha: string, from = '198.51.100.1') => {
      const node = turns[at % turns.length] ?? first
      return logIn(node, { ...PELA_API, email: ANA.email, senha, endereco: from })
    }
    for (let at = 0; at < 20; at++) {
      assert.equal(await tryOnce(at, 'errada errada'), 'invalidas')
      // The right password is no try.
      if (at % 10 === 0) assert.ok(Object(await tryOnce(at, ANA.senha)).conta)
    }
    const runs = await argon2During(async () => {
      for (const at of [20, 21]) {
        const { esperaS } = Object(await tryOnce(at, ANA.senha))
        assert.ok(esperaS > 0 && esperaS <= 900, String(esperaS))
      }
    })
    assert.equal(runs, 0)
    assert.ok(Object(await tryOnce(0, ANA.senha, '198.51.100.2')).conta, 'from anywhere else she logs in')
    if (dialect === 'postgres') return
    instant = new Date(NOW.getTime() + 15 * 60_000)
    assert.ok(Object(await tryOnce(1, ANA.senha)).conta)
  })

  test('a password change ends all other logins; the one that changed it goes on', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const conta = await comAna(room)
    const { acessos } = room
    const abrir = (tipo: 'painel' | 'api') =>
      acessos.open({ conta_id: conta.id, tipo, agente: 'teste', endereco })
    const [own, other, api] = [await abrir('painel'), await abrir('painel'), await abrir('api')]
    const troca = { atual: ANA.senha, nova: 'outra frase bem longa', endereco, acesso: own.acesso.id }
    assert.equal(await changeSenha(room, conta.id, { ...troca, atual: 'errada errada' }), 'invalidas')
    assert.match(
      String(Object(await changeSenha(room, conta.id, { ...troca, nova: 'curta' })).senhaFraca),
      /10/,
    )
    assert.equal((await acessos.list(conta.id)).length, 3)
    assert.equal(await changeSenha(room, conta.id, troca), 'trocada')
    assert.deepEqual(
      (await acessos.list(conta.id)).map(({ id }) => id),
      [own.acesso.id],
    )
    assert.equal(await acessos.findByToken(other.token), undefined)
    assert.equal(await acessos.find(api.acesso.id), undefined)
    assert.equal(await logIn(room, { ...PELA_API, ...ANA, endereco }), 'invalidas')
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, senha: troca.nova, endereco })).conta)
  })

  test('a code sets a password once, ends every login, and ends the other codes', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { db, acessos } = room
    const conta = await comAna(room)
    await acessos.open({ conta_id: conta.id, tipo: 'painel', agente: '', endereco })
    const code = () =>
      createCodigo(db, { tipo: 'redefinir', conta_id: conta.id, email: ANA.email, vidaMs: 60_000, now: NOW })
    const [codigo, outro] = [await code(), await code()]
    const nova = 'uma terceira frase longa'
    assert.ok('senhaFraca' in Object(await resetSenha(room, { codigo, nova: 'senha12345', endereco })))
    const both = await Promise.all([
      resetSenha(room, { codigo, nova, endereco }),
      resetSenha(room, { codigo, nova, endereco }),
    ])
    assert.equal(both.filter((one) => one === 'codigo-invalido').length, 1)
    assert.equal(await resetSenha(room, { codigo: outro, nova, endereco }), 'codigo-invalido')
    assert.deepEqual(await acessos.list(conta.id), [])
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, senha: nova, endereco })).conta)
  })

  test('a log-in with the old password that ends after the change opens nothing', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { db, acessos } = room
    const conta = await comAna(room)
    const velha = await db.kysely.selectFrom('contas').select('senha_hash').executeTakeFirstOrThrow()
    // The change and two others have the three turns: the log-in has read the old password, and waits.
    const change = setSenha(db, conta, 'outra frase bem longa', NOW)
    const others = ['198.51.100.1', '198.51.100.2'].map((from) => hashDaSenha('x', { endereco: from }))
    const login = logIn(room, { ...PELA_API, ...ANA, endereco })
    await Promise.all([change, login, ...others])
    assert.deepEqual(await acessos.list(conta.id), [])
    const novo = { ...PELA_API, conta_id: conta.id, endereco }
    assert.equal(await acessos.openBySenha(novo, velha.senha_hash ?? ''), undefined)
    assert.deepEqual(await acessos.list(conta.id), [])
  })

  test('a password change ends the codes of letters that were asked for before it', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const conta = await comAna(room)
    const asked = { conta_id: conta.id, email: ANA.email, vidaMs: 60_000, now: NOW }
    const codigo = await createCodigo(room.db, { tipo: 'redefinir', ...asked })
    const nova = 'outra frase bem longa'
    const troca = { atual: ANA.senha, nova, endereco }
    assert.equal(await changeSenha(room, conta.id, troca), 'trocada')
    const late = { codigo, nova: 'uma terceira frase longa', endereco }
    assert.equal(await resetSenha(room, late), 'codigo-invalido')
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, senha: nova, endereco })).conta)
  })

  test('an invitation makes one account, with its plan, and for whom it was', async (t) => {
    const room = await roomDe(t, await fresh(t), { config: { CADASTRO: 'convite' } })
    const { db } = room
    const invite = (email: string) => createConvite(db, { email, plano: 'pro', dias: 7, now: NOW })
    const [hers, open] = [await invite('bia@exemplo.com.br'), await invite('')]
    const sign = (email: string, convite?: string) => signUp(room, { ...ANA, email, convite, endereco })
    assert.equal(await sign(ANA.email), 'convite-invalido')
    assert.equal(await sign(ANA.email, hers), 'convite-invalido')
    const [first, second] = await Promise.all([sign(ANA.email, open), sign('caio@exemplo.com.br', open)])
    assert.deepEqual(
      [first, second].map((made) => (made === 'convite-invalido' ? made : Object(made).conta.plano)).sort(),
      ['convite-invalido', 'pro'],
    )
    assert.equal(Object(await sign('bia@exemplo.com.br', hers)).conta.email, 'bia@exemplo.com.br')
  })

  test('a taken e-mail uses no invitation up, and is told where there are no letters', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { db } = room
    await comAna(room)
    const convite = await createConvite(db, { email: '', plano: 'pro', dias: 7, now: NOW })
    assert.equal(await signUp(room, { ...ANA, convite, endereco }), 'email-em-uso')
    const made = await signUp(room, { ...ANA, email: 'bia@exemplo.com.br', convite, endereco })
    assert.equal(Object(made).conta.plano, 'pro')
  })

  // The tries themselves are counted on both databases, in store-tentativas.test.ts.
  if (dialect === 'postgres' && !process.env.LONGO) return

  test('an unknown e-mail, an account without password and a wrong password: one answer, the same work', async (t) => {
    const room = await roomDe(t, await fresh(t))
    await comAna(room)
    const operada = await newConta(room.db)
    for (const email of [ANA.email, 'ninguem@exemplo.com.br', operada.email, 'isto não é e-mail']) {
      const runs = await argon2During(async () => {
        assert.equal(
          await logIn(room, { ...PELA_API, email, senha: 'não é esta senha', endereco }),
          'invalidas',
        )
      })
      assert.equal(runs, 1, email)
    }
  })

  test('tries from ever more networks stop at 100 an hour, and never where the owner was before', async (t) => {
    const room = await roomDe(t, await fresh(t))
    const { attempts } = room
    await comAna(room)
    const tryFrom = (from: string, senha = ANA.senha, email = ANA.email) =>
      logIn(room, { ...PELA_API, email, senha, endereco: from })
    for (const email of [ANA.email, 'ninguem@exemplo.com.br'])
      for (let at = 0; at < 100; at++) assert.equal(await attempts.take(['entrar/email', email]), undefined)
    const { esperaS } = Object(await tryFrom('198.51.100.1'))
    assert.ok(esperaS > 0 && esperaS <= 3_600, String(esperaS))
    assert.ok(Object(await tryFrom('198.51.100.1', 'x', 'ninguem@exemplo.com.br')).esperaS > 0)
    for (let at = 0; at < 20; at++) assert.equal(await tryFrom(endereco, 'errada errada'), 'invalidas')
    assert.ok(Object(await tryFrom(endereco)).esperaS <= 900, 'there the pair alone is counted')
    // Whoever reads her letters is she, and enters from where she followed the link.
    const { db } = room
    const row = await db.kysely.selectFrom('contas').select('id').executeTakeFirstOrThrow()
    const asked = { conta_id: row.id, email: ANA.email, vidaMs: 60_000, now: NOW }
    const codigo = await createCodigo(db, { tipo: 'redefinir', ...asked })
    const nova = 'outra frase bem longa'
    assert.ok(Object(await resetSenha(room, { codigo, nova, endereco: '192.0.2.9' })).id)
    assert.ok(Object(await tryFrom('192.0.2.9', nova)).conta)
    assert.ok(Object(await tryFrom('192.0.2.10', nova)).esperaS > 0)
  })

  test('after 60 tries in 15 minutes an address is refused, and another is not', async (t) => {
    const room = await roomDe(t, await fresh(t))
    await comAna(room)
    const rede = (host: number) => `2001:db8:1:2::${host.toString(16)}`
    for (let at = 0; at < 60; at++) await room.attempts.take(['entrar/endereco', '2001:db8:1:2'])
    const tried = await logIn(room, { ...PELA_API, ...ANA, endereco: rede(61) })
    assert.ok(Object(tried).esperaS > 0)
    assert.ok(Object(await logIn(room, { ...PELA_API, ...ANA, endereco: '2001:db8:1:3::1' })).conta)
  })
}

forEachDatabase(provarEntrar, comResto)
