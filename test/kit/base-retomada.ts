import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { ARQUIVOS } from '../../src/cnpj/base/versao.ts'
import { readPointer, versoesFolder } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import type { ImportProgress } from '../../src/cnpj/importacao/publish.ts'
import { tempFolder } from './base-pasta.ts'

export const now = () => new Date('2026-11-21T12:00:00Z')
export const folder = mkdtempSync(join(tmpdir(), 'retomada-'))
export const zips = join(folder, 'zips')
export const inteira = join(folder, 'inteira')
export const SERPRO = '33683111000280'

export const importar = (
  raiz: string,
  onProgress: (progress: ImportProgress) => void = () => {},
  signal?: AbortSignal,
) =>
  importCnpj({ pasta: zips, raiz, amostra: true, threads: 0, now, onProgress, ...(signal ? { signal } : {}) })

before(async () => {
  await generateDump({ pasta: zips, estabelecimentos: 20_000, partes: 3, simples: false, nivel: 1 })
  await importar(inteira)
})

after(() => rmSync(folder, { recursive: true }))

/** Runs an import up to a point and kills it there, as a power cut would. */
export async function killAt(raiz: string, etapa: string, times: number, threads: number): Promise<void> {
  const program = join(import.meta.dirname, 'base-interrompida.ts')
  const args = [program, zips, raiz, etapa, String(times), String(threads)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<string | null>((done) => child.once('exit', (_code, signal) => done(signal)))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  assert.equal(await gone, 'SIGKILL', `the import ended before ${etapa} ${times}`)
}

export const contentOf = (raiz: string): Buffer[] =>
  Object.values(ARQUIVOS)
    .filter((nome) => nome !== ARQUIVOS.manifesto)
    .map((nome) => readFileSync(join(versoesFolder(raiz), readPointer(raiz) ?? '', nome)))

export function finishedRuns(raiz: string): Map<string, number> {
  const dir = join(raiz, 'importando', '2026-10', 'leituras')
  const done = readdirSync(dir).filter((nome) => nome.endsWith('.json'))
  return new Map(done.map((nome) => [nome, statSync(join(dir, nome)).mtimeMs]))
}

/** Goes on after a kill. Gives how many zips and stretches were done before. */
export async function resume(raiz: string): Promise<{ zips: number; stretches: number }> {
  const before = finishedRuns(raiz)
  let stretches = -1
  await importar(raiz, ({ etapa, feito }) => {
    if (etapa === 'gravacao' && stretches < 0) stretches = feito
    if (etapa !== 'conferencia') return
    const runs = finishedRuns(raiz)
    for (const [nome, mtime] of before) assert.equal(runs.get(nome), mtime, `${nome} was read again`)
  })
  assert.deepEqual(contentOf(raiz), contentOf(inteira))
  assert.deepEqual(readdirSync(raiz).toSorted(), ['ativa', 'importando', 'versoes'])
  assert.deepEqual(readdirSync(join(raiz, 'importando')), [])
  return { zips: before.size, stretches }
}

export async function killAndResume(t: TestContext, etapa: string, times: number, threads = 0) {
  const raiz = tempFolder(t)
  await killAt(raiz, etapa, times, threads)
  assert.equal(readPointer(raiz), undefined)
  return resume(raiz)
}
