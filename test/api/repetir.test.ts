import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { especificacao } from '../especificacao.ts'
import type { Answer } from '../harness.ts'
import { type Exemplo, listExemplos } from './exemplos.ts'
import { openCasas } from './repetir.ts'
import { AINDA_NAO, type Codigo, linhas } from './repetir-linhas.ts'

const casas = openCasas()
after(casas.close)

const isCodigo = (text: string): text is Codigo =>
  Object.hasOwn(errorCodes, text) || Object.hasOwn(sourceCodes, text)

/**
 * The codes that the document names of each path, and whether their failures are described with Retry-After.
 */
let documented = new Map<string, Map<Codigo, { waits: boolean }>>()
let exemplos: Exemplo[] = []

before(async () => {
  const house = await casas.of()
  exemplos = await listExemplos(house)
  const { body } = await house.ask('/openapi.json', { key: null })
  documented = new Map(
    Object.entries(Object(body.paths)).map(([path, operations]) => [
      path,
      new Map(Object.values(Object(operations)).flatMap((operation) => codesOf(Object(operation).responses))),
    ]),
  )
})

const codesOf = (responses: Record<string, { description: string; headers?: object }>) =>
  Object.values(responses).flatMap(({ description, headers = {} }) =>
    description
      .split(', ')
      .filter(isCodigo)
      .map((code) => [code, { waits: 'Retry-After' in headers }] as const),
  )

const rowsOf = (path: string) => Object.entries(linhas[path] ?? {})

test('every row of the two error tables of the specification stands in the table', () => {
  for (const [path, codes] of Object.entries(especificacao))
    for (const code of ['NAO_AUTENTICADO', ...codes.split(' ')])
      if (code !== 'NAO_AUTENTICADO' || documented.has(path))
        assert.ok(
          rowsOf(path).some(([own]) => own === code),
          `${path} ${code}`,
        )
})

test('every code that the document names of an endpoint has a proof, and a row that waits is not served', () => {
  for (const [path, codes] of documented)
    for (const code of codes.keys()) assert.ok(Array.isArray(linhas[path]?.[code]), `${path} ${code}`)
  for (const path of Object.keys(linhas))
    for (const [code, row] of rowsOf(path)) {
      const isWaiting = row === AINDA_NAO
      const isServed = isCodigo(code) && (documented.get(path)?.has(code) || code in sourceCodes)
      assert.ok(!isWaiting || !documented.has(path) || !isServed, `${path} ${code} is served by now`)
    }
})

/** What a failure tells: of the problem, or of the source_status of an answer. */
const told = ({ status, body }: Answer): Record<string, unknown> =>
  status === 200 ? Object(body.source_status) : body

for (const path of Object.keys(linhas))
  describe(path, () => {
    for (const [code, provas] of rowsOf(path))
      if (provas !== AINDA_NAO)
        for (const [at, [como, retryAfter]] of provas.entries())
          test(`${code} ${at + 1}: ${retryAfter === null ? 'never passes' : `passes in ${retryAfter} s`}`, async () => {
            const exemplo = exemplos.find((one) => one.path === path)
            assert.ok(exemplo, 'the document has an example')
            const answer = await como(casas, exemplo)
            const { error_code, error_message, retryable } = told(answer)
            assert.equal(error_code, code, answer.text.slice(0, 300))
            const header = answer.headers.get('retry-after')
            assert.deepEqual(
              [retryable, header],
              [retryAfter !== null, retryAfter === null ? null : String(retryAfter)],
              String(error_message),
            )
            assert.equal(
              /\b(?:tente|consulte|repita) .*(?:de novo|em instantes)/i.test(String(error_message)),
              retryable,
              String(error_message),
            )
            if (header !== null && isCodigo(code) && answer.status !== 200)
              assert.ok(documented.get(path)?.get(code)?.waits, 'the document names the header')
          })
  })
