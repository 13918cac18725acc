import { type Html, html, url } from '../platform/pages/html.ts'
import { MAIOR_BUSCA } from '../rejeicoes/page-busca.ts'
import { type Bloco, palavras } from './blocos.ts'
import { desenhar } from './desenho.ts'
import type { Capitulo } from './guia-capitulos.ts'

/** A chapter among the others. */
type NoGuia = { capitulo: Capitulo; capitulos: readonly Capitulo[]; prefixo: string }

/** Draws a chapter between the list of all and that of its sections. */
export function paginaDoCapitulo(onde: NoGuia, blocos: readonly Bloco[]): Html {
  const { capitulo, prefixo } = onde
  const secoes = listaDasSecoes(blocos)
  return html`<div class="guia">
${indice(onde.capitulos, { prefixo, atual: capitulo.slug, secoes })}
<article>
<p class="trilha suave">${capitulo.parte}</p>
<h1>${capitulo.titulo}</h1>
${desenhar(blocos, prefixo)}
${vizinhos(onde)}
<p class="suave sem-papel"><a href="${url(`${prefixo}/docs/${capitulo.slug}.md`)}">Esta página em Markdown</a></p>
</article>
<nav class="secoes" aria-label="Nesta página">${secoes && html`<h2>Nesta página</h2>${secoes}`}</nav>
</div>`
}

type Indice = { prefixo: string; atual?: string; q?: string; secoes?: Html | undefined }

/** The list of the chapters and the search: beside the text on a wide screen, folded on a narrow one. */
export const indice = (capitulos: readonly Capitulo[], { prefixo, atual, q = '', secoes }: Indice): Html => {
  const listas = (
    id: string,
  ): Html => html`<form action="${url(`${prefixo}/docs/busca/`)}" role="search"><label class="so-leitor" for="${id}">Procurar no guia</label><input id="${id}" type="search" name="q" value="${q}" maxlength="${MAIOR_BUSCA}" placeholder="Procurar no guia"/></form>
${[...Map.groupBy(capitulos, ({ parte }) => parte)].map(
  ([parte, seus]) => html`<p>${parte}</p>
<ul>${seus.map(
    ({ slug, titulo, caminho }) =>
      html`<li><a href="${url(prefixo + caminho)}" aria-current="${slug === atual ? 'page' : 'false'}">${titulo}</a></li>`,
  )}</ul>
`,
)}`
  return html`<details class="indice-dobrado sem-papel"><summary>Índice do guia</summary>${
    secoes && html`<nav aria-label="Nesta página"><p>Nesta página</p>${secoes}</nav>`
  }<nav aria-label="Capítulos do guia">${listas('q-dobrado')}</nav></details>
<nav class="capitulos" aria-label="Capítulos do guia">${listas('q-do-guia')}</nav>`
}

/** The sections of the first level. Undefined where there are too few to look for. */
function listaDasSecoes(blocos: readonly Bloco[]): Html | undefined {
  const titulos = blocos.flatMap((bloco) => (bloco.tipo === 'titulo' && bloco.nivel === 2 ? [bloco] : []))
  if (titulos.length < 2) return undefined
  return html`<ul>${titulos.map(
    ({ id, frases }) => html`<li><a href="${url(`#${id}`)}">${palavras(frases)}</a></li>`,
  )}</ul>`
}

/** The chapters before and after this one. */
function vizinhos({ capitulo, capitulos, prefixo }: NoGuia): Html {
  const at = capitulos.indexOf(capitulo)
  const [antes, depois] = [capitulos[at - 1], capitulos[at + 1]]
  return html`<nav class="vizinhos" aria-label="Continuar a ler">${
    antes &&
    html`<a href="${url(prefixo + antes.caminho)}" rel="prev"><small>Anterior</small> ${antes.titulo}</a>`
  }${
    depois &&
    html`<a href="${url(prefixo + depois.caminho)}" rel="next"><small>Próximo</small> ${depois.titulo}</a>`
  }</nav>`
}
