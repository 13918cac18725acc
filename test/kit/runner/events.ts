import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Told } from './report.ts'

/**
 * A shard nests the suite of a file at this level. The shard's own outermost test is above it, the file's
 * tests are below.
 */
const FILE = 1

type Data<Type> = Extract<TestEvent, { type: Type }>['data']

/**
 * A reporter of node:test that tells the runner what happens in this shard. Node's totals count one shard
 * alone, so they stay here.
 */
async function* events(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = []
  for await (const { type, data } of source) {
    if (type === 'test:start') names.splice(data.nesting, names.length, data.name)
    else if (type === 'test:diagnostic') tell(remarkOf(data))
    else if (type === 'test:pass' || type === 'test:fail') {
      tell(type === 'test:fail' ? failOf(data, names) : passOf(data))
      if (data.nesting === FILE) tell({ kind: 'end-of-file', bytes: process.memoryUsage.rss() })
    }
  }
  yield ''
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter by its default export.
export default events

function tell(told: Told | undefined): void {
  if (told) process.send?.(told)
}

/** Gives a remark of a test. Node's totals are remarks of level `info` above all files. */
function remarkOf({ level, nesting, message }: Data<'test:diagnostic'>): Told | undefined {
  const isTotal = nesting === 0 && level === 'info' && !/^(Error|Warning):/.test(message)
  return isTotal ? undefined : { kind: 'remark', text: message }
}

type Ended = Data<'test:pass'> | Data<'test:fail'>

const isSuite = ({ nesting, details }: Ended): boolean => nesting <= FILE || details.type === 'suite'

function passOf(data: Ended): Told | undefined {
  if (isSuite(data)) return undefined
  if (data.todo !== undefined) return { kind: 'test', outcome: 'todo' }
  return { kind: 'test', outcome: data.skip === undefined ? 'pass' : 'skipped' }
}

/**
 * Gives a failure. The tests of a suite were told before, so a suite fails only for what is its own: a hook,
 * or an import.
 */
function failOf(data: Data<'test:fail'>, names: string[]): Told | undefined {
  if (data.todo !== undefined) return passOf(data)
  const { file = '', line, column, nesting, name } = data
  const { error } = data.details
  if (isSuite(data) && Object(error).failureType === 'subtestsFailed') return undefined
  const failure = {
    names: [...names.slice(FILE + 1, nesting), name],
    place: `${relative(process.cwd(), file)}:${line}:${column}`,
    error: inspect(error.cause ?? error),
  }
  return { kind: 'test', outcome: 'fail', failure }
}
