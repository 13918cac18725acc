import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Blocks, createBlocks, endBlock, type Group, putGroup } from '../base/block.ts'
import { type Output, ordemOfKey, RAIZ_KEY_LIMIT, raizOfKey } from '../base/bytes.ts'
import { hasRazao, putHead } from '../base/registro.ts'
import type { Conjunto } from '../base/zips.ts'
import { createSlices, firstOf } from './leitura.ts'
import { type RunRecords, readRecords, type Stretch, type ZipRun } from './run.ts'

/** Root and place go into one double, for the engine's own sort. When they do not fit, a slower sort does. */
function sortByRaiz(r: RunRecords): Uint32Array {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let i = 0; i < r.count; i++) {
    const raiz = r.raizes[i] ?? 0
    if (raiz < low) low = raiz
    if (raiz > high) high = raiz
  }
  const scale = 2 ** Math.ceil(Math.log2(Math.max(r.count, 1)))
  if ((high - low + 1) * scale > Number.MAX_SAFE_INTEGER) return sortSlowly(r)
  const keys = new Float64Array(r.count)
  for (let i = 0; i < r.count; i++) keys[i] = ((r.raizes[i] ?? 0) - low) * scale + i
  keys.sort()
  const places = new Uint32Array(r.count)
  for (let i = 0; i < r.count; i++) places[i] = (keys[i] ?? 0) % scale
  return places
}

function sortSlowly(r: RunRecords): Uint32Array {
  const places = Uint32Array.from({ length: r.count }, (_, i) => i)
  return places.sort((a, b) => (r.raizes[a] ?? 0) - (r.raizes[b] ?? 0) || a - b)
}

/** `next` is the place of the first that was not read yet. */
type SortedRecords = { r: RunRecords; places: Uint32Array; next: number }

const sortRecords = (r: RunRecords): SortedRecords => ({ r, places: sortByRaiz(r), next: 0 })

type RecordSets = {
  empresas: SortedRecords
  estabelecimentos: SortedRecords
  socios: SortedRecords
  simples: SortedRecords
}

const raizAt = (sorted: SortedRecords, i: number): number =>
  i < sorted.r.count ? (sorted.r.raizes[sorted.places[i] ?? 0] ?? 0) : Number.POSITIVE_INFINITY

/** Gives how many they were. */
function skipTo(sorted: SortedRecords, raiz: number): number {
  const from = sorted.next
  while (sorted.next < sorted.r.count && raizAt(sorted, sorted.next) < raiz) sorted.next++
  return sorted.next - from
}

/** Moves `next` past the records of a root and gives where they start in `places`. */
function take(sorted: SortedRecords, raiz: number): number {
  const from = sorted.next
  while (raizAt(sorted, sorted.next) === raiz) sorted.next++
  return from
}

function isSame(r: RunRecords, a: number, b: number): boolean {
  const from = r.starts[a] ?? 0
  const other = r.starts[b] ?? 0
  const length = (r.ends[a] ?? 0) - from
  if (length !== (r.ends[b] ?? 0) - other) return false
  return r.bytes.compare(r.bytes, other, other + length, from, from + length) === 0
}

/** Their names go to the manifest. */
const NOTHING = {
  estabelecimentos: 0,
  empresas: 0,
  socios: 0,
  simples: 0,
  estabelecimentos_repetidos: 0,
  empresas_repetidas: 0,
  socios_repetidos: 0,
  simples_repetidos: 0,
  empresas_sem_estabelecimento: 0,
  socios_sem_estabelecimento: 0,
  simples_sem_estabelecimento: 0,
  estabelecimentos_sem_empresa: 0,
  estabelecimentos_sem_razao: 0,
}

type Merge = {
  part: Output
  group: Group & { ordens: number[]; starts: number[]; ends: number[] }
  contagens: typeof NOTHING
  repetidos: string[]
  sociosUnicos: number[]
}

function append(out: Output, r: RunRecords, place: number): void {
  const start = r.starts[place] ?? 0
  const end = r.ends[place] ?? 0
  if (out.bytes.length - out.at < end - start + 16) {
    const larger = Buffer.allocUnsafe((out.bytes.length + end - start) * 2)
    larger.set(out.bytes.subarray(0, out.at))
    out.bytes = larger
  }
  for (let i = start; i < end; i++) out.bytes[out.at++] = r.bytes[i] ?? 0
}

/** The last of several rows; one with a name goes before one without (decision 8). */
function chooseEmpresa(s: Merge, sorted: SortedRecords, from: number): number {
  let chosen = -1
  for (let i = from; i < sorted.next; i++) {
    const place = sorted.places[i] ?? 0
    const named = hasRazao(sorted.r.bytes, sorted.r.starts[place] ?? 0)
    if (chosen >= 0 && !isSame(sorted.r, chosen, place)) s.repetidos.push(raizOfKey(s.group.raiz))
    if (chosen < 0 || named || !hasRazao(sorted.r.bytes, sorted.r.starts[chosen] ?? 0)) chosen = place
  }
  if (chosen >= 0) {
    s.contagens.empresas++
    s.contagens.empresas_repetidas += sorted.next - from - 1
  }
  return chosen
}

/** In the order they came, without repeating equal lines (decision 8). */
function chooseSocios(s: Merge, sorted: SortedRecords, from: number): void {
  const { r, places } = sorted
  s.sociosUnicos.length = 0
  const seen = sorted.next - from > 1 ? new Map<number, number>() : undefined
  for (let i = from; i < sorted.next; i++) {
    const place = places[i] ?? 0
    const hash = r.secondKeys[place] ?? 0
    const twin = seen?.get(hash)
    if (twin !== undefined && isSame(r, twin, place)) {
      s.contagens.socios_repetidos++
      continue
    }
    seen?.set(hash, place)
    s.sociosUnicos.push(place)
  }
}

function putParteEmpresa(s: Merge, sets: RecordSets, raiz: number): void {
  const { empresas, socios, simples } = sets
  const { part, contagens, group } = s
  const empresa = chooseEmpresa(s, empresas, take(empresas, raiz))
  const from = take(simples, raiz)
  const opcao = simples.next > from ? (simples.places[simples.next - 1] ?? 0) : -1
  chooseSocios(s, socios, take(socios, raiz))
  part.at = 0
  putHead(part, empresa >= 0, opcao >= 0, s.sociosUnicos.length)
  if (empresa >= 0) append(part, empresas.r, empresa)
  else contagens.estabelecimentos_sem_empresa += group.count
  if (empresa < 0 || !hasRazao(empresas.r.bytes, empresas.r.starts[empresa] ?? 0)) {
    contagens.estabelecimentos_sem_razao += group.count
  }
  if (opcao >= 0) {
    append(part, simples.r, opcao)
    contagens.simples++
    contagens.simples_repetidos += simples.next - from - 1
  }
  for (const place of s.sociosUnicos) append(part, socios.r, place)
  contagens.socios += s.sociosUnicos.length
}

/** Of several rows of one establishment, the last counts (decision 8). */
function chooseEstabelecimentos(s: Merge, sorted: SortedRecords, from: number): void {
  const { r } = sorted
  const { group } = s
  const places = sorted.places.subarray(from, sorted.next)
  if (places.length > 1) places.sort((a, b) => (r.secondKeys[a] ?? 0) - (r.secondKeys[b] ?? 0) || a - b)
  group.count = 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] ?? 0
    const ordem = r.secondKeys[place] ?? 0
    const following = places[i + 1]
    if (following !== undefined && r.secondKeys[following] === ordem) {
      s.contagens.estabelecimentos_repetidos++
      if (!isSame(r, place, following)) s.repetidos.push(raizOfKey(group.raiz) + ordemOfKey(ordem))
      continue
    }
    group.ordens[group.count] = ordem
    group.starts[group.count] = r.starts[place] ?? 0
    group.ends[group.count] = r.ends[place] ?? 0
    group.count++
  }
}

const createMerge = (bytes: Buffer): Merge => ({
  part: { bytes: Buffer.allocUnsafe(1 << 16), at: 0 },
  group: { raiz: 0, empresa: bytes, empresaEnd: 0, bytes, ordens: [], starts: [], ends: [], count: 0 },
  contagens: { ...NOTHING },
  repetidos: [],
  sociosUnicos: [],
})

/** `repetidos`: roots, or roots and orders, whose repeated rows differ. */
type Merged = { contagens: Record<string, number>; repetidos: string[] }

/** Keeps only companies with establishments, and counts orphans and duplicates. */
function mergeSets(sets: RecordSets, blocks: Blocks): Merged {
  const { empresas, estabelecimentos, socios, simples } = sets
  const s = createMerge(estabelecimentos.r.bytes)
  for (;;) {
    const raiz = raizAt(estabelecimentos, estabelecimentos.next)
    s.contagens.empresas_sem_estabelecimento += skipTo(empresas, raiz)
    s.contagens.socios_sem_estabelecimento += skipTo(socios, raiz)
    s.contagens.simples_sem_estabelecimento += skipTo(simples, raiz)
    if (raiz === Number.POSITIVE_INFINITY) break
    s.group.raiz = raiz
    chooseEstabelecimentos(s, estabelecimentos, take(estabelecimentos, raiz))
    s.contagens.estabelecimentos += s.group.count
    putParteEmpresa(s, sets, raiz)
    s.group.empresa = s.part.bytes
    s.group.empresaEnd = s.part.at
    putGroup(blocks, s.group)
  }
  return { contagens: s.contagens, repetidos: s.repetidos }
}

type RunPart = { conjunto: Conjunto; path: string; stretches: Stretch[] }

/** Roots [low, high), and the parts of run files to read for them, in the order of the zips. */
export type MergeTask = { low: number; high: number; parts: RunPart[] }

export type RunFile = { path: string; run: ZipRun }

function bytesOfParts(runFiles: RunFile[], slice: number): number {
  let bytes = 0
  for (const { run } of runFiles) {
    for (const stretch of run.particao.fatias[slice] ?? []) bytes += stretch.bytes
  }
  return bytes
}

/** Stretches that follow each other become one. */
function join(stretches: Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const stretch of stretches) {
    const last = joined.at(-1)
    if (last !== undefined && last.at + last.bytes === stretch.at) last.bytes += stretch.bytes
    else joined.push({ ...stretch })
  }
  return joined
}

function partsOf(runFiles: RunFile[], from: number, to: number): RunPart[] {
  return runFiles
    .map(({ path, run }) => ({
      conjunto: run.conjunto,
      path,
      stretches: join(run.particao.fatias.slice(from, to).flat()),
    }))
    .filter((part) => part.stretches.length > 0)
}

/** Small neighbours go together. A far larger slice is read several times, for a range of roots each. */
export function planMerges(runFiles: RunFile[], count: number, stretchBytes: number): MergeTask[] {
  const slices = createSlices(count)
  const total = count * 2
  const limit = (slice: number): number => (slice < total ? firstOf(slices, slice) : RAIZ_KEY_LIMIT)
  const tasks: MergeTask[] = []
  for (let from = 0; from < total; ) {
    let bytes = bytesOfParts(runFiles, from)
    let to = from + 1
    while (to < total && bytes + bytesOfParts(runFiles, to) <= stretchBytes)
      bytes += bytesOfParts(runFiles, to++)
    const parts = bytes > 0 ? partsOf(runFiles, from, to) : []
    const goes = Math.ceil(bytes / (stretchBytes * 4))
    const step = (limit(to) - limit(from)) / Math.max(goes, 1)
    for (let go = 0; go < goes; go++) {
      const low = limit(from) + Math.floor(step * go)
      tasks.push({
        low,
        high: go === goes - 1 ? limit(to) : limit(from) + Math.floor(step * (go + 1)),
        parts,
      })
    }
    from = to
  }
  return tasks
}

export type MergedStretch = {
  dados: Uint8Array
  crc32: number
  raizes: Float64Array
  lengths: Uint32Array
  ordens: Uint32Array
  contagens: Record<string, number>
  repetidos: string[]
  /** Key of the largest root written; 0 when there was none. */
  ultima: number
}

/** Kept from task to task. */
const buffers = new Map<Conjunto, Buffer>()

function roomFor(conjunto: Conjunto, bytes: number): Buffer {
  const known = buffers.get(conjunto)
  if (known !== undefined && known.length >= bytes) return known
  const larger = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25))
  buffers.set(conjunto, larger)
  return larger
}

const bytesOf = (parts: RunPart[]): number =>
  parts.flatMap((part) => part.stretches).reduce((sum, stretch) => sum + stretch.bytes, 0)

function readPart(part: RunPart, buffer: Buffer, at: number): number {
  const fd = openSync(part.path, 'r')
  try {
    let end = at
    for (const stretch of part.stretches) {
      const read = readSync(fd, buffer, end, stretch.bytes, stretch.at)
      if (read !== stretch.bytes) throw new Error(`${part.path}: leitura incompleta`)
      end += read
    }
    return end
  } finally {
    closeSync(fd)
  }
}

function readSorted(task: MergeTask, conjunto: Conjunto): SortedRecords {
  const parts = task.parts.filter((part) => part.conjunto === conjunto)
  const buffer = roomFor(conjunto, bytesOf(parts))
  let end = 0
  for (const part of parts) end = readPart(part, buffer, end)
  return sortRecords(readRecords(buffer, end, task.low, task.high))
}

export function mergeStretch(task: MergeTask): MergedStretch {
  const blocks = createBlocks(bytesOf(task.parts) + 4096)
  const merged = mergeSets(
    {
      empresas: readSorted(task, 'empresas'),
      estabelecimentos: readSorted(task, 'estabelecimentos'),
      socios: readSorted(task, 'socios'),
      simples: readSorted(task, 'simples'),
    },
    blocks,
  )
  endBlock(blocks)
  const dados = blocks.out.bytes.subarray(0, blocks.out.at)
  return {
    dados,
    crc32: crc32(dados),
    raizes: Float64Array.from(blocks.raizes),
    lengths: Uint32Array.from(blocks.lengths),
    ordens: Uint32Array.from(blocks.ordens),
    ...merged,
    ultima: blocks.last,
  }
}
