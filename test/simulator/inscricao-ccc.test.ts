import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCcc } from '../../simulator/inscricao/ccc.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const HOST = 'nfe.sefaz.ba.gov.br'
const PAGINA = '/servicos/nfenc/Modulos/Geral/NFENC_consulta_cadastro_ccc.aspx'
const KNOWN = exemplos().umaInscricao.get('SP') ?? ''

let portals: Portals
let now = new Date('2026-11-14T15:00:00Z')
before(async () => {
  portals = await openPortais([createCcc()], () => now)
})
after(() => portals.close())

const filtro = (fields: Record<string, string>) => ({
  txtCNPJ: '',
  txtie: '',
  CmdUF: '',
  CmdSituacao: '99',
  AplicarFiltro: 'Aplicar Filtro',
  ...fields,
})

/** Asks with a form of its own. `visitor` may keep no cookies. */
async function ask(fields: Record<string, string>, host = HOST, visitor: () => Visitor = portals.visitor) {
  const page = await visitor().get(host, PAGINA)
  return visitor().post(host, PAGINA, { ...hiddenOf(page.text), ...filtro(fields) })
}

test('both hosts answer by CNPJ for all states, and a client without cookies is answered', async () => {
  for (const host of [HOST, 'hnfe.sefaz.ba.gov.br']) {
    // Each request comes from another visitor, so only the form goes back.
    const { text } = await ask({ txtCNPJ: KNOWN }, host)
    assert.match(
      text,
      /<table id="Grid"[^>]*>\s*<tr><th>CNPJ<\/th><th>IE<\/th><th>Razão Social<\/th><th>UF<\/th><th>Situação<\/th>/,
    )
    assert.match(
      text,
      new RegExp(
        `<td>${KNOWN}</td><td>\\d+</td><td>[^<]+</td><td>SP</td><td>Habilitado como contribuinte na UF</td>`,
      ),
    )
    assert.match(text, /id="lblTotal">[^<]*1</)
  }
})

test('several pages are walked by the pager, each with the state of the page before', async () => {
  const visitor = portals.visitor()
  const first = await ask({ txtCNPJ: reservado('259') })
  assert.match(first.text, /<span>1<\/span>/)
  const { AplicarFiltro: _, ...fields } = filtro({ txtCNPJ: reservado('259') })
  const next = { __EVENTTARGET: 'Grid', __EVENTARGUMENT: 'Page$3' }
  const last = await visitor.post(HOST, PAGINA, { ...hiddenOf(first.text), ...fields, ...next })
  assert.match(last.text, /<span>3<\/span>/)
  assert.equal(last.text.match(/<td>Habilitado/g)?.length, 7, '27 states, ten a page')
  const beyond = { ...next, __EVENTARGUMENT: 'Page$4' }
  assert.equal(
    (await visitor.post(HOST, PAGINA, { ...hiddenOf(first.text), ...fields, ...beyond })).status,
    302,
  )
})

test('whoever is nowhere is said to be so, in the place of the list', async () => {
  const { text } = await ask({ txtCNPJ: '11222333000180' })
  assert.match(text, /<span id="lblConsultaVazia">[^<]+</)
  assert.doesNotMatch(text, /id="Grid"/)
})

test('a registration or a state is a question too; none of the three leads to the page that says OPS!', async () => {
  const [, ie = ''] = /<td>(\d+)<\/td><td>[^<]+<\/td><td>SP/.exec((await ask({ txtCNPJ: KNOWN })).text) ?? []
  assert.match((await ask({ txtie: ie })).text, new RegExp(`<td>${KNOWN}</td>`))
  const nothing = await ask({})
  assert.equal(nothing.status, 302)
  const erro = await portals.visitor().get(HOST, String(nothing.headers.location))
  assert.match(erro.text, /OPS!.*PHConteudo_desTipoErro/s)
})

test('a state that the page did not give leads to the page of errors', async () => {
  const page = await portals.visitor().get(HOST, PAGINA)
  for (const name of ['__VIEWSTATE', '__EVENTVALIDATION', '__VIEWSTATEGENERATOR']) {
    const hidden = { ...hiddenOf(page.text), [name]: 'AAAA' }
    const reply = await portals.visitor().post(HOST, PAGINA, { ...hidden, ...filtro({ txtCNPJ: KNOWN }) })
    assert.equal(reply.status, 302, name)
  }
})

test('documents misbehave here as everywhere: another CNPJ, a captcha, HTTP 503, a changed page', async () => {
  assert.doesNotMatch(
    (await ask({ txtCNPJ: reservado('outro-documento') })).text,
    new RegExp(`${reservado('outro-documento')}</td>`),
  )
  assert.match((await ask({ txtCNPJ: reservado('captcha-inesperado') })).text, /name="captcha"/)
  assert.equal((await ask({ txtCNPJ: reservado('html-503') })).status, 503)
  assert.match((await ask({ txtCNPJ: reservado('layout') })).text, /app-root/)
})

test('who asks more than 600 times in a minute is refused for a quarter of an hour', async () => {
  now = new Date(now.getTime() + 3_600_000)
  for (let question = 0; question < 600; question++) assert.equal((await ask({ txtCNPJ: KNOWN })).status, 200)
  assert.equal((await ask({ txtCNPJ: KNOWN })).status, 403)
  now = new Date(now.getTime() + 14 * 60_000)
  assert.equal((await ask({ txtCNPJ: KNOWN })).status, 403)
  now = new Date(now.getTime() + 60_000)
  assert.equal((await ask({ txtCNPJ: KNOWN })).status, 200)
})
