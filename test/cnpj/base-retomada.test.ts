import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { openBaseAtiva, readPointer } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { importDump, killAndResume, killAt, now, SERPRO, tempFolder, useDump } from '../kit/cnpj.ts'

useDump()

test('killed between zips, it reads only those that were not finished', async (t) => {
  const { zips: done } = await killAndResume(t, 'leitura', 14)
  assert.ok(done > 0 && done < 9, `${done} of 9 zips were done`)
})

test('what was begun with other zips is thrown away', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 3, 0)
  const outros = tempFolder(t)
  await generateDump({ pasta: outros, estabelecimentos: 500, partes: 1, simples: false, semente: 2 })
  const manifesto = await importCnpj({ pasta: outros, raiz, amostra: true, now })
  assert.ok(manifesto.estabelecimentos < 600)
})

test('stopped by its signal, an import leaves the old base and can go on', async (t) => {
  const raiz = tempFolder(t)
  const stop = new AbortController()
  const stopped = importDump(raiz, ({ etapa }) => etapa === 'leitura' && stop.abort(), stop.signal)
  await assert.rejects(stopped, { name: 'AbortError' })
  assert.equal(readPointer(raiz), undefined)
  await importDump(raiz)
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  assert.equal(base.current()?.find(SERPRO)?.result.capital_social, '1061004829.23')
})
