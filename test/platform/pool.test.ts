import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AskLimits } from '../../src/platform/wire/threads.ts'
import { createThreads } from '../../src/platform/wire/threads.ts'

/** A thread that runs `code` at each message. The code has `message`, and answers with `answer`. */
function threadsThat(code: string) {
  const source = `import { parentPort } from 'node:worker_threads'
const answer = (value) => parentPort.postMessage(value)
parentPort.on('message', (message) => { ${code} })`
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)
  const ask = createThreads<string, { said: string }>({ file, threads: 1, idleMs: 1000 })
  return (text: string, timeoutMs = 10_000, more: Partial<AskLimits> = {}) =>
    ask(text, { timeoutMs, late: () => new Error('too late'), ...more })
}

test('a thread that fails once nobody asks it anything is forgotten, and the process goes on', async () => {
  // A failure and an answer take different ways, so the thread waits until the answer is here.
  const ask = threadsThat(`
    new BroadcastChannel(message).onmessage = () => { throw new Error('afterwards') }
    answer({ said: message })`)
  for (const text of ['a', 'b']) {
    const ended = Promise.withResolvers()
    process.once('worker', (worker) => worker.once('exit', ended.resolve))
    assert.deepEqual(await ask(text), { said: text })
    const channel = new BroadcastChannel(text)
    channel.postMessage('fail')
    await ended.promise
    channel.close()
  }
})

test('a thread that fails while it is asked fails the question, one that says nothing is late, and the next is answered', async () => {
  const ask = threadsThat(`
    if (message === 'throw') throw new TypeError('broken')
    if (message === 'hang') for (;;) continue
    if (message !== 'silence') answer({ said: message })`)
  await assert.rejects(ask('throw'), { name: 'TypeError', message: 'broken' })
  await assert.rejects(ask('silence', 1), /too late/)
  await assert.rejects(ask('hang', 1), /too late/)
  assert.deepEqual(await ask('well'), { said: 'well' })
})

test('a thread that works longer than its CPU time is late, however long it may take; one that waits is not', async () => {
  const ask = threadsThat(`
    if (message === 'hang') for (;;) continue
    if (message === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    answer({ said: message })`)
  await assert.rejects(ask('hang', 100_000, { maxCpuMs: 100 }), /too late/)
  assert.deepEqual(await ask('wait', 100_000, { maxCpuMs: 500 }), { said: 'wait' })
})
