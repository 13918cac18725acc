import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { startSimulator } from '../../src/platform/simulator.ts'
import { until } from '../kit/nfe.ts'
import { outraPasta, runSimulator, spawnSimulator, useFolder } from '../kit/processes.ts'

useFolder()

test('a simulator started again is the same to a service that goes on', async (t) => {
  const ambienteDe = async () => {
    const { child, line } = await spawnSimulator(t)
    const { gateway, ...ambiente } = JSON.parse(
      await (await fetch(`${JSON.parse(line).endereco}/ambiente.json`)).text(),
    )
    child.kill('SIGKILL')
    const webhook = ambiente.captcha.webhook.replace(String(gateway.port), 'PORT')
    return { ...ambiente, captcha: { ...ambiente.captcha, webhook } }
  }
  assert.deepEqual(await ambienteDe(), await ambienteDe())
})

test('the simulator ends in order when it is told to', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child } = await spawnSimulator(t)
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [0, null])
  }
})

test('the list of documents to try is printed as text, JSON and Markdown', async () => {
  const [text, json, markdown] = await Promise.all([
    runSimulator('documentos'),
    runSimulator('documentos', '--json'),
    runSimulator('documentos', '--markdown'),
  ])
  assert.ok(Array.isArray(JSON.parse(json.stdout)))
  assert.match(markdown.stdout, /^# /m)
  assert.notEqual(text.stdout, '')
})

test('the pages print the address that the service really has and its demonstration key', async (t) => {
  const simulator = await startSimulator({ pasta: await outraPasta(t), onCrash: assert.fail })
  t.after(simulator.stop)
  const pageOf = async () => (await fetch(simulator.endereco)).text()
  assert.match(await pageOf(), /export SERVICO=http:\/\/localhost:8080\n/)
  simulator.present({ servico: 'http://127.0.0.1:9191', chave: 'fk_demonstracao' })
  await until(async () => (await pageOf()).includes('export SERVICO=http://127.0.0.1:9191\n'))
  assert.match(await pageOf(), /export CHAVE=fk_demonstracao</)
})

test('the simulator keeps its port from start to start where it is free, and takes another where it is not', async (t) => {
  const pasta = await outraPasta(t)
  const first = await startSimulator({ pasta, onCrash: assert.fail })
  // A command starts one like this, beside the running service's.
  const beside = await startSimulator({ pasta, onCrash: assert.fail })
  t.after(beside.stop)
  assert.notEqual(beside.endereco, first.endereco)
  await first.stop()
  const again = await startSimulator({ pasta, onCrash: assert.fail })
  t.after(again.stop)
  assert.equal(again.endereco, first.endereco)
})
