import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { portais as rj } from '../../simulator/estados/rj.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type PortalReply, type Portals } from '../kit/simulator-portal.ts'

const company = exemplos().umaInscricao.get('RJ') ?? ''
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 5).toString() === '%PDF-'
const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? assert.fail(text)
const STATE = 'javax.faces.ViewState'

let portals: Portals
before(async () => {
  portals = await openPortais(rj)
})
after(() => portals.close())

const RJ = 'sucief-sincad-web.fazenda.rj.gov.br'
const INDEX = '/sincad-web/index.jsf'

async function askRj(documento: string, { ajax = true } = {}) {
  const visitor = portals.visitor()
  const id: string = 'formulario:txtCNPJ'
  const page = await visitor.get(RJ, INDEX)
  const form = { ...hiddenOf(page.text), [id]: documento }
  const change = {
    'javax.faces.source': id,
    'javax.faces.partial.event': 'change',
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': '@component',
    'javax.faces.behavior.event': 'valueChange',
    'org.richfaces.ajax.component': id,
    'AJAX:EVENTS_COUNT': '1',
    'javax.faces.partial.ajax': 'true',
  }
  const headers = { 'faces-request': 'partial/ajax' }
  const pieces = ajax ? (await visitor.post(RJ, INDEX, { ...form, ...change }, { headers })).text : ''
  const state = ajax ? found(/"javax.faces.ViewState"><!\[CDATA\[([^\]]+)/, pieces) : form[STATE]
  const image = await visitor.get(RJ, '/sincad-web/captchaServlet')
  const press = { ...form, [STATE]: state ?? '', 'formulario:btnPesquisar': 'formulario:btnPesquisar' }
  return visitor.post(RJ, INDEX, { ...press, 'formulario:cap': await portals.readImage(image.body) })
}

test('RJ wants the change of the field before the search, and answers in rows, the registration fourth', async () => {
  const { text } = await askRj(maskDocumento(company))
  assert.match(
    text,
    /id="formulario:tabelaIE:0"[^>]*>(?:<td class="rf-dt-c">[^<]*<\/td>){3}<td class="rf-dt-c">\d\d\.\d{3}\.\d\d-\d</,
  )
  assert.equal((await askRj(maskDocumento(reservado('muitas')))).text.match(/"rf-dt-r"/g)?.length, 40)
  assert.match((await askRj(maskDocumento(company), { ajax: false })).text, /Sessão expirada/)
})

const CERTIDAO = ['www4.fazenda.rj.gov.br', '/certidao-fiscal-web/emitirCertidao.jsf'] as const
const FORM = 'consultaCertidao'
const TIPO = `${FORM}:pessoaFisicaJuridica`

/** Chooses the kind over AJAX, unless it is the first one, then sends the form. */
async function certify(documento: string, { escolhe = true } = {}) {
  const visitor = portals.visitor()
  const page = await visitor.get(...CERTIDAO)
  assert.match(
    page.text,
    new RegExp(`id="${TIPO}:0" value="F" checked[\\s\\S]*id="${TIPO}:1" value="J" onclick`),
  )
  const form = { ...hiddenOf(page.text), [TIPO]: 'J' }
  const id = `${TIPO}:1`
  const click = {
    'javax.faces.source': id,
    'javax.faces.partial.event': 'click',
    'javax.faces.behavior.event': 'click',
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': `${FORM}:painel`,
    'javax.faces.partial.ajax': 'true',
  }
  const headers = { 'faces-request': 'partial/ajax' }
  const change = escolhe ? await visitor.post(...CERTIDAO, { ...form, ...click }, { headers }) : undefined
  const state = change && found(/"javax.faces.ViewState"><!\[CDATA\[([^\]]+)/, change.text)
  const [, enviar = ''] = /type="submit" name="([^"]+)" value="Enviar"/.exec(page.text) ?? []
  const press = { [`${FORM}:cpfCnpj`]: documento, [enviar]: 'Enviar' }
  return visitor.post(...CERTIDAO, { ...form, ...(state && { [STATE]: state }), ...press })
}

test('RJ certifies once the kind of document was chosen, or says why not', async () => {
  assert.ok(isPdf(await certify(maskDocumento(company))))
  assert.match((await certify(maskDocumento(company), { escolhe: false })).text, /Informe o tipo/)
  assert.match(
    (await certify(maskDocumento(reservado('cnd-positiva')))).text,
    /Certidão não emitida: constam débitos/,
  )
  assert.match((await certify(maskDocumento(reservado('cnd-sem-certidao')))).text, /Existe pendência/)
})
