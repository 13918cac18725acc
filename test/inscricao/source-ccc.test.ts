import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makeInscricao } from '../../simulator/documento/inscricao-estadual.ts'
import { askCcc, enderecosDoCcc } from '../../src/inscricao/source-ccc.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import type { InscricaoParcial } from '../../src/portal/rules-inscricao.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

const CNPJ = '11222333000181'
const PAGINA = '/servicos/nfenc/Modulos/Geral/NFENC_consulta_cadastro_ccc.aspx'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('nfe.sefaz.ba.gov.br', 'hnfe.sefaz.ba.gov.br')
})
after(() => authority.close())

/** The pauses that were asked for after each question. */
let pausas: number[]
beforeEach(() => {
  pausas = []
})

/** Asks a page that says the given lines. Its turn comes at once. */
async function ask(...answers: Given[]): Promise<InscricaoParcial[]> {
  authority.answers(...answers)
  const end = async (pauseMs: number) => void pausas.push(pauseMs)
  const turnos = { take: async () => ({ end }) }
  const guard = createGuard({ info: () => {} })
  return askCcc(CNPJ, { meios: authority.meios, guard, turnos, pace: 1, request_id: 'r' })
}

const CONTROLES =
  '<input name="txtCNPJ"><input name="txtie"><select name="CmdUF"></select><select name="CmdSituacao"></select>' +
  '<input type="submit" name="AplicarFiltro" value="Aplicar Filtro">'

/** The page with its form, and `below` under it. */
const page = (below = '', state = 'v1'): string =>
  `<html><body><img src="/images/logo.gif"><form action="NFENC_consulta_cadastro_ccc.aspx">` +
  `<input type="hidden" name="__VIEWSTATE" value="${state}"><input type="hidden" name="__VIEWSTATEGENERATOR" value="g">` +
  `<input type="hidden" name="__EVENTVALIDATION" value="e">${CONTROLES}${below}</form></body></html>`

const HABILITADO = 'Habilitado como contribuinte na UF'
const linha = (ie: string, uf: string, situacao = HABILITADO, cnpj = CNPJ): string =>
  `<tr><td>${cnpj}</td><td>${ie}</td><td>FULANO LTDA</td><td>${uf}</td><td>${situacao}</td></tr>`
const TITULOS = '<tr><th>CNPJ</th><th>IE</th><th>Razão Social</th><th>UF</th><th>Situação</th></tr>'
const grade = (linhas: string, total: number, titulos = TITULOS): string =>
  `<table id="Grid">${titulos}${linhas}</table><span id="lblTotal">Total: ${total}</span>`
const pager = (current: number, pages: number): string => {
  const cells = Array.from({ length: pages }, (_, i) =>
    i + 1 === current
      ? `<td><span>${current}</span></td>`
      : `<td><a href="javascript:__doPostBack('Grid','Page$${i + 1}')">${i + 1}</a></td>`,
  )
  return `<tr><td colspan="5"><table><tr>${cells.join('')}</tr></table></td></tr>`
}
const SP = '110042490114'
const RJ = makeInscricao('RJ', 1)
const CE = makeInscricao('CE', 1)
/** This registration has a zero on its left. */
const AC = makeInscricao('AC', 1)

test('Habilitado is ATIVA, Não habilitado is NÃO HABILITADA, Exclusão lógica is left out, and the words are its own', async () => {
  const linhas =
    linha(SP, 'SP', 'HABILITADO como contribuinte na uf') +
    linha(RJ, 'RJ', 'Exclusão lógica do Contribuinte na UF') +
    linha(CE, 'CE', 'Não habilitado como Contribuinte na UF')
  const found = await ask(page(), page(grade(linhas, 3)))
  assert.deepEqual(
    found.map((one) => [one.uf_ie, one.situacao_ie, one.situacao_cadastral, one.parcial]),
    [
      ['SP', 'ATIVA', 'HABILITADO como contribuinte na uf', true],
      ['CE', 'NÃO HABILITADA', 'Não habilitado como Contribuinte na UF', true],
    ],
  )
  const { inscricao_estadual, razao_social, cpf_cnpj, ...others } = found[0] ?? {}
  assert.deepEqual([inscricao_estadual, razao_social, cpf_cnpj], [SP, 'FULANO LTDA', '11.222.333/0001-81'])
  const rest = Object.entries(others).filter(
    ([name]) => !/^(situacao_ie|situacao_cadastral|uf_ie|parcial)$/.test(name),
  )
  assert.ok(rest.every(([, value]) => value === ''))
})

test('it is asked for all states and situations, with the state of the page, and every page of the list with the state of the one before', async () => {
  const found = await ask(
    page('', 'v1'),
    page(grade(linha(SP, 'SP') + pager(1, 2), 2), 'v2'),
    page(grade(linha(CE, 'CE') + pager(2, 2), 2), 'v3'),
  )
  assert.equal(found.length, 2)
  const [get, filtro, folha] = authority.seen
  assert.equal(get?.pedido, `GET nfe.sefaz.ba.gov.br${PAGINA}`)
  const known = { __VIEWSTATEGENERATOR: 'g', __EVENTVALIDATION: 'e', __VIEWSTATEENCRYPTED: '' }
  const pergunta = { txtCNPJ: CNPJ, txtie: '', CmdUF: '', CmdSituacao: '99' }
  assert.deepEqual(filtro?.campos, {
    ...known,
    ...pergunta,
    __VIEWSTATE: 'v1',
    __EVENTTARGET: '',
    __EVENTARGUMENT: '',
    AplicarFiltro: 'Aplicar Filtro',
  })
  assert.deepEqual(folha?.campos, {
    ...known,
    ...pergunta,
    __VIEWSTATE: 'v2',
    __EVENTTARGET: 'Grid',
    __EVENTARGUMENT: 'Page$2',
  })
})

test('that there is nobody is looked at before the list', async () => {
  assert.deepEqual(await ask(page(), page('<span id="lblConsultaVazia">Nenhum registro</span>')), [])
  const empty = `<span id="lblConsultaVazia"></span>${grade(linha(SP, 'SP'), 1)}`
  assert.equal((await ask(page(), page(empty))).length, 1)
})

test('a number that lost the zeros on its left is the state’s number', async () => {
  assert.match(AC, /^0/)
  const [one] = await ask(page(), page(grade(linha(AC.slice(1), 'AC'), 1)))
  assert.equal(one?.inscricao_estadual, AC)
})

const good = grade(linha(SP, 'SP'), 1)
const vazia = '<span id="lblConsultaVazia">Nenhum registro</span>'
const changed: [what: string, form: string, answer?: string][] = [
  ['a field that nobody knows', page('<input name="txtCaptcha">')],
  ['a hidden field that nobody knows', page('<input type="hidden" name="token" value="x">')],
  ['a captcha', page('<div data-sitekey="k"></div>')],
  ['a frame', page('<iframe src="https://www.google.com/recaptcha"></iframe>')],
  ['a picture that a program draws', page('<img src="imagem.aspx?id=1">')],
  ['a picture that is a captcha', page('<img src="captcha.jpg">')],
  ['a field less', page().replace('name="txtie"', 'name="txtInscricao"')],
  ['no state', page().replace('__EVENTVALIDATION', '__OUTRO')],
  ['other headings', page(), page(good.replace('Razão Social', 'Nome'))],
  ['two columns swapped', page(), page(grade(linha('SP', SP), 1))],
  ['a column more', page(), page(good.replace('<td>SP</td>', '<td>SP</td><td>x</td>'))],
  ['another CNPJ', page(), page(grade(linha(SP, 'SP', HABILITADO, '11444777000161'), 1))],
  ['a number that is none of its state’s', page(), page(grade(linha('110042490115', 'SP'), 1))],
  ['a state that is none', page(), page(grade(linha(SP, 'XX'), 1))],
  ['another word for the situation', page(), page(grade(linha(SP, 'SP', 'Suspenso'), 1))],
  ['neither list nor message', page(), page()],
  ['an empty list', page(), page(grade('', 0))],
  ['nobody, and a list', page(), page(vazia + good)],
  ['fewer rows than it says', page(), page(grade(linha(SP, 'SP'), 2))],
  ['no count', page(), page(good.replace('lblTotal', 'lblOutro'))],
  ['a field that nobody knows in the answer', page(), page(`${good}<input name="token">`)],
]
for (const [what, form, answer] of changed)
  test(`${what}: the layout changed`, async () => {
    await assert.rejects(ask(form, ...(answer ? [answer] : [])), { kind: 'parse' })
    assert.equal(authority.seen.length, answer ? 2 : 1, 'nothing is sent to a page that changed')
    assert.deepEqual(pausas, [3_000])
  })

test('a pager that shows another page than was asked for, or never ends, is a page that changed', async () => {
  const first = page(grade(linha(SP, 'SP') + pager(1, 2), 2))
  await assert.rejects(ask(page(), first, first), { kind: 'parse' })
  const endless = Array.from({ length: 31 }, (_, i) => page(grade(linha(SP, 'SP') + pager(i + 1, 99), 99)))
  await assert.rejects(ask(page(), ...endless), { kind: 'parse', message: /sem fim/ })
})

const erros: [what: string, ...answers: Given[]][] = [
  ['a redirect', { para: '/erro.aspx' }],
  ['a redirect of the question', page(), { para: '/erro.aspx' }],
  ['the page that says OPS!', '<html><body><h1>OPS!</h1></body></html>'],
  ['the type of error', '<html><body><span id="PHConteudo_desTipoErro">Erro</span></body></html>'],
]
for (const [what, ...answers] of erros)
  test(`${what} is an error of the source`, async () => {
    await assert.rejects(ask(...answers), { kind: 'http', unavailable: true })
    assert.deepEqual(pausas, [3_000])
  })

for (const status of [403, 503])
  test(`after HTTP ${status} it rests for 15 minutes`, async () => {
    await assert.rejects(ask(page(), { utf8: 'não', media: 'text/html', status }), { status })
    assert.deepEqual(pausas, [900_000])
  })

test('an address that is not there, or has no such page, gives way to the next: https nfe, http nfe, https hnfe, http hnfe', async () => {
  const away = { utf8: 'não há', media: 'text/html', status: 404 }
  await assert.rejects(ask(away, away, away, away), { status: 404 })
  const hosts = ['nfe', 'nfe', 'hnfe', 'hnfe'].map((name) => `GET ${name}.sefaz.ba.gov.br${PAGINA}`)
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    hosts,
  )
  assert.deepEqual(
    enderecosDoCcc.map((url) => url.replace(PAGINA, '')),
    [
      'https://nfe.sefaz.ba.gov.br',
      'http://nfe.sefaz.ba.gov.br',
      'https://hnfe.sefaz.ba.gov.br',
      'http://hnfe.sefaz.ba.gov.br',
    ],
  )
  assert.equal((await ask(away, away, away, page(), page(good))).length, 1)
})

test('a turn that does not come in time is a failure that says so, with nothing sent', async () => {
  authority.answers(page())
  const guard = createGuard({ info: () => {} })
  const of = {
    meios: authority.meios,
    guard,
    pace: 1,
    request_id: 'r',
    turnos: { take: async () => undefined },
  }
  await assert.rejects(askCcc(CNPJ, of), { kind: 'blocked', codigo: 'fila' })
  assert.equal(authority.seen.length, 0)
})
