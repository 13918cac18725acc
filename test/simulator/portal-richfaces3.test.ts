import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { portais as ma } from '../../simulator/estados/ma.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type PortalReply, type Portals, siteKeyOf } from '../kit/simulator-portal.ts'

const company = exemplos().umaInscricao.get('MA') ?? ''
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 5).toString() === '%PDF-'
const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? assert.fail(text)
const STATE = 'javax.faces.ViewState'
const latin1 = { charset: 'iso-8859-1' } as const

let portals: Portals
before(async () => {
  portals = await openPortais(ma)
})
after(() => portals.close())

const MA = 'sistemas1.sefaz.ma.gov.br'
const FILTRO = '/sintegra/jsp/consultaSintegra/consultaSintegraFiltro.jsf'
const EMISSAO = '/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf'

/** The fields that the script of an element sends besides the form. */
const scriptOf = (text: string): Record<string, string> => {
  const id = found(/'parameters':\{'([^']+)'/, text)
  return { AJAXREQUEST: '_viewRoot', [id]: id }
}

async function askMa(documento: string, sent: Record<string, string> = {}) {
  const visitor = portals.visitor()
  const page = await visitor.get(MA, FILTRO)
  const chosen = { ...hiddenOf(page.text), 'form1:tipoEmissao': '2', 'AJAX:EVENTS_COUNT': '1' }
  const pieces = await visitor.post(MA, FILTRO, { ...chosen, ...scriptOf(page.text) }, latin1)
  const button = found(/type="submit" name="([^"]+)" value="Consulta"/, page.text)
  const token = await portals.token('recaptcha-v2', siteKeyOf(page.text), `https://${MA}${FILTRO}`)
  const fields = {
    ...hiddenOf(page.text),
    ...hiddenOf(pieces.text),
    'form1:tipoEmissao': '2',
    [button]: 'Consulta',
  }
  const asked = { ...fields, 'form1:cpfCnpj': documento, 'g-recaptcha-response': token, ...sent }
  const ask = () => visitor.post(MA, FILTRO, asked, latin1)
  return { page, pieces, ask, visitor }
}

/** The list that the query leads to, and the page behind one of its images. */
async function openMa(documento: string, row = 0) {
  const { ask, pieces, visitor } = await askMa(documento)
  const { headers } = await ask()
  const path = headers.location ?? assert.fail()
  const list = await visitor.get(MA, path)
  const fields = {
    ...hiddenOf(list.text),
    [`j_id6:tabela:${row}:j_id12.x`]: '1',
    [`j_id6:tabela:${row}:j_id12.y`]: '1',
  }
  const open = async () => {
    const reply = await visitor.post(MA, path, fields, latin1)
    return visitor.get(MA, reply.headers.location ?? assert.fail(reply.text))
  }
  return { pieces, path, list, open }
}

test('MA draws the field of the kind chosen over AJAX, lists what it found, and opens it by an image', async () => {
  const { pieces, path, list, open } = await openMa(company)
  assert.equal(pieces.headers['ajax-response'], 'true')
  assert.match(pieces.text, /^<\?xml .*name="form1:cpfCnpj".*id="ajax-view-state"/s)
  assert.doesNotMatch(pieces.text, /name="form1:inscricaoEstadual"/)
  assert.match(path, /consultaSintegraResultadoListaConsulta\.jsf$/)
  assert.match(list.text, /id="j_id6:pnlCadastro".*?"textoPequeno">12\.\d{3}\.\d{3}-\d<.*?type="image"/s)
  const { text, headers } = await open()
  assert.match(String(headers['content-type']), /iso-8859-1/)
  assert.match(text, /"texto_negrito">CGC:<\/span><\/td><td><span class="texto">\d\d\./)
  assert.match(
    text,
    /"texto_negrito">Situação Cadastral Vigente:<\/span><\/td><td><span class="texto">HABILITADO/,
  )
})

test('MA says in its own words what is wrong, and lists what is several, each to be opened from the one list', async () => {
  const textOf = async (...asked: Parameters<typeof askMa>) => (await (await askMa(...asked)).ask()).text
  assert.match(await textOf(exemplos().semInscricao), /id="form1:msgs"><div>Nenhum resultado encontrado/)
  assert.match(await textOf(company, { 'form1:tipoEmissao': '1' }), /campos obrigatórios/)
  const many = await openMa(reservado('muitas'), 39)
  assert.equal(many.list.text.match(/type="image"/g)?.length, 40)
  assert.equal((await many.open()).text, (await many.open()).text)
})

async function certifyMa(documento: string, tipo: '1' | '2' = '2', wrong?: string) {
  const visitor = portals.visitor()
  const page = await visitor.get(MA, EMISSAO)
  const image = await visitor.get(MA, found(/<img src="([^"]*Paint2DResource[^"]*)"/, page.text))
  const field = tipo === '1' ? 'form1:inscricaoEstadual' : 'form1:cpfCnpj'
  const captcha = found(/name="([^"]+)" maxlength="4"/, page.text)
  const asked = {
    'form1:tipoEmissao': tipo,
    [field]: documento,
    [captcha]: wrong ?? (await portals.readImage(image.body)),
  }
  const checked = { ...hiddenOf(page.text), ...asked, ...scriptOf(page.text) }
  const { text } = await visitor.post(MA, EMISSAO, checked, latin1)
  const press = {
    form1: 'form1',
    ...asked,
    'form1:btn': 'Emitir Certidão',
    [STATE]: hiddenOf(text)[STATE] ?? '',
  }
  return { text, emit: (more = {}) => visitor.post(MA, EMISSAO, { ...press, ...more }, latin1), visitor }
}

test('MA sends who is registered to his registration, and certifies that one', async () => {
  const { text } = await certifyMa(company)
  assert.match(text, /pf-messages-error-detail">Existe Inscrição Estadual ativa para este CPF\/CNPJ/)
  const ie = findContribuinte(company)?.inscricoes.find(({ uf }) => uf === 'MA')?.ie ?? ''
  const { text: script, emit, visitor } = await certifyMa(ie, '1')
  assert.match(script, /<!\[CDATA\[if\(true\)/)
  assert.ok(isPdf(await emit()))
  assert.match((await emit()).text, /Sessão expirada/)
  const other = await certifyMa(ie, '1')
  const { status, headers } = await other.emit({ 'form1:inscricaoEstadual': '120000385' })
  assert.deepEqual([status, headers.location], [302, '/certidoes/jsp/util/paginaErro.jsf'])
  assert.match((await visitor.get(MA, String(headers.location))).text, /pf-messages-error-detail/)
})

test('MA certifies who is not registered, and refuses a wrong image at the validation', async () => {
  assert.ok(isPdf(await (await certifyMa(exemplos().semInscricao)).emit()))
  const { text } = await certifyMa(exemplos().semInscricao, '2', 'QQ')
  assert.match(text, /Código da imagem inválido\..*if\(false\)/s)
  assert.equal((await (await certifyMa(exemplos().semInscricao, '2', 'QQ')).emit()).status, 302)
})
