import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { ConfigError, envExample, parseConfig } from '../../src/platform/config/config.ts'
import { sections, settings } from '../../src/platform/config/settings.ts'

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

test('every setting has a default: nothing needs to be set', () => {
  const config = parseConfig({})
  assert.equal(config.AUTHORITIES, 'simulator')
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.PORT, 8080)
  assert.equal(config.CNPJ_MASK_CPF, true)
  assert.equal(config.DATABASE_URL, undefined)
})

test('an empty value counts as not set', () => {
  assert.deepEqual(parseConfig({ PORT: '', DATABASE_URL: '', CNPJ_MASK_CPF: '' }), parseConfig({}))
})

test('FISCAL_ENDERECO is an http address, of which the scheme may be left out', () => {
  for (const endereco of [
    '127.0.0.1:8080',
    'fiscal.exemplo.com.br',
    '[::1]:8080',
    'https://a.exemplo/fiscal',
  ])
    assert.deepEqual(problemsOf({ FISCAL_ENDERECO: endereco }), [])
  for (const wrong of [
    'ftp://exemplo.test',
    'javascript:alert(1)',
    'https:',
    'http://eu:senha@a.exemplo',
    'a b',
  ])
    assert.equal(problemsOf({ FISCAL_ENDERECO: wrong }).length, 1, wrong)
})

for (const name of ['CAPTCHA_WEBHOOK_URL', 'CNIR_URL'])
  test(`${name} is an http address without a password in it`, () => {
    for (const url of ['https://captcha.exemplo.com.br', 'http://127.0.0.1:9000/resolver?fila=2@sp'])
      assert.deepEqual(problemsOf({ [name]: url }), [])
    for (const url of [
      'ftp://exemplo.test/',
      'http://eu:senha@exemplo.test/',
      'http://exemplo test/',
      'https:',
      'https://exemplo.test:99999/',
      'https://[::1/',
    ])
      assert.deepEqual(
        problemsOf({ [name]: url }),
        [`${name}: envie um endereço http(s), sem usuário nem senha`],
        url,
      )
  })

test('words that have commas are told apart', () => {
  assert.match(
    problemsOf({ CND_FEDERAL_ROTAS: 'portal, contrato' }).join(),
    /envie uma destas palavras: contrato,portal; portal,contrato; contrato; portal \(recebido/,
  )
})

test('the public address is an http address, perhaps with a path, without the slash at its end', () => {
  const read = (PUBLIC_URL: string) => parseConfig({ PUBLIC_URL }).PUBLIC_URL
  assert.equal(parseConfig({}).PUBLIC_URL, undefined)
  assert.equal(read('https://fiscal.exemplo.com.br'), 'https://fiscal.exemplo.com.br')
  assert.equal(read('HTTPS://Fiscal.Exemplo.com.br:443/'), 'https://fiscal.exemplo.com.br')
  assert.equal(read('http://127.0.0.1:8080/fiscal/v2//'), 'http://127.0.0.1:8080/fiscal/v2')
  for (const url of [
    'fiscal.exemplo.com.br',
    '/fiscal',
    'ftp://exemplo.test',
    'https:exemplo.test',
    'https://',
    'https://exemplo.test:99999',
    'https://eu@exemplo.test',
    'https://exemplo.test/?a=1',
    'https://exemplo.test/?',
    'https://exemplo.test/#x',
    'https://exemplo.test/ a',
    'https://exemplo.test\\a',
  ])
    assert.match(problemsOf({ PUBLIC_URL: url }).join(), /envie um endereço http\(s\) completo/, url)
})

test('no message shows an address with a password in it', () => {
  for (const name of ['PUBLIC_URL', 'SIMULATOR_URL']) {
    const [problem = ''] = problemsOf({ [name]: 'ftp://eu:segredo@exemplo.test' })
    assert.match(problem, new RegExp(`^${name}: envie`))
    assert.doesNotMatch(problem, /segredo/)
  }
})

test('the captcha webhook is used where it is named, and on the national portal only by name', () => {
  const used = (CAPTCHA_UFS: string) => parseConfig({ CAPTCHA_UFS }).CAPTCHA_UFS
  assert.equal(parseConfig({}).CAPTCHA_UFS, undefined)
  assert.deepEqual(used('nenhuma'), new Set())
  assert.deepEqual(used('pr, BR'), new Set(['PR', 'BR']))
  assert.deepEqual(used('todas'), new Set(ufs))
  assert.deepEqual(used('todas,BR'), new Set([...ufs, 'BR']))
  for (const CAPTCHA_UFS of ['PR,XX', 'PR,', 'nenhuma,PR'])
    assert.match(problemsOf({ CAPTCHA_UFS }).join(), /siglas de estados, BR ou todas/)
})

test('the trusted proxies are a number of hops or a list of addresses, and the old switch means one hop', () => {
  const read = (TRUST_PROXY: string) => parseConfig({ TRUST_PROXY }).TRUST_PROXY
  assert.equal(parseConfig({}).TRUST_PROXY, 0)
  for (const [value, hops] of Object.entries({ 0: 0, false: 0, 1: 1, true: 1, 2: 2, 10: 10 }))
    assert.equal(read(value), hops, value)
  assert.deepEqual(read('10.0.0.5'), ['10.0.0.5'])
  assert.deepEqual(read('10.0.0.5, 172.16.0.0/12,2001:db8::/32,::1'), [
    '10.0.0.5',
    '172.16.0.0/12',
    '2001:db8::/32',
    '::1',
  ])
  for (const TRUST_PROXY of [
    '11',
    '-1',
    '1.5',
    'sim',
    'TRUE',
    'loopback',
    'proxy.exemplo.test',
    '10.0.0.5,',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/255.0.0.0',
    '2001:db8::/129',
    'fe80::1%eth0',
    '10.0.0.5 10.0.0.6',
    '1,10.0.0.5',
  ])
    assert.match(
      problemsOf({ TRUST_PROXY }).join(),
      /^TRUST_PROXY: envie o número de proxies .* ou os endereços deles .*, como 10\.0\.0\.5,10\.1\.0\.0\/16/,
      TRUST_PROXY,
    )
})

test('wrong values are listed all at once, each with what to send', () => {
  const problems = problemsOf({
    PORT: '99999',
    AUTHORITIES: 'mock',
    CNPJ_MASK_CPF: 'sim',
    SHUTDOWN_SECONDS: '1.5',
  })
  assert.equal(problems.length, 4)
  assert.match(problems.join('\n'), /PORT: envie um número inteiro de 0 a 65535 \(recebido: "99999"\)/)
  assert.match(problems.join('\n'), /AUTHORITIES: envie uma destas palavras: simulator, live/)
  assert.match(problems.join('\n'), /CNPJ_MASK_CPF: envie true, false, 1 ou 0/)
})

test('a wrong secret is reported without being shown', () => {
  const env = {
    DATABASE_URL: 'mysql://u:senha-secreta@h/b',
    SERVER_SECRET: 'curto',
    BOOTSTRAP_API_KEY: 'fk_errada',
  }
  const said = problemsOf(env).join('\n')
  for (const name of Object.keys(env)) assert.match(said, new RegExp(name))
  assert.doesNotMatch(said, /senha-secreta|curto|errada/)
})

test('.env.example is what the settings generate', () => {
  assert.equal(readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8'), envExample())
})

test('the sections begin with the essential, and each setting stands in one of them, in the file too', () => {
  assert.deepEqual(
    sections.map(({ title }) => title),
    ['Essencial', 'Endereço', 'Dados', 'Fontes', 'Prazos', 'CLI'],
  )
  const names = sections.flatMap((section) => Object.keys(section.settings))
  assert.deepEqual(names, [...new Set(names)])
  assert.deepEqual(names.toSorted(), Object.keys(settings).toSorted())
  const written = envExample()
  assert.deepEqual(
    [...written.matchAll(/^# == (.+?):/gm)].map(([, title]) => title),
    sections.map(({ title }) => title),
  )
  assert.deepEqual(
    [...written.matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name),
    names,
  )
})
