import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { normalizeEmail } from '../../src/contas/rules.ts'
import { checkSenha, fraquezaDe, hashDaSenha, inQueue } from '../../src/contas/senha.ts'
import { argon2During } from '../kit/contas.ts'

const quem = { endereco: '203.0.113.30' }

test('a hash is a PHC string with a salt of its own, and only its password fits it', async () => {
  const [first, second] = [await hashDaSenha('uma frase', quem), await hashDaSenha('uma frase', quem)]
  assert.notEqual(first, second)
  assert.ok(await checkSenha('uma frase', first, quem))
  assert.ok(await checkSenha('uma frase', second, quem))
  for (const wrong of ['uma fras', 'uma frase ', 'Uma frase', ''])
    assert.equal(await checkSenha(wrong, first, quem), false, wrong)
})

test('the same accents in either form of Unicode are the same password', async () => {
  assert.ok(
    await checkSenha('oração'.normalize('NFD'), await hashDaSenha('oração'.normalize('NFC'), quem), quem),
  )
})

test('a hash of another cost is still read, as another version may have written it', async () => {
  const nonce = Buffer.from('sal de teste 123')
  const cost = { memory: 4096, passes: 3, parallelism: 2, tagLength: 24 }
  const hash = argon2Sync('argon2id', { message: 'uma frase', nonce, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const phc = `$argon2id$v=19$m=4096,t=3,p=2$${text(nonce)}$${text(hash)}`
  assert.ok(await checkSenha('uma frase', phc, quem))
  await assert.rejects(checkSenha('uma frase', '$2b$10$abc', quem), /no PHC string/)
})

test('of one address ten wait in line, and who left is not hashed', async () => {
  const leaving = new AbortController()
  const runs = await argon2During(async () => {
    const asked = Array.from({ length: 20 }, () =>
      inQueue(() => hashDaSenha('uma frase', { ...quem, signal: leaving.signal })).catch(() => 'left'),
    )
    const other = hashDaSenha('uma frase', { endereco: '198.51.100.30' })
    leaving.abort(new Error('left'))
    const ended = await Promise.all(asked)
    assert.equal(ended.filter((one) => typeof one === 'object' && one.esperaS > 0).length, 7)
    assert.equal(ended.filter((one) => one === 'left').length, 10)
    assert.match(await other, /^\$argon2id/)
  })
  assert.equal(runs, 4, 'the three that had begun, and the other address')
})

const dona = { nome: 'Ana Souza', email: 'ana.souza@exemplo.com.br' }

test('a password of fewer than 10 or more than 200 characters, of its owner, in a row or much used is weak', () => {
  const weak: [string, RegExp][] = [
    ['123456789', /10 caracteres/],
    ['á'.repeat(9), /10 caracteres/],
    ['👍'.repeat(9), /tem 9/],
    [`aB3$${'x1y2z3'.repeat(40)}`, /200/],
    ['ANA.SOUZA@exemplo.com.br', /seu e-mail/],
    ['aaaaaaaaaaaa', /repete/],
    ['abababababab', /repete/],
    ['1234567890', /enfileira/],
    ['9876543210', /enfileira/],
    ['abcdefghijkl', /enfileira/],
    ['Senha12345', /mais usadas/],
    ['qwertyuiop', /mais usadas/],
  ]
  for (const [senha, says] of weak) assert.match(fraquezaDe(senha, dona) ?? '', says, senha.slice(0, 20))
  assert.match(fraquezaDe('ana da silva souza', { ...dona, nome: 'Ana da Silva Souza' }) ?? '', /seu nome/)
  for (const good of ['cavalo bateria', 'Tr0ub4dor&3x', 'ção ção vila 7', 'x9x9kq7 wz2 pl'])
    assert.equal(fraquezaDe(good, dona), undefined, good)
})

test('an e-mail has one form, however it was typed', () => {
  const forms: [string, string | undefined][] = [
    [' Ana@Exemplo.COM.br ', 'ana@exemplo.com.br'],
    ['ana@açaí.com.br', 'ana@xn--aa-4iaz.com.br'],
    ['jose\u0301@exemplo.com', 'josé@exemplo.com'],
    ['ana+nfe@exemplo.com', 'ana+nfe@exemplo.com'],
    [`${'a'.repeat(64)}@exemplo.com`, `${'a'.repeat(64)}@exemplo.com`],
    [`${'a'.repeat(65)}@exemplo.com`, undefined],
    [
      `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}.com`,
      undefined,
    ],
    ['x'.repeat(100_000), undefined],
    ['ana', undefined],
    ['ana@', undefined],
    ['@exemplo.com', undefined],
    ['ana@b@exemplo.com', undefined],
    ['ana souza@exemplo.com', undefined],
    ['ana@exemplo.com\r\nBcc: todos@exemplo.com', undefined],
    ['ana\r\n@exemplo.com', undefined],
    ['ana@-exemplo.com', undefined],
    ['Ana <ana@exemplo.com>', undefined],
    ['ana,bia@exemplo.com', undefined],
    ['ana\u0000@exemplo.com', undefined],
    ['ana\u202e@exemplo.com', undefined],
    ['ana@exem\nplo.com', undefined],
    ['ana@exem\tplo.com', undefined],
    ['ana@exemplo.com/bia', undefined],
    ['ana@exemplo.com?bia', undefined],
    ['ana@exemplo.com#bia', undefined],
    ['ana@exem%70lo.com', undefined],
  ]
  for (const [typed, normal] of forms) assert.equal(normalizeEmail(typed), normal, typed.slice(0, 40))
})
