import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/domain/fonte/source-error.ts'
import { listParcelas } from '../../src/sources/sigef/busca.ts'
import { findParcela } from '../../src/sources/sigef/detalhe.ts'
import { openJar } from '../../src/sources/sigef/sessao.ts'
import { guarded } from './guard-em-cena.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const uuidOf = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`
const UUID = uuidOf(1)

let house: StandIn
let pagina = ''
before(async () => {
  house = await startStandIn([
    {
      nome: 'SIGEF',
      hosts: ['sigef.incra.gov.br'],
      pedeCertificado: false,
      responder: (_, reply) =>
        void reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pagina),
    },
  ])
})
after(() => house.close())

/** Reads this page as a list, or as a parcel. Undefined for one that SIGEF's reader refuses (`parse`). */
async function read(html: string, what: 'lista' | 'parcela') {
  pagina = `<html><body>${html}</body></html>`
  const { guard } = guarded({ simultaneous: 1 })
  const emVaga = <T>(ask: () => Promise<T>): Promise<T> => ask()
  const meios = { http: house.http, guard, jar: await openJar([]), request_id: 'r', emVaga }
  const listada = { uuid: UUID, nome: 'NOME DA LISTA', historico: false }
  const asked = what === 'lista' ? listParcelas('11222333000181', meios) : findParcela(listada, meios)
  return asked.catch((error: unknown) => {
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
    lista('2.001', linha(link(UUID))),
    lista('1', linha(link(UUID)), linha(link(UUID))),
    `<h3>Total: 2</h3>${lista('1', linha(link(UUID)))}`,
  ])
    assert.equal(await read(html, 'lista'), undefined, html)
})

const painel = (titulo: string, rows: string): string =>
  `<div class="panel-header">${titulo}</div><div class="panel-content"><table>${rows}</table></div>`
const campo = (rotulo: string, valor: string): string => `<tr><th>${rotulo}</th><td>${valor}</td></tr>`

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
    painel(
      'Informações da parcela',
      campo('Código', codigo) + campo('Área', '1,5 ha') + campo('Situação', 'Certificada - x'),
    ),
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
  for (const html of [
    parcela({ codigo: uuidOf(2) }),
    parcela({ nome: '' }),
    parcela({ titulos: '<th>Nome</th><th>Outro</th>' }),
    semRegistro,
  ])
    assert.equal(await read(html, 'parcela'), undefined, html)
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
