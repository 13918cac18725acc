import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { portais as amazonas } from '../../simulator/estados/am.ts'
import { portais as paraiba } from '../../simulator/estados/pb/pb.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import type { Uf } from '../../simulator/mundo/inscricao/molde.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { mascarar } from '../../simulator/portal/mascara.ts'
import { reservado } from '../reservado.ts'
import { type Portals, startPortais, type Visitor } from './portal.ts'

const company = (uf: Uf) => exemplos().umaInscricao.get(uf) ?? ''
const ieOf = (uf: Uf) =>
  findContribuinte(company(uf))?.inscricoes.find((inscricao) => inscricao.uf === uf)?.ie ?? ''
const many = reservado('muitas')

/** The two pages: where the form is, where it goes, and what is sent for a document and a token. */
const pages = {
  AM: {
    host: 'online.sefaz.am.gov.br',
    form: '/sintegra/index.asp',
    to: '/sintegra/sintegra_cnpj.asp',
    fields: (cgc: string, token: string) => ({ cgc, 'g-recaptcha-response': token, B3: 'Consultar' }),
  },
  PB: {
    host: 'www4.sefaz.pb.gov.br',
    form: '/sintegra/SINf_ConsultaSintegra.jsp',
    to: '/sintegra/SINf_ConsultaSintegra',
    fields: (nrDocumento: string, token: string) => ({
      nrDocumento,
      tipoDoc: 'CNPJ',
      tpDocumento: '2',
      'g-recaptcha-response': token,
    }),
  },
} as const

let portals: Portals
before(async () => {
  portals = await startPortais([...amazonas, ...paraiba])
})
after(() => portals.close())

async function ask(uf: keyof typeof pages, document: string, visitor: Visitor = portals.visitor()) {
  const { host, form, to, fields } = pages[uf]
  const page = await visitor.get(host, form)
  const key = /data-sitekey="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const token = await portals.token('recaptcha-v2', key, `https://${host}${form}`)
  const sent = fields(document, token)
  return { sent, reply: await visitor.post(host, to, sent) }
}

test('PB writes labels and values in turn, the IE in the fourth cell, a table a registration', async () => {
  const { reply } = await ask('PB', company('PB'))
  assert.match(reply.headers['content-type'] ?? '', /iso-8859-1/)
  const cells = [...reply.text.matchAll(/<td>([^<]*)<\/td>/g)].map(([, value]) => value)
  assert.equal(cells[3], mascarar('00.000.000-0', ieOf('PB')))
  assert.equal(cells.length, 30)
  assert.equal((await ask('PB', many)).reply.text.match(/<table/g)?.length, 40)
})

test('PB wants no cookie, and says with HTTP 404 that there is nobody', async () => {
  const { sent } = await ask('PB', 'x')
  const { host, to } = pages.PB
  const stranger = await portals.visitor().post(host, to, { ...sent, nrDocumento: company('PB') })
  assert.match(stranger.text, /Inscrição Estadual/)
  const nobody = (await ask('PB', exemplos().semInscricao)).reply
  assert.deepEqual([nobody.status, /was not found on this server/.test(nobody.text)], [404, false])
  const gone = await portals.visitor().get(host, '/sintegra/outra')
  assert.deepEqual([gone.status, /was not found on this server/.test(gone.text)], [404, true])
})

test('AM lists the registrations, and shows each to whom it listed it', async () => {
  const visitor = portals.visitor()
  const { reply } = await ask('AM', company('AM'), visitor)
  const [, link = ''] = /href="(sintegra_detalhe\.asp\?ie=\d+)"/.exec(reply.text) ?? []
  const detail = await visitor.get(pages.AM.host, `/sintegra/${link}`)
  assert.match(detail.text, new RegExp(mascarar('00.000.000-0', ieOf('AM'))))
  const other = await portals.visitor().get(pages.AM.host, `/sintegra/${link}`)
  assert.equal(other.headers.location, 'index.asp?nErr=1')
  assert.equal((await ask('AM', many)).reply.text.match(/sintegra_detalhe/g)?.length, 40)
})

test('a token is good once, and the session must be there', async () => {
  const { host, to } = pages.AM
  const visitor = portals.visitor()
  const { sent } = await ask('AM', company('AM'), visitor)
  assert.equal((await visitor.post(host, to, sent)).headers.location, 'index.asp?nErr=5')
  const stranger = await portals.visitor().post(host, to, sent)
  assert.equal(stranger.headers.location, 'index.asp?nErr=1')
})

test('who is not there, and who cannot be, are told apart', async () => {
  for (const uf of ['AM', 'PB'] as const) {
    if (uf !== 'PB')
      assert.match((await ask(uf, exemplos().semInscricao)).reply.text, /Nenhum registro encontrado/)
    assert.match((await ask(uf, '11222333000180')).reply.text, /CNPJ inválido/)
  }
})

test('a code that is not the kind’s, or a button left out, is no question', async () => {
  const visitor = portals.visitor()
  const { sent } = await ask('PB', company('PB'), visitor)
  const wrong = await visitor.post(pages.PB.host, pages.PB.to, { ...sent, tpDocumento: '3' })
  assert.match(wrong.text, /Informe o documento/)
  const none = await visitor.post(pages.PB.host, pages.PB.to, { ...sent, tipoDoc: 'constructor' })
  assert.match(none.text, /Informe o documento/)
  const { host, to, fields } = pages.AM
  await visitor.get(host, pages.AM.form)
  const { B3: _, ...short } = fields(company('AM'), 'x')
  assert.equal((await visitor.post(host, to, short)).headers.location, 'index.asp?nErr=5')
})
