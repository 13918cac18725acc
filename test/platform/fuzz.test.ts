import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { vezes } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { anyPoint } from '../kit/points.ts'

let house: House
let key = ''
before(async () => {
  house = await start({ TRUST_PROXY: '1' })
  key = (await house.open('enterprise')).key
})
after(() => house.close())

/**
 * Text of every kind: plain, unicode, control characters, lone percent signs, long texts, and changed
 * documents.
 */
const anyText = fc.oneof(
  fc.string({ unit: anyPoint, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '%',
    '%00',
    '%zz',
    '%ff%fe',
    '[]',
    'null',
    'true',
    '__proto__',
    "' or 1=1 --",
    '../../etc/passwd',
    '\u0000',
  ),
  fc.string({ minLength: 13, maxLength: 15, unit: fc.constantFrom(...'0123456789ABCXYZ') }),
  fc.integer({ min: 1, max: 9_000 }).map((length) => '9'.repeat(length)),
)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('cnpj', 'force_fresh', 'uf', 'cpf', 'ie') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('cnpj[]', 'cnpj[0]', 'CNPJ', 'UF', '__proto__', 'constructor', 'toString'),
  },
  { weight: 1, arbitrary: anyText },
)
/** The document that each endpoint is asked about when the rest of the query is noise. */
const endpoints = [
  ['/api/consultar-cnpj', `cnpj=${BANCO_DO_BRASIL}`],
  ['/api/consultar', `uf=SP&cnpj=${BANCO_DO_BRASIL}`],
  ['/api/consultar', 'uf=RS&ie=2243658792'],
  ['/api/consultar-cnd', `uf=SP&cnpj=${BANCO_DO_BRASIL}`],
  ['/api/consultar-ie-todos', `cnpj=${BANCO_DO_BRASIL}`],
  ['/api/consultar-cnd-todos', `cnpj=${BANCO_DO_BRASIL}`],
] as const
const encodings = [
  encodeURIComponent,
  (text: string) => text.replace(/[^\x21-\x7e]|[#?]/g, ''),
  (text: string) => escape(text),
]
const safely = (encode: (text: string) => string, text: string) => {
  try {
    return encode(text)
  } catch {
    return encodeURIComponent(text.toWellFormed())
  }
}
const query = fc
  .array(fc.tuple(name, anyText, fc.constantFrom(...encodings)), { maxLength: 5 })
  .map((pairs) =>
    pairs
      .map(([parameter, value, encode]) => `${safely(encode, parameter)}=${safely(encode, value)}`)
      .join('&'),
  )

test('no query ever gets a 5xx or a stack trace, and a failure is always a problem', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints),
      query,
      fc.boolean(),
      async (asked, text, withDocument) => {
        const [endpoint, document] = asked
        const path = `${endpoint}?${withDocument ? `${document}&` : ''}${text}`
        const answer = await house.ask(path, { key })
        // These answer 503 on purpose: the live query, which is not connected yet, and a state that the noise
        // may name.
        if (answer.body.error_code === 'SITE_INDISPONIVEL') return
        assert.ok(answer.status < 500, `${answer.status} ${path}`)
        assert.doesNotMatch(answer.text, /node_modules|\.ts:| {4}at /)
        if (answer.status !== 200) assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
      },
    ),
    { numRuns: vezes(1_200) },
  )
})

test('no key ever gets anything but 401 without an account behind it', async () => {
  const header = fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0xa1, max: 0xff }))
      .map((code) => String.fromCharCode(code)),
    maxLength: 200,
  })
  await fc.assert(
    fc.asyncProperty(header, fc.ipV4(), async (text, address) => {
      // Each call has an address of its own. From one address alone the service would soon refuse them
      // unread.
      const asked = { key: text || null, headers: { 'X-Forwarded-For': address } }
      assert.equal((await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, asked)).status, 401)
    }),
    { numRuns: vezes(100) },
  )
})
