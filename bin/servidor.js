#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import './node-version.js'
import { ARENAS, collectOnce, FLAGS } from './memory.js'

// V8 reads most of its limits before the first line of a program, so this process starts again, as itself,
// with them. Where the system cannot do that (Windows), the service takes more memory.
if (process.execve && !FLAGS.every((flag) => process.execArgv.includes(flag))) {
  const program = fileURLToPath(import.meta.url)
  const args = [...process.execArgv, ...FLAGS, program, ...process.argv.slice(2)]
  // biome-ignore lint/style/noProcessEnv: the program's whole environment is handed on.
  process.execve(process.execPath, [process.execPath, ...args], { ...ARENAS, ...process.env })
}

// From the second start on: no TypeScript to strip, 30 MB and a third of a second less.
module.enableCompileCache?.()

// Node writes the cache when a process ends by itself, which a service that is killed does not, and keeps
// 13 MB of what it read until it writes. So it writes part by part, and a part takes the place of the last.
const flush = () => module.flushCompileCache?.()
await import('../src/platform/db/db.ts').then(flush)
await import('../src/platform/platform.ts').then(flush)
await import('../src/estados/estados.ts').then(flush)
await import('../src/rooms.ts').then(flush)
await import('../src/site/site.ts').then(flush)
const { main } = await import('../src/main.ts')
flush()
// A terminal's Ctrl-C reaches all, and npm hands it on to the service: half a second later on a busy machine.
// biome-ignore lint/style/noProcessEnv: it tells who started this process, and is no setting.
const echoes = process.env.npm_lifecycle_event === undefined ? 0 : 1
await main(collectOnce, echoes)
flush()
