import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as rr } from '../../simulator/estados/rr.ts'
import { portais as to } from '../../simulator/estados/to.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import {
  hiddenOf,
  openPortais,
  type PortalReply,
  type Portals,
  type Visitor,
} from '../kit/simulator-portal.ts'

const company = (uf: Uf): string => exemplos().umaInscricao.get(uf) ?? assert.fail(uf)
const farmer = (uf: Uf): string =>
  exemplos().produtorRural.find((one) => one.uf === uf)?.documento ?? assert.fail(uf)
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 5).toString() === '%PDF-'
const errorOf = ({ text }: PortalReply): string => load(text)('.gx_ev .ErrorViewerBullet').text()

let portals: Portals
before(async () => {
  portals = await openPortais([...rr, ...to])
})
after(() => portals.close())

const RR = 'portalweb.sefaz.rr.gov.br'
async function askRr(asked: Record<string, string>, visitor = portals.visitor()) {
  const path = '/sintegra/servlet/wp_siate_consultasintegra'
  const page = await visitor.get(RR, path)
  const image = await visitor.get(RR, load(page.text)('#captchaImage img').attr('src') ?? '')
  const _cfield = await portals.readImage(image.body, 'palavras')
  const fields = {
    ...hiddenOf(page.text),
    vDMNTIPODOCUMENTOCONTRIBUINTE: '3',
    _cfield,
    BTNCONSULTAR: 'Consultar',
    ...asked,
  }
  return visitor.post(RR, path, fields)
}

test('RR answers in spans named after its variables, a table a registration', async () => {
  const $ = load((await askRr({ vDOCUMENTO: company('RR') })).text)
  assert.match($('#TABLERESULTADO #span_CTLCONINSEST').text(), /^24\d{6}-\d$/)
  const { text } = await askRr({ vDOCUMENTO: reservado('muitas') })
  assert.equal(load(text)('table[id^=TABLERESULTADO]').length, 40)
  const asked = { vDOCUMENTO: farmer('RR'), vDMNTIPODOCUMENTOCONTRIBUINTE: '2' }
  assert.match((await askRr(asked)).text, /span_CTLCONINSEST/)
})

test('RR refuses a state of any other shape', async () => {
  for (const GXState of ['{}', 'x', '{"AJAX_SECURITY_TOKEN":{"toString":1,"valueOf":1}}'])
    assert.match((await askRr({ GXState })).text, /Sessão expirada/)
})

const TO = { ie: 'sintegra.sefaz.to.gov.br', cnd: 'www.sefaz.to.gov.br' }
const PATHS = { ie: '/sintegra/servlet/wpsico01', cnd: '/cnd/com.cnd.hecwbcnd01' }
const ajax = { headers: { 'x-requested-with': 'XMLHttpRequest' } }

/** The fields of a page of TO, with more inside its state. */
function fieldsOf({ text }: PortalReply, more: Record<string, string>): Record<string, string> {
  const hidden = hiddenOf(text)
  const state: unknown = JSON.parse(hidden.GXState ?? '')
  return { ...hidden, GXState: JSON.stringify(Object.assign({}, state, more)) }
}

async function raise(
  servico: 'ie' | 'cnd',
  { event, wrong, ...asked }: Record<string, string>,
  visitor: Visitor = portals.visitor(),
) {
  const [host, path] = [TO[servico], PATHS[servico]]
  const page = await visitor.get(host, path)
  const siteKey = /"GPXRECAPTCHA1_Sitekey":"([^"]+)"/.exec(hiddenOf(page.text).GXState ?? '')?.[1] ?? ''
  const token = wrong ?? (await portals.token('recaptcha-v2', siteKey, `https://${host}${path}`))
  const fields = fieldsOf(page, { _EventName: event ?? '', GPXRECAPTCHA1_Response: token })
  return visitor.post(host, path, { ...fields, ...asked }, ajax)
}

test('TO takes an event for each kind of document, the captcha in its state, and each state once', async () => {
  const found = await raise('ie', { event: "E'CNPJ'.", vCNPJ: company('TO') })
  assert.match(load(found.text)('#span_CTLCONINSEST').text(), /^29\.(?:\d{3}\.\d{3}-\d|\d{3}\.\d{4}-\d\d)$/)
  assert.match((await raise('ie', { event: "E'CPF'.", vCPF: farmer('TO') })).text, /span_CTLCONINSEST/)
  const saidTo = async (asked: Record<string, string>) => errorOf(await raise('ie', asked))
  assert.equal(await saidTo({ event: "E'CNPJ'.", vCPF: farmer('TO') }), 'Informe: CNPJ.')
  const stale = await raise('ie', { event: "E'CNPJ'.", vCNPJ: company('TO'), GXState: '{"_EventName":""}' })
  assert.match(stale.text, /Sessão expirada/)
})

test('TO validates at one button, and prints at the other what its state then holds', async () => {
  const visitor = portals.visitor()
  const asked = { vNUM_CNPJ: maskDocumento(company('TO')), vFINALIDADE1: '2' }
  const valid = await raise('cnd', { event: "E'EMITIR'.", ...asked }, visitor)
  assert.match(hiddenOf(valid.text).GXState ?? '', /"vERROCOD":0,"vCNDNUM":\d+,"vDV":\d/)
  const print = { ...fieldsOf(valid, { _EventName: "E'IMPRIMIR'." }), ...asked }
  const { gxCommands } = JSON.parse((await visitor.post(TO.cnd, PATHS.cnd, print, ajax)).text)
  const opened = `/cnd/${gxCommands[0].redirect.url}`
  assert.match(opened, /com\.cnd\.arecrpcnd/)
  assert.ok(isPdf(await visitor.get(TO.cnd, opened)))
  assert.equal((await portals.visitor().get(TO.cnd, opened)).status, 404)
  assert.match((await visitor.post(TO.cnd, PATHS.cnd, print, ajax)).text, /Sessão expirada/)
  const owing = { ...asked, vNUM_CNPJ: maskDocumento(reservado('cnd-positiva')) }
  const refused = await raise('cnd', { event: "E'EMITIR'.", ...owing })
  assert.match(errorOf(refused), /débito/)
  assert.doesNotMatch(refused.text, /BUTTON6/)
  assert.match(
    errorOf(await raise('cnd', { event: "E'EMITIR'.", ...asked, vFINALIDADE1: '9' })),
    /finalidade/,
  )
})
