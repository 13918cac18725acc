import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceCodes } from '../../src/platform/errors.ts'
import { especificacao } from '../kit/guide.ts'
import { AINDA_NAO, isCodigo, openRepetir, rows, rowsOf } from '../kit/repetir-rows.ts'

const { documented, testRows } = openRepetir()

test('every row of the two error tables of the specification stands in the table', () => {
  for (const [path, codes] of Object.entries(especificacao))
    for (const code of ['NAO_AUTENTICADO', ...codes.split(' ')])
      if (code !== 'NAO_AUTENTICADO' || documented().has(path))
        assert.ok(
          rowsOf(path).some(([own]) => own === code),
          `${path} ${code}`,
        )
})

test('every code that the document names of an endpoint has a proof, and a row that waits is not served', () => {
  for (const [path, codes] of documented())
    for (const code of codes.keys()) assert.ok(Array.isArray(rows[path]?.[code]), `${path} ${code}`)
  for (const path of Object.keys(rows))
    for (const [code, row] of rowsOf(path)) {
      const isWaiting = row === AINDA_NAO
      const isServed = isCodigo(code) && (documented().get(path)?.has(code) || code in sourceCodes)
      assert.ok(!isWaiting || !documented().has(path) || !isServed, `${path} ${code} is served by now`)
    }
})

// `npm run test:longo` has the rows of all endpoints.
testRows(['/api/consultar'])
