import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/am.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, inscricaoDeTeste, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('sistemas.sefaz.am.gov.br', 'online.sefaz.am.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA - CPN',
      'Certidão Nº 12345678',
      'CNPJ: 11.222.333/0001-81 Inscrição Estadual: 04.123.456-9',
      'Data de Emissão: 21/11/2026 Válida até: 20/12/2026',
    ],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const GAE = 'sistemas.sefaz.am.gov.br/GAE'
const page = (campo: string): string =>
  `<iframe src="/GAE/html/recaptcha-script.html"></iframe><form><input type="hidden" name="method"><input type="hidden" name="token" value="t1"><input type="text" name="${campo}"></form>`
const CHAVE = `6L${'d'.repeat(38)}`
const MOLDURA = `<div class="g-recaptcha" data-sitekey="${CHAVE}" data-size="invisible"></div>`
const ask = (inscricoes: Parameters<(typeof estado.cnd)[0]['ask']>[0]['inscricoes'], ...answers: Given[]) => {
  authority.answers(...answers)
  return estado.cnd[0].ask({ tipo: 'cnpj', documento: CNPJ, inscricoes }, authority.meios)
}
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && error.codigo === expected

test('whose registrations are not known is asked about by the form for non-contributors, with the token of the frame', async () => {
  const found = await ask(undefined, page('nrDocumento'), MOLDURA, certidao)
  assert.equal(found.status, 'positiva_com_efeitos_de_negativa')
  assert.deepEqual([found.protocolo, found.validade], ['12345678', '2026-12-20'])
  const [, moldura, envio] = authority.seen
  const address = `${GAE}/mnt/dividaAtiva/certidaoNegativa/emitirCertidaoNegativaNaoContPortal.do`
  assert.equal(moldura?.pedido, `GET ${GAE}/html/recaptcha-script.html`)
  assert.deepEqual(authority.challenges, [`recaptcha-v2 ${CHAVE} https://${GAE}/html/recaptcha-script.html`])
  assert.equal(envio?.pedido, `POST ${address}`)
  assert.equal(envio?.cabecalhos.referer, `https://${address}`)
  assert.deepEqual(envio?.campos, {
    token: 't1',
    nrDocumento: CNPJ,
    csCompleto: 'S',
    method: 'emitir',
    'g-recaptcha-response': 'resposta 1',
  })
})

test('a contributor is asked about by the registration in force, in the form for contributors', async () => {
  const inscricoes = [inscricaoDeTeste('040000001', 'BAIXADA'), inscricaoDeTeste('041234569')]
  await ask(inscricoes, page('nrInscricao'), `<script>grecaptcha.render('${CHAVE}')</script>`, certidao)
  const envio = authority.seen[2]
  assert.equal(envio?.pedido.endsWith('/emitirCertidaoNegativaContPortal.do'), true)
  assert.equal(envio?.campos.nrInscricao, '041234569')
  assert.equal(envio?.campos.nrDocumento, undefined)
})

test('a refused token is asked for anew, a contributor in the wrong form is no answer, and a page without its frame is another page', async () => {
  const visit = [page('nrDocumento'), MOLDURA, '<p>Captcha inválido. Tente novamente.</p>']
  await assert.rejects(ask(undefined, ...visit, ...visit, ...visit), codigo('captcha-errado'))
  assert.equal(authority.challenges.length, 3)
  const outro = '<p>Contribuinte inscrito: utilize o formulário de contribuintes.</p>'
  await assert.rejects(ask(undefined, page('nrDocumento'), MOLDURA, outro), RotaNaoAtende)
  const bare = page('nrDocumento').replace(/<iframe.*iframe>/, '')
  await assert.rejects(
    ask(undefined, bare),
    (error) => error instanceof SourceError && error.kind === 'parse',
  )
})

test("AM's list of registrations is followed link by link, and its errors come in redirects", async () => {
  const rota = estado.ie[1]
  const consultar = (...answers: Given[]) => {
    authority.answers(...answers)
    return rota.ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
  }
  const inicio = `<form action="sintegra_cnpj.asp"><input name="cgc"><div class="g-recaptcha" data-sitekey="${CHAVE}"></div></form>`
  const detalhe = (ie: string): string =>
    `<table><tr><td>CNPJ:<td>11.222.333/0001-81<tr><td>Inscrição Estadual:<td>${ie}<tr><td>Razão Social:<td>EMPRESA LTDA</table>`
  const lista =
    '<a href="d.asp?ie=041234569">04.123.456-9</a> <a href="d.asp?ie=040000001">04.000.000-1</a> <a href="index.asp?x=1">Voltar</a>'
  const found = await consultar(inicio, lista, detalhe('04.123.456-9'), detalhe('04.000.000-1'))
  assert.deepEqual(
    found.map((one) => one.inscricao_estadual),
    ['041234569', '040000001'],
  )
  const envio = authority.seen[1]
  assert.equal(envio?.pedido, 'POST online.sefaz.am.gov.br/sintegra/sintegra_cnpj.asp')
  assert.deepEqual(envio?.campos, { cgc: CNPJ, B3: 'Consultar', 'g-recaptcha-response': 'resposta 1' })
  const recusa = [inicio, { para: 'index.asp?nErr=5' }, inicio]
  await assert.rejects(consultar(...recusa, ...recusa, ...recusa), codigo('captcha-errado'))
  await assert.rejects(
    consultar(inicio, { para: 'index.asp?nErr=3' }, inicio),
    (error) => error instanceof SourceError && error.kind === 'parse',
  )
})
