import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { openJar } from '../../src/rural/sessao.ts'
import { findCertificacao, findParcela } from '../../src/rural/source-detalhe.ts'
import { listParcelas } from '../../src/rural/source-sigef.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'
import { guarded } from '../kit/transport.ts'

const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const UUID = uuidOf(1)

let authority: Authority
/** The pages of the list in their order, or the page of a parcel; and the questions that asked for them. */
let paginas: readonly string[] = []
let asked: URLSearchParams[] = []
before(async () => {
  authority = await openAuthority([
    {
      nome: 'SIGEF',
      hosts: ['sigef.incra.gov.br', 'acervofundiario.incra.gov.br'],
      asksCertificado: false,
      answer: ({ consulta }, reply) => {
        asked.push(consulta)
        const pagina = paginas[Number(consulta.get('page') ?? 1) - 1] ?? ''
        reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pagina)
      },
    },
  ])
})
after(() => authority.close())

const inteira = (html: string): string => `<html><body>${html}</body></html>`

/** Reads pages as a list, or one as a parcel. Undefined where SIGEF's reader refuses them (`parse`). */
async function read(html: string | readonly string[], what: 'lista' | 'parcela') {
  paginas = typeof html === 'string' ? [inteira(html)] : html
  asked = []
  const waiting = guarded({ simultaneous: 1 })
  const guard: typeof waiting.guard = (query, run) => waiting.guard({ ...query, paceMs: 0 }, run)
  const emVaga = <T>(ask: () => Promise<T>): Promise<T> => ask()
  const meios = { http: authority.http, guard, jar: await openJar([]), request_id: 'r', emVaga }
  const listada = { uuid: UUID, nome: 'NOME DA LISTA', historico: false }
  const found = what === 'lista' ? listParcelas('11222333000181', meios) : findParcela(listada, meios)
  return found.catch((error: unknown) => {
    assert.ok(error instanceof SourceError && error.kind === 'parse', String(error))
  })
}

const link = (uuid: string): string => `<a href="/geo/parcela/detalhe/${uuid}/">x</a>`
const linha = (first: string, cells = 4): string => `<tr><td>${first}</td>${'<td></td>'.repeat(cells)}</tr>`
const lista = (total: string, ...linhas: string[]): string =>
  `<h4>Resultados: ${total}</h4><table class="table-hover"><tbody>${linhas.join('')}</tbody></table>`

test('a list is read only where its rows, its count and its columns are what they always were', async () => {
  assert.deepEqual(await read(lista('1', linha(link('ABCDEF00-0000-4000-8000-00000000000A'))), 'lista'), [
    { uuid: 'abcdef00-0000-4000-8000-00000000000a', nome: 'x', historico: false },
  ])
  for (const html of [
    lista('1', linha(link(UUID) + link(uuidOf(2)))),
    lista('1', linha(link(UUID), 6)),
    lista('1', '<tr><td>Nada</td></tr>'),
    lista('1', linha(link(UUID)), '<tr><td>Nada</td></tr>'),
    lista('0', linha('Nada')),
    lista('1', linha(link(UUID)), linha(link(UUID))),
    `${lista('1', linha(link(UUID)))}<h3>Total: 2</h3>`,
  ])
    assert.equal(await read(html, 'lista'), undefined, html)
  assert.deepEqual(await read(lista('0', '<tr><td>Nada</td></tr>'), 'lista'), [], 'none may have a row')
  const twice = `${lista('1', linha(link(UUID)))}<h3>Total: 1</h3>`
  assert.equal(Object(await read(twice, 'lista')).length, 1, 'the same count may stand twice')
})

const rows = (count: number): string[] => Array.from({ length: count }, (_, at) => linha(link(uuidOf(at))))

test('a list of 2,000 parcels is read, whose count has a point, and a longer one is refused', async () => {
  assert.equal(Object(await read(lista('2.000', ...rows(2_000)), 'lista')).length, 2_000)
  assert.equal(await read(lista('2.001', ...rows(2_001)), 'lista'), undefined)
})

/** The pages of a list, each with its own rows, the last without a link to a next one. */
function folhas(totals: readonly number[], rowsOf: (at: number) => string[], limite = ''): string[] {
  return totals.map((total, at) => {
    const next = `<div class="pagination"><a href="?page=${at + 2}${limite}">x</a></div>`
    return inteira(lista(String(total), ...rowsOf(at)) + (at + 1 < totals.length ? next : ''))
  })
}

const oneEach = (at: number): string[] => [linha(link(uuidOf(at)))]

test('a list of 200 pages is read, and one that goes on is refused', async () => {
  const of = (count: number) => folhas(Array(count).fill(count), oneEach)
  assert.equal(Object(await read(of(200), 'lista')).length, 200)
  assert.equal(await read(of(201), 'lista'), undefined)
})

test('pages of one list whose counts differ, or that are empty before the last, contradict it', async () => {
  assert.equal(Object(await read(folhas([2, 2], oneEach), 'lista')).length, 2)
  assert.equal(await read(folhas([2, 3], oneEach), 'lista'), undefined)
  const empty = folhas([1, 1, 1], (at) => (at === 0 ? oneEach(0) : []))
  assert.equal(await read(empty, 'lista'), undefined)
  assert.equal(asked.length, 2, 'the third is not asked for')
})

test('the next page is asked for with the limit of the link, if it is one', async () => {
  for (const [limite, sent] of [
    ['&limit=25', '25'],
    ['&limit=100', '100'],
    ['&limit=1000', null],
    ['&limit=x', null],
    ['', null],
  ] as const) {
    await read(folhas([2, 2], oneEach, limite), 'lista')
    assert.deepEqual([asked.length, asked[0]?.get('limit'), asked[1]?.get('limit')], [2, null, sent], limite)
  }
})

const painel = (titulo: string, rows: string): string =>
  `<div class="panel-header">${titulo}</div><div class="panel-content"><table>${rows}</table></div>`
const campo = (rotulo: string, valor: string): string => `<tr><th>${rotulo}</th><td>${valor}</td></tr>`

const AREA = campo('Área', '1,5 ha')

type Mudanca = Partial<
  Record<'codigo' | 'nome' | 'titulos' | 'denominacao' | 'municipio' | 'registro', string>
>

function parcela({
  codigo = UUID,
  nome = 'FULANO',
  titulos = '<th>Nome</th><th>CPF/CNPJ</th>',
  denominacao = 'SITIO',
  municipio = 'GOIANIA - GO',
  registro = painel('Informações de registro', campo('Matrícula', '12')),
}: Mudanca): string {
  return [
    painel('Informações da parcela', campo('Código', codigo) + AREA + campo('Situação', 'Certificada - x')),
    painel(
      'Identificação do(a) detentor(a)',
      `<tr>${titulos}</tr><tr><td>${nome}</td><td>***.982.247**</td></tr>`,
    ),
    painel(
      'Informações da área georreferenciada',
      `${campo('Denominação', denominacao)}${campo('Situação', 'Imóvel registrado')}${campo('Natureza', 'Particular')}<tr><th>Municípios</th></tr><tr><td>${municipio}</td></tr>`,
    ),
    registro,
  ].join('')
}

test('a parcel is read by its own page, whose municipality may have a dash in its name', async () => {
  const lida = await read(parcela({ municipio: 'OLHOS - DAGUA - GO', denominacao: '' }), 'parcela')
  const { municipio, uf, denominacao, matricula } = Object(Object(lida).parcela)
  assert.deepEqual([municipio, uf, denominacao, matricula], ['OLHOS - DAGUA', 'GO', 'NOME DA LISTA', '12'])
  const semRegistro = parcela({ registro: '' })
  const devolved = semRegistro.replace('Imóvel registrado', 'Imóvel não registrado')
  assert.equal(Object(Object(await read(devolved, 'parcela')).parcela).matricula, '')
  const folded = painel('<i>+</i> Informações de registro <a>Dobrar</a>', campo('Matrícula', '34'))
  const titled = await read(parcela({ registro: folded }), 'parcela')
  assert.equal(Object(Object(titled).parcela).matricula, '34')
  for (const html of [
    parcela({ codigo: uuidOf(2) }),
    parcela({ nome: '' }),
    parcela({ titulos: '<th>Nome</th><th>Outro</th>' }),
    semRegistro,
    parcela({}) + painel('Informações da parcela', campo('Código', UUID)),
    parcela({}).replace(AREA, AREA + campo('Área', '2,5 ha')),
  ])
    assert.equal(await read(html, 'parcela'), undefined, html)
  assert.ok(await read(parcela({}).replace(AREA, AREA + AREA), 'parcela'), 'a field may repeat its value')
  assert.equal(await read([`<html><body>${parcela({})}`], 'parcela'), undefined, 'it is cut short')
})

test('of a cell only what stands before its first line break is read', async () => {
  const marked = parcela({ denominacao: 'SITIO <small>por quê</small>' })
  assert.equal(Object(Object(await read(marked, 'parcela')).parcela).denominacao, 'SITIO')
  for (const small of ['<small>por quê</small>', '<span>por quê</span>', 'por quê', 'por<br>quê'])
    for (const valor of [`SITIO<br>${small}`, `<p>SITIO<br/>\n${small}</p>`])
      assert.equal(
        Object(Object(await read(parcela({ denominacao: valor }), 'parcela')).parcela).denominacao,
        'SITIO',
        valor,
      )
})

test('a parcel with more vertices than any page may have elements is read', async () => {
  for (const titulo of ['Vértices', 'V&eacute;rtices', 'V&#233;rtices'])
    assert.ok(
      await read(
        `${parcela({})}<div class="panel-header">${titulo} da parcela</div>${'<i>1</i>'.repeat(40_000)}`,
        'parcela',
      ),
      titulo,
    )
})

test('a holder or a farm that is called like a panel loses nothing of its page', async () => {
  for (const nome of ['Vértices da parcela', 'SÍTIO VÉRTICES DA PARCELA LTDA', 'Informações de registro']) {
    const html = parcela({ nome, denominacao: nome, municipio: `${nome} - GO` })
    const registro = painel('Informações de registro', campo('Matrícula', nome))
    const vertices = painel('<i></i> V&eacute;rtices da parcela', campo('Código', 'A')).repeat(2)
    const lida = Object(await read(parcela({ nome, registro }) + vertices, 'parcela')).parcela
    assert.deepEqual([lida?.detentor, lida?.matricula], [nome, nome])
    const { denominacao, municipio, matricula } = Object(Object(await read(html, 'parcela')).parcela)
    assert.deepEqual([denominacao, municipio, matricula], [nome, nome, '12'])
  }
})

test('the day of certification is read in either order, and not for another parcel or a day that cannot be', async () => {
  const { guard } = guarded({ simultaneous: 1, failures: 100 })
  const dayOf = (...features: [codigo: string, data: string][]) => {
    const of = ([codigo, data]: [string, string]) =>
      `<m><ms:c><ms:parcela_codigo>${codigo}</ms:parcela_codigo><ms:data_aprovacao>${data}</ms:data_aprovacao></ms:c></m>`
    const members = features.map(of).join('').replaceAll('m>', 'gml:featureMember>')
    const names = 'xmlns:gml="g" xmlns:ms="m" xmlns:wfs="w"'
    paginas = [`<wfs:FeatureCollection ${names}>${members}</wfs:FeatureCollection>`]
    asked = []
    const parcela = { codigo_parcela: UUID, uf: 'GO', natureza: 'PÚBLICO' } as const
    return findCertificacao(parcela, { http: authority.http, guard, request_id: 'r' }).catch(String)
  }
  assert.equal(await dayOf([UUID, '2013-05-31 10:00:00']), '2013-05-31')
  assert.equal(asked[0]?.get('tema'), 'certificada_sigef_publico_go')
  assert.equal(await dayOf([UUID, '31/05/2013']), '2013-05-31')
  assert.equal(await dayOf([UUID, '']), '')
  assert.equal(await dayOf([UUID, '2013-05-31'], [UUID, '31/05/2013']), '2013-05-31')
  const unknown = /não se entende/
  assert.match(await dayOf([UUID, '2013-02-31']), unknown)
  assert.match(await dayOf([uuidOf(2), '2013-05-31']), unknown)
  assert.match(await dayOf([UUID, '2013-05-31'], [UUID, '2014-05-31']), unknown)
})
