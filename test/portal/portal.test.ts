import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { solveAltcha } from '../../src/portal/captcha-resposta.ts'
import { labelOf, legendaOf } from '../../src/portal/inscricao.ts'
import { inscricoes, readRotulos } from '../../src/portal/resultado.ts'
import { rota } from '../../src/portal/rota.ts'
import type { Portal } from '../../src/portal/visita.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

const HOST = 'portal.sefaz.ba.gov.br'
let authority: PortalAuthority
before(async () => {
  authority = await openPortal(HOST, 'www.sefaz.ba.gov.br', 'sefaz.ba.gov.br.example', 'www.sefaz.se.gov.br')
})
after(() => authority.close())

/** One visit to a page of BA that says its lines. */
function visit(answers: Given[], ask: (portal: Portal) => Promise<unknown>): Promise<unknown> {
  authority.answers(...answers)
  const options = {
    leitor: inscricoes({ espera: { marca: '', minimo: 0 } }),
    url: `https://${HOST}/inicio`,
    documentos: { cnpj: '' },
    captcha: 'nenhum',
    certeza: 'memoria',
    origem: 'teste',
    em: '2026',
  } as const
  const teste = rota('teste', 'BA', options, async (portal) => {
    await ask(portal)
    return []
  })
  return teste.ask({ tipo: 'cnpj', documento: '11222333000181' }, authority.meios)
}

const isParse = (error: unknown): boolean => error instanceof SourceError && error.kind === 'parse'

test('a portal may send its visitor to other hosts of its state', async () => {
  await visit([{ para: 'https://www.sefaz.ba.gov.br/outra' }, '<p>oi</p>', '<p>oi</p>'], async (portal) => {
    await portal.get('/inicio')
    await portal.post('https://www.sefaz.ba.gov.br/emite', { cnpj: '1' })
  })
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    [`GET ${HOST}/inicio`, 'GET www.sefaz.ba.gov.br/outra', 'POST www.sefaz.ba.gov.br/emite'],
  )
})

for (const address of [
  'https://sefaz.ba.gov.br.example/emite',
  'https://www.sefaz.se.gov.br/emite',
  'http://127.0.0.1:9200/',
  'http://[::1]/',
  'file:///etc/passwd',
  'http://[não é endereço/',
])
  test(`a page that names ${address} is neither sent the document nor followed there`, async () => {
    const submits = visit(['<p>oi</p>'], async (portal) => {
      await portal.get('/inicio')
      await portal.post(address, { cnpj: '11222333000181' })
    })
    await assert.rejects(submits, isParse)
    assert.equal(authority.seen.length, 1)
    if (!URL.canParse(address)) return
    await assert.rejects(
      visit([{ para: address }], (portal) => portal.get('/inicio')),
      isParse,
    )
    assert.equal(authority.seen.length, 1)
  })

test('a text as long as a page is no value of a registration', () => {
  const legenda = legendaOf()
  const lidos = readRotulos(['Situação Cadastral', '-'.repeat(100_000)], legenda)
  assert.equal(legenda.get(labelOf('Situação Cadastral:')), 'situacao_cadastral')
  assert.ok((lidos.situacao_cadastral?.length ?? 0) <= 500)
})

test('a proof of work is not begun that would hash whole pages', async () => {
  const challenge = {
    algorithm: 'SHA-256',
    challenge: 'x',
    salt: 's'.repeat(5_000),
    signature: 'y',
    maxnumber: 9,
  }
  assert.equal(await solveAltcha(JSON.stringify(challenge)), undefined)
})

test('an authority that names its own Retry-After is believed, for an hour at most', async () => {
  const said: readonly [espera: string | undefined, status: number, retryS: number | null][] = [
    [undefined, 503, 60],
    ['5', 503, 5],
    ['0', 429, 1],
    ['86400', 503, 3600],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 503, 60],
    // HTTP 404 does not pass, whatever it says.
    ['5', 404, null],
  ]
  for (const [espera, status, retryS] of said) {
    const fala = { utf8: '<p>oi</p>', media: 'text/html', status, ...(espera !== undefined && { espera }) }
    await assert.rejects(
      visit([fala], (portal) => portal.get('/inicio')),
      { retryS },
    )
  }
})
