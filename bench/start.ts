/**
 * First start (empty data folder), cold start (data folder ready) to the first answer of /api/consultar-cnpj,
 * and idle memory. Usage: node bench/start.ts [rounds]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { TREE } from './tree.ts'

const rounds = Number(process.argv[2] ?? 5)
const KEY = 'chave-de-teste-do-bench'
const PORT = 18_731
/** By then the first start has drawn the guide, which takes 15 MB, and the garbage of the start is away. */
const SETTLED_MS = 8_000
const URL_CNPJ = `http://127.0.0.1:${PORT}/api/consultar-cnpj?cnpj=00000000000191`

/** Starts the program and waits for its first answer. Gives the seconds that it took. */
async function start(pasta: string): Promise<{ child: ChildProcess; seconds: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(TREE, 'bin/servidor.js')], {
    env: { DATA_DIR: pasta, PORT: String(PORT), BOOTSTRAP_API_KEY: KEY, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  for (;;) {
    const answer = await fetch(URL_CNPJ, { headers: { 'X-API-Key': KEY } }).catch(() => undefined)
    if (answer?.status === 200) return { child, seconds: (performance.now() - began) / 1000 }
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await wait(10)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Resident memory of a process, in MB (Linux). */
const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const first: number[] = []
const cold: number[] = []
const resident: number[] = []
for (let round = 0; round < rounds; round++) {
  const pasta = mkdtempSync(join(tmpdir(), 'bench-start-'))
  const one = await start(pasta)
  first.push(one.seconds)
  await wait(SETTLED_MS)
  await stop(one.child)
  const two = await start(pasta)
  cold.push(two.seconds)
  await wait(SETTLED_MS)
  resident.push(residentMb(two.child.pid ?? 0))
  await stop(two.child)
  rmSync(pasta, { recursive: true })
}
console.log(`${machineLine()}; medians of ${rounds}`)
report('first start to the first answer', median(first), 's')
report('cold start, data folder ready, to the first answer', median(cold), 's')
report('resident memory, idle, sample base', median(resident), 'MB')
