import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ce } from '../../src/estados/ce.ts'
import { estado as go } from '../../src/estados/go.ts'
import { estado as mt } from '../../src/estados/mt.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { PerguntaCnd, RotaCnd } from '../../src/portal/estado.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

const CNPJ = '11222333000181'
const FOOT = 'COBRAR EVENTUAIS DÉBITOS e inscrever na dívida ativa, se constar débito'
const goiana = (...lines: string[]): Promise<Buffer> =>
  pdfOf([
    [
      ...lines,
      'CNPJ 11.222.333/0001-81',
      'NR. CERTIDÃO: Nº 123456',
      FOOT,
      'VALIDA POR 120 DIAS',
      'LOCAL E DATA: GOIANIA, 27 AGOSTO DE 2026',
    ],
  ])

let authority: PortalAuthority
let negativa: Buffer
let matogrossense: Buffer
before(async () => {
  authority = await openPortal(
    'www.sefaz.go.gov.br',
    'www.sefaz.mt.gov.br',
    'consultapublica.sefaz.ce.gov.br',
  )
  negativa = await goiana(
    'CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA',
    'DESPACHO (Certidao valida para a matriz e suas filiais): NAO CONSTA DEBITO',
  )
  matogrossense = await pdfOf([
    [
      'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS',
      'CND Nº 0064988861',
      'CNPJ: 11.222.333/0001-81',
      'Data da emissão: 21/09/2026 Hora da emissão: 10:00:00',
      'Certidão válida até: 19/11/2026.',
      'Número de Autenticação: T7BTLL22TUKKB2K2',
    ],
  ])
})
after(() => authority.close())

const pergunta: PerguntaCnd = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }
const ask = (rota: RotaCnd, ...answers: Given[]) => {
  authority.answers(...answers)
  return rota.ask(pergunta, authority.meios)
}
const parse = (error: unknown) => error instanceof SourceError && error.kind === 'parse'

test('GO wants the same fields again, with a yes to the name, and is asked once where it does not', async () => {
  const found = await ask(
    go.cnd[0],
    '<form></form>',
    '<b>Confirma o Nome do Contribuinte</b> X LTDA?',
    negativa,
  )
  assert.equal(found.status, 'negativa')
  assert.deepEqual([found.protocolo, found.emissao, found.validade], ['123456', '2026-08-27', '2026-12-25'])
  assert.equal(found.codigo_autenticacao, '')
  const [, first, second] = authority.seen
  const asked = {
    'Certidao.Tipo': '01',
    'Certidao.TipoDocumento': '2',
    'Certidao.NumeroDocumento': CNPJ,
    'Certidao.NumeroDocumentoCNPJ': CNPJ,
    'Certidao.Espolio': 'N',
    'Certidao.Render': 'pdf',
    'Certidao.ValidarEmissao_Emitir': '0',
  }
  assert.equal(first?.pedido, 'POST www.sefaz.go.gov.br/Certidao/Emissao/certidao.asp')
  assert.deepEqual(first?.campos, asked)
  assert.deepEqual(second?.campos, { ...asked, 'Certidao.ConfirmaNomeContribuinte': 'Sim' })
  await ask(go.cnd[0], '<form></form>', negativa)
  assert.equal(authority.seen.length, 2)
})

test("GO's title and DESPACHO tell the outcome, its foot does not", async () => {
  const title = 'CERTIDAO DE DEBITO EM DIVIDA ATIVA - POSITIVA'
  const debt = 'DESPACHO: POSSUI DEBITO INSCRITO NA DIVIDA ATIVA, RELATIVO A 2 PROCESSO(S)'
  const statusOf = async (...lines: string[]) => (await ask(go.cnd[0], '', await goiana(...lines))).status
  assert.equal(await statusOf(title, debt), 'positiva')
  assert.equal(
    await statusOf(title, 'COM EFEITO NEGATIVO (PARCELAMENTO)', debt),
    'positiva_com_efeitos_de_negativa',
  )
  await assert.rejects(statusOf('OUTRO TITULO'), parse)
})

test('CE shows a table that leads to the certificate, or says why there is none', async () => {
  const form =
    '<form action="consultar"><input type="hidden" name="token" value="t"><input name="codigoDevedor"></form>'
  const found = await ask(ce.cnd[0], form, '<table id="tabelaDados"></table>', matogrossense)
  assert.equal(found.status, 'negativa')
  const [, post, get] = authority.seen
  assert.equal(post?.pedido, 'POST consultapublica.sefaz.ce.gov.br/certidaonegativa/consultar')
  assert.deepEqual(post?.campos, { token: 't', tipoDevedor: '2', codigoDevedor: CNPJ })
  const query = `tipoDevedor=2&codigoDevedor=${CNPJ}`
  assert.equal(get?.pedido, `GET consultapublica.sefaz.ce.gov.br/certidaonegativa/consultarPdf?${query}`)
  assert.equal((await ask(ce.cnd[0], form, '<p>Contribuinte possui débitos.</p>')).status, 'positiva')
  assert.equal(
    (await ask(ce.cnd[0], form, '<p>Não foi possível emitir pela internet.</p>')).status,
    'sem_certidao',
  )
  await assert.rejects(ask(ce.cnd[0], form, '<p>CNPJ inválido</p>'), ApiError)
  await assert.rejects(ask(ce.cnd[0], form, '<p>Bem-vindo</p>'), parse)
  await assert.rejects(ask(ce.cnd[0], '<p>Bem-vindo</p>'), parse)
})

const ENVIADO = {
  codgMenu: '',
  nomeMenu: '',
  barraMenu: '',
  codgTemporario: '',
  indiceModlCertSelecionado: '19',
  numrDoctFinal: CNPJ,
  tipoDoctSele: '2',
}
const espera = (seconds: string): string =>
  `<html><head><meta http-equiv="Refresh" content="${seconds}; URL=x"></head><body><b>REQUERIMENTO</b> Aguarde</body></html>`

test('MT makes a new certificate though one is in force, and is asked again until it is made', async () => {
  const vigente =
    '<input type="button" value="x"><a>Reimprimir Certidão Vigente</a><a>Emitir nova Certidão</a>'
  const found = await ask(mt.cnd[0], '', vigente, espera('0'), espera('0'), matogrossense)
  assert.equal(found.status, 'negativa')
  assert.deepEqual([found.protocolo, found.codigo_autenticacao], ['0064988861', 'T7BTLL22TUKKB2K2'])
  assert.deepEqual([found.emissao, found.validade], ['2026-09-21', '2026-11-19'])
  const [first, question, nova, poll, last] = authority.seen
  const servlet = 'www.sefaz.mt.gov.br/cnd/certidao/servlet/ServletRotdAberto'
  assert.deepEqual(
    [first?.pedido, poll?.pedido, last?.pedido],
    [`GET ${servlet}?origem=60`, `GET ${servlet}`, `GET ${servlet}`],
  )
  const asked = { origem: '76', tipoDocumento: 'CNPJ', numeroDocumento: CNPJ, botaoSubmit: '     OK     ' }
  assert.deepEqual(question?.campos, { ...ENVIADO, ...asked, 'cf-turnstile-response': '' })
  assert.deepEqual(nova?.campos, { ...ENVIADO, origem: '62', numrDoct: '', caracteres: '', usuario: 'null' })
  await assert.rejects(ask(mt.cnd[0], '', vigente, vigente), parse)
  assert.equal(authority.challenges.length, 0)
})

test('a certificate of MT that would be made after the deadline is told as still being made, at once; a refusal is not waited for', async () => {
  const late = ask(mt.cnd[0], '', espera('15'))
  await assert.rejects(late, (error) => error instanceof SourceError && error.codigo === 'em-processamento')
  const refused =
    'As informações do REQUERIMENTO não são suficientes para que se considere sua situação regular'
  assert.equal((await ask(mt.cnd[0], '', `<p>${refused}</p>`)).status, 'positiva')
  assert.equal(authority.seen.length, 2)
})
