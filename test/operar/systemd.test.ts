import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parseConfig } from '../../src/platform/config/config.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { freePort, root } from '../kit/deploy.ts'
import { startChild } from '../kit/processes.ts'

/** The lines of a unit: `Section.Key` and its values, in their order. */
function readUnit(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let section = ''
  for (const line of text.split('\n')) {
    if (line === '' || /^[#;]/.test(line)) continue
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? []
    const [, key, value = ''] = /^([A-Z][A-Za-z]*)=(.*)$/.exec(line) ?? []
    assert.ok(heading !== undefined || (key !== undefined && section !== ''), `no line of a unit: ${line}`)
    if (heading !== undefined) section = heading
    else found.set(`${section}.${key}`, [...(found.get(`${section}.${key}`) ?? []), value])
  }
  return found
}

const files = globSync('deploy/systemd/*.{service,timer}', { cwd: root }).toSorted()
const units = new Map(files.map((file) => [basename(file), readUnit(readFileSync(join(root, file), 'utf8'))]))
const service = units.get('consulta-fiscal.service') ?? new Map<string, string[]>()
const services = [...units].filter(([name]) => name.endsWith('.service'))

/** The variables that a unit sets. */
const environmentOf = (unit: Map<string, string[]>): [string, string][] =>
  (unit.get('Service.Environment') ?? []).flatMap((line) =>
    line
      .split(' ')
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

test('the service has no rights, sees nothing of the system and writes its own folders alone', () => {
  const wanted: [string, string][] = [
    ['User', 'consulta-fiscal'],
    ['NoNewPrivileges', 'yes'],
    ['CapabilityBoundingSet', ''],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'yes'],
    ['PrivateTmp', 'yes'],
    ['PrivateDevices', 'yes'],
    ['StateDirectory', 'consulta-fiscal'],
    ['StateDirectoryMode', '0700'],
    ['UMask', '0077'],
  ]
  for (const [name, unit] of services)
    for (const [key, value] of wanted)
      assert.deepEqual(unit.get(`Service.${key}`), [value], `${name}: ${key}`)
  assert.equal(service.get('Service.MemoryDenyWriteExecute'), undefined, 'V8 would not start')
})

test('systemd waits longer than the service takes to stop', () => {
  const seconds = Number(service.get('Service.TimeoutStopSec')?.[0])
  const { DRAIN_SECONDS, SHUTDOWN_SECONDS } = parseConfig({})
  assert.ok(seconds > DRAIN_SECONDS + SHUTDOWN_SECONDS)
  assert.deepEqual(service.get('Service.KillSignal'), ['SIGTERM'])
})

test('a node that cannot start, as without its database, is started again for ever', async (t) => {
  // systemd reads the limit under [Unit] alone; zero means none.
  assert.deepEqual(service.get('Unit.StartLimitIntervalSec'), ['0'])
  for (const key of ['Unit.StartLimitBurst', 'Service.StartLimitIntervalSec', 'Service.StartLimitBurst'])
    assert.equal(service.get(key), undefined, key)
  for (const key of ['Requires', 'Requisite', 'BindsTo']) assert.equal(service.get(`Unit.${key}`), undefined)
  const seconds = Number(service.get('Service.RestartSec')?.[0])
  assert.ok(seconds >= 1 && seconds <= 10, 'soon, and without a busy loop')
  const pasta = mkdtempSync(join(tmpdir(), 'sem-banco-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const DATABASE_URL = `postgres://fiscal@127.0.0.1:${await freePort()}/fiscal`
  const program = startChild('bin/servidor.js', [], pasta, { DATABASE_URL, DATA_DIR: pasta })
  assert.equal(await program.ended, 1, program.said())
  assert.deepEqual(service.get('Service.Restart'), ['on-failure'], 'which an exit code of 1 is')
  assert.equal(service.get('Service.RestartPreventExitStatus'), undefined)
})

test('what the units set are settings of the service, and secrets come from files', () => {
  for (const [name, unit] of services) {
    for (const [key] of environmentOf(unit)) {
      const isOurs = Object.hasOwn(settings, key)
      assert.ok(isOurs || ['NODE_ENV', 'NODE_COMPILE_CACHE'].includes(key), `${name}: ${key}`)
      assert.ok(
        !isOurs || !Object.entries(settings).find(([one]) => one === key)?.[1].secret,
        `${name}: ${key}`,
      )
    }
    assert.ok(unit.get('Service.EnvironmentFile')?.includes('/etc/consulta-fiscal/segredos.env'), name)
  }
  assert.deepEqual(service.get('Service.LoadCredential'), ['a1.pfx:/etc/consulta-fiscal/a1.pfx'])
  assert.equal(new Map(environmentOf(service)).get('A1_FILE'), '%d/a1.pfx')
})

test('what they start exists in this tree', () => {
  for (const [name, unit] of services) {
    const started = (unit.get('Service.ExecStart')?.[0] ?? '').replaceAll('/opt/consulta-fiscal/', '')
    const [file = ''] = /(?:bin|deploy)\/[\w-]+\.(?:js|sh)/.exec(started) ?? []
    assert.ok(file !== '' && existsSync(join(root, file)), `${name}: ${started}`)
  }
})

test('each timer has its service', () => {
  const timers = [...units.keys()].filter((name) => name.endsWith('.timer'))
  assert.deepEqual(timers, ['consulta-fiscal-backup.timer', 'consulta-fiscal-cnpj.timer'])
  for (const name of timers) {
    assert.ok(units.has(name.replace('.timer', '.service')), name)
    assert.equal(units.get(name)?.get('Timer.OnCalendar')?.length, 1)
    assert.deepEqual(units.get(name)?.get('Install.WantedBy'), ['timers.target'])
  }
})

test('systemd itself takes them (skipped where systemd-analyze is not installed)', async (t) => {
  const run = promisify(execFile)
  const isThere = await run('systemd-analyze', ['--version']).then(
    () => true,
    () => false,
  )
  if (!isThere) return t.skip('systemd-analyze is not installed')
  const pasta = mkdtempSync(join(tmpdir(), 'systemd-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const verify = (...paths: string[]) => run('systemd-analyze', ['verify', '--man=no', ...paths])
  const written = files.map((file) => {
    // It looks for the programs, which are installed elsewhere.
    const text = readFileSync(join(root, file), 'utf8')
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/consulta-fiscal', root)
    writeFileSync(join(pasta, basename(file)), text)
    return join(pasta, basename(file))
  })
  const { stderr } = await verify(...written)
  assert.equal(stderr, '')
  const broken = join(pasta, 'quebrada.service')
  writeFileSync(broken, '[Service]\nExecStart=/nao/ha\nProtectSystem=talvez\n')
  await assert.rejects(
    verify(broken),
    ({ stderr }) => /protect system/.test(stderr) && /nao\/ha/.test(stderr),
  )
})
