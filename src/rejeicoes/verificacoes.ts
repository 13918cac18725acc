import { dataBrasileira } from '../documento/dia.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { parDaVerificacao } from './par.ts'
import type { Rejeicao, VerificacaoDoCatalogo } from './rejeicao.ts'
import { comCodigo, nomesDosModelos } from './rejeicoes-textos.ts'
import type { Laudo } from './rules-laudo.ts'
import type { Vigencia } from './vigencia.ts'

/** The checks of a code, each with its pair. */
export const cartoesDasVerificacoes = ({
  codigo,
  verificacoes_analiticas,
}: Pick<Rejeicao, 'codigo' | 'verificacoes_analiticas'>): readonly Html[] =>
  verificacoes_analiticas.map((one, at) =>
    cartao(
      { titulo: one.titulo, id: `verificacao-${at + 1}`, lado: html`<span class="suave">Verificação</span>` },
      html`<p>${comCodigo(one.descricao)}</p>${parDaVerificacao(one, codigo)}<dl class="fatos da-regra"><dt>Vale para</dt><dd>${validade(one)}</dd><dt>Precisa de</dt><dd>${dependencia(one)}</dd><dt>Regra oficial</dt><dd>${one.fonte.regra}, ${one.fonte.documento}</dd></dl>`,
    ),
  )

/**
 * The pairs of a rejection, to stand beside a diagnosis. On the way from its page all of them are there,
 * those of the checks that failed first; else those that failed, or one.
 */
export function cartaoAoLado(
  { codigo, titulo, url_blog, verificacoes_analiticas: checks }: Rejeicao,
  { laudo, prefixo, todos }: { laudo: Laudo; prefixo: string; todos: boolean },
): Html {
  const failed = new Set(
    laudo.verificacoes.flatMap(({ id, resultado }) => (resultado === 'falha' ? [id] : [])),
  )
  const [first, rest] = [
    checks.filter(({ id }) => failed.has(id)),
    checks.filter(({ id }) => !failed.has(id)),
  ]
  const shown = todos ? [...first, ...rest] : first.length > 0 ? first : rest.slice(0, 1)
  const isFound = laudo.suspeitas.some((one) => one.codigo === codigo && one.origem !== 'informado')
  const lado = html`<span class="selo ${isFound && 'ruim'}">${isFound ? 'encontrada' : 'não encontrada'} neste XML</span>`
  return cartao(
    { titulo: `Errado e certo da ${codigo}`, id: 'par', classe: 'menor ao-lado', lado },
    html`<p><a href="${url(prefixo + url_blog)}">${titulo}</a></p>${shown.map(
      (one) => html`<h3>${one.titulo}</h3><p>${comCodigo(one.descricao)}</p>${parDaVerificacao(one, codigo)}`,
    )}`,
  )
}

function validade({ modelos, aplicacao, vigencia }: VerificacaoDoCatalogo): string {
  const models = (modelos ?? (['55', '65'] as const)).map((one) => nomesDosModelos[one]).join(' e ')
  return [models, ...diasDe(vigencia ?? {}), aplicacao && 'conforme a UF'].filter(Boolean).join(', ')
}

/** From when to when, in words; both days where sources name two. */
function diasDe({
  de,
  de_talvez,
  ate,
  ate_talvez,
  homologacao,
  texto,
}: Vigencia): (string | boolean | undefined)[] {
  const dias = (um: string | undefined, outro: string): string =>
    um ? `${dataBrasileira(um)} ou ${dataBrasileira(outro)} (as fontes divergem)` : dataBrasileira(outro)
  return [
    de && `desde ${dias(de_talvez, de)}`,
    ate && `até ${dias(ate_talvez, ate)}`,
    !de && texto && `no texto oficial de ${dataBrasileira(texto)}`,
    homologacao?.de && `em homologação desde ${dias(homologacao.de_talvez, homologacao.de)}`,
  ]
}

/** What a check needs besides the note. */
function dependencia({ dependencia }: VerificacaoDoCatalogo): string {
  if (dependencia === 'xml') return 'só o XML da nota'
  const [kind = '', name = ''] = dependencia.split(':')
  const words = name.replaceAll('_', ' ')
  return kind === 'tabela'
    ? `o XML e uma tabela oficial (${words})`
    : `o XML e um dado de fora dele (${words})`
}
