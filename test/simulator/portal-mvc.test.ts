import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as pantanal } from '../../simulator/estados/ms.ts'
import { portais as gaucho } from '../../simulator/estados/rs.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals, siteKeyOf } from '../kit/simulator-portal.ts'

const RS = 'www.sefaz.rs.gov.br'
const MS = 'servicos.efazenda.ms.gov.br'
const CONSULTA = '/consultas/contribuinte'
const company = (uf: Uf) => exemplos().umaInscricao.get(uf) ?? ''
const WRONG = '11222333000180'

let portals: Portals
before(async () => {
  portals = await openPortais([...gaucho, ...pantanal])
})
after(() => portals.close())

async function askRs(document: string, other: Record<string, string> = {}) {
  const visitor = portals.visitor()
  const { text } = await visitor.get(RS, CONSULTA)
  const token = await portals.token('recaptcha-v2', siteKeyOf(text), `https://${RS}${CONSULTA}`)
  const fields = {
    ...hiddenOf(text),
    CodInscrCnpj: document,
    recaptchaValor: token,
    'g-recaptcha-response': token,
    validateButton: 'Pesquisar',
    ...other,
  }
  return { reply: await visitor.post(RS, `${CONSULTA}/Home/Consulta`, fields) }
}

test('RS answers by CNPJ and IE in one field, the registration first', async () => {
  const { reply } = await askRs(company('RS'))
  const [, ie = ''] = /<div class="col-xs-4">(\d{3}\/\d{6}-\d)<\/div>/.exec(reply.text) ?? []
  const [, first] = /<div class="col-xs-4">([^<]*)</.exec(reply.text) ?? []
  assert.equal(ie, first)
  assert.match((await askRs(ie.replace(/\D/g, ''))).reply.text, new RegExp(ie))
})

test('RS takes both copies of the token', async () => {
  assert.match((await askRs(company('RS'), { recaptchaValor: 'x' })).reply.text, /Captcha inválido/)
  assert.match((await askRs(reservado('captcha-recusado'))).reply.text, /Captcha inválido/)
})

async function askMs(fields: Record<string, string>, token?: string) {
  const visitor = portals.visitor()
  const { text } = await visitor.get(MS, '/consultapublica/')
  const page = `https://${MS}/consultapublica/`
  const answer = token ?? (await portals.token('recaptcha-v2', siteKeyOf(text), page))
  const sent = { documentoIE: '', documentoCNPJ: '', ...fields, 'g-recaptcha-response': answer }
  const reply = await visitor.post(MS, '/consultapublica/Home/Consulta', sent)
  const { location } = reply.headers
  return { location, text: location ? (await visitor.get(MS, location)).text : reply.text }
}

test('MS redirects to its answer, and to its first page where there is nobody', async () => {
  const { text } = await askMs({ documentoCNPJ: company('MS') })
  const [, ie = ''] = /<td>Inscrição Estadual<\/td><td>(\d\d\.\d{3}\.\d{3}-\d)/.exec(text) ?? []
  assert.match(text, /<td>Situação Cadastral<\/td><td>ATIVO/)
  assert.match((await askMs({ documentoIE: ie })).text, new RegExp(ie))
  const nobody = await askMs({ documentoCNPJ: exemplos().desconhecido })
  assert.equal(nobody.location, '/consultapublica/Home/Index')
  assert.match(nobody.text, /id="error" value=""/)
})

test('MS says in a hidden field what was wrong', async () => {
  const said = async (fields: Record<string, string>, token?: string) =>
    /id="error" value="([^"]*)"/.exec((await askMs(fields, token)).text)?.[1]
  assert.match((await said({ documentoCNPJ: company('MS') }, 'x')) ?? '', /Marque/)
  assert.equal(await said({ documentoCNPJ: WRONG }), 'CNPJ inválido')
  assert.match((await said({})) ?? '', /Informe a Inscrição/)
})

async function certifyMs(document: string, tipo = '1') {
  const visitor = portals.visitor()
  await visitor.get(MS, '/pndfis/Home/Emissao')
  const image = await visitor.get(MS, '/pndfis/Captcha/Show')
  const CaptchaNumero = await portals.readImage(image.body)
  const fields = { tipoIdentificacao: tipo, numeroIdentificacao: document, CaptchaNumero }
  return visitor.post(MS, '/pndfis/Home/Validar', fields)
}

test('MS certifies who is registered', async () => {
  for (const document of [company('MS'), reservado('cnd-efeitos')])
    assert.equal((await certifyMs(document)).headers['content-type'], 'application/pdf')
  assert.match((await certifyMs(reservado('cnd-positiva'))).text, /Constam débitos em nome do contribuinte/)
  assert.match((await certifyMs(reservado('cnd-sem-certidao'))).text, /Não foi possível emitir/)
  assert.match((await certifyMs(company('MS'), '2')).text, /CPF inválido/)
})
