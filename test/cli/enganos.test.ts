import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type House, start } from '../kit/house.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'
import { fiscalHere, root, run, type Said } from '../kit/processes.ts'
import { sharedIcp } from '../kit/simulator.ts'

const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-enganos-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

/** A mistake of a newcomer: what is typed, and what is answered, which says what to do. */
type Engano = { name: string; says: RegExp; env?: Record<string, string>; code?: number }

const CNPJ = '99034721000180'
const CHAVE_NFE = '35261198763001000192550010000001081251802277'

describe('at the terminal', () => {
  let house: NfeHouse
  let env: Record<string, string>
  const fiscal = (args: string[], own: Record<string, string> = {}): Promise<Said> =>
    fiscalHere({ env: { DATA_DIR: pasta, ...env, ...own }, cwd: pasta }, ...args)
  before(async () => {
    house = await startNfe()
    env = { FISCAL_ENDERECO: house.address, FISCAL_CHAVE: String(house.apiKey) }
    writeFileSync(
      join(pasta, 'a1.pfx'),
      Buffer.from((await house.a1('nfe-transportador')).certificado, 'base64'),
    )
    writeFileSync(join(pasta, 'a1.cer'), '-----BEGIN CERTIFICATE-----\n')
  })
  after(() => house.close())

  const nota = ['consultar', 'nfe-xml', CHAVE_NFE, '--certificado']
  const refused: (Engano & { types: string[] })[] = [
    {
      name: 'no key',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_CHAVE: '' },
      says: /^Falta a chave de API: ponha-a em FISCAL_CHAVE, no ambiente ou no arquivo \.env/,
    },
    {
      name: 'a key that is masked',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_CHAVE: 'fk_••••••••••••1234' },
      says: /^A chave de API dada está mascarada[\s\S]*copie a inteira/,
    },
    {
      name: 'a part of a key',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_CHAVE: 'fk_metade' },
      says: /A chave enviada tem 9 caracteres, e uma inteira tem 41\. Confira FISCAL_CHAVE/,
    },
    {
      name: 'a key of another service',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_CHAVE: `fk_${'x'.repeat(38)}` },
      says: /^NAO_AUTENTICADO: [\s\S]*a chave atual está nas configurações do painel/,
    },
    {
      name: 'a key with a space in the middle',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_CHAVE: 'fk_abc def' },
      says: /^A chave de API dada tem espaço no meio: copie-a de novo/,
    },
    {
      name: 'no service at the address',
      types: ['consultar', 'cnpj', CNPJ],
      env: { FISCAL_ENDERECO: 'http://127.0.0.1:1' },
      says: /Nenhum serviço atende em http:\/\/127\.0\.0\.1:1 [\s\S]*Para começar um: npm start, na pasta \//,
      code: 2,
    },
    {
      name: 'an address that is none',
      types: ['consultar', 'cnpj', CNPJ, '--endereco', 'ftp://fiscal'],
      says: /^ftp:\/\/fiscal não é o endereço de um serviço: escreva como em http:\/\/127\.0\.0\.1:8080/,
    },
    {
      name: 'a state that is none',
      types: ['consultar', 'ie', '--uf', 'XX', CNPJ],
      says: /^XX não é um estado; os estados são AC, AL, .*SP, TO\.\n$/,
    },
    {
      name: 'a misspelt name of a state',
      types: ['consultar', 'ie', '--uf', 'sao palo', CNPJ],
      says: /Seria SP \(São Paulo\)\?/,
    },
    { name: 'no state', types: ['consultar', 'ie', CNPJ], says: /^Diga o estado com --uf, .*--todas/ },
    {
      name: 'no document',
      types: ['consultar', 'cnd', '--uf', 'SP'],
      says: /^Falta o documento: escreva o CPF ou o CNPJ, com ou sem máscara/,
    },
    {
      name: 'two documents',
      types: ['consultar', 'ie', '--uf', 'SP', CNPJ, '--cpf', '52998224725'],
      says: /^Há dois documentos, 99034721000180 e 52998224725: deixe um só/,
    },
    {
      name: 'a CNPJ with another digit',
      types: ['consultar', 'cnpj', '99.034.721/0001-81'],
      says: /^99\.034\.721\/0001-81 não é um CNPJ: o dígito verificador não confere/,
    },
    {
      name: 'a CPF with letters',
      types: ['consultar', 'cnir', '--cpf', '529982247AB'],
      says: /^529982247AB não é um CPF: envie somente dígitos/,
    },
    {
      name: 'a document that is too short',
      types: ['consultar', 'perfil', '9903472100018'],
      says: /^9903472100018 não é um CPF nem um CNPJ: .*recebidos: 13/,
    },
    {
      name: 'a CPF in the place of a CNPJ',
      types: ['consultar', 'cnd-federal', '--cnpj', '529.982.247-25'],
      says: /^529\.982\.247-25 é um CPF: use --cpf/,
    },
    {
      name: 'a CPF where companies are asked for',
      types: ['consultar', 'cnpj', '529.982.247-25'],
      says: /^529\.982\.247-25 é um CPF, e esta consulta é de empresas: escreva um CNPJ/,
    },
    {
      name: 'a registration of another state',
      types: ['consultar', 'ie', '--uf', 'SP', '--ie', '096/6922786'],
      says: /não é uma inscrição estadual de SP: /,
    },
    {
      name: 'a misspelt command',
      types: ['consultarr'],
      says: /não há o comando 'consultarr'[\s\S]*seria consultar\?/,
    },
    {
      name: 'a misspelt option',
      types: ['consultar', 'cnd', '--todos'],
      says: /não há a opção '--todos'[\s\S]*seria --todas\?/,
    },
    {
      name: 'a key of a note that is too short',
      types: ['consultar', 'nfe-xml', '3526 1198', '--certificado', 'a1.pfx'],
      says: /^3526 1198 não é uma chave de acesso: envie 44 dígitos.*: 8\.\n$/,
    },
    { name: 'no certificate', types: nota.slice(0, 3), says: /^Falta o certificado A1: use --certificado/ },
    {
      name: 'a certificate that is not there',
      types: [...nota, 'outro.pfx'],
      says: /^Não há o arquivo outro\.pfx\. Confira o caminho/,
    },
    {
      name: 'the public part of a certificate',
      types: [...nota, 'a1.cer'],
      says: /^a1\.cer não é um certificado A1.*exporte o A1 com a chave privada/,
    },
    {
      name: 'a wrong password of a certificate',
      types: [...nota, 'a1.pfx'],
      env: { FISCAL_CERTIFICADO_SENHA: 'errada' },
      says: /^CERTIFICADO_INVALIDO: [\s\S]*Confira o arquivo e a senha dele: FISCAL_CERTIFICADO_SENHA/,
    },
    {
      name: 'a file that is not there',
      types: ['diagnosticar', 'nota.xml'],
      says: /^Não há o arquivo nota\.xml\. Confira o caminho/,
    },
    {
      name: 'a setting with a wrong value',
      types: ['contas', 'listar'],
      env: { PORT: 'oitenta' },
      says: /^Configuração inválida:\n {2}- PORT: envie um número inteiro.*\(recebido: "oitenta"\)/,
    },
    {
      name: 'a secret that is too short',
      types: ['contas', 'listar'],
      env: { SERVER_SECRET: 'curto' },
      says: /SERVER_SECRET: envie pelo menos 32 caracteres\n$/,
    },
  ]

  for (const { name, types, env: own, says, code = 1 } of refused)
    test(`${name}: the message says what to do`, async () => {
      const said = await fiscal(types, own)
      assert.match(said.stderr, says)
      assert.deepEqual([said.code, said.stdout], [code, ''])
      assert.doesNotMatch(said.stderr, / {4}at |fk_\w{9}/)
    })

  test('what is meant without a doubt is taken: masks, names of states, quotes, an address without http', async () => {
    const quoted = { FISCAL_CHAVE: ` "${house.apiKey}" ` }
    const endereco = house.address.replace('http://', '')
    for (const [args, own] of [
      [['cnpj', '00.000.000/0001-91'], {}],
      [['ie', '--uf', 'sao paulo', '--cnpj', '99.001.002/0001-62'], {}],
      [['ie', '--uf', 'São Paulo', ' 99001002000162 '], {}],
      [['ie', '--uf', 'rs', CNPJ], quoted],
      [['ie', '--uf', 'RS', CNPJ, '--endereco', endereco], {}],
    ] as const) {
      const { code, stderr, stdout } = await fiscal(['consultar', ...args], own)
      assert.equal(code, 0, stderr)
      assert.match(
        stdout,
        /^(?:Empresa|Inscrição) ativa · 1 crédito[^\n]*\n(?:Empresa \(CNPJ\) · Receita Federal · BANCO DO BRASIL SA|Inscrição estadual · (?:São Paulo|Rio Grande do Sul) · )/,
      )
    }
  })

  test('https where the service has none is told', async () => {
    const endereco = house.address.replace('http:', 'https:')
    const { code, stderr } = await fiscal(['consultar', 'cnpj', CNPJ, '--endereco', endereco])
    assert.equal(code, 2)
    assert.match(stderr, /Se ele atende sem TLS, o endereço começa com http:\/\/ e não https:\/\//)
  })

  test('a misspelt name in .env is told, and a name of another program is not', async () => {
    const own = mkdtempSync(join(pasta, 'env-'))
    writeFileSync(join(own, '.env'), 'FISCAL_CHAV=x\nOUTRO_PROGRAMA=1\n')
    const { stderr } = await fiscalHere({ env: { DATA_DIR: own }, cwd: own }, 'config')
    assert.equal(
      stderr,
      'Atenção: FISCAL_CHAV, no arquivo .env, não é uma configuração, e não vale. Seria FISCAL_CHAVE?\n',
    )
  })

  test('fiscal alone says whether a service answers, where it looked, and how to start one', async () => {
    const up = await fiscal([])
    assert.equal(up.code, 0)
    assert.match(up.stdout, /● Serviço no ar em http:\S+ \(simulador\)\n {2}Plano \S+, [\d.]+ créditos\./)
    const down = await fiscalHere({ env: { DATA_DIR: pasta, PORT: '1' }, cwd: pasta })
    assert.match(
      down.stdout,
      /● Nenhum serviço atende em http:\/\/127\.0\.0\.1:1 \(de PORT=1\)\.\n {2}Para começar um: npm start/,
    )
  })
})

describe('at the start', () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())

  /** Why a service with these settings does not start. */
  const whyNot = (env: Record<string, string>): Promise<string> =>
    start(env).then(
      async (started) => {
        await started.close()
        return 'started'
      },
      ({ name, message }) => `${name}: ${message}`,
    )

  test('a taken port: stop the other, or choose another', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const port = String(Object(other.address()).port)
    assert.match(await whyNot({ PORT: port }), /^StartError: .*já está em uso.*PORT=8081 npm start$/)
    other.close()
  })

  test('a second start on the same folder: stop the first, or choose another folder', async () => {
    assert.match(
      await whyNot({ DATA_DIR: house.pasta }),
      /^StoreError: Outro Consulta Fiscal já está servindo a pasta .*DATA_DIR/,
    )
  })

  test('a folder that cannot be written to: choose another', async () => {
    const arquivo = join(pasta, 'arquivo')
    writeFileSync(arquivo, '')
    assert.match(await whyNot({ DATA_DIR: arquivo }), /^StartError: .*não é uma pasta\. Corrija DATA_DIR/)
    assert.match(await whyNot({ DATA_DIR: '/proc/x' }), /^StartError: .*DATA_DIR\.$/)
  })

  test('another secret than the one of the folder: bring the old one back', async () => {
    const first = await start()
    const kept = join(pasta, 'guardada')
    cpSync(first.pasta, kept, { recursive: true })
    await first.close()
    assert.match(
      await whyNot({ DATA_DIR: kept, SERVER_SECRET: 'x'.repeat(32) }),
      /^StoreError: As chaves de API guardadas foram cifradas com outro segredo.*restaure o segredo anterior/,
    )
  })

  test('a certificate of the operator that is not there, or has another password', async () => {
    const live = { AUTHORITIES: 'live' }
    const { pfx } = (await (await sharedIcp()).certificado('empresa')) ?? assert.fail('no such certificate')
    const A1_FILE = join(pasta, 'operador.pfx')
    writeFileSync(A1_FILE, pfx)
    assert.match(await whyNot({ ...live, A1_FILE, A1_PASSWORD: 'errada' }), /^StartError: .*A1_PASSWORD/)
    assert.match(
      await whyNot({ ...live, A1_FILE: '/nenhum.pfx' }),
      /A1_FILE, em \/nenhum\.pfx\): o arquivo não existe\. Corrija A1_FILE/,
    )
  })

  test('an old Node: which one is needed, and how to get it', async () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '18.0.0' })"
    const program = `${old}; await import(${JSON.stringify(join(root, 'bin/fiscal.js'))})`
    const failed = await run(process.execPath, ['--input-type=module', '-e', program]).catch((error) => error)
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /precisa do Node\.js 24 ou mais novo[\s\S]*npm ci/)
  })
})

describe('over HTTP', () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())

  const key = (): string => String(house.apiKey)
  const EMPRESA = '/api/consultar-cnpj?cnpj=00000000000191'
  const JSON_DO_CORPO = { 'content-type': 'application/json' }
  type Pedido = { path: string; method?: string; body?: string; headers: () => Record<string, string> }
  const withKey =
    (more: Record<string, string> = {}) =>
    () => ({ 'x-api-key': key(), ...more })
  const refused: (Engano & Pedido)[] = [
    { name: 'no key', path: EMPRESA, headers: () => ({}), says: /^Envie a chave .* no cabeçalho X-API-Key/ },
    {
      name: 'the key as Bearer',
      path: EMPRESA,
      headers: () => ({ authorization: `Bearer ${key()}` }),
      says: /^A chave de API veio no cabeçalho Authorization.*Envie-a no cabeçalho X-API-Key/,
    },
    {
      name: 'the key in another header',
      path: EMPRESA,
      headers: () => ({ 'api-key': key() }),
      says: /^A chave de API veio no cabeçalho api-key\. Envie-a no cabeçalho X-API-Key/,
    },
    {
      name: 'the key in the URL',
      path: `${EMPRESA}&api_key=qualquer`,
      headers: () => ({}),
      says: /não são aceitos na URL.*troque o que foi enviado assim/,
    },
    {
      name: 'the key in quotes',
      path: EMPRESA,
      headers: () => ({ 'x-api-key': `"${key()}"` }),
      says: /^A chave de API veio com aspas ou espaços\. Envie só a chave/,
    },
    {
      name: 'the key as a page masks it',
      path: EMPRESA,
      headers: () => ({ 'x-api-key': Buffer.from('fk_••••1234').toString('latin1') }),
      says: /^A chave de API enviada está mascarada.*Copie a inteira/,
    },
    {
      name: 'a mask in a document',
      path: '/api/consultar-cnpj?cnpj=00.000.000/0001-91',
      headers: withKey(),
      says: /^Parâmetro cnpj: envie somente dígitos, sem pontos, barra, traço ou espaços/,
    },
    {
      name: 'a state by its name',
      path: `/api/consultar?uf=Sao%20Paulo&cnpj=${CNPJ}`,
      headers: withKey(),
      says: /^Parâmetro uf: envie a sigla de uma das 27 UFs/,
    },
    {
      name: 'a name in capitals',
      path: '/api/consultar-cnpj?CNPJ=00000000000191',
      headers: withKey(),
      says: /Escreva em minúsculas o nome de CNPJ/,
    },
    {
      name: 'a parameter that is none',
      path: `/api/consultar?estado=SP&cnpj=${CNPJ}`,
      headers: withKey(),
      says: /^Parâmetro uf: é obrigatório e não foi enviado\. estado não é parâmetro desta rota/,
    },
    {
      name: 'a misspelt address',
      path: '/api/consultar-cnjp?cnpj=00000000000191',
      headers: withKey(),
      says: /O mais próximo é \/api\/consultar-cnpj\./,
    },
    {
      name: 'GET in the place of POST',
      path: '/api/consultar-nfe-xml',
      headers: withKey(),
      says: /^Esta rota aceita POST; foi recebido GET/,
    },
    {
      name: 'POST in the place of GET',
      path: EMPRESA,
      method: 'POST',
      headers: withKey(),
      says: /^Esta rota aceita GET; foi recebido POST/,
    },
    {
      name: 'a comma too many in JSON',
      path: '/api/consultar-nfe-xml',
      method: 'POST',
      body: '{"chave":"1",}',
      headers: withKey(JSON_DO_CORPO),
      says: /^O corpo da requisição não é um JSON válido: .*vírgula antes de \} ou \]/,
    },
    {
      name: 'a form in the place of JSON',
      path: '/api/consultar-nfe-xml',
      method: 'POST',
      body: 'chave=1',
      headers: withKey({ 'content-type': 'application/x-www-form-urlencoded' }),
      says: /^Envie o corpo em JSON, com o cabeçalho Content-Type: application\/json/,
    },
  ]

  for (const { name, path, method = 'GET', body, headers, says } of refused)
    test(`${name}: the answer says what to do`, async () => {
      const asked = await fetch(house.address + path, { method, headers: headers(), ...(body && { body }) })
      const { detail, request_id } = Object(await asked.json())
      assert.match(detail, says)
      assert.ok(asked.status >= 400 && asked.status < 500, `${asked.status}`)
      assert.match(request_id, /^[\da-f-]{36}$/)
      assert.ok(!String(detail).includes(key()))
    })
})
