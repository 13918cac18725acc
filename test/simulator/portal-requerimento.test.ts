import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { portais } from '../../simulator/estados/mt.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { openPortais, type Portals, type Visitor } from '../kit/simulator-portal.ts'

const HOST = 'www.sefaz.mt.gov.br'
const CADASTRO = '/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto'
const SERVLET = '/cnd/certidao/servlet/ServletRotdAberto'
const latin1 = { charset: 'iso-8859-1' } as const

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

const known = exemplos().umaInscricao.get('MT') ?? assert.fail()

async function look(visitor: Visitor, numrDoct: string) {
  const page = await visitor.get(HOST, CADASTRO)
  const src = /id="imagemCaptcha" src="([^"]*)"/.exec(page.text)?.[1] ?? assert.fail(page.text)
  const captchaDigitado = await portals.readImage((await visitor.get(HOST, src)).body)
  const codigoTipoDocumento = numrDoct.length === 11 ? '3' : '2'
  const asked = {
    pagn: 'Pesquisar',
    numrDoct,
    codigoTipoDocumento,
    captchaDigitado,
    ajaxRequest: '1',
    vU: '1',
  }
  const again = (more = {}) =>
    visitor.post(HOST, `${CADASTRO}?${new URLSearchParams({ ...asked, ...more })}`, {}, latin1)
  return { again, reply: await again() }
}

const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<font[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, value = '']) => value),
  )

test('the register lists number, name and situation, a row a registration', async () => {
  const [row = []] = rowsOf((await look(portals.visitor(), known)).reply.text)
  assert.match(row[0] ?? '', /^13\.\d{3}\.\d{3}-\d$/)
  assert.equal(row[2], 'ATIVO')
  const farmer = exemplos().produtorRural.find(({ uf }) => uf === 'MT')?.documento ?? assert.fail()
  assert.equal(rowsOf((await look(portals.visitor(), farmer)).reply.text).length, 5)
})

test('a parameter with another value is no question', async () => {
  const { again } = await look(portals.visitor(), known)
  assert.match((await again({ ajaxRequest: '0' })).text, /não informado: ajaxRequest/)
})

const empty = { codgMenu: '', nomeMenu: '', barraMenu: '', codgTemporario: '' }

function request(visitor: Visitor, documento: string, more: Record<string, string> = {}) {
  const fields = {
    origem: '76',
    indiceModlCertSelecionado: '19',
    numrDoctFinal: documento,
    tipoDoctSele: '2',
    tipoDocumento: 'CNPJ',
    numeroDocumento: documento,
    botaoSubmit: '     OK     ',
    ...empty,
    'cf-turnstile-response': '',
    ...more,
  }
  return visitor.post(HOST, SERVLET, fields, latin1)
}

/** Fetches the paper as often as the page refreshes itself. */
async function fetchPaper(visitor: Visitor) {
  for (let times = 1; ; times++) {
    const reply = await visitor.get(HOST, SERVLET)
    if (!/http-equiv="refresh"/.test(reply.text)) return { ...reply, times }
  }
}

test('a certificate is asked for, waited for and fetched once', async () => {
  const visitor = portals.visitor()
  await visitor.get(HOST, `${SERVLET}?origem=60`)
  assert.match((await request(visitor, known)).text, /refresh" content="\d+"[\s\S]*REQUERIMENTO/)
  assert.match((await fetchPaper(visitor)).body.toString('latin1'), /^%PDF/)
  assert.match((await visitor.get(HOST, SERVLET)).text, /expirou/)
  await request(visitor, reservado('cnd-positiva'))
  assert.match((await fetchPaper(visitor)).text, /não são suficientes para que se considere/)
})

test('who has a certificate in force is told so, may have it printed again, and may ask for a new one', async () => {
  const visitor = portals.visitor()
  await visitor.get(HOST, `${SERVLET}?origem=60`)
  const documento = exemplos().desconhecido
  assert.match((await request(visitor, documento)).text, /Reimprimir Certidão Vigente/)
  const reprint = { origem: '63', numrDoct: documento }
  assert.match((await visitor.post(HOST, SERVLET, reprint)).body.toString('latin1'), /^%PDF/)
  assert.match((await visitor.post(HOST, SERVLET, { ...reprint, numrDoct: known })).text, /está incorreto/)
  assert.match((await portals.visitor().post(HOST, SERVLET, reprint)).text, /expirou/)
  const fields = {
    origem: '62',
    indiceModlCertSelecionado: '19',
    numrDoct: '',
    caracteres: '',
    usuario: 'null',
  }
  const anew = { ...fields, ...empty, tipoDoctSele: '2', numrDoctFinal: documento }
  assert.match((await visitor.post(HOST, SERVLET, anew)).text, /REQUERIMENTO/)
  assert.match((await visitor.post(HOST, SERVLET, { ...anew, usuario: '' })).text, /está incorreto/)
})

test('a field that the script leaves empty must come empty', async () => {
  const visitor = portals.visitor()
  await visitor.get(HOST, `${SERVLET}?origem=60`)
  assert.match((await request(visitor, known, { codgMenu: '1' })).text, /documento informado está incorreto/)
})
