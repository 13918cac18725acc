import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/platform/config/settings.ts'
import { root } from '../kit/deploy.ts'

/** The directives of a Caddyfile: words of each line, under the path of the blocks that it stands in. */
function readCaddyfile(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const blocks: string[] = []
  for (const line of text.split('\n').map((one) => one.replace(/^\s*#.*|\s+#.*/, '').trim())) {
    if (line === '') continue
    if (line === '}') {
      assert.ok(blocks.length > 0, 'a block is closed that was not opened')
      blocks.pop()
      continue
    }
    const [name = '', ...words] = line.replace(/ ?\{$/, '').split(/\s+/)
    found.set([...blocks, name].join(' > '), words)
    if (/(?:^| )\{$/.test(line)) blocks.push(name)
  }
  assert.deepEqual(blocks, [], 'a block stays open')
  return found
}

const directives = readCaddyfile(readFileSync(join(root, 'deploy/Caddyfile'), 'utf8'))
const PROXY = '{$ENDERECO} > reverse_proxy'
const wordOf = (path: string): string => directives.get(path)?.[0] ?? ''
const secondsOf = (path: string): number => Number(/^(\d+)s$/.exec(wordOf(path))?.[1])

test('streams go out at once, and a body that the service takes comes through', () => {
  assert.equal(wordOf(`${PROXY} > flush_interval`), '-1')
  const megabytes = Number(/^(\d+)MB$/.exec(wordOf('{$ENDERECO} > request_body > max_size'))?.[1])
  assert.ok(megabytes > 1, 'the service itself refuses a body above 1 MiB, and says so')
})

test('no answer is given up before the service gives it up', () => {
  const longest = Object.entries(settings)
    .filter(([name]) => name.endsWith('_SECONDS') && !['SHUTDOWN_SECONDS', 'SEFAZ_SECONDS'].includes(name))
    .map(([, setting]) => Number(/de \d+ a (\d+)/.exec(setting.shape)?.[1]))
  assert.ok(longest.length > 5 && longest.every((one) => one > 0))
  assert.ok(secondsOf(`${PROXY} > transport > response_header_timeout`) > Math.max(...longest))
})

test('the proxy closes an idle connection before a node does, asks /ready, and trusts no other proxy', () => {
  const app = readFileSync(join(root, 'src/app.ts'), 'utf8')
  const keptMs = Number(/keepAliveTimeout: ([\d_]+)/.exec(app)?.[1]?.replaceAll('_', ''))
  assert.ok(secondsOf(`${PROXY} > transport > keepalive`) * 1_000 < keptMs)
  assert.equal(wordOf(`${PROXY} > health_uri`), '/ready')
  assert.ok([...directives.keys()].every((path) => !path.includes('trusted_proxies')))
  assert.deepEqual(directives.get(PROXY), ['{$NOS}'])
})
