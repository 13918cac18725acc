import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { enderecoDoServico, readEndereco } from '../../src/platform/servico.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { fiscalHere } from '../kit/processes.ts'

/** A colour, a title of the window, a link, a return to the start of the line, and a text turned round. */
const HOSTIL = '\x1b[31mEMPRESA\x1b]0;fui eu\x07\r\x9b2J \u202eATIVA\u2066 LTDA'
const LIMPO = '[31mEMPRESA]0;fui eu2J ATIVA LTDA'

let house: House
let servico: Server
let endereco: string
before(async () => {
  house = await start({}, () => new Date())
  const { body } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`)
  const { result } = Object(body)
  const hostil = {
    ...body,
    avisos: [HOSTIL],
    result: { ...result, razao_social: HOSTIL, nome_fantasia: HOSTIL, qsa: [{ nome: HOSTIL }] },
  }
  servico = createServer(({ url = '' }, response) => {
    if (url.includes(BANCO_DO_BRASIL))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(hostil))
    else
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end(
        JSON.stringify({
          title: 'x',
          status: 404,
          detail: HOSTIL,
          error_code: 'CNPJ_NAO_ENCONTRADO',
          error_message: HOSTIL,
          retryable: false,
        }),
      )
  }).listen(0, '127.0.0.1')
  await once(servico, 'listening')
  endereco = `http://127.0.0.1:${Object(servico.address()).port}`
})
after(async () => {
  servico.close()
  await house.close()
})

const fiscal = (...args: string[]) =>
  fiscalHere(
    { env: { FISCAL_ENDERECO: endereco, FISCAL_CHAVE: `fk_${'0'.repeat(38)}` } },
    'consultar',
    'cnpj',
    ...args,
  )

test('what an authority wrote steers no terminal: not in a fact, a verdict, a notice, nor a failure', async () => {
  const { code, stdout, stderr } = await fiscal(BANCO_DO_BRASIL)
  assert.equal(code, 0, stderr)
  assert.ok(stdout.includes(`\nEmpresa (CNPJ) · Receita Federal · ${LIMPO}\n`), JSON.stringify(stdout))
  assert.ok(stdout.includes(`Nome de fantasia`) && stdout.split(LIMPO).length > 3, JSON.stringify(stdout))
  assert.ok(stderr.includes(`Aviso: ${LIMPO}`))
  const failed = await fiscal('11222333000181')
  assert.ok(failed.stderr.includes(LIMPO), failed.stderr)
  for (const text of [stdout, stderr, failed.stderr])
    assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u, JSON.stringify(text))
  assert.equal(JSON.parse((await fiscal(BANCO_DO_BRASIL, '--json')).stdout).result.razao_social, HOSTIL)
})

test('a key goes over http only where it does not leave this machine, unless http was typed', () => {
  for (const [typed, read] of [
    ['api.exemplo.com.br', 'https://api.exemplo.com.br'],
    ['api.exemplo.com.br:8443/fiscal/', 'https://api.exemplo.com.br:8443/fiscal'],
    ['10.0.0.7:8080', 'https://10.0.0.7:8080'],
    ['127.0.0.1.exemplo.com.br', 'https://127.0.0.1.exemplo.com.br'],
    ['localhost.exemplo.com.br', 'https://localhost.exemplo.com.br'],
    ['[2001:db8::1]:8080', 'https://[2001:db8::1]:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['127.1.2.3', 'http://127.1.2.3'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
  ] as const)
    for (const one of [readEndereco(typed), enderecoDoServico({ FISCAL_ENDERECO: typed, PORT: 1 })])
      assert.equal(one, read)
})
