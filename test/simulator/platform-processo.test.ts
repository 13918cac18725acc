import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createAutoridades } from '../../simulator/autoridades.ts'
import { runSimulator, simulatorFolder, spawnSimulator, useFolder } from '../kit/processes.ts'
import { ask } from '../kit/simulator.ts'

useFolder()

test('the simulator says in one line where it is, serves there, and ends with its parent', async (t) => {
  const { child, line } = await spawnSimulator(t, '--com-pai')
  assert.match(line, /^\{"endereco":"http:\/\/127\.0\.0\.1:\d+"\}\n$/)
  const { endereco } = JSON.parse(line)
  assert.equal((await fetch(endereco)).status, 200)
  const { ca, gateway } = JSON.parse(await (await fetch(`${endereco}/ambiente.json`)).text())
  for (const name of createAutoridades({ agora: () => new Date() }).flatMap(({ hosts }) => hosts))
    assert.ok((await ask({ port: gateway.port, ca, name })).status, name)
  child.stdin?.end()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('the simulator says in Portuguese what it takes, and what it cannot do', async (t) => {
  const help = await runSimulator('--ajuda')
  assert.equal(help.code, 0)
  assert.match(help.stdout, /--com-pai/)
  for (const [args, code, complaint] of [
    [[], 2, /Falta --pasta/],
    [['--nada'], 2, /Opção desconhecida/],
    [['nada'], 2, /Comando desconhecido: nada/],
    [['--pasta', simulatorFolder(), '--porta', '70000'], 1, /--porta deve ser/],
    [['--pasta', simulatorFolder(), '--ritmo', '-1'], 2, /Opção desconhecida/],
    [['--pasta', simulatorFolder(), '--ritmo', 'x'], 1, /--ritmo deve ser/],
  ] as const) {
    const { code: found, stderr, stdout } = await runSimulator(...args)
    assert.deepEqual([found, stdout], [code, ''], args.join(' '))
    assert.match(stderr, complaint)
  }
  const { line } = await spawnSimulator(t)
  const { port } = new URL(JSON.parse(line).endereco)
  assert.match((await runSimulator('--pasta', simulatorFolder(), '--porta', port)).stderr, /já está em uso/)
})
