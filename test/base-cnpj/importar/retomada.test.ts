import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { generateDump } from '../../../simulator/dados-abertos/dump.ts'
import { ARQUIVOS } from '../../../src/cnpj/base/versao.ts'
import { openBaseAtiva, readPointer, versoesFolder } from '../../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../../src/cnpj/importar/importar.ts'
import type { ImportProgress } from '../../../src/cnpj/importar/publish.ts'
import { tempFolder } from './pasta.ts'

const now = () => new Date('2026-11-21T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'retomada-'))
const zips = join(folder, 'zips')
const inteira = join(folder, 'inteira')
const SERPRO = '33683111000280'

const importar = (
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
async function killAt(raiz: string, etapa: string, times: number, threads: number): Promise<void> {
  const program = join(import.meta.dirname, 'interrompida.ts')
  const args = [program, zips, raiz, etapa, String(times), String(threads)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<string | null>((done) => child.once('exit', (_code, signal) => done(signal)))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  assert.equal(await gone, 'SIGKILL', `the import ended before ${etapa} ${times}`)
}

const contentOf = (raiz: string): Buffer[] =>
  Object.values(ARQUIVOS)
    .filter((nome) => nome !== ARQUIVOS.manifesto)
    .map((nome) => readFileSync(join(versoesFolder(raiz), readPointer(raiz) ?? '', nome)))

function finishedRuns(raiz: string): Map<string, number> {
  const dir = join(raiz, 'importando', '2026-10', 'leituras')
  const done = readdirSync(dir).filter((nome) => nome.endsWith('.json'))
  return new Map(done.map((nome) => [nome, statSync(join(dir, nome)).mtimeMs]))
}

/** Goes on after a kill. Gives how many zips and stretches were done before. */
async function resume(raiz: string): Promise<{ zips: number; stretches: number }> {
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

async function killAndResume(t: TestContext, etapa: string, times: number, threads = 0) {
  const raiz = tempFolder(t)
  await killAt(raiz, etapa, times, threads)
  assert.equal(readPointer(raiz), undefined)
  return resume(raiz)
}

test('killed while reading the first zip, an import starts over and gives the same bytes', async (t) => {
  assert.deepEqual(await killAndResume(t, 'leitura', 1), { zips: 0, stretches: 0 })
})

test('killed between zips, it reads only those that were not finished', async (t) => {
  const { zips: done } = await killAndResume(t, 'leitura', 14)
  assert.ok(done > 0 && done < 9, `${done} of 9 zips were done`)
})

test('killed while writing, it goes on at the stretch where it was', async (t) => {
  assert.deepEqual(await killAndResume(t, 'gravacao', 1), { zips: 9, stretches: 0 })
  assert.deepEqual(await killAndResume(t, 'gravacao', 4), { zips: 9, stretches: 3 })
})

test('killed with worker threads at work, it goes on all the same', async (t) => {
  const { stretches } = await killAndResume(t, 'gravacao', 3, 2)
  assert.equal(stretches, 2)
})

test('killed when all is written but not published, it publishes', async (t) => {
  assert.equal((await killAndResume(t, 'conferencia', 1)).zips, 9)
  assert.equal((await killAndResume(t, 'publicacao', 1)).zips, 9)
})

test('a step that was cut or damaged on disk is done again', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 5, 0)
  const work = join(raiz, 'importando', '2026-10')
  const dados = join(work, 'pronta', ARQUIVOS.dados)
  const bytes = readFileSync(dados)
  bytes.fill(0, bytes.length - 10)
  writeFileSync(dados, Buffer.concat([bytes, Buffer.from('half a block')]))
  writeFileSync(
    join(work, 'gravacoes.ndjson'),
    `${readFileSync(join(work, 'gravacoes.ndjson'), 'utf8')}{"bytes":`,
  )
  writeFileSync(join(work, 'leituras', 'Socios0.zip.run'), 'x')
  let first = -1
  await importar(raiz, ({ etapa, feito }) => {
    if (etapa === 'gravacao' && first < 0) first = feito
  })
  assert.equal(first, 3)
  assert.deepEqual(contentOf(raiz), contentOf(inteira))
})

test('a note that a power cut left empty or halved is not believed', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 5, 0)
  const work = join(raiz, 'importando', '2026-10')
  const note = join(work, 'leituras', 'Empresas0.zip.run.json')
  const written = readFileSync(note)
  writeFileSync(note, written.subarray(0, written.length / 2))
  const journal = readFileSync(join(work, 'gravacoes.ndjson'), 'utf8').split('\n')
  journal[2] = '{"bytes":1}'
  writeFileSync(join(work, 'gravacoes.ndjson'), journal.join('\n'))
  const seen: [etapa: string, feito: number][] = []
  const stop = new AbortController()
  const listen = ({ etapa, feito }: ImportProgress) => {
    seen.push([etapa, feito])
    if (etapa === 'gravacao') stop.abort()
  }
  await assert.rejects(importar(raiz, listen, stop.signal), { name: 'AbortError' })
  assert.equal(readFileSync(note).compare(written), 0)
  assert.deepEqual(seen.at(-1), ['gravacao', 2])
  writeFileSync(join(work, 'inicio.json'), '')
  await importar(raiz)
  assert.deepEqual(contentOf(raiz), contentOf(inteira))
})

test('what was begun with other zips is thrown away', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 3, 0)
  const outros = tempFolder(t)
  await generateDump({ pasta: outros, estabelecimentos: 500, partes: 1, simples: false, semente: 2 })
  const manifesto = await importCnpj({ pasta: outros, raiz, amostra: true, now })
  assert.ok(manifesto.estabelecimentos < 600)
})

test('stopped by its signal, an import leaves the old base and can go on', async (t) => {
  const raiz = tempFolder(t)
  const stop = new AbortController()
  const stopped = importar(raiz, ({ etapa }) => etapa === 'leitura' && stop.abort(), stop.signal)
  await assert.rejects(stopped, { name: 'AbortError' })
  assert.equal(readPointer(raiz), undefined)
  await importar(raiz)
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  t.after(() => base.close())
  assert.equal(base.current()?.find(SERPRO)?.result.capital_social, '1061004829.23')
})
