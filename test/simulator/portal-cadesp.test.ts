import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { portais } from '../../simulator/estados/sp.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals, siteKeyOf } from '../kit/simulator-portal.ts'

const company = exemplos().umaInscricao.get('SP') ?? ''

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

const SP = 'www.cadesp.fazenda.sp.gov.br'
const CADESP = '/Pages/Cadastro/Consultas/ConsultaPublica/ConsultaPublica.aspx'
const FILTRO = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer$filtroEmitirCertidaoTabPanel$'
const LISTA = `${FILTRO}tipoFiltroDropDownList`

/** Asks CADESP by CNPJ: the redirect into the session, the postback of the list, the image, the question. */
async function askSp(document: string, { list = true } = {}) {
  const visitor = portals.visitor()
  const path = (await visitor.get(SP, CADESP)).headers.location ?? ''
  const first = hiddenOf((await visitor.get(SP, path)).text)
  const chosen = { ...first, __EVENTTARGET: LISTA, [LISTA]: '1' }
  const page = list ? hiddenOf((await visitor.post(SP, path, chosen)).text) : first
  const image = await visitor.get(
    SP,
    new URL('../../../../imagemDinamica.aspx', `https://${SP}${path}`).pathname,
  )
  const question = {
    ...page,
    [LISTA]: '1',
    [`${FILTRO}valorFiltroTextBox`]: document,
    [`${FILTRO}imagemDinamicaTextBox`]: await portals.readImage(image.body),
    [`${FILTRO}consultaPublicaButton`]: 'Consultar',
  }
  return { reply: await visitor.post(SP, path, question) }
}

test('CADESP wants its path, its postback and its image, each in turn', async () => {
  const { reply } = await askSp(company)
  assert.match(
    reply.text,
    /class="labelDetalhe">IE:<\/td><td class="dadoDetalhe">\d{3}\.\d{3}\.\d{3}\.\d{3}</,
  )
  assert.match(reply.text, /lblCodigoControleCertidao">[0-9a-f-]{36}</)
  assert.match((await askSp(company, { list: false })).reply.text, /Informe o valor do filtro/)
})

const NEGATIVA = 'www10.fazenda.sp.gov.br'
const PASTA = '/CertidaoNegativaDeb/Pages/'

async function certifySp(document: string) {
  const visitor = portals.visitor()
  const { text } = await visitor.get(NEGATIVA, `${PASTA}EmissaoCertidaoNegativa.aspx`)
  const page = `https://${NEGATIVA}${PASTA}EmissaoCertidaoNegativa.aspx`
  const solved = await portals.token('recaptcha-v2', siteKeyOf(text), page)
  const fields = {
    ...hiddenOf(text),
    ctl00$MainContent$grupoDocumento: 'cnpjradio',
    ctl00$MainContent$txtDocumento: document,
    ctl00$MainContent$hdgrecaptcha: solved,
    'g-recaptcha-response': solved,
    ctl00$MainContent$btnPesquisar: ' Emitir ',
  }
  return { visitor, reply: await visitor.post(NEGATIVA, `${PASTA}EmissaoCertidaoNegativa.aspx`, fields) }
}

test('SP prints in a second step, and sends who has pending items to SIPET', async () => {
  const { visitor, reply } = await certifySp(maskDocumento(company))
  const early = await visitor.get(NEGATIVA, `${PASTA}ImpressaoCertidaoNegativa.aspx`)
  assert.equal(early.status, 302)
  const press = { ...hiddenOf(reply.text), ctl00$MainContent$btnImpressao: 'Imprimir' }
  const printed = await visitor.post(NEGATIVA, `${PASTA}EmissaoCertidaoNegativa.aspx`, press)
  assert.equal(printed.headers.location, `${PASTA}ImpressaoCertidaoNegativa.aspx`)
  assert.ok(
    (await visitor.get(NEGATIVA, `${PASTA}ImpressaoCertidaoNegativa.aspx`)).body
      .toString('latin1')
      .startsWith('%PDF-'),
  )
  const said = async (document: string) =>
    /class="bg-danger">([^<]*)</.exec((await certifySp(document)).reply.text)?.[1] ?? ''
  assert.match(
    await said(maskDocumento(reservado('cnd-positiva'))),
    /constam débitos[^.]*\. Solicite .*SIPET/,
  )
  assert.match(await said(maskDocumento(reservado('cnd-sem-certidao'))), /SIPET/)
  assert.equal(await said(maskDocumento(reservado('cnd-efeitos'))), '')
  assert.match(await said(maskDocumento(reservado('cnd-fechado'))), /das 06:00 às 21:00/)
})
