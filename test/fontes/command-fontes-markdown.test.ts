import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import { writeFontes } from '../../src/fontes/command.ts'

test('docs/states.md lists every route as the files of the states have it (fiscal fontes --markdown > docs/states.md)', () => {
  const page = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8')
  assert.equal(page, writeFontes(estados.values()))
  for (const uf of ufs)
    for (const servico of ['ie', 'cnd']) assert.ok(page.includes(`| ${uf} | ${servico} | 1 |`))
})
