import type { Categoria } from './categorias.ts'
import type { Verificacao } from './rules.ts'

/** What the list tells of a rejection (specification, "Rejection catalogue entry"). */
export type RejeicaoResumida = {
  codigo: number
  titulo: string
  slug: string
  /** The official reason, untouched. */
  motivo: string
  categoria: Categoria | null
  url_blog: string
}

/** A check as the catalogue keeps it, with its pair as XML for the page. */
export type VerificacaoDoCatalogo = Verificacao & { par: { certo: string; errado: string } }

/** Whose refusal it is: of a note, an event, another service, a rule that ended; or what refuses nothing. */
export const tiposDeRejeicao = [
  'rejeicao',
  'rejeicao-evento',
  'rejeicao-servico',
  'rejeicao-historica',
  'denegacao',
  'alerta',
] as const

/** An entry of `data/rejeicoes.json`. */
export type Rejeicao = RejeicaoResumida & {
  causas: string[]
  solucao_passos: string[]
  verificacoes_analiticas: VerificacaoDoCatalogo[]
  tipo: (typeof tiposDeRejeicao)[number]
  /** The documents that carry the reason. */
  fontes: string[]
  /** The official rules behind the code; empty where none is published. */
  regras: { regra: string; modelo: string; documento: string }[]
  /** The other reason that is official at the same time under the same number. */
  outro_significado: { motivo: string; fonte: string } | null
  /**
   * What the XML says wrong and right at a step (from 1), by a check: the elements that differ. A side is
   * empty where the element is missing there.
   */
  exemplos?: { passo: number; verificacao: string; errado: string; certo: string }[]
  /** Registers and tables where the fields of the entry can be looked up, and whose they are. */
  onde_consultar?: { nome: string; endereco: string; origem: string }[]
  /** Paths of the fields that the rules name, for the search and the links. */
  campos: string[]
}
