import assert from 'node:assert/strict'
import { on } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openVersao } from '../../src/cnpj/base/versao.ts'
import { activateVersao, listVersoes, openBaseAtiva, versoesFolder } from '../../src/cnpj/base/versoes.ts'
import { ImportError } from '../../src/cnpj/importacao/entradas.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import type { ImportOptions } from '../../src/cnpj/importacao/publish.ts'
import { acquireLock } from '../../src/cnpj/importacao/work-folder.ts'
import { empresa, estabelecimento, tempFolder, withDigits, writePasta } from '../kit/cnpj.ts'

const now = () => new Date('2026-11-21T12:00:00Z')
const doze = '112223330001'

const zips = (t: TestContext, token: string, fantasia: string, more: string[] = []) =>
  writePasta(tempFolder(t), {
    token,
    empresas: [empresa('11222333')],
    estabelecimentos: [estabelecimento(doze, { 4: fantasia }), ...more],
  })

async function importar(
  t: TestContext,
  raiz: string,
  token: string,
  fantasia: string,
  options: Partial<ImportOptions> = {},
) {
  return importCnpj({ pasta: await zips(t, token, fantasia), raiz, amostra: true, now, ...options })
}

const gates = async (promise: Promise<unknown>): Promise<string[]> => {
  try {
    await promise
    return []
  } catch (error) {
    assert.ok(error instanceof ImportError)
    return error.portoes.map((portao) => portao.nome)
  }
}

test('a base that is not the national one passes only as a sample, which the manifest says', async (t) => {
  const raiz = tempFolder(t)
  const failed = await gates(importar(t, raiz, 'D61010', 'A', { amostra: false }))
  assert.deepEqual(failed, ['arquivos', 'estabelecimentos', 'conhecidos'])
  assert.deepEqual(listVersoes(raiz), [])
  const manifesto = await importar(t, raiz, 'D61010', 'A')
  assert.equal(manifesto.amostra, true)
  assert.deepEqual(
    manifesto.portoes.filter((portao) => portao.dispensado).map((portao) => portao.nome),
    failed,
  )
})

test('gates are waived one by one, by name', async (t) => {
  const raiz = tempFolder(t)
  const aceitar = ['arquivos', 'estabelecimentos']
  const asked = { amostra: false, aceitar }
  assert.deepEqual(await gates(importar(t, raiz, 'D61010', 'A', asked)), ['conhecidos'])
  assert.deepEqual(
    await gates(importar(t, raiz, 'D61010', 'A', { ...asked, aceitar: [...aceitar, 'conhecidos'] })),
    [],
  )
})

test('a base that shrank or grew too much is not published; months in between are allowed for', async (t) => {
  const raiz = tempFolder(t)
  const national = { amostra: false, limites: { partes: 1, estabelecimentos: 1 }, aceitar: ['conhecidos'] }
  await importar(t, raiz, 'D60912', 'A', national)
  const more = Array.from({ length: 4 }, (_, i) => estabelecimento(`11222333100${i}`))
  const pasta = await zips(t, 'D61010', 'B', more)
  const asked = { pasta, raiz, now, ...national }
  assert.deepEqual(await gates(importCnpj(asked)), ['crescimento'])
  assert.equal(listVersoes(raiz).find((one) => one.ativa)?.versao, '2026-09')
  assert.deepEqual(
    await gates(importCnpj({ ...asked, limites: { ...national.limites, crescimentoMaximo: 4.1 } })),
    [],
  )
})

test('lines in quarantine, nameless companies and unknown codes beyond their share stop a publication', async (t) => {
  const raiz = tempFolder(t)
  const lines = Array.from({ length: 100 }, (_, i) =>
    estabelecimento(`112223331${String(i).padStart(3, '0')}`, { 11: '7777777', 19: 'ZZ' }),
  )
  const orphans = Array.from({ length: 100 }, (_, i) => estabelecimento(`${55_000_000 + i}0001`))
  const pasta = await zips(t, 'D61010', 'A', [...lines, ...orphans])
  const national = { partes: 1, estabelecimentos: 1 }
  const asked = { pasta, raiz, now }
  assert.deepEqual(await gates(importCnpj({ ...asked, limites: national, aceitar: ['conhecidos'] })), [
    'razao_vazia',
    'codigos_desconhecidos',
    'quarentena',
  ])
  assert.deepEqual(await gates(importCnpj({ ...asked, amostra: true })), [
    'razao_vazia',
    'codigos_desconhecidos',
  ])
})

test('the month before is kept, older ones go, and going back is one command', async (t) => {
  const raiz = tempFolder(t)
  await importar(t, raiz, 'D60808', 'AGOSTO')
  await importar(t, raiz, 'D60912', 'SETEMBRO')
  await importar(t, raiz, 'D61010', 'OUTUBRO')
  const state = () => listVersoes(raiz).map((one) => `${one.pasta}${one.ativa ? '*' : ''}`)
  assert.deepEqual(state(), ['2026-10*', '2026-09'])
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  const fantasia = () => base.current()?.find(withDigits(doze))?.result.nome_fantasia
  assert.equal(fantasia(), 'OUTUBRO')
  activateVersao(raiz, '2026-09')
  assert.equal(fantasia(), 'OUTUBRO')
  assert.equal(base.refresh(), true)
  assert.equal(fantasia(), 'SETEMBRO')
  assert.equal(base.refresh(), false)
  assert.deepEqual(state(), ['2026-10', '2026-09*'])
  assert.throws(() => activateVersao(raiz, '2026-01'), /Não há versão 2026-01/)
})

test('importing a month again replaces it, while a reader of the first goes on reading', async (t) => {
  const raiz = tempFolder(t)
  await importar(t, raiz, 'D61010', 'PRIMEIRA')
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  await importar(t, raiz, 'D61010', 'SEGUNDA')
  assert.equal(base.current()?.find(withDigits(doze))?.result.nome_fantasia, 'PRIMEIRA')
  base.refresh()
  assert.equal(base.current()?.find(withDigits(doze))?.result.nome_fantasia, 'SEGUNDA')
  assert.deepEqual(readdirSync(versoesFolder(raiz)), ['2026-10.2'])
})

test('a broken vintage is refused and the one in service stays', async (t) => {
  const raiz = tempFolder(t)
  await importar(t, raiz, 'D60912', 'SETEMBRO')
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  await importar(t, raiz, 'D61010', 'OUTUBRO')
  const dir = join(versoesFolder(raiz), '2026-10')
  for (const nome of ['indice.bin', 'palavras.txt', 'dominios.json', 'dados.bin']) {
    const whole = readFileSync(join(dir, nome))
    writeFileSync(join(dir, nome), Buffer.concat([whole, Buffer.of(1)]))
    assert.throws(() => base.refresh(), /não confere com o manifesto/, nome)
    writeFileSync(join(dir, nome), whole)
  }
  assert.equal(base.current()?.find(withDigits(doze))?.result.nome_fantasia, 'SETEMBRO')
  assert.equal(base.refresh(), true)
  assert.throws(() => openVersao(tempFolder(t), { mascararCpf: true }), { code: 'ENOENT' })
})

test('two imports at once: the second is refused; a lock left by a dead process is taken over', async (t) => {
  const raiz = tempFolder(t)
  const lock = acquireLock(raiz)
  await assert.rejects(importar(t, raiz, 'D61010', 'A'), /Outra importação está em andamento/)
  lock.release()
  writeFileSync(join(raiz, 'importando.trava'), '4194305\n\nabc\n')
  await importar(t, raiz, 'D61010', 'A')
  writeFileSync(join(raiz, 'importando.trava'), `${process.pid}\nanother boot 1\nabc\n`)
  await importar(t, raiz, 'D61010', 'B')
  assert.deepEqual(readdirSync(raiz).toSorted(), ['ativa', 'importando', 'versoes'])
})

/**
 * A thread that looks up without pause and follows the pointer. It tells each new name of the company that it
 * finds, and every failure; it ends when it is told to stop.
 */
const LEITOR = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.module).then(({ openBaseAtiva }) => {
  const base = openBaseAtiva(workerData.raiz, { mascararCpf: true })
  let name, stop = false
  parentPort.on('message', () => { stop = true })
  function turn() {
    try {
      base.refresh()
      for (let i = 0; i < 50; i++) {
        const one = base.current().find(workerData.cnpj)
        if (one === undefined) throw new Error('not found')
        if (one.result.nome_fantasia === name) continue
        name = one.result.nome_fantasia
        parentPort.postMessage(name)
      }
    } catch (error) { parentPort.postMessage(String(error)) }
    if (!stop) return setImmediate(turn)
    base.close()
    parentPort.close()
  }
  turn()
})`

test('a reader that never stops sees every month come and go without one failure', async (t) => {
  const raiz = tempFolder(t)
  await importar(t, raiz, 'D60808', 'MES 8')
  const reader = new Worker(LEITOR, {
    eval: true,
    workerData: {
      raiz,
      cnpj: withDigits(doze),
      module: new URL('../../src/cnpj/base/versoes.ts', import.meta.url).href,
    },
  })
  t.after(() => reader.terminate())
  const told = on(reader, 'message', { close: ['exit'] })
  const next = async (): Promise<unknown> => (await told.next()).value?.[0]
  assert.equal(await next(), 'MES 8')
  const imports = [
    ['D60912', 'MES 9'],
    ['D61010', 'MES 10'],
    ['D61010', 'MES 10 de novo'],
    ['D61010', 'MES 10 outra vez'],
  ] as const
  for (const [token, fantasia] of imports) {
    await importar(t, raiz, token, fantasia)
    assert.equal(await next(), fantasia)
  }
  for (const turn of [1, 2])
    for (const [versao, fantasia] of [
      ['2026-09', 'MES 9'],
      ['2026-10', 'MES 10 outra vez'],
    ] as const) {
      activateVersao(raiz, versao)
      assert.equal(await next(), fantasia, `turn ${turn}`)
    }
  reader.postMessage('stop')
  assert.equal(await next(), undefined, 'nothing else was told')
})
