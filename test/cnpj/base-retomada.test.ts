import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBaseAtiva, readPointer } from '../../src/cnpj/base/versoes.ts'
import { importDump, killAndResume, SERPRO, tempFolder, useDump } from '../kit/cnpj.ts'

useDump()

// `npm run test:longo` kills an import at each of its steps.
test('killed between zips, it reads only those that were not finished', async (t) => {
  const { zips: done } = await killAndResume(t, 'leitura', 14)
  assert.ok(done > 0 && done < 9, `${done} of 9 zips were done`)
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
