import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { type Exemplo, listExemplos } from './exemplos.ts'
import type { Answer } from './harness.ts'
import { openCasas } from './repetir.ts'
import { AINDA_NAO, type Codigo, linhas } from './repetir-linhas.ts'

export const isCodigo = (text: string): text is Codigo =>
  Object.hasOwn(errorCodes, text) || Object.hasOwn(sourceCodes, text)

const codesOf = (responses: Record<string, { description: string; headers?: object }>) =>
  Object.values(responses).flatMap(({ description, headers = {} }) =>
    description
      .split(', ')
      .filter(isCodigo)
      .map((code) => [code, { waits: 'Retry-After' in headers }] as const),
  )

export const rowsOf = (path: string) => Object.entries(linhas[path] ?? {})

/** What a failure tells: of the problem, or of the source_status of an answer. */
const told = ({ status, body }: Answer): Record<string, unknown> =>
  status === 200 ? Object(body.source_status) : body

/** The codes that the document names of each path, and whether their failures have Retry-After. */
type Documented = Map<string, Map<Codigo, { waits: boolean }>>

/** The services that provoke failures, and what the document says of them. They end with the file's tests. */
export function openRepetir(): {
  documented: () => Documented
  provar: (paths: readonly string[]) => void
} {
  const casas = openCasas()
  after(casas.close)
  let documented: Documented = new Map()
  let exemplos: Exemplo[] = []

  before(async () => {
    const house = await casas.of()
    exemplos = await listExemplos(house)
    const { body } = await house.ask('/openapi.json', { key: null })
    documented = new Map(
      Object.entries(Object(body.paths)).map(([path, operations]) => [
        path,
        new Map(
          Object.values(Object(operations)).flatMap((operation) => codesOf(Object(operation).responses)),
        ),
      ]),
    )
  })

  /** Declares a test for each proof of these endpoints' codes. */
  const provar = (paths: readonly string[]): void => {
    for (const path of paths)
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
  }
  return { documented: () => documented, provar }
}
