import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { load } from 'cheerio'
import { parseDocument } from 'htmlparser2'
import { createSefaz, type Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { type Authorities, openAuthorities, type Reply } from '../kit/authority.ts'

const PATH = '/portal/disponibilidade.aspx'

let instant = Date.parse('2026-11-14T15:00:20Z')
let authorities: Authorities
let sefaz: Sefaz

before(async () => {
  sefaz = createSefaz({ agora: () => new Date(instant), ritmo: 0 })
  authorities = await openAuthorities(() => new Date(instant), { sefaz })
})
beforeEach(() => sefaz.impose({ padrao: 'normal' }))
after(() => authorities.close())

const get = (host: string, path = PATH, cookie = 'AspxAutoDetectCookieSupport=1'): Promise<Reply> =>
  authorities.ask(host, { path, method: 'GET', headers: { cookie }, certificate: null })

/** The table by row and heading: the name of a picture, or the text. */
function readTable(html: string): { caption: string; rows: Map<string, Map<string, string>> } {
  const $ = load(parseDocument(html))
  const table = $('table.tabelaListagemDados')
  const titles = table
    .find('th')
    .toArray()
    .map((cell) => $(cell).text())
  const rows = table
    .find('tr[class]')
    .toArray()
    .map((row) => {
      const cells = $(row).find('td').toArray()
      const shown = cells.map((cell) => $(cell).find('img').attr('src') ?? $(cell).text().trim())
      return [shown[0] ?? '', new Map(titles.map((title, i) => [title, shown[i] ?? '']))] as const
    })
  return { caption: table.find('caption').text(), rows: new Map(rows) }
}

test('a visitor without cookies is redirected for ever; one that keeps them gets the page, without a certificate', async () => {
  for (const host of ['www.nfe.fazenda.gov.br', 'hom.nfe.fazenda.gov.br', 'www.cte.fazenda.gov.br']) {
    let path = PATH
    for (let i = 0; i < 3; i++) {
      const reply = await get(host, path, '')
      assert.equal(reply.status, 302)
      assert.match(String(reply.headers['set-cookie']), /^AspxAutoDetectCookieSupport=1/)
      path = reply.headers.location ?? ''
      assert.equal(path, `${PATH}?AspxAutoDetectCookieSupport=1`)
    }
    assert.equal((await get(host, path)).status, 200)
  }
})

test('the NF-e has 14 rows and the CT-e nine, with the columns of the official pages and no mean time', async () => {
  const nfe = readTable((await get('www.nfe.fazenda.gov.br')).text)
  const names = 'AM BA GO MG MS MT PE PR RS SP SVAN SVRS SVC-AN SVC-RS'
  assert.equal([...nfe.rows.keys()].join(' '), names)
  assert.match(nfe.caption, /Última Verificação: 14\/11\/2026 12:00:00/)
  const am = nfe.rows.get('AM')
  assert.equal(
    [...(am?.keys() ?? [])].join(),
    'Autorizador,Autorização4,Retorno Autorização4,Inutilização4,Consulta Protocolo4,Status Serviço4,Tempo Médio,Consulta Cadastro4,Recepção Evento4',
  )
  assert.equal(am?.get('Status Serviço4'), 'imagens/bola_verde_P.png')
  assert.deepEqual(new Set([...nfe.rows.values()].map((row) => row.get('Tempo Médio'))), new Set(['-']))
  assert.equal(nfe.rows.get('SVAN')?.get('Consulta Cadastro4'), '')
  assert.equal(nfe.rows.get('SVC-RS')?.get('Inutilização4'), 'imagens/bola_cinza_P.png')
  const cte = readTable((await get('www.cte.fazenda.gov.br')).text)
  assert.equal([...cte.rows.keys()].join(' '), 'MT MS MG PR RS SP SVRS SVSP AN')
})

test('a failure is yellow for ten minutes, then red, and green with the first good answer', async () => {
  const balls = async (host: string, column: string, row: string) =>
    readTable((await get(host)).text)
      .rows.get(row)
      ?.get(column)
  const nfe = (row: string) => balls('www.nfe.fazenda.gov.br', 'Status Serviço4', row)
  const cte = () => balls('www.cte.fazenda.gov.br', 'Status Serviço', 'RS')
  sefaz.impose({
    padrao: 'normal',
    autorizadores: { 'nfe-svrs': '108', 'cte-svrs': 'corte', 'nfe-am': '656' },
  })
  instant += 9 * 60_000
  assert.equal(await nfe('SVC-RS'), 'imagens/bola_amarela_P.png')
  assert.equal(await cte(), 'imagens/bola_amarelo_P.png')
  instant += 60_000
  assert.equal(await nfe('SVRS'), 'imagens/bola_vermelho_P.png')
  assert.equal(await cte(), 'imagens/bola_vermelha_P.png')
  assert.equal(await nfe('AM'), 'imagens/bola_verde_P.png')
  sefaz.impose({ padrao: 'lento' })
  assert.equal(await nfe('SVRS'), 'imagens/bola_verde_P.png')
})

test('a page leads to erro.aspx, shows no table, or an old one, when the instrument says so', async () => {
  for (const doc of ['nfe', 'cte'] as const) {
    const host = `www.${doc}.fazenda.gov.br`
    sefaz.impose({ paginas: { [doc]: 'erro' } })
    const reply = await get(host)
    assert.equal(reply.status, 302)
    assert.match(reply.headers.location ?? '', /^\/portal\/erro\.aspx\?/)
    assert.match((await get(host, reply.headers.location)).text, /Ocorreu um erro/)
    sefaz.impose({ paginas: { [doc]: 'sem-tabela' } })
    assert.equal(readTable((await get(host)).text).rows.size, 0)
    sefaz.impose({ paginas: { [doc]: 'velha' } })
    const { caption } = readTable((await get(host)).text)
    const hour = new Date(instant - 4 * 3_600_000).toISOString().slice(11, 16)
    assert.match(caption, new RegExp(` ${hour}:00 `))
  }
})
