import { diaDe } from '../../documento/dia.ts'
import type { No } from '../no.ts'
import type { TabelaDeCodigos } from '../tabelas/tabela.ts'
import type { Regencia } from '../vigencia.ts'
import type { FundoDaCena } from './caminho.ts'

/** What the checks may know besides the note. */
export type Contexto = {
  /** The instant of the diagnosis, ISO 8601 with its offset. */
  agora: string
  /** By which rules the note is judged; the day of `agora` in production if left out. */
  regencia?: Regencia
  /** A table of codes of the authorities; undefined if there is none of that name at hand. */
  codigos: (nome: string) => TabelaDeCodigos | undefined
  /** Whether a list of the circumstances holds a value; undefined if the list is not at hand. */
  tabela: (nome: string, valor: string) => boolean | undefined
  /** A value of the circumstances; undefined if it is not at hand. */
  valor: (nome: string) => string | undefined
}

/** What one run of the checks reads from. */
export type Cena = FundoDaCena & {
  contexto: Contexto
  /** By whose rules the note is judged. */
  regencia: Regencia
  /** Conditions that are the same at every place of the note, by their number; null where unknown. */
  iguais: (boolean | null | undefined)[]
}

/** Finds an element of that name, the node itself or below it. */
function achar(no: No, nome: string): No | undefined {
  if (no.nome === nome) return no
  if (no.nome === 'infNFe') return undefined
  for (const filho of no.filhos) {
    const achado = achar(filho, nome)
    if (achado) return achado
  }
  return undefined
}

/**
 * Prepares a note for the checks: `infNFe`, or what holds it (`NFe`, `nfeProc`, `enviNFe` of one note).
 * Throws if there is none.
 */
export function criarCena(raiz: No, contexto: Contexto): Cena {
  const infNFe = achar(raiz, 'infNFe')
  if (!infNFe) throw new Error(`${raiz.nome} holds no infNFe`)
  const { regencia = { dia: diaDe(Date.parse(contexto.agora)), ambiente: '1' } } = contexto
  const infNFeSupl = achar(raiz, 'infNFeSupl')
  return { infNFe, infNFeSupl, contexto, regencia, leituras: [], iguais: [] }
}
