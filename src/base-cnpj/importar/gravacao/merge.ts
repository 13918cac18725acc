import { type Blocos, type Grupo, putGrupo } from '../../formato/bloco.ts'
import type { Saida } from '../../formato/bytes.ts'
import { hasRazao } from '../../formato/empresa.ts'
import { putCabeca } from '../../formato/grupo.ts'
import { ordemDaChave, raizDaChave } from '../../formato/key.ts'
import type { Registros } from '../leitura/run-record.ts'
import { sortByRaiz } from './sort.ts'

/** Records of one set in order of root, read from the start to the end. */
export type Fila = { r: Registros; places: Uint32Array; next: number }

/** Sorts records by root. */
export const createFila = (r: Registros): Fila => ({ r, places: sortByRaiz(r), next: 0 })

/** The four sets of a stretch of roots. */
export type Filas = { empresas: Fila; estabelecimentos: Fila; socios: Fila; simples: Fila }

const raizAt = (fila: Fila, i: number): number =>
  i < fila.r.count ? (fila.r.raizes[fila.places[i] ?? 0] ?? 0) : Number.POSITIVE_INFINITY

/** Skips the records of smaller roots, and says how many they were. */
function skipTo(fila: Fila, raiz: number): number {
  const from = fila.next
  while (fila.next < fila.r.count && raizAt(fila, fila.next) < raiz) fila.next++
  return fila.next - from
}

/** Takes the records of a root: gives where they start in `places`, and leaves `next` past them. */
function take(fila: Fila, raiz: number): number {
  const from = fila.next
  while (raizAt(fila, fila.next) === raiz) fila.next++
  return from
}

function isSame(r: Registros, a: number, b: number): boolean {
  const from = r.starts[a] ?? 0
  const other = r.starts[b] ?? 0
  const length = (r.ends[a] ?? 0) - from
  if (length !== (r.ends[b] ?? 0) - other) return false
  return r.bytes.compare(r.bytes, other, other + length, from, from + length) === 0
}

/** What is counted while merging; the names go to the manifest. */
const NADA = {
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

/** Mutable state of the merge: scratch for the company's part, columns of the establishments, what was counted. */
type Estado = {
  parte: Saida
  grupo: Grupo & { ordens: number[]; starts: number[]; ends: number[] }
  contagens: typeof NADA
  repetidos: string[]
  sociosUnicos: number[]
}

function append(out: Saida, r: Registros, place: number): void {
  const start = r.starts[place] ?? 0
  const end = r.ends[place] ?? 0
  if (out.bytes.length - out.at < end - start + 16) {
    const larger = Buffer.allocUnsafe((out.bytes.length + end - start) * 2)
    larger.set(out.bytes.subarray(0, out.at))
    out.bytes = larger
  }
  for (let i = start; i < end; i++) out.bytes[out.at++] = r.bytes[i] ?? 0
}

/** Of several rows of one company the last, but one with a name goes before one without. */
function chooseEmpresa(s: Estado, fila: Fila, from: number): number {
  let chosen = -1
  for (let i = from; i < fila.next; i++) {
    const place = fila.places[i] ?? 0
    const named = hasRazao(fila.r.bytes, fila.r.starts[place] ?? 0)
    if (chosen >= 0 && !isSame(fila.r, chosen, place)) s.repetidos.push(raizDaChave(s.grupo.raiz))
    if (chosen < 0 || named || !hasRazao(fila.r.bytes, fila.r.starts[chosen] ?? 0)) chosen = place
  }
  if (chosen >= 0) {
    s.contagens.empresas++
    s.contagens.empresas_repetidas += fila.next - from - 1
  }
  return chosen
}

/** Partners of one company, without those whose whole lines are equal, in the order they came. */
function chooseSocios(s: Estado, fila: Fila, from: number): void {
  const { r, places } = fila
  s.sociosUnicos.length = 0
  const seen = fila.next - from > 1 ? new Map<number, number>() : undefined
  for (let i = from; i < fila.next; i++) {
    const place = places[i] ?? 0
    const hash = r.segundas[place] ?? 0
    const twin = seen?.get(hash)
    if (twin !== undefined && isSame(r, twin, place)) {
      s.contagens.socios_repetidos++
      continue
    }
    seen?.set(hash, place)
    s.sociosUnicos.push(place)
  }
}

function putParteEmpresa(s: Estado, filas: Filas, raiz: number): void {
  const { empresas, socios, simples } = filas
  const { parte, contagens, grupo } = s
  const empresa = chooseEmpresa(s, empresas, take(empresas, raiz))
  const from = take(simples, raiz)
  const opcao = simples.next > from ? (simples.places[simples.next - 1] ?? 0) : -1
  chooseSocios(s, socios, take(socios, raiz))
  parte.at = 0
  putCabeca(parte, empresa >= 0, opcao >= 0, s.sociosUnicos.length)
  if (empresa >= 0) append(parte, empresas.r, empresa)
  else contagens.estabelecimentos_sem_empresa += grupo.count
  if (empresa < 0 || !hasRazao(empresas.r.bytes, empresas.r.starts[empresa] ?? 0)) {
    contagens.estabelecimentos_sem_razao += grupo.count
  }
  if (opcao >= 0) {
    append(parte, simples.r, opcao)
    contagens.simples++
    contagens.simples_repetidos += simples.next - from - 1
  }
  for (const place of s.sociosUnicos) append(parte, socios.r, place)
  contagens.socios += s.sociosUnicos.length
}

/** Establishments of one root by order; of several rows of one, the last. */
function chooseEstabelecimentos(s: Estado, fila: Fila, from: number): void {
  const { r } = fila
  const { grupo } = s
  const places = fila.places.subarray(from, fila.next)
  if (places.length > 1) places.sort((a, b) => (r.segundas[a] ?? 0) - (r.segundas[b] ?? 0) || a - b)
  grupo.count = 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] ?? 0
    const ordem = r.segundas[place] ?? 0
    const following = places[i + 1]
    if (following !== undefined && r.segundas[following] === ordem) {
      s.contagens.estabelecimentos_repetidos++
      if (!isSame(r, place, following)) s.repetidos.push(raizDaChave(grupo.raiz) + ordemDaChave(ordem))
      continue
    }
    grupo.ordens[grupo.count] = ordem
    grupo.starts[grupo.count] = r.starts[place] ?? 0
    grupo.ends[grupo.count] = r.ends[place] ?? 0
    grupo.count++
  }
}

const createEstado = (bytes: Buffer): Estado => ({
  parte: { bytes: Buffer.allocUnsafe(1 << 16), at: 0 },
  grupo: { raiz: 0, empresa: bytes, empresaEnd: 0, bytes, ordens: [], starts: [], ends: [], count: 0 },
  contagens: { ...NADA },
  repetidos: [],
  sociosUnicos: [],
})

/** What a merge came to beside its blocks. `repetidos`: roots, or roots and orders, that came in rows that differ. */
export type Agrupado = { contagens: Record<string, number>; repetidos: string[] }

/**
 * Merges the sets into groups of one company each, in order of root, and puts them in `blocos`. Only companies with
 * establishments are kept; orphans and duplicates are counted.
 */
export function mergeFilas(filas: Filas, blocos: Blocos): Agrupado {
  const { empresas, estabelecimentos, socios, simples } = filas
  const s = createEstado(estabelecimentos.r.bytes)
  for (;;) {
    const raiz = raizAt(estabelecimentos, estabelecimentos.next)
    s.contagens.empresas_sem_estabelecimento += skipTo(empresas, raiz)
    s.contagens.socios_sem_estabelecimento += skipTo(socios, raiz)
    s.contagens.simples_sem_estabelecimento += skipTo(simples, raiz)
    if (raiz === Number.POSITIVE_INFINITY) break
    s.grupo.raiz = raiz
    chooseEstabelecimentos(s, estabelecimentos, take(estabelecimentos, raiz))
    s.contagens.estabelecimentos += s.grupo.count
    putParteEmpresa(s, filas, raiz)
    s.grupo.empresa = s.parte.bytes
    s.grupo.empresaEnd = s.parte.at
    putGrupo(blocos, s.grupo)
  }
  return { contagens: s.contagens, repetidos: s.repetidos }
}
