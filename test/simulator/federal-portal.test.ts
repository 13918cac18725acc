import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { openSubscriber, reserved, visitPortal } from '../kit/simulator-portal.ts'

let now = new Date('2026-11-21T12:00:00Z')
const subscriber = await openSubscriber(() => now)
const { authorities, json, post } = subscriber
after(() => authorities.close())

const visitor = () => visitPortal(subscriber)
const issued = async (cnpj: string) => (await json('/estatisticas.json')).federal.emissoes[cnpj]
const body = (ni: string) => ({ ni, tipoContribuinte: 'PJ', tipoContribuinteEnum: 'CNPJ' })
const wordsOf = ({ mensagem }: { mensagem: string | { texto: string } }) =>
  typeof mensagem === 'string' ? mensagem : mensagem.texto
const issuance = async (name: string) => {
  const who = visitor()
  const before = await who.verify(reserved(name))
  return before.status === 'NaoEmitida' ? before : who.issue(reserved(name))
}

test('a token is good once, for either key of the portal, and within two minutes', async () => {
  const who = visitor()
  const keys = [await who.siteKey(), await who.siteKey(), await who.siteKey()]
  assert.equal(new Set(keys).size, 2)
  const verify = (token?: string) => who.call('POST', '/Emissao/verificar', body(reserved('emite')), token)
  for (const key of keys.slice(0, 2)) assert.equal((await verify(await who.solve(key))).http, 200)
  const used = await who.solve(keys[0] ?? '')
  await verify(used)
  assert.deepEqual(await verify(used), {
    http: 400,
    json: { statusValidacao: 'CaptchaFalhaValidacao', codigo: '023' },
  })
  assert.deepEqual((await verify()).json.statusValidacao, 'CaptchaTokenNaoInformado')
  const old = await who.solve(keys[0] ?? '')
  now = new Date(now.getTime() + 121_000)
  assert.equal((await verify(old)).json.statusValidacao, 'CaptchaFalhaValidacao')
  const refused = visitor()
  assert.equal((await refused.verify(reserved('captcha-recusado'))).codigo, '023')
})

test('what the search finds has a second copy, and what was annulled has none', async () => {
  const who = visitor()
  const { statusConsulta, certidoes } = await who.search(reserved('valida'))
  assert.equal(statusConsulta, 'Sucesso')
  assert.deepEqual(
    certidoes.map(({ situacao, hasSegundaVia }: Record<string, unknown>) => [situacao, hasSegundaVia]),
    [
      ['Anulada', false],
      ['Válida', true],
      ['Vencida', true],
    ],
  )
  const { json: copy } = await who.call('GET', `/consulta/seg-via/${certidoes[1].idCertidao}`)
  assert.equal(copy.status, 'Sucesso')
  assert.match(Buffer.from(copy.pdf, 'base64').toString('latin1'), /^%PDF-/)
  const other = visitor()
  const stranger = await other.call('GET', `/consulta/seg-via/${certidoes[1].idCertidao}`)
  assert.equal(stranger.http, 400, 'without the session that searched')
  assert.equal((await visitor().search(reserved('emite'))).statusConsulta, 'CertidaoNaoEncontrada')
})

test('"Emitida" does not keep the portal from issuing another, which the gateway then finds', async () => {
  const cnpj = reserved('valida')
  const who = visitor()
  assert.equal((await who.verify(cnpj)).status, 'Emitida')
  const first = await who.issue(cnpj)
  assert.equal(first.statusEmissao, 'Sucesso')
  assert.match(wordsOf(first), /^A certidão foi emitida com sucesso para o CNPJ 98\.764\./)
  assert.equal(await issued(cnpj), 1)
  const found = await post('/consulta-cnd/v1/certidao', {
    TipoContribuinte: 1,
    ContribuinteConsulta: cnpj,
    CodigoIdentificacao: '9001',
    GerarCertidaoPdf: true,
  })
  const { Status, Certidao } = JSON.parse(found.text)
  assert.deepEqual([Status, Certidao.DataEmissao.slice(0, 10)], [1, '2026-11-21'])
  assert.equal(await issued(cnpj), 1)
})

test('an issuance under way says so as often as it takes, and is one', async () => {
  const cnpj = reserved('processa')
  const who = visitor()
  await who.verify(cnpj)
  const said = []
  for (let i = 0; i < 3; i++) said.push((await who.issue(cnpj)).statusEmissao)
  assert.deepEqual(said, ['EmProcessamento', 'EmProcessamento', 'Sucesso'])
  assert.equal(await issued(cnpj), 1)
  assert.equal((await visitor().call('POST', '/Emissao', body(cnpj))).http, 400, 'without a session')
})

test('a captcha is solved for one company, not for a session', async () => {
  const who = visitor()
  await who.verify(reserved('emite'))
  assert.equal((await who.issue(reserved('efeitos'))).statusValidacao, 'CaptchaTokenNaoInformado')
  assert.equal(await issued(reserved('efeitos')), undefined)
})

test('a session that died leaves its issuance behind, and a new search finds the certificate', async () => {
  const cnpj = reserved('portal-sessao')
  const who = visitor()
  await who.verify(cnpj)
  assert.equal((await who.issue(cnpj)).statusEmissao, 'EmProcessamento')
  assert.equal((await who.issue(cnpj)).statusValidacao, 'CaptchaTokenNaoInformado')
  const { certidoes } = await who.search(cnpj)
  assert.deepEqual([certidoes.length, await issued(cnpj)], [1, 1])
})

test('a second issuance of the same day may give the first paper again', async () => {
  const who = visitor()
  for (const name of ['mesma-no-dia', 'emite']) {
    await who.verify(reserved(name))
    await who.issue(reserved(name))
    await who.verify(reserved(name))
    await who.issue(reserved(name))
    const { certidoes } = await who.search(reserved(name))
    assert.equal(certidoes.length, name === 'emite' ? 2 : 1)
  }
})

test('each refusal is told in its words', async () => {
  const said = async (name: string) => wordsOf(await issuance(name))
  assert.match(await said('insuficiente'), /são insuficientes para/)
  assert.match(await said('inapta'), /Inapta - Omissão de declarações, emissão de certidão não permitida\.$/)
  assert.equal(await said('nao-inscrito'), 'O número informado não consta do cadastro CNPJ.')
  assert.match(
    await said('falha'),
    /^Não foi possível concluir a ação .* 033 - \d\d\/\d\d\/2026 \d\d:\d\d:\d\d$/,
  )
  assert.equal((await visitor().verify(reserved('portal-nao-emitida'))).status, 'NaoEmitida')
  const who = visitor()
  const branch = await who.verify('48271936000264')
  const words = wordsOf(branch.mensagem ? branch : await who.issue('48271936000264'))
  assert.match(words, /^A certidão deve ser emitida para o CNPJ da matriz(?: – 48\.271\.936\/0001-83)?$/)
})

test('each status of the search and of the system is met', async () => {
  const status = async (name: string) => (await visitor().search(reserved(name))).statusConsulta
  assert.equal(await status('portal-mais-300'), 'SucessoMais300')
  assert.equal(await status('base-fora'), 'BaseIndisponivel')
  assert.equal((await visitor().verify(reserved('portal-sistema-fora'))).status, 'SistemaIndisponivel')
  assert.equal((await issuance('falha')).statusEmissao, 'SistemaIndisponivel')
  const who = visitor()
  const { certidoes } = await who.search(reserved('portal-sem-segunda-via'))
  assert.deepEqual(
    certidoes.some(({ hasSegundaVia }: Record<string, unknown>) => hasSegundaVia),
    false,
  )
})

test('a message is a text or an object, by the company', async () => {
  const kinds = new Set<string>()
  for (const { nome, portal } of cenariosFederais)
    if (!portal) kinds.add(typeof (await issuance(nome)).mensagem)
  assert.deepEqual([...kinds].sort(), ['object', 'string'])
})

test('the documents that misbehave in the states misbehave here', async () => {
  const status = async (name: string) => {
    const who = visitor()
    const token = await who.solve(await who.siteKey())
    return (await who.call('POST', '/Emissao/verificar', body(reserved(name)), token)).http
  }
  assert.equal(await status('html-503'), 503)
  assert.equal(await status('portal-fora'), 503)
  await assert.rejects(status('corta-antes'))
  assert.match(await visitor().verify(reserved('waf')), /Acesso Negado/)
  assert.ok('conteudo' in (await visitor().verify(reserved('layout'))))
  assert.equal((await visitor().verify(reserved('cnd-fechado'))).status, 'ContinuarEmissao')
})
