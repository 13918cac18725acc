import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { Medida } from '../kit/children.ts'

test('a note that is twice as large takes twice the steps, whatever it is made of', async () => {
  // V8 counts whole the code that it compiles while it counts. In a thread of its own no test ran before.
  const thread = new Worker(new URL('../kit/children.ts', import.meta.url), { argv: ['diagnose'] })
  const medidas: Medida[] = []
  thread.on('message', (medida) => medidas.push(medida))
  const [code] = await once(thread, 'exit')
  assert.equal(code, 0)
  assert.equal(medidas.length, 8)
  for (const { nome, menor, maior } of medidas)
    assert.ok(menor > 0 && maior <= menor * 2.3, `${nome}: ${menor} steps, then ${maior}`)
})
