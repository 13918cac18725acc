import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { solveChallenge } from 'altcha-lib/v1'
import type { DesenhoDoWidget } from '../../simulator/portal/captcha.ts'
import { type CaptchaPedido, createCaptchas } from '../../simulator/portal/captcha.ts'
import { quadros } from '../../simulator/portal/captcha-imagem.ts'

const HOST = 'portal.exemplo.gov.br'
const HOSTS = [HOST, 'outro.exemplo.gov.br']

/** An office with one portal, its solver, and a clock that can be moved. */
function office(tipo: CaptchaPedido, recusa = false, desenho?: DesenhoDoWidget) {
  let now = Date.parse('2026-11-21T12:00:00Z')
  const captchas = createCaptchas(() => new Date(now))
  const open = captchas.doPortal({ nome: 'XX/ie', tipo, hosts: HOSTS, desenho })
  const { token, resolver } = captchas.resolvedor
  return {
    session: (sessao = 's', host = HOST) => open({ sessao, host, recusa: () => recusa }),
    pass: (ms: number) => {
      now += ms
    },
    solve: (task: object, bearer = `Bearer ${token}`) =>
      resolver(bearer, Buffer.from(JSON.stringify({ id: '1', ...task }))),
  }
}

/** The solver's answer. Fails the test if the solver has none. */
function answer(solved: { json: { resposta: string } | { motivo: string } }): string {
  return 'resposta' in solved.json ? solved.json.resposta : assert.fail(solved.json.motivo)
}

const image = (corpo: Buffer) => ({ tipo: 'imagem', imagem_base64: corpo.toString('base64') })

test('an image is a real PNG or BMP, and no two are alike', () => {
  const { session } = office('imagem')
  const { corpo, cabecalhos } = session().imagem({ letras: 4 })
  assert.equal(cabecalhos['content-type'], 'image/png')
  const [width, height] = [corpo.readUInt32BE(16), corpo.readUInt32BE(20)]
  assert.deepEqual([width, height], [4 * 18 + 12, 33])
  const data = corpo.subarray(corpo.indexOf('IDAT') + 4, corpo.indexOf('IEND') - 8)
  assert.equal(inflateSync(data).length, height * (width + 1))
  assert.notDeepEqual(session().imagem().corpo, session().imagem().corpo)
  const bitmap = session().imagem({ formato: 'bmp' })
  assert.equal(bitmap.cabecalhos['content-type'], 'image/bmp')
  assert.equal(bitmap.corpo.toString('latin1', 0, 2), 'BM')
  assert.equal(bitmap.corpo.readUInt32LE(2), bitmap.corpo.length)
})

test('the text of an image is right once, in its session, in any case unless the portal minds', () => {
  const { session, solve } = office('imagem')
  const [mine, other] = [session('a'), session('b')]
  const fresh = () => answer(solve(image(mine.imagem().corpo)))
  const first = fresh()
  assert.match(first, /^[A-Z0-9]{5}$/)
  assert.ok(!other.checkTexto(first))
  assert.ok(mine.checkTexto(first.toLowerCase()))
  assert.ok(!mine.checkTexto(first))
  const small = answer(solve(image(mine.imagem({ alfabeto: 'abc', letras: 6 }).corpo)))
  assert.match(small, /^[abc]{6}$/)
  assert.ok(!mine.checkTexto(small.toUpperCase(), true))
  const replaced = fresh()
  mine.imagem()
  assert.ok(!mine.checkTexto(replaced))
  const tried = fresh()
  assert.ok(!mine.checkTexto('x'))
  assert.ok(!mine.checkTexto(tried))
})

test('the text of an image is too late after five minutes, and never right where all is refused', () => {
  const { session, solve, pass } = office('imagem')
  const text = answer(solve(image(session().imagem().corpo)))
  pass(5 * 60_000 + 1)
  assert.ok(!session().checkTexto(text))
  const strict = office('imagem', true)
  assert.ok(!strict.session().checkTexto(answer(strict.solve(image(strict.session().imagem().corpo)))))
})

test('the pictures of words are a finite set, each always the same octets', () => {
  const { session, solve } = office('palavras')
  const { corpo } = session().palavra()
  assert.ok(quadros().some(({ imagem }) => imagem.equals(corpo)))
  assert.equal(new Set(quadros().map(({ imagem }) => imagem.toString('base64'))).size, quadros().length)
  const word = answer(solve({ ...image(corpo), tipo: 'palavras' }))
  assert.ok(quadros().some(({ palavra }) => palavra === word))
  assert.ok(session().checkTexto(word))
  for (const { imagem, palavra } of quadros())
    assert.equal(answer(solve({ ...image(imagem), tipo: 'palavras' })), palavra)
})

const SITE_KEYS = {
  'recaptcha-v2': /^6L[\w-]{38}$/,
  'recaptcha-enterprise': /^6L[\w-]{38}$/,
  turnstile: /^0x4AAAAAAA[\w-]{14}$/,
  hcaptcha: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
} as const

for (const tipo of ['recaptcha-v2', 'recaptcha-enterprise', 'turnstile', 'hcaptcha'] as const)
  test(`a ${tipo} token is good for its site key and host, once, for two minutes`, () => {
    const { session, solve, pass } = office(tipo)
    const { chave: site_key } = session()
    assert.match(site_key, SITE_KEYS[tipo])
    assert.equal(site_key, office(tipo).session().chave)
    const enterprise = tipo === 'recaptcha-enterprise'
    const task = { tipo, site_key, pagina: `https://${HOST}/consulta?a=b`, enterprise }
    const token = answer(solve(task))
    assert.ok(session().checkToken(token))
    assert.ok(!session().checkToken(token))
    assert.ok(!session('s', HOSTS[1]).checkToken(answer(solve(task))))
    const late = answer(solve(task))
    pass(2 * 60_000 + 1)
    assert.ok(!session().checkToken(late))
    assert.ok(!session().checkToken(''))
    for (const wrong of [
      { site_key: '6Lx' },
      { pagina: 'https://nada.test/' },
      { pagina: 'nada' },
      { tipo: tipo === 'turnstile' ? 'recaptcha-v2' : 'turnstile' },
    ])
      assert.equal(solve({ ...task, ...wrong }).status, 422)
  })

test('a token that was made for another kind of widget is refused', () => {
  const drawn = { invisivel: true, acao: 'emitir' }
  const { session, solve } = office('recaptcha-v2', false, drawn)
  const task = { tipo: 'recaptcha-v2', site_key: session().chave, pagina: `https://${HOST}/` }
  for (const [said, taken] of [
    [drawn, true],
    [{}, false],
    [{ ...drawn, invisivel: false }, false],
    [{ ...drawn, acao: 'consultar' }, false],
    [{ ...drawn, enterprise: true }, false],
  ] as const)
    assert.equal(session().checkToken(answer(solve({ ...task, ...said }))), taken, JSON.stringify(said))
})

test('a proof of work is taken once, before it expires, and only when it is one of ours', async () => {
  const { session, pass } = office('altcha')
  const work = async () => {
    const challenge = JSON.parse((await session().desafio()).corpo.toString())
    const { algorithm, salt, signature, maxnumber } = challenge
    const solved = await solveChallenge(challenge.challenge, salt, algorithm, maxnumber).promise
    const payload = { algorithm, challenge: challenge.challenge, number: solved?.number, salt, signature }
    return Buffer.from(JSON.stringify(payload)).toString('base64')
  }
  const payload = await work()
  assert.ok(!(await office('altcha').session().checkDesafio(payload)))
  const twice = [session().checkDesafio(payload), session().checkDesafio(payload)]
  assert.deepEqual((await Promise.all(twice)).sort(), [false, true])
  assert.ok(!(await session().checkDesafio(payload)))
  const late = await work()
  pass(10 * 60_000 + 1000)
  assert.ok(!(await session().checkDesafio(late)))
  for (const rubbish of [
    '',
    'x',
    Buffer.from('{}').toString('base64'),
    Buffer.from('null').toString('base64'),
    Buffer.from('{"salt":"x?expires=99999999999","algorithm":"X","number":1}').toString('base64'),
  ])
    assert.ok(!(await session().checkDesafio(rubbish)))
})

test('the solver says why it does not solve', () => {
  const { solve } = office('imagem')
  for (const [task, bearer, status] of [
    [{}, 'Bearer x', 401],
    [{}, undefined, 422],
    [{ tipo: 'imagem', imagem_base64: 'AAAA' }, undefined, 422],
    [{ tipo: 'altcha' }, undefined, 422],
  ] as const) {
    const solved = bearer ? solve(task, bearer) : solve(task)
    assert.equal(solved.status, status)
    assert.ok('motivo' in solved.json && solved.json.motivo.length > 5)
  }
})
