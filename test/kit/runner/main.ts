/**
 * `npm test` and `npm run test:longo` run test files in a few processes and count all tests once; arguments
 * are files or patterns, without which all run. An option, such as --test-name-pattern, is for Node's runner.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { LONG } from './long.ts'
import { runFiles } from './pool.ts'
import { createReport } from './report.ts'

const [first, ...rest] = process.argv.slice(2)
const kind = first === 'longo' ? 'longo' : 'test'
const args = kind === 'longo' ? rest : process.argv.slice(2)

const ALL = { test: 'test/**/*.test.ts', longo: 'test/**/*.longo.ts' }

/** The time limit of a test: of `npm test`, and of a file of `npm run test:longo`. */
const TEST_MS = 120_000
const LONGO_MS = 1_200_000

/**
 * What a process of `npm test` may take of the memory, and what V8 may keep in a shard: so much that a shard
 * is full, and ends between two files, before V8 ends it.
 */
const LIMIT_BYTES = Number(process.env.TEST_MEMORY_MB ?? 1_200) * 1_000_000
const HEAP_MB = 550
const isLongo = (file: string): boolean => file.endsWith('.longo.ts')

/**
 * There is one shard more than cores, since a test that waits for a deadline or a child leaves its core to
 * another. A long one waits more.
 */
const SHARDS = availableParallelism() + (kind === 'longo' ? 2 : 1)

process.exitCode = args.some((arg) => arg.startsWith('--')) ? runNode(args) : await runShards(args)

async function runShards(patterns: string[]): Promise<number> {
  const files = globSync(patterns.length > 0 ? patterns : ALL[kind])
    .sort(longFirst)
    .map((file) => resolve(file))
  // Nobody reads on, so the shards, which end with their runner, need not go on either.
  process.stdout.on('error', () => process.exit(1))
  const isLong = files.some(isLongo)
  const report = createReport((text) => process.stdout.write(text), {
    mostBytes: isLong ? Number.POSITIVE_INFINITY : LIMIT_BYTES,
  })
  const run = isLong ? { testMs: LONGO_MS, env: { LONGO: '1' } } : { testMs: TEST_MS, heapMb: HEAP_MB }
  await runFiles(files, { shards: SHARDS, report, ...run })
  return report.close() ? 0 : 1
}

function longFirst(one: string, other: string): number {
  return rank(one) - rank(other) || one.localeCompare(other)
}

function rank(file: string): number {
  const place = LONG.findIndex((long) => file.endsWith(long))
  return place < 0 ? LONG.length : place
}

function runNode(options: string[]): number {
  const files = options.every((option) => option.startsWith('--')) ? [ALL[kind]] : []
  const node = ['--test', '--test-isolation=none', '--test-timeout=120000', ...options, ...files]
  return spawnSync(process.execPath, node, { stdio: 'inherit' }).status ?? 1
}
