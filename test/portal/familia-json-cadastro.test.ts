import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as al } from '../../src/estados/al.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

const CNPJ = '11222333000181'
const HOST = 'cadastro.sefaz.al.gov.br'
const API = `GET ${HOST}/sfz-cadastro-api/api/contribuinte`

let authority: PortalAuthority
before(async () => {
  authority = await openPortal(HOST)
})
after(() => authority.close())

const json = (value: unknown, status = 200): Given => ({
  utf8: JSON.stringify(value),
  media: 'application/json',
  status,
})
const html = (text: string, status: number): Given => ({ utf8: text, media: 'text/html', status })
const item = (numeroCaceal: string | null, situacaoCadastralContribuinte = 'ATIVO') => ({
  numeroCaceal,
  identificacao: { numeroCaceal, digitoCaceal: '8' },
  situacaoCadastral: {
    situacaoCadastralContribuinte,
    dataAlteracaoSituacaoCastral: '2024-12-11 17:35:34.0',
  },
})
const lista = (content: readonly unknown[], last = true): Given => json({ content, last, totalPages: 1 })
const failing = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind
const ask = (...answers: readonly Given[]) => {
  authority.answers(...answers)
  return al.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}

test('AL lists the registrations of a CNPJ page by page, and drops the person who has none', async () => {
  const found = await ask(
    lista([item('24000004'), item(null)], false),
    lista([item('24225817', 'BAIXA'), item('24333333', 'DESENQUADRAMENTO')]),
  )
  assert.deepEqual(
    found.map((one) => [one.inscricao_estadual, one.situacao_ie, one.situacao_cadastral, one.data_situacao]),
    [
      ['240000048', 'ATIVA', 'ATIVO', '2024-12-11'],
      ['242258178', 'BAIXADA', 'BAIXA', '2024-12-11'],
      ['243333338', 'DESENQUADRAMENTO', 'DESENQUADRAMENTO', '2024-12-11'],
    ],
  )
  assert.equal(found[0]?.razao_social, '')
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    [0, 1].map((page) => `${API}/obterListaContribuintes/CNPJ/${CNPJ}/${page}/50`),
  )
})

test('AL tells one registration by its 8 digits, and nobody by HTTP 404', async () => {
  const recente = { situacaoCadastral: 'INAPTO', dataAlteracaoSituacaoCadastral: '2020-01-02 00:00:00.0' }
  authority.answers(json({ situacaoCadastralRecente: recente }))
  const ie = { tipo: 'ie', documento: '240000048' } as const
  const [found] = await al.ie[0].ask(ie, authority.meios)
  assert.deepEqual(
    [found?.inscricao_estadual, found?.situacao_ie, found?.data_situacao],
    ['240000048', 'INAPTA', '2020-01-02'],
  )
  assert.equal(authority.seen[0]?.pedido, `${API}/obterDadosFic/24000004`)
  authority.answers(json({ status: 404 }, 404))
  assert.deepEqual(await al.ie[0].ask(ie, authority.meios), [])
  assert.deepEqual(await ask(json({ status: 404 }, 404)), [])
  assert.deepEqual(await ask(lista([item(null)])), [])
})

test('AL is asked again while it answers HTTP 5xx, as the clients that use it do', async () => {
  const found = await ask(html('<h1>Bad Gateway</h1>', 502), json({}, 503), lista([item('24000004')]))
  assert.equal(found.length, 1)
  assert.equal(authority.seen.length, 3)
})

test('AL: a web page of 404, a renamed number and a list without an end are no answer', async () => {
  const gone = ask(html('<h1>Página não encontrada</h1>', 404))
  await assert.rejects(gone, { name: 'SourceError', kind: 'http', unavailable: false })
  for (const broken of [json([]), json({ content: [] }), lista([{ caceal: '1' }])])
    await assert.rejects(ask(broken), failing('parse'))
  await assert.rejects(ask('<p>Bem-vindo</p>'), failing('parse'))
  await assert.rejects(
    ask(...Array.from({ length: 5 }, () => lista([item('24000004')], false))),
    failing('parse'),
  )
  await assert.rejects(ask(json({ message: 'CNPJ inválido' }, 400)), (error) => error instanceof ApiError)
})
