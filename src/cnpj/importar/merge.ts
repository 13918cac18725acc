import { type Blocks, type Group, putGroup } from '../base/block.ts'
import { ordemOfKey, raizOfKey } from '../base/bytes.ts'
import { hasRazao } from '../base/empresa.ts'
import type { Output } from '../base/formato-bytes.ts'
import { putHead } from '../base/group.ts'
import type { RunRecords } from './run.ts'
import { sortByRaiz } from './sort.ts'

/** Records of one set in order of root. `next` is the place of the first that was not read yet. */
export type SortedRecords = { r: RunRecords; places: Uint32Array; next: number }

/** Sorts records by root. */
export const sortRecords = (r: RunRecords): SortedRecords => ({ r, places: sortByRaiz(r), next: 0 })

/** The four sets of a stretch of roots. */
export type RecordSets = {
  empresas: SortedRecords
  estabelecimentos: SortedRecords
  socios: SortedRecords
  simples: SortedRecords
}

const raizAt = (sorted: SortedRecords, i: number): number =>
  i < sorted.r.count ? (sorted.r.raizes[sorted.places[i] ?? 0] ?? 0) : Number.POSITIVE_INFINITY

/** Skips the records of smaller roots. Gives how many they were. */
function skipTo(sorted: SortedRecords, raiz: number): number {
  const from = sorted.next
  while (sorted.next < sorted.r.count && raizAt(sorted, sorted.next) < raiz) sorted.next++
  return sorted.next - from
}

/** Takes the records of a root: moves `next` past them and gives where they start in `places`. */
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

/** Counts at the start of a merge. Their names go to the manifest. */
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

/** State of a merge: room for the company's part, columns of the establishments, counts. */
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

/** Chooses the last of several rows of a company; one with a name goes before one without (decision 8). */
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

/** Keeps the partners of one company in the order they came, without repeating equal lines (decision 8). */
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

/** Puts the establishments of one root in order. Of several rows of one, the last counts (decision 8). */
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

/**
 * What a merge gives besides its blocks. `repetidos`: roots, or roots and orders, whose repeated rows differ.
 */
export type Merged = { contagens: Record<string, number>; repetidos: string[] }

/**
 * Merges the sets into groups of one company each, in order of root, and puts them in `blocks`. It keeps only
 * companies with establishments, and counts orphans and duplicates.
 */
export function mergeSets(sets: RecordSets, blocks: Blocks): Merged {
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
