import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { measureTree } from '../../tools/casa/medidas.ts'
import { EXCECOES, judge } from '../../tools/casa/metas.ts'

/** A small house in which each measure has something to count, and something beside it. */
const PLANTED = {
  'CONTRIBUTING.md': `| A | B |
|---|---|

## Words

| Word | Means |
|---|---|
| a | b |
| c | d |

## Rules

| e |
`,
  'docs/decisions/0001-small.md': '',
  'src/main.ts': `import { openNotas } from './notas/lookup.ts'
import { openTempo } from './platform/tempo.ts'

openNotas({ a: 1 })
openTempo({ now: 1 })
`,
  'src/notas/lookup.ts': `/** What it takes. */
export type ParaNotas = { a: number }
// A note.
export function openNotas(para: ParaNotas): string {
  return \`\${para.a}
// of the text\` // not a line of a comment
}
`,
  'src/notas/rules.ts': `import type { Tempo } from '../platform/tempo.ts'
export { openNotas } from './lookup.ts'
type MeiosDaNota = Tempo
export type Nota = { meios: MeiosDaNota }
`,
  'src/platform/tempo.ts': `import { readFileSync } from 'node:fs'
export type Tempo = { now: number }
export const lazy = () => import('../notas/rules.ts')
export const openTempo = (tempo: { now: number }): unknown => readFileSync('/*' + tempo.now)
export const openOther = (tempo: { now: string }): unknown => tempo
`,
  'src/site/estilo.css': 'a {}\n',
  'src/site/page.ts': `import type { Nota } from '../notas/rules.ts'
export const page = (nota: Nota) => /[/]*/.test(String(nota))
`,
  'simulator/nfe/a.ts': 'export const a = 1\n',
  'simulator/nfe/dados.csv': 'a\nb\n',
  'simulator/prosa.md': 'one\ntwo\n',
}

const root = mkdtempSync(join(tmpdir(), 'casa-'))
after(() => rmSync(root, { recursive: true }))
for (const [path, text] of Object.entries(PLANTED)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

test('the figures of a small house are counted', () => {
  const medidas = measureTree(root)
  assert.deepEqual(Object.fromEntries(medidas.map(({ nome, now }) => [nome, now])), {
    files: 5,
    lines: 23,
    'median file': 5,
    imports: 5,
    'one importer': 1,
    'narrowing types': 3,
    'circles of rooms': 1,
    glossary: 2,
    comments: 2 / 22,
    'simulator files': 3,
    'simulator lines': 3,
  })
  const worstOf = (nome: string): readonly string[] => medidas.find((one) => one.nome === nome)?.worst ?? []
  assert.deepEqual(worstOf('one importer'), ['src/notas/rules.ts (4 lines), only for src/site/page.ts'])
  assert.deepEqual(worstOf('narrowing types').toSorted(), [
    'MeiosDaNota in src/notas/rules.ts',
    'ParaNotas in src/notas/lookup.ts',
    'what openTempo takes in src/platform/tempo.ts',
  ])
  assert.deepEqual(worstOf('circles of rooms'), [
    'notas → platform 1, back 1: src/platform/tempo.ts → src/notas/rules.ts',
  ])
})

test('a figure is met, accepted by a decision that exists, or missed', () => {
  const glossary = { nome: 'glossary', now: 50, worst: [] } as const
  const accepted = { nome: 'glossary', reached: 50, decision: '0001-small.md' } as const
  assert.equal(judge({ ...glossary, now: 45 }, root), 'met')
  assert.equal(judge(glossary, root, []), 'missed')
  assert.equal(judge(glossary, root, [accepted]), 'accepted')
  assert.equal(judge({ ...glossary, now: 51 }, root, [accepted]), 'missed')
  assert.equal(judge(glossary, root, [{ ...accepted, decision: '0002-none.md' }]), 'missed')
  assert.equal(judge({ nome: 'median file', now: 109, worst: [] }, root, []), 'missed')
  assert.equal(judge({ nome: 'median file', now: 181, worst: [] }, root, []), 'missed')
})

test('every accepted exception has a decision record', () => {
  const decisions = join(import.meta.dirname, '../../docs/decisions')
  assert.deepEqual(
    EXCECOES.filter(({ decision }) => !existsSync(join(decisions, decision))),
    [],
  )
})
