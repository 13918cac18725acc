import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { activateVersao } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { NOW } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, start } from '../kit/house.ts'

test('a new base, and the way back, are served without one failed request', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-troca-'))
  const house = await start()
  t.after(async () => {
    await house.close()
    rmSync(pasta, { recursive: true, force: true })
  })
  const keys: string[] = []
  // There are enough accounts, so none meets its plan's limit.
  for (let i = 0; i < 60; i++) keys.push((await house.open('enterprise')).key)
  const seen: string[] = []
  let stop = false
  let asked = 0
  const client = async () => {
    while (!stop) {
      const key = keys[asked++ % keys.length] ?? ''
      const { status, headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
      assert.equal(status, 200)
      seen.push(headers.get('x-base-cnpj') ?? '')
    }
  }
  /** Resolves when every answer of a while came from `versao`. */
  const served = async (versao: string) => {
    while (seen.length < 20 || seen.slice(-20).some((one) => one !== versao))
      await new Promise((resolve) => setImmediate(resolve))
    seen.length = 0
  }
  const clients = Promise.all([client(), client(), client(), client()])
  await served('2026-10')
  await generateDump({ pasta, estabelecimentos: 50, versao: '2026-11' })
  const raiz = join(house.pasta, 'cnpj')
  await importCnpj({ pasta, raiz, amostra: true, now: () => NOW })
  await served('2026-11')
  activateVersao(raiz, '2026-10')
  await served('2026-10')
  stop = true
  await clients
})
