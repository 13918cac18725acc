import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { start } from '../kit/house.ts'

test('a page asked for by its whole address, as by a proxy, is the page, and no redirect to itself', async (t) => {
  const house = await start()
  t.after(() => house.close())
  const { hostname, port } = new URL(house.address)
  const ask = (path: string) =>
    new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      const asked = request({ hostname, port, path, agent: false }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve([answer.statusCode, answer.headers.location]))
      })
      asked.on('error', reject).end()
    })
  assert.deepEqual(await ask('http://exemplo.com.br/sefaz/sp/'), [200, undefined])
  assert.deepEqual(await ask('http://exemplo.com.br/sefaz/SP?x'), [301, '/sefaz/sp/'])
  assert.deepEqual(await ask('//exemplo.com.br/sefaz/sp'), [404, undefined])
})
