import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { fillMonitor, MALDADE } from '../kit/sefaz.ts'

let house: House
before(async () => {
  house = await start({ PUBLIC_URL: 'https://exemplo.com.br/fiscal' })
  await fillMonitor(house, NOW.getTime())
})
after(() => house.close())

const ask = (path: string) => house.ask(`/sefaz/api/v2/${path}`, { key: null })
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])

test('summary.json has the shape that readers of status pages know', async () => {
  const { status, headers, body } = await ask('summary.json')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.ok(headers.get('etag'))
  assert.deepEqual(Object.keys(body), ['page', 'components', 'incidents', 'scheduled_maintenances', 'status'])
  assert.deepEqual(body.page, {
    id: 'consulta-fiscal-sefaz',
    name: 'SEFAZ agora',
    url: 'https://exemplo.com.br/fiscal/sefaz/',
    time_zone: 'America/Sao_Paulo',
    updated_at: '2026-11-14T14:59:58.000Z',
  })
  assert.deepEqual(body.status, { indicator: 'major', description: 'Há autorizadores fora' })
  assert.deepEqual(body.scheduled_maintenances, [])
})

test('its components are the 27 authorizers, in a group a document', async () => {
  const components = listOf((await ask('summary.json')).body.components)
  const groups = components.filter(({ group }) => group === true)
  assert.deepEqual(
    groups.map(({ name, status }) => [name, status]),
    [
      ['NF-e', 'partial_outage'],
      ['NFC-e', 'partial_outage'],
      ['CT-e', 'operational'],
    ],
  )
  const single = components.filter(({ group }) => group === false)
  assert.equal(single.length, 27)
  const byId = new Map(single.map((one) => [one.id, one]))
  for (const { id, components: own } of groups)
    for (const child of listOf(own)) assert.equal(byId.get(String(child))?.group_id, id)
  assert.deepEqual(
    ['nfe-am', 'nfe-pe', 'nfe-ba', 'nfe-mt', 'nfe-svrs'].map((id) => byId.get(id)?.status),
    ['major_outage', 'major_outage', 'partial_outage', 'degraded_performance', 'operational'],
  )
  assert.equal(byId.get('nfe-svan')?.description, 'Atende MA.')
})

test('its incidents are those that are open; incidents.json has the ended ones too, resolved', async () => {
  const opened = listOf((await ask('summary.json')).body.incidents)
  assert.deepEqual(
    opened.map(({ id, name, status, resolved_at }) => [id, name, status, resolved_at]),
    [
      ['pe', 'SEFAZ PE', 'investigating', null],
      ['am', 'SEFAZ AM', 'investigating', null],
    ],
  )
  const [pe] = opened
  const [update] = listOf(pe?.incident_updates)
  assert.equal(update?.status, 'investigating')
  assert.ok(String(update?.body).includes(MALDADE))
  assert.match(String(update?.body), /Emita pela SVC-RS/)
  assert.deepEqual(
    listOf(pe?.components).map(({ id }) => id),
    ['nfe-pe'],
  )
  const all = listOf((await ask('incidents.json')).body.incidents)
  assert.deepEqual(
    all.map(({ id }) => id),
    ['pe', 'am', 'rs'],
  )
  assert.deepEqual(listOf(update?.affected_components), [
    { code: 'nfe-pe', name: 'NF-e SEFAZ PE', old_status: 'operational', new_status: 'major_outage' },
  ])
  const [, , rs] = all
  assert.equal(rs?.status, 'resolved')
  assert.deepEqual(
    listOf(rs?.incident_updates).map(({ status }) => status),
    ['resolved', 'investigating'],
  )
})

test('without a board it says that nothing is known, and calls nothing operational', async (t) => {
  const off = await start()
  t.after(() => off.close())
  const { body } = await off.ask('/sefaz/api/v2/summary.json', { key: null })
  assert.deepEqual(body.status, { indicator: 'minor', description: 'Sem leitura agora' })
  for (const { status } of listOf(body.components)) assert.equal(status, 'degraded_performance')
})
