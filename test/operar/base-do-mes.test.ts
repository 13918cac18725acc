import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { openMonth, publish } from '../kit/cnpj.ts'

test('the base of the month is downloaded and imported once, and the next one when it is published', async (t) => {
  const { pasta, servidor, zips, run, versoes } = await openMonth(t)
  await publish(servidor, pasta, '2026-10')
  const first = await run()
  assert.equal(first.code, 0, first.said)
  assert.deepEqual([await versoes(), readdirSync(zips)], [['2026-10 *'], []])
  const asked = servidor.pedidos.filter((one) => one.endsWith('bytes=0-')).length
  const second = await run()
  assert.deepEqual([second.code, second.said], [0, 'A base de 2026-10 já foi importada.\n'])
  assert.equal(
    servidor.pedidos.filter((one) => one.endsWith('bytes=0-')).length,
    asked,
    'nothing is downloaded',
  )
  await publish(servidor, pasta, '2026-11')
  const third = await run()
  assert.equal(third.code, 0, third.said)
  assert.deepEqual(await versoes(), ['2026-11 *', '2026-10'])
})

test('a share that refuses is told, with code 1, so that the timer shows it', async (t) => {
  const { servidor, run, versoes } = await openMonth(t)
  servidor.propfind = { status: 401 }
  const { code, said } = await run()
  assert.equal(code, 1)
  assert.match(said, /CNPJ_WEBDAV_TOKEN/)
  assert.deepEqual(await versoes(), [])
})
