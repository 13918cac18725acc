import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { comportamentos } from '../../simulator/comportamento.ts'
import { portais } from '../../simulator/estados/pi.ts'
import { listContribuintes } from '../../simulator/mundo/contribuinte.ts'
import { sementeDe } from '../../simulator/mundo/documento.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { hiddenOf } from './hidden.ts'
import { type PortalReply, type Portals, startPortais, type Visitor } from './portal.ts'

const company = exemplos().umaInscricao.get('PI') ?? ''
const reserved = (name: string): string =>
  comportamentos.find(({ nome }) => nome === name)?.documento ?? assert.fail(name)
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 5).toString() === '%PDF-'
const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? assert.fail(text)
const STATE = 'javax.faces.ViewState'

let portals: Portals
before(async () => {
  portals = await startPortais(portais)
})
after(() => portals.close())

const PI = 'webas.sefaz.pi.gov.br'
const SINTEGRA = '/SintegraConsultaPublica/'

async function ask(asked: Record<string, string>) {
  const visitor = portals.visitor()
  const { text } = await visitor.get(PI, SINTEGRA)
  const $ = load(text)
  const src = $('img[src*="primefaces_image"]').attr('src') ?? ''
  const captcha = await portals.readImage((await visitor.get(PI, src)).body)
  const button = $('button').attr('name') ?? ''
  const form = { ...hiddenOf(text), cnpj: '', ie: '', captcha, [button]: '', ...asked }
  return { send: () => visitor.post(PI, `${SINTEGRA}index.jsf`, form), src }
}
const textOf = async (asked: Record<string, string>) => (await (await ask(asked)).send()).text

test('PI shows each registration in a panel, by CNPJ and IE', async () => {
  const text = await textOf({ cnpj: company })
  const ie = found(/Inscrição Estadual:<\/td><td>(19\.\d{3}\.\d{3}-\d)</, text)
  assert.match(text, /Motivo da Situação:<\/td><td>&nbsp;/)
  assert.match(await textOf({ ie: ie.replace(/\D/g, '') }), new RegExp(ie))
  assert.equal((await textOf({ cnpj: reserved('muitas') })).match(/ui-panel-content/g)?.length, 40)
})

test('PI refuses a wrong image, a wrong number and a form that was sent before', async () => {
  assert.match(await textOf({ cnpj: company, captcha: 'QQ' }), /O Texto digitado não confere com a Imagem/)
  assert.match(await textOf({ cnpj: '11222333000180' }), /CNPJ inválido/)
  assert.match(await textOf({ cnpj: company, ie: '193016567' }), /Informe o CNPJ/)
  assert.match(await textOf({ cnpj: exemplos().semInscricao }), /Nenhum resultado encontrado/)
  const { send, src } = await ask({ cnpj: company })
  await send()
  assert.match((await send()).text, /Sessão expirada/)
  assert.equal((await portals.visitor().get(PI, src)).status, 404)
})

/** Presses the button of one of the two screens of certificates. */
async function press(
  visitor: Visitor,
  action: 'solicitar' | 'consultar',
  cpfCnpj: string,
  more: Record<string, string> = { contribuinteIncricaoId: '' },
) {
  const path = `/certidaonft-web/${action}.xhtml`
  const { text } = await visitor.get(PI, path)
  const onclick = load(text)('button').attr('onclick') ?? ''
  const id = found(/s:"([^"]+)"/, onclick)
  const form = { ...hiddenOf(text), tipoPessoa: 'PJ', cpfCnpj, ...more }
  const click = {
    ...{ 'javax.faces.partial.ajax': 'true', 'javax.faces.source': id, [id]: id },
    ...{ 'javax.faces.partial.execute': '@all', 'javax.faces.partial.render': found(/u:"([^"]+)"/, onclick) },
  }
  const headers = { 'faces-request': 'partial/ajax', 'x-requested-with': 'XMLHttpRequest' }
  const pieces = await visitor.post(PI, path, { ...form, ...click }, { headers })
  const state = /ViewState"><!\[CDATA\[([^\]]+)/.exec(pieces.text)?.[1] ?? ''
  const download = (name: string) => visitor.post(PI, path, { ...form, [STATE]: state, [name]: '' })
  return { text: pieces.text, download }
}
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/<tr data-ri.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/"gridcell">(.*?)<\/td>/g)].map(([, cell = '']) => cell),
  )

test('PI takes a request, and gives to whoever asks later what came of it', async () => {
  assert.match((await press(portals.visitor(), 'consultar', company, {})).text, /Nenhum registro encontrado/)
  const { text } = await press(portals.visitor(), 'solicitar', company)
  assert.match(text, /ui-messages-info-detail">Solicitação registrada/)
  const grid = await press(portals.visitor(), 'consultar', company, {})
  const [other, mine] = rowsOf(grid.text)
  assert.deepEqual([other?.[2], mine?.[2]], ['Negativa de Dívida Ativa', 'Situação Fiscal e Tributária'])
  assert.match(mine?.[4] ?? '', /^\d\d\/\d\d\/\d{4}$/)
  const button = found(/name="([^"]+)"/, mine?.[5] ?? '')
  assert.ok(isPdf(await grid.download(button)))
  assert.match((await grid.download(button)).text, /Sessão expirada/)
})

test('PI takes its time over one in eight', async () => {
  const slow = listContribuintes().find(
    ({ documento }) => /^\d{14}$/.test(documento) && sementeDe(documento) % 8 === 7,
  )
  const documento = slow?.documento ?? ''
  await press(portals.visitor(), 'solicitar', documento)
  const look = async () => rowsOf((await press(portals.visitor(), 'consultar', documento, {})).text)[1]?.[3]
  assert.equal(await look(), 'Em processamento')
  assert.notEqual(await look(), 'Em processamento')
})

test('PI says in the grid why there is none, and at once what it does not take', async () => {
  for (const [name, said] of [
    ['cnd-positiva', /Não emitida: existem débitos/],
    ['cnd-sem-certidao', /Não emitida: Existe pendência/],
  ] as const) {
    await press(portals.visitor(), 'solicitar', reserved(name))
    const [, row] = rowsOf((await press(portals.visitor(), 'consultar', reserved(name), {})).text)
    assert.match(row?.[3] ?? '', said)
    assert.deepEqual(row?.slice(4), ['', ''])
  }
  const visitor = portals.visitor()
  assert.match((await press(visitor, 'solicitar', '11222333000180')).text, /error-detail">CNPJ inválido/)
  assert.match((await press(visitor, 'solicitar', company, {})).text, /error-detail">Inscrição/)
})
