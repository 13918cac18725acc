import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as ce } from '../../simulator/estados/ce.ts'
import { portais as go } from '../../simulator/estados/go.ts'
import { portais as ro } from '../../simulator/estados/ro.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type PortalReply, type Portals } from '../kit/simulator-portal.ts'

const GO = { ie: 'appasp.sefaz.go.gov.br', cnd: 'www.sefaz.go.gov.br' }
const CE = 'consultapublica.sefaz.ce.gov.br'
const RO = 'portalcontribuinte.sefin.ro.gov.br'

let portals: Portals
before(async () => {
  portals = await openPortais([...go, ...ce, ...ro])
})
after(() => portals.close())

const one = (uf: Uf): string => exemplos().umaInscricao.get(uf) ?? assert.fail(uf)
const several = (uf: Uf, of: 'variasInscricoes' | 'produtorRural' = 'variasInscricoes'): string =>
  exemplos()[of].find((its) => its.uf === uf)?.documento ?? assert.fail(uf)
const farmer = (uf: Uf): string => several(uf, 'produtorRural')
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 4).toString() === '%PDF'
const latin1 = { charset: 'iso-8859-1' } as const

async function askGo(tDoc: string, rTipoDoc = '2') {
  const visitor = portals.visitor()
  await visitor.get(GO.ie, '/Sintegra/Consulta/default.asp')
  return visitor.post(GO.ie, '/Sintegra/Consulta/consultar.asp', { rTipoDoc, tDoc }, latin1)
}

test('GO finds a masked document of each kind, in spans, a block a registration', async () => {
  const { text, headers } = await askGo(maskDocumento(one('GO')))
  assert.equal(headers['content-type'], 'text/html')
  assert.match(
    text,
    /"label_title">Inscrição Estadual<\/span><span class="label_text">\d\d\.\d{3}\.\d{3}-\d</,
  )
  assert.match(text, />Endereço Estabelecimento<\/span><span class="label_text">[^<]+, nº [^<]+ GO, CEP: \d/)
  assert.equal((await askGo(maskDocumento(several('GO')))).text.match(/>Inscrição Estadual</g)?.length, 2)
  assert.match((await askGo(maskDocumento(farmer('GO')), '3')).text, />CPF</)
})

test('GO refuses half a mask', async () => {
  assert.match((await askGo(one('GO').replace(/(..)$/, '-$1'))).text, /Número do documento inválido/)
})

test('GO certifies who confirms the name, and only who was asked to', async () => {
  const visitor = portals.visitor()
  const base = '/Certidao/Emissao/'
  const ask = (documento: string, more: Record<string, string> = {}) =>
    visitor.post(GO.cnd, `${base}certidao.asp`, {
      'Certidao.Tipo': '01',
      'Certidao.TipoDocumento': '2',
      'Certidao.NumeroDocumento': documento,
      'Certidao.NumeroDocumentoCNPJ': documento,
      'Certidao.Espolio': 'N',
      'Certidao.Render': 'pdf',
      'Certidao.ValidarEmissao_Emitir': '0',
      ...more,
    })
  await visitor.get(GO.cnd, `${base}001frmEmiteCertidao_c.asp`)
  const sim = { 'Certidao.ConfirmaNomeContribuinte': 'Sim' }
  assert.match((await ask(one('GO'), sim)).text, /Confirma o Nome do Contribuinte/)
  assert.ok(isPdf(await ask(one('GO'), sim)))
  assert.ok(isPdf(await ask(exemplos().desconhecido)))
  assert.match((await ask(one('GO'), { 'Certidao.Espolio': '' })).text, /Certidao\.Espolio/)
  await ask(reservado('cnd-sem-certidao'))
  assert.match((await ask(reservado('cnd-sem-certidao'), sim)).text, /IPVA/)
})

test('CE lists its registrations with a link each, and details those of the session alone', async () => {
  const visitor = portals.visitor()
  const list = await visitor.get(CE, `/sintegra/consultar?tipdocumento=3&numcnpjcgf=${farmer('CE')}`)
  assert.match(list.text, /<table id="dadossintegraresp">/)
  const link = /href="(detalhar[^"]*)"/.exec(list.text)?.[1] ?? assert.fail(list.text)
  assert.match((await visitor.get(CE, `/sintegra/${link}`)).text, /<th>CGF<\/th><td>06\d{6}-\d</)
  assert.match((await portals.visitor().get(CE, `/sintegra/${link}`)).text, /expirou/)
})

test('CE prints the certificate that the form offered, and none to debtors', async () => {
  const visitor = portals.visitor()
  const base = '/certidaonegativa/'
  const ask = (codigoDevedor: string) =>
    visitor.post(CE, `${base}consultar`, { tipoDevedor: '2', codigoDevedor })
  assert.match((await ask(one('CE'))).text, /expirou/)
  const paper = `${base}consultarPdf?tipoDevedor=2&codigoDevedor=${one('CE')}`
  assert.match((await visitor.get(CE, paper)).text, /expirou/)
  const offered = (await ask(one('CE'))).text
  const button =
    /onclick="[^"]*'([^']*consultarPdf[^']*)'/.exec(offered.replaceAll('&#39;', "'"))?.[1] ??
    assert.fail(offered)
  const shown = new URL(button.replaceAll('&#38;', '&'), `https://${CE}${base}`)
  const path = shown.pathname + shown.search
  assert.match((await visitor.get(CE, path.replace('=2&', '=9&'))).text, /expirou/)
  assert.match((await visitor.get(CE, path)).text, /Certidão Negativa de Débitos Estaduais/)
  assert.match((await ask(reservado('cnd-positiva'))).text, /Existem débitos/)
})

test('RO shows 14 digits in the second white cell, and wants the button', async () => {
  const visitor = portals.visitor()
  const ask = (B1: string) =>
    visitor.post(RO, '/Publico/consultapublica.jsp', { TipoDevedor: '3', NuDevedor: one('RO'), B1 })
  assert.match((await ask('Consultar Cadastro')).text, /expirou/)
  const { text } = await ask('Consultar Cadastro')
  const cells = [...text.matchAll(/<td bgcolor="#FFFFFF"[^>]*>(.*?)<\/td>/g)]
  assert.match(cells[1]?.[1] ?? '', /^\d{14}$/)
})
