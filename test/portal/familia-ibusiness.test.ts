import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/se.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

const linhas = [
  'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS',
  'Certidão nº: 123/2026',
  'CNPJ: 11.222.333/0001-81',
  'Não constam débitos em nome do requerente.',
  'Emitida em: 20/11/2026',
  'Válida até: 19/12/2026',
]

let authority: PortalAuthority
let papel: Buffer
before(async () => {
  authority = await openPortal('www.sefaz.se.gov.br', 'security.sefaz.se.gov.br')
  papel = await pdfOf([linhas])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const emitir = (...answers: Given[]) => {
  authority.answers(...answers)
  const pergunta = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined } as const
  return estado.cnd[0].ask(pergunta, authority.meios)
}
const parse = (error: unknown): boolean => error instanceof SourceError && error.kind === 'parse'

const PUBLICO = 'https://security.sefaz.se.gov.br/internet/publico/'
const SITIO = `<iframe src="${PUBLICO}process.jsp?AppName=SIC&amp;TransId=T1"></iframe>`
const form = (corpo: string, aviso = ''): string =>
  `<font class="fontRequiredMsg">Os campos com ( * ) são obrigatórios.</font>${aviso}<form name="form" method="post" action="process.jsp">${corpo}</form>`
const ocultos =
  '<input type="hidden" name="AppName" value="SIC"><input type="hidden" name="TransId" value="T1">'
const campos =
  '<label><input type="radio" name="qualquer" value="7">CNPJ</label> Digite o número*: <input name="inventado">'
const ok = '<input type="submit" name="okButton" value="  Ok  ">'
const FORM = form(ocultos + campos + ok)

test('SE is asked in the frame, with the names that its form has, and its jumps are followed to the paper', async () => {
  const salto = "<script>location.href='process.jsp?AppName=SIC&TransId=T2&token=9'</script>"
  const relatorio = '<iframe src="JasperPDF.jsp?AppName=SIC&amp;TransId=T2"></iframe>'
  const { status, protocolo } = await emitir(SITIO, FORM, salto, relatorio, papel)
  assert.deepEqual([status, protocolo], ['negativa', '123/2026'])
  const [, frame, pedido, jump, report] = authority.seen.map(({ pedido, campos }) => ({ pedido, campos }))
  const host = 'security.sefaz.se.gov.br/internet/publico'
  assert.equal(frame?.pedido, `GET ${host}/process.jsp?AppName=SIC&TransId=T1`)
  assert.equal(pedido?.pedido, `POST ${host}/process.jsp`)
  assert.deepEqual(pedido?.campos, {
    AppName: 'SIC',
    TransId: 'T1',
    qualquer: '7',
    inventado: CNPJ,
    okButton: '  Ok  ',
  })
  assert.equal(jump?.pedido, `GET ${host}/process.jsp?AppName=SIC&TransId=T2&token=9`)
  assert.equal(report?.pedido, `GET ${host}/JasperPDF.jsp?AppName=SIC&TransId=T2`)
})

test("a certificate of SE that comes as a page is printed by us, and its refusals stand in the form's red letters", async () => {
  const pagina = `<html><body>${linhas.map((linha) => `<p>${linha}</p>`).join('')}</body></html>`
  const { status, pdf_base64, impressao_base64 = '' } = await emitir(SITIO, FORM, pagina)
  assert.deepEqual([status, pdf_base64], ['negativa', ''])
  assert.equal(Buffer.from(impressao_base64, 'base64').toString('latin1', 0, 5), '%PDF-')
  const deve = form(
    ocultos + campos + ok,
    '<font class="fontRequiredMsg">Constam débitos do contribuinte.</font>',
  )
  assert.deepEqual((await emitir(SITIO, FORM, deve)).status_raw, 'Constam débitos do contribuinte.')
})

test('what the page of SE does not carry is a page that changed, and is not made up', async () => {
  for (const [falta, pagina] of [
    ['frame', '<iframe src="https://www.sefaz.se.gov.br/outra"></iframe>'],
    ['TransId', form(ocultos.replace('TransId', 'x') + campos + ok)],
    ['kind', form(ocultos + campos.replace('CNPJ', 'NIRE') + ok)],
    ['number', form(ocultos + campos.replace('<input name="inventado">', '') + ok)],
    ['button', form(ocultos + campos)],
  ] as const) {
    await assert.rejects(falta === 'frame' ? emitir(pagina) : emitir(SITIO, pagina), parse, falta)
    assert.ok(
      authority.seen.every(({ pedido }) => pedido.startsWith('GET')),
      falta,
    )
  }
})
