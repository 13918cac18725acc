import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as amazonas } from '../../simulator/estados/am.ts'
import { portais as para } from '../../simulator/estados/pa.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals } from '../kit/simulator-portal.ts'

const AM = 'sistemas.sefaz.am.gov.br'
const PA = 'app.sefa.pa.gov.br'
const GAE = '/GAE/mnt/dividaAtiva/certidaoNegativa/'

const company = (uf: Uf) => exemplos().umaInscricao.get(uf) ?? ''
const ieOf = (uf: Uf) =>
  findContribuinte(company(uf))?.inscricoes.find((inscricao) => inscricao.uf === uf)?.ie ?? ''
const isPdf = (body: Buffer) => body.toString('latin1', 0, 5) === '%PDF-'

let portals: Portals
before(async () => {
  portals = await openPortais([...amazonas, ...para])
})
after(() => portals.close())

/** Asks AM by CPF or CNPJ, or by IE in the contributors' form. */
async function askAm(field: 'nrDocumento' | 'nrInscricaoEstadual', value: string, rest = {}) {
  const visitor = portals.visitor()
  const page = `${GAE}emitirCertidaoNegativa${field === 'nrDocumento' ? 'NaoCont' : 'Cont'}Portal.do`
  const form = await visitor.get(AM, page)
  const [, frame = ''] = /<iframe src="([^"]+)"/.exec(form.text) ?? []
  const [, key = ''] = /data-sitekey="([^"]+)"/.exec((await visitor.get(AM, frame)).text) ?? []
  const token = await portals.token('recaptcha-v2', key, `https://${AM}${page}`, { invisivel: true })
  const fields = { [field]: value, csCompleto: 'S', method: 'emitir', 'g-recaptcha-response': token }
  return visitor.post(AM, page, { ...fields, ...rest })
}

test('AM certifies a company that contributes by its IE alone, and the others by document', async () => {
  assert.match((await askAm('nrDocumento', company('AM'))).text, /utilize o formulário de contribuintes/)
  assert.ok(isPdf((await askAm('nrInscricaoEstadual', ieOf('AM'))).body))
  // The other form prints a page.
  assert.match(
    (await askAm('nrDocumento', exemplos().semInscricao)).text,
    /CERTIDÃO NEGATIVA[\s\S]*Válida até: \d/,
  )
})

test('AM prints debts, suspended or not, and says what else there is', async () => {
  const ies = (name: string) => ieInAm(name).then((ie) => askAm('nrInscricaoEstadual', ie))
  assert.ok(isPdf((await ies('cnd-positiva')).body))
  assert.ok(isPdf((await ies('cnd-efeitos')).body))
  assert.match((await ies('cnd-sem-certidao')).text, /pendência de IPVA/)
})

/** The registration of a reserved document, by AM's own portal. */
async function ieInAm(name: string): Promise<string> {
  const host = 'online.sefaz.am.gov.br'
  const visitor = portals.visitor()
  const form = await visitor.get(host, '/sintegra/index.asp')
  const [, key = ''] = /data-sitekey="([^"]+)"/.exec(form.text) ?? []
  const token = await portals.token('recaptcha-v2', key, `https://${host}/sintegra/index.asp`)
  const fields = { cgc: reservado(name), B3: 'Consultar', 'g-recaptcha-response': token }
  const list = await visitor.post(host, '/sintegra/sintegra_cnpj.asp', fields)
  return /detalhe\.asp\?ie=(\d+)/.exec(list.text)?.[1] ?? ''
}

async function askPa(tipo: '1' | '2' | '3', identificacao: string) {
  const visitor = portals.visitor()
  await visitor.get(PA, '/emissao-certidao/template.action')
  const page = await visitor.post(PA, '/emissao-certidao/consultarCertidao.action', { tipo, identificacao })
  const see = (nature: 'T' | 'N') =>
    visitor.get(PA, `/emissao-certidao/emitirCertidao.action?natureza=${nature}`)
  return { text: page.text, see }
}

test('PA asks who has a registration for its number, and shows the two certificates', async () => {
  assert.match((await askPa('2', company('PA'))).text, /informe a IE/)
  const { text, see } = await askPa('3', ieOf('PA'))
  assert.equal(text.match(/Visualizar Certidão/g)?.length, 2)
  assert.ok(isPdf((await see('T')).body))
  assert.match((await see('N')).text, /Não Tributária indisponível/)
  const other = await portals.visitor().get(PA, '/emissao-certidao/emitirCertidao.action?natureza=T')
  assert.match(other.text, /sessão expirou/)
})

test('PA certifies who has none, and refuses what is no document', async () => {
  const { see } = await askPa('2', exemplos().semInscricao)
  assert.ok(isPdf((await see('T')).body))
  assert.match((await askPa('3', '150000000')).text, /Inscrição Estadual inválida/)
})
