import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comportamentos } from '../../simulator/comportamento.ts'
import { portais } from '../../simulator/estados/se.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { type Portals, startPortais, type Visitor } from './portal.ts'

const HOST = 'security.sefaz.se.gov.br'
const SITE = 'www.sefaz.se.gov.br'

let portals: Portals
before(async () => {
  portals = await startPortais(portais)
})
after(() => portals.close())

const known = exemplos().umaInscricao.get('SE') ?? assert.fail()
const reserved = (name: string): string =>
  comportamentos.find(({ nome }) => nome === name)?.documento ?? assert.fail(name)

/** Opens a form: its hidden fields, where it posts to, and the text of its picture. */
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
const openCertidao = (visitor = portals.visitor()) =>
  open(visitor, SITE, '/SitePages/emissao_certidao_negativa.aspx')

test('a registration is found by CNPJ or IE with the text of the picture in small letters', async () => {
  const { post, word } = await openCadastro()
  const { text } = await post({ cdCnpj: known, cdPessoaContribuinte: '', dsImagem: word })
  const ie =
    /Inscrição Estadual:<\/b><\/font><\/td><td><font[^>]*>(27\d{6}-\d)</.exec(text)?.[1] ?? assert.fail(text)
  const other = await openCadastro()
  const byIe = { cdCnpj: '', cdPessoaContribuinte: ie.replace('-', ''), dsImagem: other.word }
  assert.ok((await other.post(byIe)).text.includes(ie))
})

test('capitals, a used name of a picture and an unknown owner each get their page', async () => {
  const fields = { cdCnpj: known, cdPessoaContribuinte: '' }
  const loud = await openCadastro()
  const { text } = await loud.post({ ...fields, dsImagem: `${loud.word}A`.toUpperCase() })
  assert.match(text, /Código da imagem inválido/)
  assert.match((await loud.post({ ...fields, dsImagem: loud.word })).text, /expirou/)
  const { post, word } = await openCadastro()
  const unknown = { cdCnpj: exemplos().desconhecido, cdPessoaContribuinte: '', dsImagem: word }
  assert.match((await post(unknown)).text, /Nenhum resultado encontrado/)
  const bare = await openCadastro()
  assert.match((await bare.post({ cdCnpj: known, dsImagem: bare.word })).text, /expirou/)
})

test('a certificate comes from another host than its form, whose session the picture began', async () => {
  const { post, word } = await openCertidao()
  const paper = await post({ cdCnpj: known, cdCpf: '', dsImagem: word })
  assert.match(paper.body.toString('latin1'), /^%PDF/)
  assert.match((await post({ cdCnpj: known, cdCpf: '', dsImagem: word })).text, /Código da imagem inválido/)
  const debtor = await openCertidao()
  const fields = { cdCnpj: reserved('cnd-positiva'), cdCpf: '', dsImagem: debtor.word }
  assert.match((await debtor.post(fields)).text, /Existem débitos/)
})
