import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readCookies } from '../../src/rural/rules.ts'
import { openJar, renewSessao } from '../../src/rural/sessao.ts'
import { openAuthority } from '../kit/authority.ts'
import { AGORA, tentativa } from '../kit/federal.ts'

test('a redirect to the login ends the session, and one to any other page does not', async (t) => {
  let location = ''
  const authority = await openAuthority([
    {
      nome: 'sigef',
      hosts: ['sigef.incra.gov.br'],
      asksCertificado: false,
      answer: (_pedido, reply) => void reply.writeHead(302, { location }).end(),
    },
  ])
  t.after(() => authority.close())
  const cookies = readCookies('sessionid=abc', AGORA)
  for (const [to, codigo] of [
    ['/accounts/login/?next=/consultar/parcelas/', 'sessao-expirada'],
    ['/oauth2/authorization/govbr', 'sessao-expirada'],
    ['https://sso.acesso.gov.br/authorize?client_id=sigef', 'sessao-expirada'],
    ['/processo/impresso/', undefined],
    ['/sucesso/', undefined],
  ] as const) {
    location = to
    const { meios } = tentativa({ http: authority.http })
    const asking = { ...meios, jar: await openJar(cookies), emVaga: <T>(ask: () => Promise<T>) => ask() }
    const error = await renewSessao(asking, cookies).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof SourceError)
    assert.equal(error.codigo, codigo, to)
  }
})

test('the renewal by the login keeps the pace of SIGEF, which the first question sets for all', async (t) => {
  const authority = await openAuthority([
    {
      nome: 'sigef',
      hosts: ['sigef.incra.gov.br'],
      asksCertificado: false,
      answer: (_pedido, reply) => void reply.end('<form id="pesquisaForm"></form>'),
    },
  ])
  t.after(() => authority.close())
  const cookies = readCookies('sessionid=abc\nGovbrid=def', AGORA)
  const { meios } = tentativa({ http: authority.http })
  const paces: unknown[] = []
  const guard: typeof meios.guard = (query, run) => {
    paces.push(query.paceMs)
    return meios.guard(query, run)
  }
  const jar = await openJar(cookies)
  await renewSessao({ ...meios, guard, jar, emVaga: (ask) => ask() }, cookies)
  assert.deepEqual(paces, [500, 500])
})
