import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import {
  type Assunto,
  assuntos,
  DIAGNOSTICO,
  enderecoDaLista,
  enderecoDoAssunto,
  INDICE,
} from './enderecos.ts'
import type { Catalogo } from './ler.ts'
import { porCategoria } from './ligacoes.ts'
import { MAIOR_BUSCA } from './page-busca.ts'
import type { Rejeicao } from './rejeicao.ts'
import { listaDeRejeicoes, type ParteDaLista, paginacao } from './rejeicoes-lista-2.ts'
import { resultadoDe } from './textos.ts'

/** The most entries that one search shows. */
export const MAIS_ACHADAS = 50

/** What a search found: `total` may be more than what is shown. */
export type Achadas = { q: string; total: number; rejeicoes: readonly Rejeicao[] }

/** The content of the first page: search, categories, and a part of all codes. */
export const paginaDoIndice = (catalogo: Catalogo, parte: ParteDaLista, prefixo: string): Html =>
  html`${topo(catalogo, prefixo, '')}
<div id="resultados"></div>
${categoriasDo(catalogo, prefixo)}
${cartao(
  {
    titulo: 'Todos os códigos',
    id: 'todos',
    lado: html`<span class="suave">${faixaDe(parte)}</span>`,
  },
  html`${listaDeRejeicoes(parte.rejeicoes, prefixo)}${paginacao(parte, (pagina) => prefixo + enderecoDaLista(pagina))}`,
)}`

/** The content of the page of a search. */
export const paginaDaBusca = (catalogo: Catalogo, achadas: Achadas, prefixo: string): Html =>
  html`${topo(catalogo, prefixo, achadas.q)}
<div id="resultados">${cartao(
    { titulo: `Resultados para “${achadas.q}”`, id: 'achadas' },
    html`<p class="suave">${textoDasAchadas(achadas)}</p>${listaDeRejeicoes(achadas.rejeicoes, prefixo, { comCategoria: true })}`,
  )}</div>
${categoriasDo(catalogo, prefixo)}`

/** How many were found, and what to do where none was. */
export function textoDasAchadas({ q, total, rejeicoes }: Achadas): string {
  const resultado = /^\d{3}$/.test(q) ? resultadoDe(Number(q)) : undefined
  if (resultado !== undefined) return resultado
  if (total === 0) return 'Nada encontrado. Tente o código, ou duas ou três palavras do motivo.'
  if (total > rejeicoes.length) return `As ${rejeicoes.length} mais próximas, de ${total}.`
  return total === 1 ? '1 rejeição.' : `${total} rejeições.`
}

const topo = ({ rejeicoes }: Catalogo, prefixo: string, q: string): Html =>
  html`<div class="topo"><div><h1>Rejeições da NF-e e da NFC-e</h1><p class="suave">${rejeicoes.length.toLocaleString('pt-BR')} códigos: o motivo oficial, as causas, os passos para resolver e as regras que os definem.</p></div><a class="botao sem-papel" href="${url(prefixo + DIAGNOSTICO)}">Diagnosticar um XML</a></div>
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
        html`<li><a href="${url(prefixo + enderecoDoAssunto(assunto))}">${assunto.nome}</a> <b class="suave">${quantas}</b></li>`,
    )}</ul>`,
  )
}

/** The content of the page of a category, or of a later part of it. */
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
