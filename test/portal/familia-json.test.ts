import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as al } from '../../src/estados/al.ts'
import { estado as es } from '../../src/estados/es.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { PerguntaCnd } from '../../src/portal/estado.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

const CNPJ = '11222333000181'
const pergunta: PerguntaCnd = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }

let authority: PortalAuthority
let pdf: Buffer
before(async () => {
  authority = await openPortal('contribuinte.sefaz.al.gov.br', 's2-internet.sefaz.es.gov.br')
  pdf = await pdfOf([
    [
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      `CNPJ: ${CNPJ}`,
      'Emitida às 14:27:33 do dia 17/11/2026',
      'válida até 16/01/2027',
    ],
  ])
})
after(() => authority.close())

const json = (value: unknown, status = 200): Given => ({
  utf8: JSON.stringify(value),
  media: 'application/json',
  status,
})
const kind = (expected: string) => (error: unknown) => error instanceof SourceError && error.kind === expected
const bodyOf = (at: number): unknown => JSON.parse(Object.keys(authority.seen[at]?.campos ?? {})[0] ?? 'null')

const askAl = (fala: Given) => {
  authority.answers('<app-root></app-root>', fala)
  return al.cnd[0].ask(pergunta, authority.meios)
}

test('AL gives the certificate in base64, and says with status 500 why there is none', async () => {
  const found = await askAl(json({ nomeRelatorio: 'x.pdf', conteudo: pdf.toString('base64') }))
  assert.deepEqual([found.status, found.emissao, found.validade], ['negativa', '2026-11-17', '2027-01-16'])
  assert.equal(found.pdf_base64, pdf.toString('base64'))
  assert.deepEqual(bodyOf(1), { numeroDocumento: CNPJ, tipoDocumento: 'CNPJ' })
  const none = await askAl(json({ description: 'Não foi possível emitir a certidão. Procure a SEFAZ.' }, 500))
  assert.equal(none.status, 'sem_certidao')
  await assert.rejects(askAl(json({ description: 'CNPJ inválido' }, 500)), ApiError)
  await assert.rejects(askAl(json({ error: 'Internal Server Error' }, 500)), kind('http'))
  await assert.rejects(
    askAl({ utf8: '<h1>Service Unavailable</h1>', media: 'text/html', status: 503 }),
    kind('http'),
  )
  await assert.rejects(
    askAl({ utf8: '<h1>Forbidden</h1>', media: 'text/html', status: 403 }),
    kind('blocked'),
  )
  await assert.rejects(askAl(json({ conteudo: null })), kind('parse'))
})

test('ES draws its widget in the second answer, and takes the token with the document', async () => {
  const fragment = '<form><div class="cf-turnstile" data-sitekey="0x4A"></div></form>'
  const ask = (fala: Given) => {
    authority.answers('<a onclick="abreTela(\'R1\')">CND</a>', fragment, fala)
    return es.cnd[0].ask(pergunta, authority.meios)
  }
  const found = await ask(json({ success: true, data: { blbCertidao: pdf.toString('base64') } }))
  assert.equal(found.status, 'negativa')
  const [, renderiza, emitir] = authority.seen
  assert.equal(renderiza?.pedido, 'POST s2-internet.sefaz.es.gov.br/certidao/renderiza')
  assert.deepEqual(renderiza?.campos, { passo: 'R1' })
  assert.equal(emitir?.cabecalhos['x-requested-with'], 'XMLHttpRequest')
  const answer = { 'cf-turnstile-response': 'resposta 1', captcha: 'resposta 1' }
  assert.deepEqual(emitir?.campos, { numIdentificacao: CNPJ, ...answer })
  assert.equal(
    (await ask(json({ success: false, message: 'Contribuinte possui débito' }))).status,
    'positiva',
  )
  await assert.rejects(ask(json({ success: false, message: 'CPF/CNPJ incompleto' })), ApiError)
  const wrong = json({ success: false, message: 'Verificação de segurança inválida' })
  authority.answers('', fragment, wrong, '', fragment, pdf)
  assert.equal((await es.cnd[0].ask(pergunta, authority.meios)).status, 'negativa')
  assert.equal(authority.seen[5]?.campos.captcha, 'resposta 2')
})
