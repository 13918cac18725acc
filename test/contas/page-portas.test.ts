import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { createConvite } from '../../src/contas/cadastro.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { newEmail, newVisitor, SENHA, signUp } from '../kit/pages.ts'

let house: House
const clock = { instant: NOW.getTime() }
before(async () => {
  house = await start({}, () => new Date(clock.instant))
})
after(() => house.close())

/** What a form says is wrong with a field. */
const falhaDe = (page: CheerioAPI, campo: string): string => page(`#${campo}-falha`).text()

describe('sign-up', () => {
  test('leads straight in: to the dashboard, or to where the visitor wanted to go', async () => {
    const { visitor, answer } = await signUp(house)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/painel/comecar/'])
    const page = load((await visitor.get('/painel/configuracoes/')).text)
    assert.equal(page('.conta strong').text(), 'Maria da Silva')
    const other = newVisitor(house)
    const dados = { nome: 'Ana', email: newEmail(), senha: SENHA }
    const { headers } = await other.submit(
      '/criar-conta/',
      dados,
      '/criar-conta/?para=/painel/uso/%3Fmes%3D2026-11',
    )
    assert.equal(headers.get('location'), '/painel/uso/?mes=2026-11')
  })

  test('is where the address leads that people write by themselves', async () => {
    for (const path of ['/cadastro', '/cadastro/']) {
      const { status, headers } = await newVisitor(house).get(path)
      assert.deepEqual([status, headers.get('location')], [308, '/criar-conta/'])
    }
  })

  test('says what is wrong beside the field, keeps what was typed, and never the password', async () => {
    const { email } = await signUp(house)
    const wrong: [Record<string, string>, status: number, campo: string, said: RegExp][] = [
      [{ senha: 'curta' }, 400, 'senha', /10 caracteres/],
      [{ senha: 'senha12345' }, 400, 'senha', /mais usadas/],
      [{ nome: '' }, 400, 'nome', /^Envie um nome/],
      [{ email: 'sem-arroba' }, 400, 'email', /^Envie um e-mail/],
      [{ email }, 409, 'email', /Já existe uma conta/],
    ]
    for (const [fields, status, campo, said] of wrong) {
      const dados = { nome: 'Ana <b>', email: newEmail(), senha: SENHA, ...fields }
      const answer = await newVisitor(house).submit('/criar-conta/', dados)
      assert.equal(answer.status, status)
      const page = load(answer.text)
      assert.match(falhaDe(page, campo), said)
      assert.match(page('title').text(), /^Erro: Criar conta/)
      assert.equal(page('[role="alert"]').length, 1)
      const input = page(`#${campo}`)
      assert.deepEqual([input.attr('aria-invalid'), input.is('[autofocus]')], ['true', true])
      for (const id of (input.attr('aria-describedby') ?? '').split(' '))
        assert.equal(page(`#${id}`).length, 1, id)
      assert.equal(page('#nome').attr('value'), dados.nome)
      assert.equal(page('#email').attr('value'), dados.email)
      assert.equal(page('#senha').attr('value'), '')
      assert.ok(!answer.text.includes(dados.senha))
    }
  })

  test('a door opens with the focus in what is to be filled first, and describes it by what is there', async (t) => {
    const [convite, email] = ['codigo', newEmail()]
    const invited = await start({ CADASTRO: 'convite' })
    t.after(() => invited.close())
    for (const [at, path, campo] of [
      [house, '/criar-conta/', 'nome'],
      [invited, '/criar-conta/', 'convite'],
      [invited, `/criar-conta/?convite=${convite}`, 'nome'],
      [house, '/entrar/', 'email'],
      [house, `/entrar/?email=${email}`, 'senha'],
    ] as const) {
      const page = load((await newVisitor(at).get(path)).text)
      const focused = page('[autofocus]')
      assert.deepEqual([focused.length, focused.attr('id')], [1, campo], path)
      for (const id of (focused.attr('aria-describedby') ?? '').split(' '))
        assert.equal(page(`#${id}`).length, 1, `${path} ${id}`)
    }
  })

  test('closed, the page says whom to ask, and a form that is sent all the same is refused', async (t) => {
    const closed = await start({ CADASTRO: 'fechado' })
    t.after(() => closed.close())
    const visitor = newVisitor(closed)
    const { status, text } = await visitor.get('/criar-conta/')
    assert.equal(status, 200)
    assert.match(load(text)('main').text(), /cadastro deste serviço está fechado.*fiscal contas criar/)
    assert.equal(load(text)('main form').length, 0)
    assert.equal(load((await visitor.get('/')).text)('main a[href="/criar-conta/"]').length, 0)
    const _csrf = load((await visitor.get('/entrar/')).text)('[name="_csrf"]').attr('value') ?? ''
    const refused = await visitor.post('/criar-conta/', {
      _csrf,
      nome: 'Ana',
      email: newEmail(),
      senha: SENHA,
    })
    assert.equal(refused.status, 403)
  })

  test('it says in three numbers what comes with it, after the form', async () => {
    const $ = load((await newVisitor(house).get('/criar-conta/')).text)
    assert.deepEqual(
      $('aside dt')
        .get()
        .map((one) => $(one).text()),
      ['100 créditos por mês', '1 crédito por órgão que respondeu', 'R$ 0,00 no modo simulador'],
    )
    assert.match(
      $('aside').text(),
      /plano Lite.*O XML de uma nota custa 3 créditos\. Falha não custa nada.*nenhum dos dois vai aos órgãos/,
    )
    assert.ok($.html().indexOf('<aside') > $.html().indexOf('</form>', $.html().indexOf('<main')))
  })

  test('by invitation, it asks for the code, which makes one account', async (t) => {
    const invited = await start({ CADASTRO: 'convite' })
    t.after(() => invited.close())
    const { db, now } = invited.rooms.platform
    const convite = await createConvite(db, { email: '', plano: 'starter', dias: 7, now: now() })
    const dados = () => ({ nome: 'Ana', email: newEmail(), senha: SENHA })
    const without = await newVisitor(invited).submit('/criar-conta/', { ...dados(), convite: 'não é' })
    assert.equal(without.status, 403)
    assert.match(falhaDe(load(without.text), 'convite'), /não vale/)
    const visitor = newVisitor(invited)
    assert.equal((await visitor.submit('/criar-conta/', { ...dados(), convite: ` ${convite} ` })).status, 303)
    const { text } = await visitor.get('/painel/configuracoes/')
    assert.equal(load(text)('#plano + .selo').text(), 'Starter')
    assert.equal((await newVisitor(invited).submit('/criar-conta/', { ...dados(), convite })).status, 403)
  })

  test('with letters, an e-mail that is taken and one that is free are answered alike, and nobody is in', async (t) => {
    const letters = await start({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' })
    t.after(() => letters.close())
    await letters.rooms.platform.db.kysely
      .updateTable('contas')
      .set({ email: 'tomado@exemplo.test' })
      .execute()
    const answers = []
    for (const email of ['tomado@exemplo.test', 'livre@exemplo.test']) {
      const visitor = newVisitor(letters)
      const { status, text } = await visitor.submit('/criar-conta/', { nome: 'Ana', email, senha: SENHA })
      answers.push([status, text.replaceAll(email, 'EMAIL')])
      assert.deepEqual([...visitor.cookies.keys()], ['formulario'])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.match(String(answers[0]?.[1]), /Enviamos uma carta/)
  })
})

describe('log-in', () => {
  test('an unknown e-mail and a wrong password get the same answer, which keeps the e-mail alone', async () => {
    const { email } = await signUp(house)
    const said = []
    for (const one of [email, email.replace('pessoa', 'ninguem')]) {
      const answer = await newVisitor(house).submit('/entrar/', { email: one, senha: 'não é essa senha' })
      assert.equal(answer.status, 401)
      const page = load(answer.text)
      assert.equal(page('#email').attr('value'), one)
      assert.equal(page('#senha').attr('value'), '')
      assert.match(page('#senha').attr('aria-describedby') ?? '', /^falha /)
      page('[name="_csrf"]').remove()
      said.push(page.html().replaceAll(one, 'EMAIL'))
    }
    assert.equal(said[0], said[1])
    assert.match(said[0] ?? '', /O e-mail ou a senha não confere/)
  })

  test('the right ones lead in, in whatever case the e-mail is typed', async () => {
    const { email } = await signUp(house)
    const visitor = newVisitor(house)
    const { status, headers } = await visitor.submit('/entrar/', {
      email: ` ${email.toUpperCase()} `,
      senha: SENHA,
    })
    assert.deepEqual([status, headers.get('location')], [303, '/painel/'])
    assert.equal((await visitor.get('/painel/configuracoes/')).status, 200)
  })

  test('tries without end are refused, and the page says how long to wait', async () => {
    const visitor = newVisitor(house)
    const tentar = () => visitor.submit('/entrar/', { email: 'alvo@exemplo.test', senha: 'não é essa senha' })
    let answer = await tentar()
    for (let tries = 1; tries < 40 && answer.status === 401; tries++) answer = await tentar()
    assert.equal(answer.status, 429)
    const waitS = Number(answer.headers.get('retry-after'))
    assert.match(load(answer.text)('[role="alert"]').text(), /Tente de novo em \d+ min\./)
    clock.instant += waitS * 1000
    assert.equal((await tentar()).status, 401)
  })

  test('who is in is led to the dashboard, and log-out ends the session on the server too', async () => {
    const { visitor } = await signUp(house)
    for (const path of ['/entrar/', '/criar-conta/', '/recuperar-senha/', '/entrar/?para=/painel/uso/']) {
      const { status, headers } = await visitor.get(path)
      const to = path.includes('para') ? '/painel/uso/' : '/painel/'
      assert.deepEqual([status, headers.get('location')], [303, to], path)
    }
    const acesso = visitor.cookies.get('acesso') ?? ''
    const { status, headers } = await visitor.submit('/sair', {}, '/painel/configuracoes/')
    assert.deepEqual([status, headers.get('location')], [303, '/entrar/?aviso=saiu'])
    assert.equal(visitor.cookies.has('acesso'), false)
    visitor.cookies.set('acesso', acesso)
    assert.equal((await visitor.get('/painel/configuracoes/')).status, 303)
    assert.equal((await visitor.post('/sair', {})).headers.get('location'), '/entrar/?aviso=saiu')
    assert.match((await visitor.get('/entrar/?aviso=saiu')).text, /Você saiu/)
  })

  test('a notice that nobody wrote is not shown', async () => {
    const { text } = await newVisitor(house).get('/entrar/?aviso=<b>Ligue+0800')
    assert.ok(!text.includes('0800'))
  })
})
