import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/platform/config/settings.ts'
import { anchorsOf, root } from '../kit/deploy.ts'
import { fiscal } from '../kit/processes.ts'

const INDEX = 'docs/operations.md'
const chapters = globSync('docs/operations/*.md', { cwd: root })
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
const text = [INDEX, ...chapters].map(textOf).join('\n')

test('every link of the manual leads somewhere, and every chapter is in its index', () => {
  let links = 0
  for (const page of [INDEX, ...chapters])
    for (const [, to = ''] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(to)) continue
      links += 1
      const [path = '', anchor] = to.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      assert.ok(existsSync(join(root, file)), `${page}: ${to}`)
      if (anchor) assert.ok(anchorsOf(file).includes(anchor), `${page}: ${to}`)
    }
  assert.ok(links > 60)
  const listed = [...textOf(INDEX).matchAll(/^\| \[[^\]]+\]\((operations\/[\w-]+\.md)\)/gm)]
  assert.deepEqual(listed.map(([, to = '']) => `docs/${to}`).toSorted(), chapters.toSorted())
})

test('a chapter is read in some minutes', () => {
  assert.ok(chapters.length >= 15)
  for (const page of chapters) {
    const words = textOf(page).match(/[\p{L}\p{N}][^\s|]*/gu) ?? []
    assert.ok(words.length < 1_500, `${page}: ${words.length} words`)
  }
})

test('every file that it names exists', () => {
  const named = [...text.matchAll(/`((?:test|deploy|src|docs|bench|bin|data)\/[\w./*-]+)`/g)].map(
    ([, path = '']) => path,
  )
  assert.ok(named.length > 15)
  for (const path of named) assert.ok(globSync(path.replace(/\/$/, ''), { cwd: root }).length > 0, path)
})

test('every command of fiscal that it shows exists', async () => {
  const shown = [...text.matchAll(/(?:fiscal -- |bin\/fiscal\.js |`fiscal )([a-z]+)/g)].map(
    ([, name = '']) => name,
  )
  const { stdout } = await fiscal({}, '--help')
  const known = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name)
  assert.ok(new Set(shown).size > 8)
  for (const name of new Set(shown)) assert.ok(known.includes(name), name)
})

test('every setting that it names exists', () => {
  const named = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
    ([, name = '']) => name,
  )
  const others =
    /^(?:SUA_|NODE_|UND_|ERR_|UNABLE_|SIGEF_N|RATE_LIMIT|PROVIDER_|SITE_|RF_|EM_|PROCESSAMENTO_|MONITOR_|REJEICOES_I|ERRO_|X_)/
  const unknown = named.filter((name) => !Object.hasOwn(settings, name) && !others.test(name))
  assert.deepEqual(unknown, [])
})
