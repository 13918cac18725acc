/**
 * `npm run bench` lists the benches. With a name it runs that bench, with the arguments that follow; with
 * `--contra <folder>` it runs it by turns for this tree and for that one.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { benches } from './benches.ts'

const [name = '', ...args] = process.argv.slice(2)
if (Object.hasOwn(benches, name)) {
  const [file, given] = args.includes('--contra') ? ['contra', [name, ...args]] : [name, args]
  const run = spawnSync(process.execPath, [join(import.meta.dirname, `${file}.ts`), ...given], {
    stdio: 'inherit',
  })
  process.exitCode = run.status ?? 1
} else {
  console.log('npm run bench -- <name> [arguments] [--contra <folder of another tree> [--rodadas 5]]\n')
  for (const [bench, { about, aim }] of Object.entries(benches))
    console.log(`  ${bench.padEnd(17)} ${about}${aim ? `\n${' '.repeat(20)}aim: ${aim}` : ''}`)
  process.exitCode = name === '' ? 0 : 1
}
