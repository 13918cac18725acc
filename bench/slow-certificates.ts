/**
 * Measures how long an account waits for its own cached NF-e calls while another account sends certificate
 * files that take seconds to open:
 * `node bench/slow-certificates.ts [seconds of the attack] [files a second]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withCounts } from '../test/kit/a1.ts'
import { machineLine, median } from './machine.ts'
import { type Flow, openNotes } from './nfe-note.ts'
import { startTarget, stopTarget } from './target.ts'

const [seconds = 20, perSecond = 20] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-slow-'))
const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ACCOUNTS: '2' }
const service = await startTarget('service', 'http-full.ts', env)
const [attacker = '', victim = ''] = service.keys
const notes = await openNotes(service.simulador ?? '')
const [note] = notes.round('direta')
if (!note) throw new Error('the simulator has no note')

async function post(key: string, { chave, pfx, senha }: Pick<Flow, 'chave' | 'pfx' | 'senha'>) {
  const started = performance.now()
  const reply = await fetch(`${service.address}/api/consultar-nfe-xml`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ chave, certificado: pfx, senha }),
  })
  const body = Object(await reply.json())
  return { ms: performance.now() - started, status: reply.status, item: Object(body.resultados?.[0]) }
}

/** The victim's waits, one call after another, while `going` is true. */
async function waits(note: Flow, going: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (going()) {
    const { ms, item } = await post(victim, note)
    if (item.from_cache !== true) throw new Error(`not from the cache: ${JSON.stringify(item).slice(0, 300)}`)
    times.push(ms)
    await wait(100)
  }
  return times.sort((a, b) => a - b)
}

const tell = (name: string, times: number[]): void =>
  console.log(
    `${name}: median ${median(times).toFixed(0)} ms, slowest ${(times.at(-1) ?? 0).toFixed(0)} ms of ${times.length} calls`,
  )

console.log(machineLine())
await post(victim, note)
const quietUntil = Date.now() + 5_000
tell('alone', await waits(note, () => Date.now() < quietUntil))
const slow = withCounts(Buffer.from(note.pfx, 'base64'), () => 600_000, true).toString('base64')
const statuses = new Map<number, number>()
const sent: Promise<void>[] = []
let attacking = true
const watched = waits(note, () => attacking)
for (let at = 0; at < seconds * perSecond; at++) {
  const call = post(attacker, { ...note, pfx: slow }).then(
    ({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1),
  )
  sent.push(call)
  await wait(1000 / perSecond)
}
attacking = false
tell('under attack', await watched)
await Promise.all(sent)
console.log(`the attacker: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
await stopTarget(service)
rmSync(folder, { recursive: true })
