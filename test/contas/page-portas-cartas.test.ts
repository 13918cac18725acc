import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { codigoDaConta, codigoDoCadastro } from '../../src/contas/cadastro.ts'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { type House, start } from '../kit/house.ts'
import { newEmail, newVisitor, SENHA, signUp } from '../kit/pages.ts'

const NOVA = 'outra frase comprida'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const contaDe = async (email: string) => {
  const conta = await findContaByEmail(house.rooms.platform.db, email)
  assert.ok(conta)
  return conta
}

const codigoDaSenha = async (email: string, vidaMs = 60_000): Promise<string> => {
  const { db, now } = house.rooms.platform
  const { id } = await contaDe(email)
  return createCodigo(db, { tipo: 'redefinir', conta_id: id, email, vidaMs, now: now() })
}

test('without letters the page of the reset says what the operator does', async () => {
  const { text } = await newVisitor(house).get('/recuperar-senha/')
  const $ = load(text)
  assert.match(
    $('main').text(),
    /serviço não envia e-mails.*Peça o link a quem lhe deu o endereço deste serviço e diga o e-mail da sua conta\..*Sou eu quem opera o serviço.*fiscal contas senha/,
  )
  assert.equal($('main details pre code').text(), 'npx fiscal contas senha seu-email@exemplo.com.br')
  assert.equal($('.ligacoes a[href="/entrar/"]').text(), '← Voltar para Entrar')
  assert.equal(load(text)('main form').length, 0)
})

test('an operator who says how to reach him is named on each page, and where a password is lost', async (t) => {
  const named = await start({ CONTATO: 'suporte@<exemplo>.com.br' })
  t.after(() => named.close())
  for (const page of ['/', '/recuperar-senha/', '/sefaz/']) {
    const $ = load((await newVisitor(named).get(page)).text)
    assert.match($('.rodape').text(), /Quem opera este serviço: suporte@<exemplo>\.com\.br/, page)
  }
  const { text } = await newVisitor(named).get('/recuperar-senha/')
  assert.match(load(text)('main ol').text(), /Peça o link a suporte@<exemplo>\.com\.br e diga/)
  for (const wrong of ['abc', ' ', 'x'.repeat(101)])
    await assert.rejects(start({ CONTATO: wrong }), /CONTATO.*de 4 a 100 letras/s, wrong)
})

test('with letters it answers alike for an e-mail with an account and one without', async (t) => {
  const letters = await start({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' })
  t.after(() => letters.close())
  const said = []
  for (const email of ['inicial@consulta-fiscal.local', 'ninguem@consulta-fiscal.local']) {
    const { status, text } = await newVisitor(letters).submit('/recuperar-senha/', { email })
    assert.equal(status, 200)
    said.push(text.replaceAll(email, 'EMAIL'))
  }
  assert.equal(said[0], said[1])
  assert.match(said[0] ?? '', /Se houver uma conta/)
  // An invented address gets no letter: no page says that one will do.
  for (const path of ['/entrar/', '/criar-conta/'])
    assert.doesNotMatch((await newVisitor(letters).get(path)).text, /inventado|na hora/)
  const wrong = await newVisitor(letters).submit('/recuperar-senha/', { email: 'nada' })
  assert.equal(wrong.status, 400)
  assert.match(load(wrong.text)('#email-falha').text(), /Confira o e-mail/)
})

test('a link is not used up by a machine that opens it: only its form changes the password', async () => {
  const { visitor: before, email } = await signUp(house)
  const link = `/nova-senha/?codigo=${await codigoDaSenha(email)}`
  for (let opened = 0; opened < 3; opened++)
    assert.match((await newVisitor(house).get(link)).text, /Escolher outra senha/)
  const visitor = newVisitor(house)
  const weak = await visitor.submit('/nova-senha/', { senha: 'curta' }, link)
  assert.equal(weak.status, 400)
  assert.match(load(weak.text)('#senha-falha').text(), /10 caracteres/)
  const done = await visitor.submit('/nova-senha/', { senha: NOVA }, link)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/entrar/?aviso=senha'])
  // Whoever was in before is out, the old password is none, and the link is over.
  assert.equal((await before.get('/painel/configuracoes/')).status, 303)
  assert.equal((await newVisitor(house).submit('/entrar/', { email, senha: SENHA })).status, 401)
  assert.equal((await newVisitor(house).submit('/entrar/', { email, senha: NOVA })).status, 303)
  const again = await visitor.get(link)
  assert.equal(again.status, 400)
  assert.match(again.text, /Este link não vale mais/)
})

test('the page of a link names the account for password managers, and sends no code on', async () => {
  const { email } = await signUp(house)
  const { text, headers } = await newVisitor(house).get(`/nova-senha/?codigo=${await codigoDaSenha(email)}`)
  const page = load(text)
  assert.equal(page('input[autocomplete="username"]').attr('value'), email)
  assert.equal(page('input[type="password"]').attr('autocomplete'), 'new-password')
  assert.equal(page('form').attr('action'), '/nova-senha/')
  assert.equal(headers.get('referrer-policy'), 'strict-origin')
})

test('a confirmation is a form too: of a sign-up that waits, and of an account that is there', async () => {
  const email = newEmail()
  const senha_hash = (
    await house.rooms.platform.db.kysely
      .selectFrom('contas')
      .select('senha_hash')
      .where('id', '=', (await contaDe((await signUp(house)).email)).id)
      .executeTakeFirstOrThrow()
  ).senha_hash
  const pedido = { nome: 'Ana', email, senha_hash: senha_hash ?? '', convite: '' }
  const link = `/confirmar-email/?codigo=${await codigoDoCadastro(house.rooms.contas, pedido)}`
  await newVisitor(house).get(link)
  const visitor = newVisitor(house)
  // Whoever typed the e-mail of another must not get an account that its owner confirms.
  const wrong = await visitor.submit('/confirmar-email/', { senha: 'a senha de um estranho' }, link)
  assert.equal(wrong.status, 401)
  assert.match(load(wrong.text)('#senha-falha').text(), /não é a senha do cadastro/)
  assert.equal(await findContaByEmail(house.rooms.platform.db, email), undefined)
  const done = await visitor.submit('/confirmar-email/', { senha: SENHA }, link)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/entrar/?aviso=email'])
  assert.equal((await visitor.submit('/entrar/', { email, senha: SENHA })).status, 303)
  assert.match((await visitor.get('/painel/configuracoes/')).text, /Confirmado/)
  assert.equal((await visitor.submit('/confirmar-email/', { senha: SENHA }, link)).status, 400)

  const own = await signUp(house)
  const codigo = await codigoDaConta(house.rooms.contas, await contaDe(own.email))
  const proved = await own.visitor.submit('/confirmar-email/', {}, `/confirmar-email/?codigo=${codigo}`)
  assert.equal(proved.headers.get('location'), '/painel/configuracoes/?feito=email')
})
