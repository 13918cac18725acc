import type { Caminho, Condicao, Numero, ValorDaNota } from '../rules.ts'
import { parseDecimal } from './valores.ts'

/** The parts of a condition that must all be true. */
export const partesDe = (condicao: Condicao): Condicao[] =>
  'e' in condicao ? condicao.e.flatMap(partesDe) : [condicao]

/** Whether a condition names no element of its place: a path that starts there has its point in quotes. */
export const isDaNota = (condicao: Condicao): boolean => !/"\.(?:\/|")/.test(JSON.stringify(condicao))

/**
 * Paths each of which must find something, or the condition is false for sure, never unknown. A path stands
 * with all that it begins with.
 */
export function exigidosPor(condicao: Condicao): Caminho[] {
  if ('e' in condicao) return condicao.e.flatMap(exigidosPor)
  if ('ou' in condicao) return comuns(condicao.ou.map(exigidosPor))
  if ('nao' in condicao) return dispensadosPor(condicao.nao)
  if ('presente' in condicao) return inicios(condicao.presente)
  if ('algum' in condicao) return inicios(condicao.algum)
  if ('igual' in condicao) return comTextoNaoVazio(condicao.igual)
  if ('em' in condicao) return condicao.em[1].includes('') ? [] : doCampo(condicao.em[0])
  if ('casa' in condicao) return new RegExp(condicao.casa[1], 'u').test('') ? [] : doCampo(condicao.casa[0])
  if ('maior' in condicao) return isNegativo(condicao.maior[1]) ? [] : doCampo(condicao.maior[0])
  return []
}

/** Paths each of which must find something, or the condition is true for sure, never unknown. */
export function dispensadosPor(condicao: Condicao): Caminho[] {
  if ('ou' in condicao) return condicao.ou.flatMap(dispensadosPor)
  if ('e' in condicao) return comuns(condicao.e.map(dispensadosPor))
  if ('nao' in condicao) return exigidosPor(condicao.nao)
  if ('ausente' in condicao) return inicios(condicao.ausente)
  if ('todos' in condicao) return inicios(condicao.todos)
  if ('unicos' in condicao) return inicios(condicao.unicos)
  if ('difere' in condicao) return comTextoNaoVazio(condicao.difere)
  return []
}

/** What all lists have. */
function comuns([primeira = [], ...outras]: readonly Caminho[][]): Caminho[] {
  return primeira.filter((caminho) => outras.every((outra) => outra.includes(caminho)))
}

/** `./prod/NCM` needs `./prod`, too. */
function inicios(caminho: Caminho): Caminho[] {
  const passos = caminho.split('/')
  return passos.map((_, i) => passos.slice(0, i + 1).join('/')).filter((inicio) => inicio !== '.')
}

/** The path of a value or a number that is a field of the note alone; an absent one is empty, or zero. */
const doCampo = (valor: ValorDaNota | Numero): Caminho[] =>
  typeof valor !== 'string' && 'v' in valor ? inicios(valor.v) : []

function comTextoNaoVazio([um, outro]: readonly [ValorDaNota, ValorDaNota]): Caminho[] {
  if (typeof outro === 'string') return outro === '' ? [] : doCampo(um)
  return typeof um === 'string' && um !== '' ? doCampo(outro) : []
}

/** Whether a literal is below zero, or no literal. */
const isNegativo = (numero: Numero): boolean =>
  typeof numero !== 'string' || (parseDecimal(numero) ?? -1n) < 0n
