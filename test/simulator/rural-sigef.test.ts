import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { exemplosRurais, parcelaDo, parcelasDe } from '../../simulator/rural/parcelas.ts'
import { type Authorities, openAuthorities, type Reply } from '../kit/authority.ts'
import { reservado } from '../kit/simulator.ts'

const SIGEF = 'sigef.incra.gov.br'
const SSO = 'sso.acesso.gov.br'

/** What `/ambiente.json` tells of SIGEF: `Cookie` headers. */
type AccessToSigef = {
  cookies: string
  outros: { renovavel: string; encerrado: string; recusado: string }
}

/** Reads it from a simulator. */
async function accessToSigef({ address }: Authorities): Promise<AccessToSigef> {
  const text = await (await fetch(`${address}/ambiente.json`)).text()
  const ambiente: { sigef: AccessToSigef } = JSON.parse(text)
  return ambiente.sigef
}

/** The cookie of that name that an answer sets, as a header sends it back. */
function cookieOf({ headers }: Reply, name: string): string {
  const line = headers['set-cookie']?.find((one) => one.startsWith(`${name}=`)) ?? ''
  return line.split(';')[0] ?? ''
}

const RURAIS = exemplosRurais()
let clock = new Date('2026-11-14T15:00:00Z')
let authorities: Authorities
let access: AccessToSigef
before(async () => {
  authorities = await openAuthorities(() => clock)
  access = await accessToSigef(authorities)
})
after(() => authorities.close())

const get = (path: string, cookie = access.cookies, host = SIGEF) =>
  authorities.ask(host, { path, method: 'GET', headers: cookie ? { cookie } : {}, certificate: null })
const search = (documento: string, page = 1) =>
  get(`/consultar/parcelas/?page=${page}&termo=&pesquisa_avancada=True&cpf_cnpj=${documento}`)
const codesOf = (text: string) =>
  [...text.matchAll(/\/geo\/parcela\/detalhe\/([^/"]+)\/"/g)].map(([, c]) => c)
const detail = (code: string | undefined) => get(`/geo/parcela/detalhe/${code}/`)

/** The part of a page that stands under the panel of that title. */
const panel = (text: string, title: string): string =>
  text.split('<div class="panel dv-expandable">').find((one) => one.includes(`</i> ${title} `)) ?? ''

test('the search tells the parcels of a holder, digits alone, and nothing of a masked document', async () => {
  const { status, text } = await search(RURAIS.pessoa)
  assert.equal(status, 200)
  assert.match(text, /<h3>Resultados: 1<\/h3>/)
  assert.match(text, /<tbody id="tbl-parcelas tbody">/)
  assert.deepEqual(
    codesOf(text),
    parcelasDe(RURAIS.pessoa).map(({ codigo }) => codigo),
  )
  const masked = RURAIS.pessoa.replace(/^(...)(...)(...)/, '$1.$2.$3-')
  assert.match((await search(masked)).text, /Resultados: 0</)
  assert.match((await search(RURAIS.desconhecida)).text, /Resultados: 0</)
  assert.doesNotMatch((await get('/consultar/parcelas/')).text, /Resultados|Total:/, 'the form alone')
})

test('twenty-five parcels are on three pages, and the link to the next one has the question', async () => {
  const cnpj = reservado('sigef-25')
  const found: (string | undefined)[] = []
  let path: string | undefined = `?page=1&pesquisa_avancada=True&cpf_cnpj=${cnpj}`
  for (let page = 1; path; page++) {
    const { text } = await get(`/consultar/parcelas/${path}`)
    assert.match(text, /<h3>Resultados: 25<\/h3>/)
    found.push(...codesOf(text))
    path = /<li class="next"><a href="([^"]*)"/
      .exec(text)?.[1]
      ?.replaceAll('&#38;', '&')
      .replaceAll('&amp;', '&')
    assert.equal(path === undefined, page === 3)
  }
  assert.equal(new Set(found).size, 25)
  assert.equal((await search(cnpj, 4)).status, 404)
})

test('the new paging says Total, and its links name the page and the limit alone', async () => {
  const cnpj = reservado('sigef-25-nova')
  const { text } = await search(cnpj)
  assert.match(text, /<h4>Total: 25<\/h4>/)
  assert.match(text, /<div class="br-pagination"><ul>[\s\S]*href="\?page=2&(?:amp|#38);limit=10"/)
  assert.match(text, /<li class="page-count"><span>\.\.\.<\/span>/)
  assert.equal(codesOf((await search(cnpj, 3)).text).length, 5)
})

test('a parcel tells Denominação and Situação in two panels, and hides its holder in the mask of its kind', async () => {
  const [person] = parcelasDe(RURAIS.pessoa)
  const { text } = await detail(person?.codigo)
  assert.equal(text.match(/<th>Denominação<\/th>/g)?.length, 2)
  assert.equal(text.match(/<th>Situação<\/th>/g)?.length, 2)
  assert.match(
    panel(text, 'Informações da parcela'),
    /Certificada - [^<]+<br\/>\s*<small>Parcela certificada/,
  )
  assert.match(
    panel(text, 'Informações da parcela'),
    /<th>Envio<\/th><td>.*<\/td><td>\d\d\/\d\d\/\d{4}<\/td>/,
  )
  const georef = panel(text, 'Informações da Área Georreferenciada')
  assert.match(georef, /<th>Situação<\/th><td>Imóvel Registrado<\/td>/)
  assert.match(georef, /<th colspan="2">Municípios<\/th><\/tr>\s*<tr><td colspan="2">[^<]+ - [A-Z]{2}<\/td>/)
  assert.match(panel(text, 'Identificação do(a) detentor(a)'), /<td>\*\*\*\.\d{3}\.\d{3}\*\*<\/td>/)
  const [company] = parcelasDe(RURAIS.empresa)
  const ofCompany = (await detail(company?.codigo)).text
  const [, shown] = /<td>(\*\*\.\*[\d./]+\*\*)<\/td>/.exec(ofCompany) ?? []
  assert.equal(shown, `**.*${RURAIS.empresa.replace(/^...(..)(...)(....)../, '$1.$2/$3')}**`)
})

test('there are parcels with several holders, municipalities and registrations, and old ones', async () => {
  const pageOf = async (who: string, which: (one: ReturnType<typeof parcelasDe>[number]) => boolean) =>
    (await detail(parcelasDe(who).find(which)?.codigo)).text
  const shared = await pageOf(RURAIS.comCondominos, ({ detentores }) => detentores.length > 1)
  assert.ok((panel(shared, 'Identificação do(a) detentor(a)').match(/<td>\*\*\*/g)?.length ?? 0) > 1)
  const shownToOther = codesOf((await search(RURAIS.condomino)).text)
  const ofBoth = parcelasDe(RURAIS.comCondominos).find(({ detentores }) => detentores.length > 1)
  assert.ok(shownToOther.includes(ofBoth?.codigo ?? '?'), 'the other holder finds the same parcel')
  const inTwo = await pageOf(RURAIS.doisMunicipios, ({ municipios }) => municipios.length > 1)
  const [, places = ''] = panel(inTwo, 'Informações da Área Georreferenciada').split('Municípios')
  assert.equal(places.match(/<td colspan="2">/g)?.length, 2)
  const several = await pageOf(RURAIS.variasMatriculas, ({ matricula }) => matricula.includes(';'))
  assert.match(panel(several, 'Informações de Registro'), /<th>Matrícula<\/th><td>\d+;\d+ e \d+<\/td>/)
  assert.match((await search(RURAIS.comHistorico)).text, /<strong>Parcela no Histórico<\/strong>/)
  const unconfirmed = await pageOf(reservado('sigef-25'), ({ registrada }) => !registrada)
  assert.match(unconfirmed, /<tr class="error"><th>Situação do Registro/)
})

test('a code leads back to its parcel, whoever holds it, and no other code does', () => {
  const holders = [RURAIS.pessoa, RURAIS.empresa, ...listContribuintes().map(({ documento }) => documento)]
  const withLetters = holders.filter((one) => /[A-Z]/.test(one) && parcelasDe(one).length > 0)
  assert.ok(withLetters.length > 0)
  for (const parcel of [...holders.slice(0, 2), ...withLetters].flatMap(parcelasDe)) {
    assert.match(parcel.codigo, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(parcelaDo(parcel.codigo), parcel)
    const last = parcel.codigo.endsWith('0') ? '1' : '0'
    assert.equal(parcelaDo(parcel.codigo.slice(0, -1) + last), undefined)
  }
})

test('an unknown parcel is 404, for who has a session', async () => {
  assert.equal((await detail('3fa85f64-5717-4562-b3fc-2c963f66afa6')).status, 404)
  const [mine] = parcelasDe(RURAIS.pessoa)
  assert.equal((await get(`/geo/parcela/detalhe/${mine?.codigo}/`, '')).status, 302)
})

test('without a session of its own SIGEF sends to gov.br, which shows its form to strangers', async () => {
  for (const cookie of ['', 'sessionid=abcdefghijklmnopqrstuvwxyz012345', access.outros.encerrado]) {
    const first = await get('/consultar/parcelas/?cpf_cnpj=1', cookie)
    assert.deepEqual([first.status, first.headers.location], [302, '/oauth2/authorization/govbr'])
    const second = await get('/oauth2/authorization/govbr', cookie)
    const authorize = new URL(second.headers.location ?? '')
    assert.equal(authorize.host, SSO)
    const third = await get(authorize.pathname + authorize.search, cookie, SSO)
    assert.match(third.headers.location ?? '', /^https:\/\/sso\.acesso\.gov\.br\/login\?/)
    const { status, text } = await get('/login?client_id=x', cookie, SSO)
    assert.equal(status, 200)
    assert.match(text, /Identifique-se no gov\.br/)
  }
})

test("gov.br's cookies give a new session, which ends after four hours, and which they renew again", async () => {
  for (let round = 0; round < 2; round++) {
    const session = await login(access.outros.renovavel)
    assert.equal((await get('/consultar/parcelas/?cpf_cnpj=1', session)).status, 200)
    clock = new Date(clock.getTime() + 4 * 3_600_000 + 1000)
    assert.equal((await get('/consultar/parcelas/?cpf_cnpj=1', session)).status, 302)
  }
  const back = await get('/login/oauth2/code/govbr?code=x&state=y', '')
  assert.equal(back.headers['set-cookie'], undefined, 'a code that gov.br did not give opens nothing')
})

async function login(cookie: string): Promise<string> {
  const toGovBr = new URL((await get('/oauth2/authorization/govbr', cookie)).headers.location ?? '')
  const back = new URL((await get(toGovBr.pathname + toGovBr.search, cookie, SSO)).headers.location ?? '')
  assert.equal(back.host, SIGEF)
  const done = await get(back.pathname + back.search, cookie)
  return cookieOf(done, 'sessionid')
}

test('a cookie of the firewall that it did not give is refused with HTTP 200', async () => {
  const { status, text } = await get('/consultar/parcelas/?cpf_cnpj=1', access.outros.recusado)
  assert.equal(status, 200)
  assert.match(text, /<title>Request Rejected<\/title>/)
})

test('each misbehaviour of the pages shows where it is said to', async () => {
  const of = (nome: string, page = 1) => search(reservado(nome), page)
  const status = async (nome: string) => (await of(nome)).status
  assert.deepEqual(
    await Promise.all(['sigef-401', 'html-403', 'sigef-500', 'html-404', 'sessao-velha'].map(status)),
    [401, 403, 500, 404, 302],
  )
  assert.match((await of('waf')).text, /Request Rejected/)
  assert.match((await of('sigef-barrado', 2)).text, /Request Rejected/)
  assert.doesNotMatch((await of('layout')).text, /Resultados|Total:|<table/)
  assert.match((await of('sigef-conta-errada')).text, /Resultados: 4</)
  const detailOf = async (nome: string) => detail(codesOf((await of(nome)).text)[0])
  assert.equal((await detailOf('sigef-detalhe-404')).status, 404)
  assert.equal((await detailOf('sigef-sessao-cai')).status, 302)
  assert.equal(panel((await detailOf('sigef-detalhe-mudado')).text, 'Informações da Área'), '')
  const bare = panel((await detailOf('sigef-sem-documento')).text, 'Identificação do(a) detentor(a)')
  assert.match(bare, /<tr><td>[^<]+<\/td><td><\/td><\/tr>/)
  const [own, other] = [reservado('outro-documento'), comportamentos[0]?.documento ?? '']
  assert.notEqual(own, other)
  const shown = /<td>(\*\*\.\*[^<]+)<\/td>/.exec((await detailOf('outro-documento')).text)?.[1] ?? ''
  assert.ok(shown && !shown.includes(own.slice(5, 8)), shown)
})
