/**
 * CPU of this process for one round of the monitor over reused connections, its simulator in another: the 27
 * questions alone, and the whole round with what it stores. `node bench/monitor-round.ts [rounds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SefazRoom } from '../src/sefaz/sefaz.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { parseConfig } = await fromTree<typeof import('../src/platform/config/config.ts')>(
  'src/platform/config/config.ts',
)
const { makeRodada } = await fromTree<typeof import('../src/sefaz/rodada.ts')>('src/sefaz/rodada.ts')
const { autorizadores } = await fromTree<typeof import('../src/sefaz/rules.ts')>('src/sefaz/rules.ts')
const { probe } = await fromTree<typeof import('../src/sefaz/source.ts')>('src/sefaz/source.ts')
const { startServer } = await fromTree<typeof import('../src/server.ts')>('src/server.ts')

/** What the rounds took, in milliseconds of CPU, and the connections that they opened. */
type Rodadas = { median: number; least: number; connections: number }

/** Measures rounds of a service against its simulator: the questions alone, and all of a round. */
async function measureRounds(rounds: number): Promise<{ perguntas: Rodadas; inteira: Rodadas }> {
  const pasta = mkdtempSync(join(tmpdir(), 'bench-monitor-'))
  const settings = { LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: pasta, SEFAZ_MONITOR: 'desligado' }
  const {
    rooms: { sefaz },
    close,
  } = await startServer(parseConfig(settings))
  try {
    const calm = JSON.stringify({ padrao: { caso: 'normal', ms: 0 } })
    await fetch(`${sefaz.simulador}/sefaz.json`, { method: 'PUT', body: calm })
    const perguntas = await measure(sefaz, rounds, () => askAll(sefaz))
    const inteira = await measure(sefaz, rounds, async () => {
      const made = await makeRodada(sefaz)
      if (made?.leituras.some(({ resultado }) => resultado !== 'resposta')) throw new Error('a probe failed')
    })
    return { perguntas, inteira }
  } finally {
    await close()
    rmSync(pasta, { recursive: true, force: true })
  }
}

async function askAll({ certificado, status: http }: SefazRoom): Promise<void> {
  if (!certificado) throw new Error('the simulator gave no certificate')
  const log = { debug: () => {}, info: () => {} }
  const meios = { http, certificado, ambiente: 'producao', limiteMs: 30_000, log } as const
  await Promise.all(autorizadores.map((one) => probe(one, Date.now(), meios)))
}

async function measure(room: SefazRoom, rounds: number, round: () => Promise<void>): Promise<Rodadas> {
  // The first ones connect, and V8 compiles.
  for (let warm = 0; warm < 5; warm++) await round()
  const before = await connectionsOf(room)
  const taken: number[] = []
  for (let done = 0; done < rounds; done++) {
    await setTimeout(50)
    const cpu = process.cpuUsage()
    await round()
    const { user, system } = process.cpuUsage(cpu)
    taken.push((user + system) / 1000)
  }
  const connections = (await connectionsOf(room)) - before
  return { median: median(taken), least: Math.min(...taken), connections }
}

/** Those of TLS: this question itself has none. */
async function connectionsOf({ simulador }: SefazRoom): Promise<number> {
  const { handshakes } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  const { completos, retomados } = Object(handshakes)
  return Number(completos) + Number(retomados)
}

const [rounds = 40] = process.argv.slice(2).map(Number)
const measured = await measureRounds(rounds)
console.log(`${machineLine()}; ${rounds} rounds of ${autorizadores.length} authorizers`)
for (const [what, { median: usual, least, connections }] of Object.entries(measured)) {
  report(`${what}: CPU`, usual, 'ms a round')
  report(`${what}: CPU, least`, least, 'ms a round')
  report(`${what}: new connections`, connections, 'in all')
}
