import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { sementeDe } from '../../simulator/documento/documento.ts'
import { portais } from '../../simulator/estados/pi.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import {
  hiddenOf,
  openPortais,
  type PortalReply,
  type Portals,
  type Visitor,
} from '../kit/simulator-portal.ts'

const company = exemplos().umaInscricao.get('PI') ?? ''
const isPdf = ({ body }: PortalReply): boolean => body.subarray(0, 5).toString() === '%PDF-'
const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? assert.fail(text)
const STATE = 'javax.faces.ViewState'

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
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
  assert.equal((await textOf({ cnpj: reservado('muitas') })).match(/ui-panel-content/g)?.length, 40)
})

test('PI takes one number alone, and shows the image to its visitor alone', async () => {
  assert.match(await textOf({ cnpj: company, ie: '193016567' }), /Informe o CNPJ/)
  const { src } = await ask({ cnpj: company })
  assert.equal((await portals.visitor().get(PI, src)).status, 404)
})

const CERTIDOES = '/certidaonft-web/index.xhtml'
const AJAX = { 'faces-request': 'partial/ajax', 'x-requested-with': 'XMLHttpRequest' }
const ENTRIES = { consultar: 1, solicitar: 2 } as const
const click = (onclick: string): Record<string, string> => {
  const id = found(/s:"([^"]+)"/, onclick)
  return {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': id,
    [id]: id,
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': found(/u:"([^"]+)"/, onclick),
  }
}
const stateOf = (text: string): string => /ViewState"><!\[CDATA\[([^\]]+)/.exec(text)?.[1] ?? ''

/** Opens a tab by the menu of the second certificate, and presses its button. */
async function press(visitor: Visitor, action: keyof typeof ENTRIES, document: string, more = true) {
  const send = (fields: Record<string, string>, headers: Record<string, string> = AJAX) =>
    visitor.post(PI, CERTIDOES, fields, { headers })
  const page = await visitor.get(PI, CERTIDOES)
  const entry = `[id="mainMenuForm:mainMenuBar"] > ul > li:nth-child(2) > ul > li:nth-child(${ENTRIES[action]}) > a`
  const opened = await send({
    ...hiddenOf(page.text),
    ...click(load(page.text)(entry).attr('onclick') ?? ''),
  })
  const $ = load(found(/<!\[CDATA\[([\s\S]*?)\]\]>/, opened.text))
  const id = $('form').attr('id') ?? ''
  const inputs = more ? { [`${id}:contribuinteIncricaoId`]: '' } : {}
  const form = {
    [id]: id,
    [`${id}:tipoPessoa_input`]: 'PJ',
    [`${id}:contribuinteCpfCnpjId`]: document,
    ...inputs,
  }
  const asked = { ...form, ...click($('button').attr('onclick') ?? ''), [STATE]: stateOf(opened.text) }
  const pieces = await send(asked)
  const download = (name: string) => send({ ...form, [STATE]: stateOf(pieces.text), [name]: '' }, {})
  return { id, text: pieces.text, download }
}
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/<tr data-ri.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/"gridcell">(.*?)<\/td>/g)].map(([, cell = '']) => cell),
  )

test('PI opens a tab over AJAX for each entry of its menu, and counts them in its ids', async () => {
  const visitor = portals.visitor()
  const { id } = await press(visitor, 'consultar', company)
  assert.equal(id, 'tabView:tabContent_tabItem0:certidaoSituacaoTv:formConsultar')
  assert.equal((await press(visitor, 'solicitar', company)).id, 'tabView:tabContent_tabItem1:formSolicitar')
  assert.match((await portals.visitor().post(PI, CERTIDOES, { [id]: id })).text, /Sessão expirada/)
})

test('PI takes a request, and gives to whoever asks later what came of it', async () => {
  const fresh = reservado('cnd-efeitos')
  assert.match((await press(portals.visitor(), 'consultar', fresh)).text, /Nenhum registro encontrado/)
  const { text } = await press(portals.visitor(), 'solicitar', company)
  assert.match(text, /ui-messages-info-detail">Solicitação registrada/)
  const grid = await press(portals.visitor(), 'consultar', company)
  const [row] = rowsOf(grid.text)
  assert.equal(row?.[3], 'Concluída')
  assert.match(row?.[4] ?? '', /^\d\d\/\d\d\/\d{4}$/)
  const button = found(/name="([^"]+)"/, row?.[5] ?? '')
  assert.ok(isPdf(await grid.download(button)))
  assert.ok(!isPdf(await grid.download(`${button}x`)))
})

test('PI takes its time over one in eight', async () => {
  const slow = listContribuintes().find(
    ({ documento }) => /^\d{14}$/.test(documento) && sementeDe(documento) % 8 === 7,
  )
  const documento = slow?.documento ?? ''
  await press(portals.visitor(), 'solicitar', documento)
  const look = async () => rowsOf((await press(portals.visitor(), 'consultar', documento)).text)[0]?.[3]
  assert.equal(await look(), 'Em processamento')
  assert.notEqual(await look(), 'Em processamento')
})

test('PI says in the grid why there is none, and at once what it does not take', async () => {
  for (const [name, said] of [
    ['cnd-positiva', /Não emitida: existem débitos/],
    ['cnd-sem-certidao', /Não emitida: Existe pendência/],
  ] as const) {
    await press(portals.visitor(), 'solicitar', reservado(name))
    const [row] = rowsOf((await press(portals.visitor(), 'consultar', reservado(name))).text)
    assert.match(row?.[3] ?? '', said)
    assert.deepEqual(row?.slice(4), ['', ''])
  }
  const visitor = portals.visitor()
  assert.match((await press(visitor, 'solicitar', '11222333000180')).text, /error-detail">CNPJ inválido/)
  assert.match((await press(visitor, 'solicitar', company, false)).text, /error-detail">Inscrição/)
})
