import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { isAsShown } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const paginas = { 'README.md': '(LEIAME.md)', 'LEIAME.md': '(README.md)' }
const [english, portuguese] = Object.keys(paginas).map((name) => readFileSync(join(root, name), 'utf8'))

/** The commands of a page's blocks of shell, without their comments. */
const commandsIn = (page: string): string[] =>
  blocksOf('sh', page).flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+# .*/, '')),
  )

const blocksOf = (language: string, page: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)

/** The endpoints that a page names, and the files that it links to. */
const endpointsIn = (page: string): string[] =>
  [...page.matchAll(/`(?:GET |POST )?(\/api\/[\w/{}-]+)`/g)].map(([, path = '']) => path)
const linksIn = (page: string): string[] => [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to)

/** The headings of a page, as a link names them. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text.toLowerCase().replaceAll(' ', '-'),
  )

describe('the README and the LEIAME', { concurrency: false }, () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())

  for (const [name, other] of Object.entries(paginas))
    test(`${name} is one screen, and its first line names the other`, () => {
      const lines = readFileSync(join(root, name), 'utf8').trimEnd().split('\n')
      assert.ok(lines[0]?.includes(other), lines[0])
      assert.ok(lines.length <= 50, `${lines.length} lines`)
      for (const line of lines) assert.ok(line.length <= 125, line)
    })

  test('both show the same commands, answers, endpoints and links', () => {
    assert.ok(english && portuguese)
    assert.deepEqual(commandsIn(portuguese), commandsIn(english))
    assert.deepEqual(blocksOf('json', portuguese), blocksOf('json', english))
    assert.deepEqual(endpointsIn(portuguese), endpointsIn(english))
    assert.deepEqual(linksIn(portuguese).slice(1), linksIn(english).slice(1))
  })

  test('they name every endpoint of the service, and no other', async () => {
    const { body } = await house.ask('/openapi.json', { key: null })
    assert.deepEqual(endpointsIn(english ?? '').toSorted(), Object.keys(Object(body.paths)).toSorted())
  })

  test('the scripts that they run exist, and so do the files that they link to', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const started = commandsIn(english ?? '').flatMap(
      (line) => line.match(/(?<=npm (?:run )?)(?!ci|run)\w+/g) ?? [],
    )
    assert.deepEqual(started, ['start', 'test'])
    for (const script of started) assert.ok(scripts[script], script)
    for (const to of linksIn(english ?? '')) {
      const [file = '', heading] = to.split('#')
      assert.ok(existsSync(join(root, file)), to)
      if (heading) assert.ok(anchorsOf(file).includes(heading), to)
    }
  })

  test('the curl that they show answers as they show it', async () => {
    const curl = commandsIn(english ?? '').filter((line) => line.startsWith('curl'))
    const shown = blocksOf('json', english ?? '')
    assert.equal(curl.length, 1)
    assert.equal(shown.length, 1)
    const pasted = String(curl)
      .replace('fk_…', house.apiKey ?? '')
      .replace('http://127.0.0.1:8080', house.address)
    const { stdout } = await run('sh', ['-c', pasted])
    assert.ok(isAsShown(JSON.parse(String(shown)), JSON.parse(stdout)), stdout)
  })
})
