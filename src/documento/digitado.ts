import { cnpjProblem, cpfProblem, type Documento, formatDocumento, semMascara } from './documento.ts'
import { findUf, type Uf, ufs, unidades } from './uf.ts'

/** What a person typed or pasted, without the quotes and spaces that came along. */
export const semAspas = (text: string): string => text.trim().replace(/^["'“”‘’`\s]+|["'“”‘’`\s]+$/g, '')

/**
 * The CPF or CNPJ that a person typed, with or without its mask. Throws an Error in Portuguese that names
 * what was typed; `tipo` is the kind that was asked for.
 */
export function readDocumento(digitado: string, tipo?: Documento['tipo']): Documento {
  const documento = semMascara(digitado)
  const dito = semAspas(digitado)
  if (documento === '') throw new Error(`"${dito}" não tem número de CPF nem de CNPJ.`)
  const outro = tipo === 'cpf' ? 'cnpj' : 'cpf'
  const isOutro = (outro === 'cpf' ? cpfProblem : cnpjProblem)(documento) === undefined
  if (tipo && isOutro)
    throw new Error(`${formatDocumento(documento)} é um ${outro.toUpperCase()}: use --${outro}.`)
  const seu = tipo ?? (isCpfSize(documento) ? 'cpf' : 'cnpj')
  const problem = (seu === 'cpf' ? cpfProblem : cnpjProblem)(documento)
  if (problem === undefined) return { tipo: seu, documento }
  const nome =
    tipo === undefined && ![11, 14].includes(documento.length) ? 'CPF nem um CNPJ' : seu.toUpperCase()
  const why = nome === seu.toUpperCase() ? problem : sizeProblem(documento)
  throw new Error(`${dito} não é um ${nome}: ${why}.`)
}

const isCpfSize = (documento: string): boolean => /^\d{1,11}$/.test(documento)

const sizeProblem = ({ length }: string): string => `um CPF tem 11 dígitos e um CNPJ 14; recebidos: ${length}`

/** The state of a code or a name, in any case, with or without accents. Throws an Error in Portuguese. */
export function readUf(digitada: string): Uf {
  const dita = semAspas(digitada)
  const achada = findUf(dita) ?? ufs.find((uf) => plain(unidades[uf].nome) === plain(dita))
  if (achada) return achada
  const [perto] = nearest(
    plain(dita),
    ufs.map((uf) => plain(unidades[uf].nome)),
  )
  const sugerida = ufs.find((uf) => plain(unidades[uf].nome) === perto)
  const talvez = sugerida ? ` Seria ${sugerida} (${unidades[sugerida].nome})?` : ''
  throw new Error(`${dita} não é um estado; os estados são ${ufs.join(', ')}.${talvez}`)
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()

/** The names that a slip of the hand may have meant: the nearest ones within so many letters. */
export function nearest(text: string, names: Iterable<string>, most = Math.floor(text.length / 3)): string[] {
  let limit = most
  let found: string[] = []
  for (const name of names) {
    const distance = distanceUpTo(limit, text, name)
    if (distance === undefined) continue
    if (distance < limit) found = []
    limit = distance
    found.push(name)
  }
  return found
}

/** Letters that are added, left out, changed, or have changed places with the next. */
export function distanceUpTo(limit: number, one: string, other: string): number | undefined {
  if (Math.abs(one.length - other.length) > limit) return undefined
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const swapped = isSwapped ? (before[to - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > limit) return undefined
    before = row
    row = next
  }
  const distance = row[other.length] ?? 0
  return distance <= limit ? distance : undefined
}
