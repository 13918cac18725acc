import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { SyntaxNodeRef } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { errorCodes } from '../../src/platform/errors.ts'
import { anchorsOf, root } from '../kit/deploy.ts'
import { start } from '../kit/house.ts'

type Regra = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const file = join(root, 'deploy/alertas.yml')
const { groups }: { groups: { name: string; rules: Regra[] }[] } = parse(readFileSync(file, 'utf8'))
const regras = groups.flatMap(({ rules }) => rules)

/** What Prometheus itself says of each scrape. */
const OF_PROMETHEUS = ['up']
/** What Prometheus adds to each series. */
const ADDED = ['job', 'instance', 'le']

/** Every node of an expression's tree, in the order of the text. */
function walk(expr: string, visit: (node: SyntaxNodeRef) => void): void {
  parser.parse(expr).iterate({ enter: (node) => visit(node) })
}

/** The texts of all nodes of a kind. */
function nodesOf(expr: string, kind: string): string[] {
  const found: string[] = []
  walk(expr, ({ name, from, to }) => {
    if (name === kind) found.push(expr.slice(from, to))
  })
  return found
}

function faultsIn(expr: string): number {
  let faults = 0
  walk(expr, ({ type }) => {
    if (type.isError) faults += 1
  })
  return faults
}

/** The metrics of the table of docs/operations/metrics.md, with their labels. */
function documented(): Map<string, string[]> {
  const text = readFileSync(join(root, 'docs/operations/metrics.md'), 'utf8')
  const [, after = ''] = text.split('| Figure (`consulta_fiscal_…`) | Type | Labels | Says |')
  const [list = ''] = after.split('\n\n')
  return new Map(
    [...list.matchAll(/^\| `(\w+)` \| \w+ \|([^|]*)\|/gm)].map(([, name = '', labels = '']) => [
      `consulta_fiscal_${name}`,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    ]),
  )
}

/** A metric without the ending that a histogram gives its series. */
const baseOf = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, '')

describe('the alert rules', () => {
  let served: string[] = []
  before(async () => {
    const house = await start({ METRICS_PORT: '0', SEFAZ_MONITOR: 'ligado' })
    const text = await (await fetch(`${house.figures}/metrics`)).text()
    served = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
    await house.close()
  })

  test('each expression is one of PromQL, and a broken one is found', () => {
    assert.ok(regras.length >= 15)
    for (const { alert, expr } of regras) assert.equal(faultsIn(expr), 0, alert)
    assert.ok(faultsIn('sum by (a (rate(x[5m])) >') > 0)
  })

  test('each metric that they name is served', () => {
    for (const { alert, expr } of regras) {
      const names = nodesOf(expr, 'Identifier')
      assert.ok(names.length > 0, alert)
      for (const name of names)
        assert.ok(
          OF_PROMETHEUS.includes(name) || served.includes(baseOf(name)) || served.includes(name),
          `${alert}: ${name}`,
        )
    }
  })

  test('the table of the figures has those that are served, and no other', () => {
    const own = served.filter((name) => name.startsWith('consulta_fiscal_'))
    assert.deepEqual([...documented().keys()].toSorted(), own.toSorted())
  })

  test('each label that they name is one of the metric', () => {
    const known = documented()
    for (const { alert, expr } of regras) {
      const names = nodesOf(expr, 'Identifier')
      const labels = [
        ...nodesOf(expr, 'LabelName'),
        ...nodesOf(expr, 'GroupingLabels').flatMap((list) => list.match(/\w+/g) ?? []),
      ]
      const allowed = [...ADDED, ...names.flatMap((name) => known.get(baseOf(name)) ?? known.get(name) ?? [])]
      for (const label of labels) assert.ok(allowed.includes(label), `${alert}: ${label}`)
    }
  })

  test('each error code that they name exists', () => {
    const codes = regras.flatMap(({ expr }) =>
      [...expr.matchAll(/code="([A-Z_]+)"/g)].map(([, code = '']) => code),
    )
    assert.ok(codes.length > 0)
    for (const code of codes) assert.ok(Object.hasOwn(errorCodes, code), code)
  })

  test('each has a summary, a severity, and a section of its own in docs/operations/alerts.md that tells what to do', () => {
    const anchors = anchorsOf('docs/operations/alerts.md')
    const named = regras.map(({ annotations: { runbook } }) => runbook)
    assert.equal(new Set(named).size, regras.length)
    for (const { alert, labels, annotations } of regras) {
      assert.ok(['page', 'ticket'].includes(labels.severity), alert)
      assert.ok(annotations.summary.length > 20, alert)
      assert.equal(annotations.runbook, `docs/operations/alerts.md#alert-${alert.toLowerCase()}`)
      assert.ok(anchors.includes(`alert-${alert.toLowerCase()}`), `${alert}: no section`)
    }
    const sections = anchors.filter((anchor) => anchor.startsWith('alert-'))
    assert.equal(sections.length, regras.length, 'a section of an alert that is no more')
  })
})

describe('the configuration of Prometheus', () => {
  const prometheus = join(root, 'deploy/prometheus.yml')
  const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true })
  const { global, rule_files, scrape_configs } = parse(readFileSync(prometheus, 'utf8'))
  const [scrape] = scrape_configs

  test('loads the rules, and scrapes under the one name that they ask for', () => {
    assert.deepEqual(rule_files, ['alertas.yml'])
    assert.equal(scrape_configs.length, 1)
    const asked = regras.flatMap(({ expr }) => [...expr.matchAll(/\bjob="(consulta-[^"]+)"/g)])
    assert.ok(asked.length > 2)
    for (const [, job] of asked) assert.equal(job, scrape.job_name)
  })

  test('has both nodes of compose.yaml, each at its port of figures', () => {
    const nodes = Object.keys(compose.services).filter((name) => /^no\d$/.test(name))
    const targets = nodes.map((name) => `${name}:${compose.services[name].environment.METRICS_PORT}`)
    assert.deepEqual(scrape.static_configs, [{ targets }])
  })

  test('waits for a scrape longer than a node does for its database, and ends it before the next', () => {
    const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1])
    assert.ok(seconds(global.scrape_timeout) > 2)
    assert.ok(seconds(global.scrape_timeout) < seconds(global.scrape_interval))
  })

  test('that scrapes nothing is told by a rule of its own', () => {
    const rule = regras.find(({ expr }) => expr === `absent(up{job="${scrape.job_name}"})`)
    assert.equal(rule?.labels.severity, 'page')
    assert.match(rule?.for ?? '', /^[1-9]\d*m$/, 'a restart of Prometheus is no alarm')
  })
})

test('promtool takes the rules and the configuration (skipped where it is not installed)', async (t) => {
  const run = promisify(execFile)
  const isThere = await run('promtool', ['--version']).then(
    () => true,
    () => false,
  )
  if (!isThere) return t.skip('promtool is not installed')
  const { stdout } = await run('promtool', ['check', 'rules', file])
  assert.match(stdout, new RegExp(`SUCCESS: ${regras.length} rules found`))
  const checked = await run('promtool', ['check', 'config', join(root, 'deploy/prometheus.yml')])
  assert.match(checked.stdout, /SUCCESS: .*prometheus\.yml is valid/)
})
