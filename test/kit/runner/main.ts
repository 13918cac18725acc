/**
 * `npm test` runs test files in a few processes and counts all tests once; its arguments are files or
 * patterns, without which all tests run. With an option of Node's, such as --test-name-pattern, Node's own
 * runner gets the arguments as they are.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { LONG } from './long.ts'
import { runFiles } from './pool.ts'
import { createReport } from './report.ts'

const ALL = 'test/**/*.test.ts'

/** The time limit of a test: of `npm test`, and of a file of `npm run test:longo`. */
const TEST_MS = 120_000
const LONGO_MS = 1_200_000
const isLongo = (file: string): boolean => file.endsWith('.longo.ts')

/**
 * There is one shard more than cores, since a test that waits for a deadline or a child leaves its core to
 * another.
 */
const SHARDS = availableParallelism() + 1

const args = process.argv.slice(2)
process.exitCode = args.some((arg) => arg.startsWith('--')) ? runNode(args) : await runShards(args)

async function runShards(patterns: string[]): Promise<number> {
  const files = globSync(patterns.length > 0 ? patterns : ALL)
    .sort(longFirst)
    .map((file) => resolve(file))
  const report = createReport((text) => process.stdout.write(text))
  const long = files.some(isLongo) && { testMs: LONGO_MS, env: { LONGO: '1' } }
  await runFiles(files, { shards: SHARDS, testMs: TEST_MS, report, ...long })
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
  const files = options.every((option) => option.startsWith('--')) ? [ALL] : []
  const node = ['--test', '--test-isolation=none', '--test-timeout=120000', ...options, ...files]
  return spawnSync(process.execPath, node, { stdio: 'inherit' }).status ?? 1
}
