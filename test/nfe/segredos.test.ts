import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'
import { fileOf, openBusca, SENHA, segredosDe, testSegredos } from '../kit/nfe-secrets.ts'

let house: NfeHouse
before(async () => {
  house = await startNfe()
})
after(() => house.close())

test('the search finds a secret in any form, wherever it is', async () => {
  const file = await fileOf(house, 'ciencia')
  const { find } = openBusca(segredosDe(file))
  const pfx = Buffer.from(file.certificado, 'base64')
  const pem = parseA1(pfx, SENHA).key.toString()
  const noise = Buffer.from(`{"level":30,"msg":"${'nfe-xml '.repeat(50)}"}`)
  assert.equal(find(noise), undefined)
  const pieceOf = (content: string | Buffer, size: number) =>
    fc.nat(content.length - size).map((at) => Buffer.from(content.slice(at, at + size)))
  const escaped = [...SENHA].map((one) =>
    one > '~' ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
  )
  const traces = fc.oneof(
    pieceOf(pfx, 24),
    pieceOf(file.certificado, 32),
    pieceOf(pfx.toString('base64url'), 32),
    pieceOf(pfx.toString('hex'), 32),
    pieceOf(
      Buffer.concat([Buffer.from('x'), pfx])
        .toString('base64')
        .slice(4),
      32,
    ),
    fc.constantFrom(...pem.split('\n').slice(1, -3)).map((line) => Buffer.from(line)),
    ...[SENHA, JSON.stringify(SENHA), encodeURIComponent(SENHA)].map((text) =>
      fc.constant(Buffer.from(text)),
    ),
    ...(['utf16le', 'latin1'] as const).map((form) => fc.constant(Buffer.from(SENHA, form))),
    fc.constant(Buffer.from(JSON.stringify(escaped.join('')).slice(1, -1).replaceAll('\\\\u', '\\u'))),
    fc.constant(Buffer.from(Buffer.from(SENHA).toString('base64'))),
  )
  const place = fc.nat(noise.length)
  fc.assert(
    fc.property(traces, place, (trace, at) => {
      assert.ok(find(Buffer.concat([noise.subarray(0, at), trace, noise.subarray(at)])), trace.toString())
    }),
  )
})

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase((dialect, fresh) => testSegredos(() => house, dialect, fresh), ['sqlite'])
