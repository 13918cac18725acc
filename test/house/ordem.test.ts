import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { findDisorder } from '../../tools/casa/ordem.ts'
import { readFiles } from './tree.ts'

test('a room imports those before it, and a file what its rank may touch', () => {
  assert.deepEqual(findDisorder(readFiles('src/**/*.ts')), [])
})

/** One import each, and what is wrong with it. */
const PLANTED: [from: string, to: string, why: string][] = [
  ['src/documento/a.ts', '../platform/b.ts', 'platform stands after documento'],
  ['src/platform/db/a.ts', '../../portal/b.ts', 'portal stands after platform'],
  ['src/portal/a.ts', '../estados/sp.ts', 'estados stands after portal'],
  ['src/estados/sp.ts', '../inscricao/lookup.ts', 'inscricao stands after estados'],
  ['src/certidao/lookup.ts', '../nfe/lookup.ts', 'nfe stands after certidao'],
  ['src/contas/store-contas.ts', '../painel/painel.ts', 'painel stands after contas'],
  ['src/site/site.ts', '../cli/main.ts', 'cli stands after site'],
  ['src/sefaz/a.ts', '../rooms.ts', 'a room imports nothing of the top of src'],
  ['src/nova/a.ts', '../platform/b.ts', 'nova is in no list of rooms'],
  ['src/sefaz/rules-a.ts', './store.ts', 'rules does not import store'],
  ['src/sefaz/rules.ts', './rodada.ts', 'rules does not import lookup'],
  ['src/sefaz/source.ts', './store.ts', 'source does not import store'],
  ['src/sefaz/store.ts', './source.ts', 'store does not import source'],
  ['src/sefaz/lookup.ts', './api.ts', 'lookup does not import door'],
  ['src/sefaz/rodada.ts', './job.ts', 'lookup does not import door'],
  ['src/sefaz/page.ts', './api.ts', 'a door does not import another'],
  ['src/sefaz/api.ts', './apresentacao.ts', 'door does not import presenter'],
  ['src/federal/apresentacao.ts', './store.ts', 'presenter does not import store'],
  ['src/cnpj/apresentacao.ts', 'fastify', 'presenter does not import fastify'],
  ['src/documento/a.ts', 'node:fs', 'rules does not import node:fs'],
  ['src/nfe/rules-a.ts', 'pino', 'rules does not import pino'],
  ['src/nfe/rules.ts', '../platform/db/db.ts', 'rules does not import src/platform/db/db.ts'],
  ['src/portal/rules-a.ts', 'node:fs', 'rules does not import node:fs'],
  ['src/portal/a.ts', '../platform/db/db.ts', 'source does not import src/platform/db/db.ts'],
  [
    'src/estados/sp.ts',
    '../platform/config/config.ts',
    'source does not import src/platform/config/config.ts',
  ],
  ['src/federal/source-a.ts', '../platform/http/a.ts', 'source does not import src/platform/http/a.ts'],
  [
    'src/rural/store.ts',
    '../platform/wire/transport.ts',
    'store does not import src/platform/wire/transport.ts',
  ],
  ['src/certidao/lookup.ts', 'fastify', 'lookup does not import fastify'],
  ['src/sefaz/rodada.ts', '@fastify/cookie', 'lookup does not import @fastify/cookie'],
  ['src/rural/lookup-a.ts', '../platform/pages/html.ts', 'lookup does not import src/platform/pages/html.ts'],
]

for (const [from, to, why] of PLANTED)
  test(`${from} may not import ${to}`, () => {
    for (const text of [
      `import { b } from '${to}'`,
      `import type { B } from '${to}'`,
      `await import('${to}')`,
    ]) {
      const found = findDisorder(new Map([[from, `${text}\n`]]))
      assert.equal(found.length, 1, text)
      assert.ok(found[0]?.endsWith(`: ${why}`), found[0])
    }
  })

test('what each may import is let through', () => {
  const planted: [string, string][] = [
    ['src/sefaz/rules-a.ts', '../documento/uf.ts'],
    ['src/sefaz/source.ts', '../portal/pagina.ts'],
    ['src/sefaz/lookup.ts', './store.ts'],
    ['src/sefaz/page-quadro.ts', './page.ts'],
    ['src/sefaz/job.ts', './rodada.ts'],
    ['src/certidao/apresentacao.ts', './api.ts'],
    ['src/certidao/apresentacao.ts', '../platform/pages/html.ts'],
    ['src/main.ts', './rooms.ts'],
    ['src/rooms.ts', './contas/contas.ts'],
    ['src/documento/a.ts', '@brazilian-utils/brazilian-utils/is-valid-ie'],
    ['src/sefaz/api.ts', 'fastify'],
    ['src/rural/lookup.ts', '../platform/cache/cache.ts'],
  ]
  for (const [from, to] of planted)
    assert.deepEqual(findDisorder(new Map([[from, `import { b } from '${to}'\n`]])), [], from)
})

test('every room at the top of src is in the list', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory())
  const planted = new Map(rooms.map(({ name }) => [`src/${name}/a.ts`, "import './b.ts'\n"]))
  assert.deepEqual(findDisorder(planted), [])
})
