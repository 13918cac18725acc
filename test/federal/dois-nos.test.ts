import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { codigoDe, dito, emissoesOf, empresa } from '../kit/federal.ts'
import { type House, start } from '../kit/house.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

describe('two nodes on one database', () => {
  let nodes: House[] = []
  let simulador: Awaited<ReturnType<typeof openSimulatorAt>>

  before(async () => {
    simulador = await openSimulatorAt(() => NOW, { ritmo: 0.02 })
    const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET, SIMULATOR_URL: simulador.endereco }
    // They start one after the other, since the first makes the initial account.
    const first = await start(env)
    nodes = [first, await start(env)]
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await simulador.close()
  })

  for (const [nome, query] of [
    ['processa', ''],
    ['emite', '&emitir_nova=true'],
    ['valida', '&emitir_nova=true'],
  ] as const)
    test(`${nome}${query}: both nodes asked at once, one issuance, and each call is charged`, async () => {
      const [one, other] = nodes
      assert.ok(one && other)
      const { key } = await one.open('starter')
      const path = `/api/consultar-cnd-federal?cnpj=${empresa(nome)}${query}`
      const answers = await Promise.all([one, other, one, other].map((node) => node.ask(path, { key })))
      // One that came late finds it stored.
      for (const { cached: _, ...told } of answers.map(dito))
        assert.deepEqual(told, { situacao: 'negativa', modo: 'emissao', creditos: 1 })
      assert.equal(new Set(answers.map(codigoDe)).size, 1)
      assert.equal(await emissoesOf(simulador.endereco, empresa(nome)), 1)
      const { headers } = await other.ask(path, { key })
      assert.equal(headers.get('x-credits-remaining'), '995')
    })
})
