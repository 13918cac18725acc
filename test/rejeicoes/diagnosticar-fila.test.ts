import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { postNota, useCatalogo } from '../kit/catalogo.ts'
import { notaDeItens } from '../kit/rejeicoes.ts'

const house = useCatalogo({ env: { TRUST_PROXY: '1' } })

let grande: string
before(async () => {
  grande = await notaDeItens(300)
})

/** More than the two threads and the eight places of one owner take. */
const MANY = 30

/** More than the one place and the 32 turns of all forms take. */
const MANY_FORMS = 60

const byApi = (key: string) => postNota(house(), { xml: grande }, { key })

/** Each form comes from an address of its own. */
const byForm = (at: number) =>
  house().ask('/blog/rejeicoes/diagnosticar', {
    method: 'POST',
    key: null,
    headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `198.51.100.${at}` },
    body: new URLSearchParams({ xml: grande }),
  })

test('an account that asks for too many diagnoses at once is told to wait, and another one is served', async () => {
  const [busy, other] = [await house().open('enterprise'), await house().open('lite')]
  const asked = Array.from({ length: MANY }, () => byApi(busy.key))
  const answers = await Promise.all([...asked, byApi(other.key)])
  const served = answers.pop()
  assert.equal(served?.status, 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length <= MANY - 10, `${refused.length} of ${MANY}`)
  for (const { body, headers } of refused) {
    assert.equal(body.error_code, 'RATE_LIMIT_EXCEEDED')
    assert.match(String(body.detail), /desta conta.*Nada foi cobrado/)
    assert.deepEqual([headers.get('retry-after'), headers.get('x-credits-charged')], ['10', '0'])
  }
  assert.ok(answers.every(({ status }) => status === 200 || status === 429))
})

test('forms of all addresses share one place in the queue, and keep no account out of it', async () => {
  const { key } = await house().open('lite')
  const forms = Array.from({ length: MANY_FORMS }, (_, at) => byForm(at))
  const pages = await Promise.all([...forms, byApi(key)])
  const served = pages.pop()
  assert.equal(served?.status, 200)
  const refused = pages.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0 && refused.length <= MANY_FORMS - 10, `${refused.length} of ${MANY_FORMS}`)
  for (const { text, headers } of refused) {
    assert.match(text, /Há muitos diagnósticos na fila agora/)
    assert.equal(headers.get('retry-after'), '5')
  }
  assert.ok(pages.every(({ status }) => status === 200 || status === 429))
})
