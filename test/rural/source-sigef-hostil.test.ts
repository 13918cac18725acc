import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readCookies } from '../../src/rural/rules.ts'
import { openJar, renewSessao } from '../../src/rural/sessao.ts'
import { findParcela } from '../../src/rural/source-detalhe.ts'
import { listParcelas } from '../../src/rural/source-sigef.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { guarded } from '../kit/transport.ts'

const UUID = '00000000-0000-4000-8000-000000000001'
const TEXTO = 'á '.repeat(400_000)

let authority: Authority
let pagina = ''
let cookies: string[] = []
before(async () => {
  authority = await openAuthority([
    {
      nome: 'SIGEF',
      hosts: ['sigef.incra.gov.br'],
      asksCertificado: false,
      answer: (_, reply) =>
        void reply
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': cookies })
          .end(pagina),
    },
  ])
})
after(() => authority.close())

const lista = (cell: string): string =>
  `<h4>Resultados: 1</h4><table class="table-hover"><tbody><tr><td><a href="/geo/parcela/detalhe/${UUID}/">x</a></td><td></td><td></td><td></td><td>${cell}</td></tr></tbody></table>`

async function meiosOf(session: Parameters<typeof openJar>[0]) {
  const { guard } = guarded({ simultaneous: 1 })
  const emVaga = <T>(ask: () => Promise<T>): Promise<T> => ask()
  return { http: authority.http, guard, jar: await openJar(session), request_id: 'r', emVaga }
}

/** Asks for a list, or for a parcel, that is this page. */
async function refusalOf(html: string, what: 'lista' | 'parcela'): Promise<SourceError> {
  pagina = `<html><body>${html}</body></html>`
  const meios = await meiosOf([])
  const listada = { uuid: UUID, nome: 'x', historico: false }
  const asked = what === 'lista' ? listParcelas('11222333000181', meios) : findParcela(listada, meios)
  return asked.then(
    () => assert.fail('it was read'),
    (error) => (error instanceof SourceError ? error : assert.fail(String(error))),
  )
}

describe('a page whose texts stand in one another is refused before all of them are read', () => {
  for (const [name, what, html] of [
    ['500 titles around a long text', 'lista', '<h1>'.repeat(500) + TEXTO],
    ['450 marks in a row of the list', 'lista', lista('<strong>'.repeat(450) + TEXTO)],
    ['500 panels', 'parcela', '<div class="panel-header">'.repeat(500) + TEXTO],
    [
      '160 cells',
      'parcela',
      `<div class="panel-header">Informações da parcela</div><div class="panel-content">${'<table><tr><td>'.repeat(160)}${TEXTO}</div>`,
    ],
  ] as const)
    test(name, async () => {
      const { kind, message } = await refusalOf(html, what)
      assert.deepEqual([kind, message], ['parse', 'O SIGEF (INCRA) enviou uma página aninhada demais.'])
    })
})

test('a renewal keeps no more cookies than an import takes, and the session among them', async () => {
  pagina = '<html><body><form id="pesquisaForm"></form></body></html>'
  cookies = [
    ...Array.from({ length: 150 }, (_, at) => `c${at}=1; Path=/`),
    `longo=${'v'.repeat(4_097)}; Path=/`,
  ]
  const session = readCookies('sessionid=nossa', NOW)
  const kept = await renewSessao(await meiosOf(session), session)
  assert.equal(kept.length, 60)
  assert.deepEqual(kept[0], session[0])
  assert.ok(kept.every(({ nome }) => nome !== 'longo'))
})
