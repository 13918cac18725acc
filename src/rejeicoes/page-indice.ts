import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Catalogo } from './catalogo.ts'
import {
  type Assunto,
  assuntos,
  DIAGNOSTICO,
  enderecoDaLista,
  enderecoDoAssunto,
  INDICE,
  MAIOR_BUSCA,
} from './page-busca.ts'
import type { Categoria, Rejeicao } from './rules.ts'
import { resultadoDe } from './textos.ts'

const MAIS = 6

export type Ligacoes = {
  antes: Rejeicao | undefined
  depois: Rejeicao | undefined
  /** Those that share most fields, the rarest counted most. */
  doCampo: readonly Rejeicao[]
  /** The next ones of the same category, by code. */
  daCategoria: readonly Rejeicao[]
}

type Grupos = {
  lugar: ReadonlyMap<number, number>
  porCampo: ReadonlyMap<string, readonly Rejeicao[]>
  porCategoria: ReadonlyMap<Categoria | null, readonly Rejeicao[]>
}

const conhecidos = new WeakMap<Catalogo, Grupos>()

export function ligacoesDe(catalogo: Catalogo, rejeicao: Rejeicao): Ligacoes {
  const { rejeicoes } = catalogo
  const { lugar, porCampo, porCategoria } = gruposDe(catalogo)
  const at = lugar.get(rejeicao.codigo) ?? 0
  const doCampo = comCampos(rejeicao, porCampo)
  const same = (porCategoria.get(rejeicao.categoria) ?? []).filter((one) => !doCampo.includes(one))
  const next = same.findIndex(({ codigo }) => codigo > rejeicao.codigo)
  const turned = next < 0 ? same : [...same.slice(next), ...same.slice(0, next)]
  return {
    antes: at > 0 ? rejeicoes[at - 1] : undefined,
    depois: rejeicoes[at + 1],
    doCampo,
    daCategoria: turned.filter(({ codigo }) => codigo !== rejeicao.codigo).slice(0, MAIS),
  }
}

export const porCategoria = (catalogo: Catalogo): Grupos['porCategoria'] => gruposDe(catalogo).porCategoria

function gruposDe(catalogo: Catalogo): Grupos {
  const known = conhecidos.get(catalogo)
  if (known) return known
  const { rejeicoes } = catalogo
  const porCampo = new Map<string, Rejeicao[]>()
  for (const one of rejeicoes)
    for (const campo of one.campos) porCampo.set(campo, [...(porCampo.get(campo) ?? []), one])
  const made = {
    lugar: new Map(rejeicoes.map(({ codigo }, at) => [codigo, at])),
    porCampo,
    porCategoria: Map.groupBy(rejeicoes, ({ categoria }) => categoria),
  }
  conhecidos.set(catalogo, made)
  return made
}

/** A field that many entries name says little. */
function comCampos({ codigo, campos }: Rejeicao, porCampo: Grupos['porCampo']): Rejeicao[] {
  const weights = new Map<Rejeicao, number>()
  for (const campo of campos) {
    const sharing = porCampo.get(campo) ?? []
    for (const one of sharing)
      if (one.codigo !== codigo) weights.set(one, (weights.get(one) ?? 0) + 1 / sharing.length)
  }
  return [...weights]
    .sort(([one, weight], [other, more]) => more - weight || one.codigo - other.codigo)
    .slice(0, MAIS)
    .map(([one]) => one)
}

const POR_PAGINA = 100

export const listaDeRejeicoes = (
  rejeicoes: readonly Pick<Rejeicao, 'codigo' | 'titulo' | 'url_blog' | 'categoria'>[],
  prefixo: string,
  { comCategoria = false }: { comCategoria?: boolean } = {},
): Html =>
  html`<ul class="rejeicoes">${rejeicoes.map(
    ({ codigo, titulo, url_blog, categoria }) =>
      html`<li><a href="${url(prefixo + url_blog)}"><b>${codigo}</b> <span>${titulo}</span></a>${
        comCategoria && categoria !== null && html` <span class="suave">${categoria}</span>`
      }</li>`,
  )}</ul>`

export type ParteDaLista = { pagina: number; paginas: number; rejeicoes: readonly Rejeicao[] }

/** Cuts a list. `pagina` is as the client sent it. */
export function parteDe(rejeicoes: readonly Rejeicao[], pagina: unknown): ParteDaLista | undefined {
  const paginas = Math.max(1, Math.ceil(rejeicoes.length / POR_PAGINA))
  const asked = pagina === undefined ? '1' : String(pagina)
  const number = /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 0
  if (number === 0 || number > paginas) return undefined
  const from = (number - 1) * POR_PAGINA
  return { pagina: number, paginas, rejeicoes: rejeicoes.slice(from, from + POR_PAGINA) }
}

const paginacao = ({ pagina, paginas }: ParteDaLista, enderecoDe: (pagina: number) => string): Html | false =>
  paginas > 1 &&
  html`<nav class="paginas sem-papel" aria-label="Páginas da lista"><ul>${Array.from(
    { length: paginas },
    (_, at) =>
      html`<li><a href="${url(enderecoDe(at + 1))}" aria-current="${at + 1 === pagina ? 'page' : 'false'}"><span class="so-leitor">Página </span>${at + 1}</a></li>`,
  )}${pagina < paginas && html`<li><a rel="next" href="${url(enderecoDe(pagina + 1))}">Próxima</a></li>`}</ul></nav>`

export const MAIS_ACHADAS = 50

/** What a search found: `total` may be more than what is shown. */
export type Achadas = { q: string; total: number; rejeicoes: readonly Rejeicao[] }

export const paginaDoIndice = (catalogo: Catalogo, parte: ParteDaLista, prefixo: string): Html =>
  html`${topo(catalogo, prefixo, '')}
<div id="resultados"></div>
${categoriasDo(catalogo, prefixo)}
${cartao(
  { titulo: 'Todos os códigos', id: 'todos', lado: html`<span class="suave">${faixaDe(parte)}</span>` },
  html`${listaDeRejeicoes(parte.rejeicoes, prefixo)}${paginacao(parte, (pagina) => prefixo + enderecoDaLista(pagina))}`,
)}`

export const paginaDaBusca = (catalogo: Catalogo, achadas: Achadas, prefixo: string): Html =>
  html`${topo(catalogo, prefixo, achadas.q)}
<div id="resultados">${cartao(
    { titulo: `Resultados para “${achadas.q}”`, id: 'achadas' },
    html`<p class="suave">${textoDasAchadas(achadas)}</p>${listaDeRejeicoes(achadas.rejeicoes, prefixo, { comCategoria: true })}`,
  )}</div>
${categoriasDo(catalogo, prefixo)}`

export function textoDasAchadas({ q, total, rejeicoes }: Achadas): string {
  const resultado = /^\d{3}$/.test(q) ? resultadoDe(Number(q)) : undefined
  if (resultado !== undefined) return resultado
  if (total === 0) return 'Nada encontrado. Tente o código, ou duas ou três palavras do motivo.'
  if (total > rejeicoes.length) return `As ${rejeicoes.length} mais próximas, de ${total}.`
  return total === 1 ? '1 rejeição.' : `${total} rejeições.`
}

const topo = ({ rejeicoes }: Catalogo, prefixo: string, q: string): Html =>
  html`<div class="topo"><div><h1>Rejeições da NF‑e e da NFC‑e</h1><p class="suave">${rejeicoes.length.toLocaleString('pt-BR')} códigos: o motivo oficial, as causas, os passos para resolver e as regras que os definem.</p></div><a class="botao sem-papel" href="${url(prefixo + DIAGNOSTICO)}">Diagnosticar um XML</a></div>
<form class="busca sem-papel" role="search" action="${url(prefixo + INDICE)}" data-busca="${prefixo}${INDICE}busca.json"><label for="q">Código, campo ou palavras do motivo</label><div><input id="q" name="q" type="search" maxlength="${MAIOR_BUSCA}" value="${q}" autocomplete="off" spellcheck="false" placeholder="539, vNF, chave de acesso…"/><button class="botao">Buscar</button></div><p class="so-leitor" role="status" id="contagem"></p></form>`

function categoriasDo(catalogo: Catalogo, prefixo: string): Html {
  const groups = porCategoria(catalogo)
  const counted = assuntos
    .map((assunto) => ({ assunto, quantas: groups.get(assunto.categoria)?.length ?? 0 }))
    .filter(({ quantas }) => quantas > 0)
  return cartao(
    { titulo: 'Por categoria', id: 'categorias', classe: 'avulso' },
    html`<ul class="categorias">${counted.map(
      ({ assunto, quantas }) =>
        html`<li><a href="${url(prefixo + enderecoDoAssunto(assunto))}">${assunto.nome.split('/').map((part, at) => html`${at > 0 && html`/<wbr/>`}${part}`)}</a> <b class="suave">${quantas}</b></li>`,
    )}</ul>`,
  )
}

export const paginaDoAssunto = (
  { assunto, total, parte }: { assunto: Assunto; total: number; parte: ParteDaLista },
  prefixo: string,
): Html =>
  html`<div class="topo"><div><p class="suave"><a href="${url(prefixo + INDICE)}">Rejeições</a></p><h1>${assunto.nome}</h1><p class="suave">${total === 1 ? '1 rejeição' : `${total} rejeições`} da NF-e e da NFC-e.</p></div><a class="botao sem-papel" href="${url(prefixo + DIAGNOSTICO)}">Diagnosticar um XML</a></div>
${cartao(
  { titulo: 'Códigos', id: 'codigos', lado: html`<span class="suave">${faixaDe(parte)}</span>` },
  html`${listaDeRejeicoes(parte.rejeicoes, prefixo)}${paginacao(parte, (pagina) => prefixo + enderecoDoAssunto(assunto, pagina))}`,
)}`

const faixaDe = ({ rejeicoes }: ParteDaLista): string =>
  rejeicoes.length > 0 ? `de ${rejeicoes[0]?.codigo} a ${rejeicoes.at(-1)?.codigo}` : 'nenhum'
