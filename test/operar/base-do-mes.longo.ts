import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMonth, publish } from '../kit/cnpj.ts'

test('a download that is stopped by SIGTERM goes on at the next run', async (t) => {
  const { pasta, servidor, zips, run, versoes } = await openMonth(t)
  await publish(servidor, pasta, '2026-10')
  servidor.falhas.set('2026-10/Empresas5.zip', [{ tipo: 'para', depois: 20 }])
  const halted = await run((kill) => {
    const look = (): void => {
      if (servidor.pedidos.some((one) => one.endsWith('Empresas5.zip bytes=0-'))) kill()
      else setImmediate(look)
    }
    look()
  })
  assert.notEqual(halted.code, 0)
  assert.deepEqual(await versoes(), [])
  assert.ok(existsSync(join(zips, '2026-10')), 'what was downloaded stays')
  const again = await run()
  assert.equal(again.code, 0, again.said)
  assert.deepEqual(await versoes(), ['2026-10 *'])
})
