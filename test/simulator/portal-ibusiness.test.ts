import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { portais } from '../../simulator/estados/se.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const HOST = 'security.sefaz.se.gov.br'
const SITE = 'www.sefaz.se.gov.br'

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

const known = exemplos().umaInscricao.get('SE') ?? assert.fail()

/** Opens a form. Gives its hidden fields, the target of its POST, and the text of its picture. */
async function open(visitor: Visitor, host: string, path: string) {
  const { text } = await visitor.get(host, path)
  const hidden = Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const here = `https://${host}${path}`
  const action = new URL(/action="([^"]*)"/.exec(text)?.[1] ?? '', here)
  const image = new URL(/<img src="([^"]*)"/.exec(text)?.[1] ?? '', here)
  const picture = await visitor.get(image.hostname, image.pathname + image.search)
  const word = (await portals.readImage(picture.body)).toLowerCase()
  const post = (fields: Record<string, string>) =>
    visitor.post(action.hostname, action.pathname, { ...hidden, ...fields })
  return { post, word }
}

const openCadastro = (visitor = portals.visitor()) => open(visitor, HOST, '/SIC/sintegra/index.jsp')

test('a registration is found by CNPJ or IE with the text of the picture in small letters', async () => {
  const { post, word } = await openCadastro()
  const { text } = await post({ cdCnpj: known, cdPessoaContribuinte: '', dsImagem: word })
  const ie =
    /Inscrição Estadual:<\/b><\/font><\/td><td><font[^>]*>(27\d{6}-\d)</.exec(text)?.[1] ?? assert.fail(text)
  const other = await openCadastro()
  const byIe = { cdCnpj: '', cdPessoaContribuinte: ie.replace('-', ''), dsImagem: other.word }
  assert.ok((await other.post(byIe)).text.includes(ie))
})

test('capitals are not the text of the picture', async () => {
  const fields = { cdCnpj: known, cdPessoaContribuinte: '' }
  const loud = await openCadastro()
  const { text } = await loud.post({ ...fields, dsImagem: `${loud.word}A`.toUpperCase() })
  assert.match(text, /Código da imagem inválido/)
})

const PUBLICO = '/internet/publico/'

/** Fills the frame of the site's page, and presses its button. */
async function certify(documento: string, changed: Record<string, string> = {}) {
  const visitor = portals.visitor()
  const site = await visitor.get(SITE, '/SitePages/certidoes.aspx')
  const frame = new URL(load(site.text)('iframe').attr('src') ?? '')
  const form = await visitor.get(frame.hostname, frame.pathname + frame.search)
  assert.match(form.text, /Digite o número\*/)
  const fields = { ...hiddenOf(form.text), tpPessoa: 'J', nrDocumento: documento, okButton: '  Ok  ' }
  const answer = await visitor.post(HOST, `${PUBLICO}process.jsp`, { ...fields, ...changed })
  return { visitor, answer, said: load(answer.text)('font.fontRequiredMsg').last().text() }
}

test('a certificate is asked for in a frame of another host, and is behind a jump and a report', async () => {
  const { visitor, answer } = await certify(known)
  const [, jump = ''] = /location\.href='([^']+)'/.exec(answer.text) ?? []
  const page = await visitor.get(HOST, `${PUBLICO}${jump}`)
  const report = load(page.text)('iframe').attr('src') ?? ''
  const paper = await visitor.get(HOST, `${PUBLICO}${report}`)
  assert.match(paper.body.toString('latin1'), /^%PDF/)
  assert.match((await portals.visitor().get(HOST, `${PUBLICO}${report}`)).text, /expirou/)
})

test('what is missing, wrong or owed is said in the letters of the form', async () => {
  assert.match((await certify(reservado('cnd-positiva'))).said, /Existem débitos/)
  assert.match((await certify(known, { okButton: 'Ok' })).said, /obrigatórios/)
})
