import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mask } from '../../simulator/documento/documento.ts'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as amazonas } from '../../simulator/estados/am.ts'
import { portais as paraiba } from '../../simulator/estados/pb.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const company = (uf: Uf) => exemplos().umaInscricao.get(uf) ?? ''
const ieOf = (uf: Uf) =>
  findContribuinte(company(uf))?.inscricoes.find((inscricao) => inscricao.uf === uf)?.ie ?? ''
const many = reservado('muitas')

/** The two pages: the address of the form, its target, and the fields for a document and a token. */
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
  portals = await openPortais([...amazonas, ...paraiba])
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
  assert.equal(cells[3], mask('00.000.000-0', ieOf('PB')))
  assert.equal(cells.length, 30)
  assert.equal((await ask('PB', many)).reply.text.match(/<table/g)?.length, 40)
})

test('AM lists the registrations, and shows each to whom it listed it', async () => {
  const visitor = portals.visitor()
  const { reply } = await ask('AM', company('AM'), visitor)
  const [, link = ''] = /href="(sintegra_detalhe\.asp\?ie=\d+)"/.exec(reply.text) ?? []
  const detail = await visitor.get(pages.AM.host, `/sintegra/${link}`)
  assert.match(detail.text, new RegExp(mask('00.000.000-0', ieOf('AM'))))
  const other = await portals.visitor().get(pages.AM.host, `/sintegra/${link}`)
  assert.equal(other.headers.location, 'index.asp?nErr=1')
  assert.equal((await ask('AM', many)).reply.text.match(/sintegra_detalhe/g)?.length, 40)
})

test('a code that is not the kind’s is no question', async () => {
  const visitor = portals.visitor()
  const { sent } = await ask('PB', company('PB'), visitor)
  const wrong = await visitor.post(pages.PB.host, pages.PB.to, { ...sent, tpDocumento: '3' })
  assert.match(wrong.text, /Informe o documento/)
  const none = await visitor.post(pages.PB.host, pages.PB.to, { ...sent, tipoDoc: 'constructor' })
  assert.match(none.text, /Informe o documento/)
})
