import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const simulator = new URL('simulator/', root)

/**
 * The imports of a file (static, dynamic or of a type), and the files that it reads or runs by an address.
 */
const NAMED = /\b(?:from\s|import\s*\(?|new URL\s*\()\s*(?:'([^']*)'|"([^"]*)"|(?<=\(\s*)`([^`]*)`)/g

test('the simulator imports nothing from src: neither by an import of any kind, nor as a file that it reads', () => {
  const files = readdirSync(simulator, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  assert.ok(files.length > 80)
  const packages = new Set<string>()
  for (const file of files) {
    const url = new URL(file, simulator)
    const text = readFileSync(url, 'utf8')
    for (const [, single, double, template = ''] of text.matchAll(NAMED)) {
      const named = single ?? double ?? template
      const path = fileURLToPath(new URL(named.startsWith('.') ? named : '.', url))
      const fromRoot = path.slice(fileURLToPath(root).length)
      assert.match(fromRoot, /^(?:simulator|data)\//, `${file} names ${named}`)
      if (!/^(?:\.|https?:|node:)/.test(named)) packages.add(named)
    }
    // An address in a variable cannot be read here.
    assert.doesNotMatch(text, /\bimport\s*\(\s*[^'"`\s]|\bcreateRequire\b/, file)
  }
  assert.deepEqual([...packages].sort(), ['altcha-lib/v1', 'lru-cache', 'node-forge', 'pdfkit', 'xml-crypto'])
})
