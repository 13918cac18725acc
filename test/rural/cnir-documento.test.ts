import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { start } from '../kit/house.ts'
import { openExample } from '../kit/rural.ts'

const TEXT = readFileSync(new URL('../../docs/cnir-connector.md', import.meta.url), 'utf8')
const [question, answer] = [...TEXT.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
  JSON.parse(json),
)

test('the service takes the answer of docs/cnir-connector.md from the example connector', async () => {
  const { documento } = Object(question)
  const example = await openExample({ [documento]: answer })
  const own = { CNIR_URL: example.url, CNIR_SECRET: example.secret }
  const house = await start(own, () => new Date())
  try {
    const known = await house.ask(`/api/consultar-cnir?cpf=${documento}`)
    const { pessoa_fisica, imoveis_cafir } = Object(answer)
    assert.equal(Object(known.body.source_status).status, 'success', known.text)
    assert.deepEqual(known.body.pessoa_fisica, pessoa_fisica)
    assert.deepEqual(known.body.imoveis_cafir, imoveis_cafir)
    assert.deepEqual([known.body.total_imoveis, known.body.total_imoveis_ativos], [1, 1])
    assert.equal(known.headers.get('x-credits-charged'), '1')
    const nobody = await house.ask('/api/consultar-cnir?cpf=52998224725')
    assert.deepEqual([Object(nobody.body.source_status).status, nobody.body.total_imoveis], ['success', 0])
  } finally {
    await house.close()
    await example.stop()
  }
})
