import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { parseConfig } from '../../src/platform/config/config.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { envOf, readStages, root } from '../kit/deploy.ts'

type Servico = {
  image: string
  build?: string
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  privileged?: boolean
  network_mode?: string
  environment?: Record<string, string>
  env_file?: string[]
  secrets?: string[]
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  stop_grace_period?: string
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  profiles?: string[]
  command?: string[]
}
type Compose = {
  services: Record<string, Servico>
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
  networks: Record<string, { internal?: boolean } | null>
}

const text = readFileSync(join(root, 'compose.yaml'), 'utf8')
const compose: Compose = parse(text, { merge: true })
const services = Object.entries(compose.services)
const nos = services.filter(([name]) => /^no\d$/.test(name))
const secondsIn = (period = ''): number => Number(/^(\d+)s$/.exec(period)?.[1])

test('there are two nodes, a database and a proxy, and only the proxy is reached from outside', () => {
  assert.deepEqual(Object.keys(compose.services).toSorted(), ['banco', 'cnpj', 'no1', 'no2', 'proxy'])
  const shown = services.filter(([, { ports }]) => ports !== undefined)
  assert.deepEqual(
    shown.map(([name]) => name),
    ['proxy'],
  )
  assert.equal(compose.networks.dentro?.internal, true)
  assert.deepEqual(compose.services.banco?.networks, ['dentro'])
})

test('every container is without rights: nothing is written, no capability is kept, none is won', () => {
  for (const [name, one] of services) {
    assert.equal(one.read_only, true, name)
    assert.deepEqual(one.cap_drop, ['ALL'], name)
    assert.deepEqual(one.security_opt, ['no-new-privileges:true'], name)
    assert.ok(!one.privileged && one.network_mode === undefined, name)
    assert.deepEqual(one.cap_add ?? [], name === 'proxy' ? ['NET_BIND_SERVICE'] : [], name)
    assert.ok(!one.volumes?.some((volume) => volume.includes('docker.sock')), name)
  }
})

test('each image is named by a version, and none is "latest"', () => {
  for (const [name, { image, build }] of services)
    assert.ok(build !== undefined || /:\d+\.\d+(?:\.\d+)?-\w+$/.test(image), `${name}: ${image}`)
})

test('what a node is told is a setting of the service, and the service takes it', () => {
  for (const [name, { environment = {} }] of [
    ...nos,
    ['cnpj', compose.services.cnpj ?? { image: '' }] as const,
  ]) {
    const filled = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{ENDERECO[^}]*\}/, 'fiscal.exemplo.com.br'),
      ]),
    )
    assert.ok(Object.keys(filled).length > 5, name)
    for (const key of Object.keys(filled)) assert.ok(Object.hasOwn(settings, key), `${name}: ${key}`)
    const config = parseConfig(filled)
    assert.equal(config.TRUST_PROXY, 1)
    assert.equal(config.PUBLIC_URL, 'https://fiscal.exemplo.com.br')
  }
})

test('a node has longer to stop than it takes, and the proxy longer than a node', () => {
  const proxy = secondsIn(compose.services.proxy?.stop_grace_period)
  for (const [name, { environment, stop_grace_period }] of nos) {
    const config = parseConfig({ ...environment, PUBLIC_URL: '' })
    assert.ok(secondsIn(stop_grace_period) > config.DRAIN_SECONDS + config.SHUTDOWN_SECONDS, name)
    assert.ok(proxy > secondsIn(stop_grace_period), name)
    assert.ok(config.SHUTDOWN_SECONDS >= config.NFE_SECONDS + 15, 'a call for a note ends before the process')
  }
})

test('the nodes differ in their data folder alone, and read one CNPJ base that neither writes', () => {
  const [[, one], [, other]] = [nos[0] ?? ['', { image: '' }], nos[1] ?? ['', { image: '' }]]
  const own = ({ volumes = [], ...rest }: Servico) => ({
    ...rest,
    volumes: volumes.filter((v) => v.startsWith('cnpj:')),
  })
  assert.deepEqual(own(one), own(other))
  assert.deepEqual(own(one).volumes, ['cnpj:/dados/cnpj:ro'])
  assert.notDeepEqual(one.volumes, other.volumes)
  const last = readStages().at(-1)
  assert.ok(last)
  const { DATA_DIR } = envOf(last)
  for (const { volumes } of [one, other]) assert.ok(volumes?.some((v) => v.endsWith(`:${DATA_DIR}`)))
  assert.deepEqual(compose.services.cnpj?.volumes, [`cnpj:${DATA_DIR}/cnpj`])
})

test('secrets are in files that neither git nor an image has; the example names settings and has no value', () => {
  const secret = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name] : []))
  assert.ok(secret.includes('SERVER_SECRET') && secret.includes('DATABASE_URL'))
  for (const [name, { environment = {} }] of services)
    for (const key of [...secret, 'POSTGRES_PASSWORD'])
      assert.ok(!Object.hasOwn(environment, key), `${name}: ${key}`)
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n')
  assert.ok(ignored.includes('/segredos/') && ignored.includes('/segredos.env'))
  for (const { file } of Object.values(compose.secrets)) assert.match(file, /^\.\/segredos\//)
  for (const [name, { secrets = [] }] of services)
    for (const one of secrets) assert.ok(Object.hasOwn(compose.secrets, one), `${name}: ${one}`)
  const example = readFileSync(join(root, 'deploy/segredos.env.exemplo'), 'utf8')
  const named = [...example.matchAll(/^(\w+)=(.*)$/gm)]
  assert.ok(named.length > 4)
  for (const [, key = '', value = ''] of named) {
    assert.ok(secret.includes(key), key)
    assert.ok(value === '' || value.includes('TROQUE'), key)
  }
})

test('whatever is named exists: volumes, networks, files, and those that are waited for have a health check', () => {
  const image = readStages().at(-1)?.passos ?? []
  for (const [name, one] of services) {
    for (const volume of one.volumes ?? []) {
      const [from = ''] = volume.split(':')
      if (from.startsWith('.')) assert.ok(existsSync(join(root, from)), `${name}: ${from}`)
      else assert.ok(Object.hasOwn(compose.volumes, from), `${name}: ${from}`)
    }
    for (const network of one.networks ?? [])
      assert.ok(Object.hasOwn(compose.networks, network), `${name}: ${network}`)
    for (const [other, { condition }] of Object.entries(one.depends_on ?? {})) {
      assert.equal(condition, 'service_healthy')
      const waited = compose.services[other]
      const isChecked =
        waited?.healthcheck || (waited?.build && image.some(({ palavra }) => palavra === 'HEALTHCHECK'))
      assert.ok(isChecked, `${name} waits for ${other}`)
    }
  }
  assert.deepEqual(compose.services.cnpj?.command, ['sh', 'deploy/base-do-mes.sh'])
})
