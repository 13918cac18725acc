import { sinonimos } from './catalogo-sinonimos.ts'
import type { Catalogo } from './ler.ts'
import type { Rejeicao, RejeicaoResumida } from './rejeicao.ts'
import { filtrar, filtrarPorSinonimos, type Pesquisavel, palavrasDe, paraPesquisa } from './rules-busca.ts'

/** A page of the list, and what it is narrowed by. Pages begin with 1. */
export type PedidoDeLista = {
  q?: string | undefined
  categoria?: string | undefined
  page: number
  page_size: number
}

/** An entry with what a search looks at, and as the list tells it, in JSON. */
type Pronta = Pesquisavel<Rejeicao> & { json: string }

const prontas = new WeakMap<Catalogo, Pronta[]>()

function prontasDe(catalogo: Catalogo): Pronta[] {
  const known = prontas.get(catalogo)
  if (known) return known
  const made = catalogo.rejeicoes.map((rejeicao) => ({
    ...paraPesquisa(rejeicao),
    json: JSON.stringify(resumida(rejeicao)),
  }))
  prontas.set(catalogo, made)
  return made
}

/** What the list tells of an entry (specification, "Rejection catalogue entry"). */
export const resumida = ({
  codigo,
  titulo,
  slug,
  motivo,
  categoria,
  url_blog,
}: RejeicaoResumida): RejeicaoResumida => ({ codigo, titulo, slug, motivo, categoria, url_blog })

/**
 * One page of the entries that a filter leaves, ordered by code, as the JSON of the answer. Where its words
 * are in no entry, those that say the same in the catalogue's words.
 */
export function listaEmJson(catalogo: Catalogo, { page, page_size, ...filtro }: PedidoDeLista): string {
  const entradas = prontasDe(catalogo)
  const ditas = filtrar(entradas, filtro)
  const achadas = ditas.length > 0 ? ditas : filtrarPorSinonimos(entradas, filtro, sinonimos())
  const results = achadas.slice((page - 1) * page_size, page * page_size).map(({ json }) => json)
  return `{"total":${achadas.length},"page":${page},"page_size":${page_size},"results":[${results.join(',')}]}`
}

/** The same for two requests that the same page answers. */
export const perguntaDe = ({ q, categoria = '', page, page_size }: PedidoDeLista): string =>
  JSON.stringify([palavrasDe(q), categoria, page, page_size])
