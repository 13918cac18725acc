import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/platform/config/settings.ts'
import { anchorsOf, root } from '../kit/deploy.ts'
import { fiscal } from '../kit/processes.ts'

const PAGE = 'docs/operations.md'
const text = readFileSync(join(root, PAGE), 'utf8')

test('every link of the page leads somewhere, and every section is in its contents', () => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  assert.ok(links.length > 60)
  for (const to of links.filter((one) => !/^https?:/.test(one))) {
    const [path = '', anchor] = to.split('#')
    const file = path === '' ? PAGE : join(dirname(PAGE), path)
    assert.ok(existsSync(join(root, file)), to)
    if (anchor) assert.ok(anchorsOf(file).includes(anchor), to)
  }
  const [contents = ''] = text.split('\n## ')
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title)
  assert.equal(sections.length, 10)
  const listed = [...contents.matchAll(/^\d+\. \[[^\]]+\]\(#([^)]+)\)/gm)].map(([, anchor = '']) => anchor)
  const anchors = sections.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  assert.deepEqual(listed, anchors)
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
