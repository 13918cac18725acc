import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { readCapitulos } from '../../src/site/guia-capitulos.ts'
import { especificacao } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'

const open = { key: null } as const
const capitulos = readCapitulos()

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

describe('each lookup has its page', () => {
  /** The chapter that is about an operation: its first to name it in a line of its own. */
  const chapterOf = (name: string) =>
    capitulos.find(({ texto }) => new RegExp(`^\`${name.replace(/[{}]/g, '\\$&')}\``, 'm').test(texto))
  const linked = (texto: string): Set<string> =>
    new Set([...texto.matchAll(/\/erros#([A-Z][A-Z_]+)/g)].map(([, code = '']) => code))
  const operationsIn = async (): Promise<[name: string, operation: Record<string, unknown>][]> => {
    const { body } = await house.ask('/openapi.json', open)
    return Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
      Object.entries(Object(methods)).map(([method, operation]): [string, Record<string, unknown>] => [
        `${method.toUpperCase()} ${path}`,
        Object(operation),
      ]),
    )
  }

  test('with a link to its place in the reference', async () => {
    for (const [name, { operationId }] of await operationsIn()) {
      const chapter = chapterOf(name)
      assert.ok(chapter, name)
      const to = `(/documentacao#${operationId})`
      assert.ok(chapter.texto.includes(to), `${chapter.slug}: ${to}`)
    }
  })

  test('with a link to every code that it may answer', async () => {
    for (const [name, { responses, ...operation }] of await operationsIn()) {
      const chapter = chapterOf(name)
      const codes = Object.entries(Object(responses)).flatMap(([status, response]) =>
        Number(status) < 400 ? [] : String(Object(response).description).split(', '),
      )
      const sources = operation['x-codigos-da-fonte']
      for (const code of [...codes, ...(Array.isArray(sources) ? sources : [])])
        assert.ok(linked(chapter?.texto ?? '').has(code), `${chapter?.slug}: ${code}`)
    }
  })

  for (const [path, codes] of Object.entries(especificacao))
    test(`${path}: with every row of the specification's tables of errors, and 401`, () => {
      const chapter = chapterOf(`GET ${path}`) ?? chapterOf(`POST ${path}`)
      for (const code of ['NAO_AUTENTICADO', ...codes.split(' ')])
        assert.ok(linked(chapter?.texto ?? '').has(code), `${chapter?.slug}: ${code}`)
    })
})

test('the page of all codes in the guide has each code of the specification', () => {
  const erros = capitulos.find(({ slug }) => slug === 'erros')?.texto ?? ''
  for (const code of new Set(Object.values(especificacao).flatMap((codes) => codes.split(' '))))
    assert.ok(erros.includes(`[${code}](/erros#${code})`), code)
})

test('every code that the guide names exists', () => {
  const codes: ReadonlySet<string> = new Set([...Object.keys(errorCodes), ...Object.keys(sourceCodes)])
  const named = capitulos.flatMap(({ texto }) => [...texto.matchAll(/\/erros#([A-Z][A-Z_]+)/g)])
  assert.ok(named.length > 100)
  for (const [, code = ''] of named) assert.ok(codes.has(code), code)
})

test('every setting that the guide names exists', () => {
  const known = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  const codes: ReadonlySet<string> = new Set([...Object.keys(errorCodes), ...Object.keys(sourceCodes)])
  const named = capitulos.flatMap(({ texto }) => [...texto.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g)])
  assert.ok(named.filter(([, name = '']) => !codes.has(name)).length > 5)
  for (const [, name = ''] of named) assert.ok(codes.has(name) || known.includes(`\n#${name}=`), name)
})
