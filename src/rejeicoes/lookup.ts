import { ApiError } from '../platform/errors.ts'
import type { Catalogo } from './catalogo.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import type { Periodo, Rejeicao, RejeicaoResumida, VerificacaoDoCatalogo } from './rules.ts'
import {
  filterBySinonimos,
  filterEntradas,
  type Pesquisavel,
  palavrasDe,
  resultadoDe,
  sinonimos,
  toPesquisavel,
} from './textos.ts'

export type PedidoDeLista = {
  q?: string | undefined
  categoria?: string | undefined
  page: number
  page_size: number
}

type Pronta = Pesquisavel<Rejeicao> & { json: string }

const prontas = new WeakMap<Catalogo, Pronta[]>()

function prontasDe(catalogo: Catalogo): Pronta[] {
  const known = prontas.get(catalogo)
  if (known) return known
  const made = catalogo.rejeicoes.map((rejeicao) => ({
    ...toPesquisavel(rejeicao),
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

/** As JSON. Where its words are in no entry, the entries that say the same in the catalogue's words. */
export function listaEmJson(catalogo: Catalogo, { page, page_size, ...filtro }: PedidoDeLista): string {
  const entradas = prontasDe(catalogo)
  const ditas = filterEntradas(entradas, filtro)
  const achadas = ditas.length > 0 ? ditas : filterBySinonimos(entradas, filtro, sinonimos())
  const results = achadas.slice((page - 1) * page_size, page * page_size).map(({ json }) => json)
  return `{"total":${achadas.length},"page":${page},"page_size":${page_size},"results":[${results.join(',')}]}`
}

/** The same for two requests that the same page answers. */
export const perguntaDe = ({ q, categoria = '', page, page_size }: PedidoDeLista): string =>
  JSON.stringify([palavrasDe(q), categoria, page, page_size])

/** Throws REJEICAO_NAO_ENCONTRADA. */
export function detalheDe({ porCodigo }: Catalogo, codigo: number): Detalhe {
  const rejeicao = porCodigo.get(codigo)
  if (rejeicao) return detalhe(rejeicao)
  throw new ApiError(
    'REJEICAO_NAO_ENCONTRADA',
    resultadoDe(codigo) ??
      `O código ${codigo} não está no catálogo de rejeições. Confira o cStat que a SEFAZ devolveu; códigos de autorização e de resultado, como 100 e 138, não são rejeições.`,
  )
}

type Detalhe = ReturnType<typeof detalhe>

const detalhe = (rejeicao: Rejeicao) => ({
  ...resumida(rejeicao),
  causas: rejeicao.causas,
  solucao_passos: rejeicao.solucao_passos,
  exemplos: rejeicao.exemplos ?? [],
  onde_consultar: rejeicao.onde_consultar ?? [],
  verificacoes_analiticas: rejeicao.verificacoes_analiticas.map(verificacao),
  tipo: rejeicao.tipo,
  campos: rejeicao.campos,
  regras: rejeicao.regras,
  fontes: rejeicao.fontes,
  outro_significado: rejeicao.outro_significado,
})

const verificacao = (one: VerificacaoDoCatalogo) => ({
  id: one.id,
  titulo: one.titulo,
  descricao: one.descricao,
  campos: one.campos,
  regra: one.regra,
  mensagem_falha: one.mensagem_falha,
  modelos: one.modelos ?? (['55', '65'] as const),
  escopo: one.escopo ?? '',
  quando: one.quando ?? null,
  exceto: one.exceto ?? [],
  dependencia: one.dependencia,
  aplicacao: one.aplicacao ?? ('obrigatoria' as const),
  vigencia: {
    ...periodo(one.vigencia),
    texto: one.vigencia?.texto ?? '',
    homologacao: periodo(one.vigencia?.homologacao ?? one.vigencia),
  },
  fonte: one.fonte,
})

const periodo = ({ de = '', de_talvez = '', ate = '', ate_talvez = '' }: Periodo = {}) => ({
  de,
  de_talvez,
  ate,
  ate_talvez,
})

/** Throws REJEICOES_INDISPONIVEL if no good file was seen. */
export function catalogoVigente({ rejeicoes }: RejeicoesRoom): Catalogo {
  const catalogo = rejeicoes.read()
  if (catalogo) return catalogo
  throw semCatalogo()
}

const semCatalogo = (): ApiError =>
  new ApiError(
    'REJEICOES_INDISPONIVEL',
    'O catálogo de rejeições não pode ser lido agora: o arquivo falta ou está danificado neste servidor. Tente de novo em um minuto. Operador: o motivo está em /ready.',
  )
