/**
 * Measures the import of a base (wall, CPU, memory, bytes an establishment), a process a round; `--pasta` is
 * filled if empty, `--raiz` the last vintage for cnpj-lookup.ts. Usage: node bench/cnpj-import.ts
 * [--estabelecimentos 1000000] [--pasta DIR] [--rodadas 3] [--threads N] [--raiz DIR]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDump } from '../simulator/dados-abertos/dump.ts'
import { importCnpj } from '../src/cnpj/importacao/importacao.ts'
import { machineLine, median } from './machine.ts'

type Rodada = { wall: number; cpu: number; rss: number; bytesPorEstabelecimento: number }

const { values } = parseArgs({
  options: {
    estabelecimentos: { type: 'string', default: '1000000' },
    pasta: { type: 'string' },
    raiz: { type: 'string' },
    rodadas: { type: 'string', default: '3' },
    threads: { type: 'string' },
    uma: { type: 'boolean', default: false },
  },
})
const home = join(tmpdir(), 'cnpj-bench')
const pasta = values.pasta ?? join(home, `zips-${values.estabelecimentos}`)
const raiz = values.raiz ?? join(home, `base-${values.estabelecimentos}`)

async function importOnce(): Promise<void> {
  const started = performance.now()
  const manifesto = await importCnpj({
    pasta,
    raiz,
    amostra: true,
    now: () => new Date(),
    ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  })
  const { user, system } = process.cpuUsage()
  const rodada: Rodada = {
    wall: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
    bytesPorEstabelecimento: manifesto.bytes / manifesto.estabelecimentos,
  }
  console.log(JSON.stringify(rodada))
}

function runRound(): Rodada {
  rmSync(raiz, { recursive: true, force: true })
  const args = [import.meta.filename, '--uma', '--pasta', pasta, '--raiz', raiz]
  if (values.threads !== undefined) args.push('--threads', values.threads)
  const rodada: Rodada = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  console.log(
    `${rodada.wall.toFixed(1)} s, ${rodada.cpu.toFixed(1)} CPU-s, ${rodada.rss.toFixed(0)} MB RSS, ` +
      `${rodada.bytesPorEstabelecimento.toFixed(1)} bytes an establishment`,
  )
  return rodada
}

if (values.uma) await importOnce()
else {
  console.log(machineLine())
  if (!existsSync(join(pasta, 'Estabelecimentos0.zip'))) {
    await generateDump({
      pasta,
      estabelecimentos: Number(values.estabelecimentos),
      semente: 1,
      versao: '2026-10',
      partes: 10,
      simples: false,
      sujeira: true,
    })
  }
  const rodadas = Array.from({ length: Number(values.rodadas) }, runRound)
  const of = (pick: (rodada: Rodada) => number): number => median(rodadas.map(pick))
  console.log(
    `median: ${of((r) => r.wall).toFixed(1)} s wall, ${of((r) => r.cpu).toFixed(1)} CPU-s, ` +
      `${of((r) => r.rss).toFixed(0)} MB RSS, ${of((r) => r.bytesPorEstabelecimento).toFixed(1)} bytes an establishment`,
  )
}
