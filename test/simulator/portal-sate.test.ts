import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { portais as amapa } from '../../simulator/estados/ap.ts'
import { portais as paraiba } from '../../simulator/estados/pb.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const AP = 'www.sefaz.ap.gov.br'
const PB = 'www4.sefaz.pb.gov.br'
const DOOR = '/sate/seg/SEGf_AcessarFuncao.jsp?cdFuncao='
const DAR = '/sate/arr/ARRf_DarInternetEmitir.do'
const CERTIDAO = '/sate/dia/DIAf_EmitirCertidaoInternet.do'
const EMITIR = '/atf/dia/DIAf_EmitirCertidaoDebito.do'

const company = (uf: 'AP' | 'PB') => exemplos().umaInscricao.get(uf) ?? ''

let portals: Portals
before(async () => {
  portals = await openPortais([...amapa, ...paraiba])
})
after(() => portals.close())

const give = (acao: string, rest: Record<string, string>): Record<string, string> => ({
  hidAcao: acao,
  hidHistorico: '-1',
  cmbTpDocumento: '2',
  ...rest,
})

async function askAp(visitor: Visitor, document: string) {
  await visitor.get(AP, `${DOOR}ARR_305`)
  const form = await visitor.post(AP, DAR, give('obterTipoContribuinte', {}))
  assert.match(form.text, /edtNrDocumento[\s\S]*\/sate\/servicos\/JCaptcha/)
  const image = await visitor.get(AP, '/sate/servicos/JCaptcha')
  const edtCaptchaResponse = await portals.readImage(image.body)
  const asked = give('obterDadosContribuinte', { edtNrDocumento: document, edtCaptchaResponse })
  return { asked, reply: await visitor.post(AP, DAR, asked) }
}

test('AP asks for the kind first, then for number and image', async () => {
  const visitor = portals.visitor()
  const { reply } = await askAp(visitor, company('AP'))
  const ie = findContribuinte(company('AP'))?.inscricoes.find(({ uf }) => uf === 'AP')?.ie
  assert.match(reply.headers['content-type'] ?? '', /iso-8859-1/)
  assert.match(reply.text, new RegExp(`Inscrição Estadual:</td><td>${ie}</td>`))
})

test('AP does not answer a visitor who skips a step', async () => {
  const visitor = portals.visitor()
  const { asked } = await askAp(visitor, company('AP'))
  await visitor.get(AP, `${DOOR}ARR_305`)
  assert.match((await visitor.post(AP, DAR, asked)).text, /sessão expirou/)
})

test('AP shows one table a registration', async () => {
  const { reply } = await askAp(portals.visitor(), reservado('muitas'))
  assert.equal(reply.text.match(/class="tbContribuinte"/g)?.length, 40)
})

async function certifyAp(document: string) {
  const visitor = portals.visitor()
  const door = await visitor.get(AP, `${DOOR}DIA_060`)
  assert.deepEqual([door.status, door.headers.location], [302, CERTIDAO])
  const form = await visitor.get(AP, CERTIDAO)
  assert.match(form.text, />Estadual<[\s\S]*>CNPJ<[\s\S]*<input type="button" value="Submeter"/)
  const fields = { hidHistorico: '-1', rdbTpDocumento: '2', edtNrDocumento: document }
  return visitor.post(AP, CERTIDAO, { ...fields, hidAcao: 'emitirCertidao' })
}
const isPaper = ({ body }: { body: Buffer }): boolean => body.subarray(0, 5).toString() === '%PDF-'

test('AP gives the paper at once, also to who is not registered, and says why it gives none', async () => {
  for (const document of [company('AP'), reservado('cnd-efeitos'), exemplos().semInscricao])
    assert.ok(isPaper(await certifyAp(document)), document)
  assert.match((await certifyAp(reservado('cnd-positiva'))).text, /Favor comparecer a repartição fiscal/)
  assert.match((await certifyAp(reservado('cnd-sem-certidao'))).text, /pendência de IPVA/)
})

async function certifyPb(document: string) {
  const visitor = portals.visitor()
  await visitor.get(PB, `${EMITIR}?limparSessao=true`)
  const fields = { hidAcao: 'emitirCertidao', hidHistorico: '-1', edtNrDocumento: document }
  return { reply: await visitor.post(PB, EMITIR, fields) }
}

test('PB frames the page of ATF in the one of its site', async () => {
  const page = '/servirtual/certidoes/emissao-de-certidao-de-debitos-empresa'
  const { text } = await portals.visitor().get('www.sefaz.pb.gov.br', page)
  assert.match(text, new RegExp(`<iframe src="https://${PB}${EMITIR}\\?limparSessao=true&#38;h=`))
  const form = await portals.visitor().get(PB, EMITIR)
  assert.match(
    form.text,
    /id="tbCertidao"[\s\S]*<tr><td>[^<]*<\/td><td><input type="text"[\s\S]*id="tbCaptcha"/,
  )
  assert.match(form.text, /id="tbCaptcha">[\s\S]*<button/)
})

test('PB issues on the spot, or says why not', async () => {
  const { reply } = await certifyPb(company('PB'))
  assert.ok(isPaper(reply))
  assert.match((await certifyPb(reservado('cnd-positiva'))).reply.text, /Existem débitos/)
  assert.match((await certifyPb(reservado('cnd-sem-certidao'))).reply.text, /pendência de IPVA/)
  assert.ok(isPaper((await certifyPb(reservado('cnd-efeitos'))).reply))
})
