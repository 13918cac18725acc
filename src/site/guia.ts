import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors.ts'
import { prefersMarkdown, READY } from '../platform/http/ready.ts'
import { estaticos } from '../platform/pages/estaticos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { escreverPagina, type MolduraDoSite } from '../platform/pages/layout.ts'
import { baseDe, cabecalhosPublicos, openProntas } from '../platform/pages/moldura.ts'
import { abrirBuscas, abrirUmaVez, mandarPaginaDaBusca } from '../platform/pages/por-palavra.ts'
import { MAIOR_BUSCA, readBusca } from '../rejeicoes/page-busca.ts'
import { abrirBusca, type Procurar, paginaDaBusca } from './guia-busca.ts'
import {
  type Capitulo,
  destinoDe,
  type GuiaLido,
  lerCapitulos,
  lerGuia,
  PRIMEIRO,
  textoAvulso,
} from './guia-capitulos.ts'
import {
  type Bloco,
  type BlocoDeCodigo,
  type Fragmento,
  type Pedaco,
  palavras,
  type TabelaDoGuia,
} from './guia-marcado.ts'

/** The languages of an example, in the order of their tabs. */
const linguas: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }

/** What a block that is no example shows, unless the page says it. */
const legendas: Readonly<Record<string, string>> = {
  json: 'Resposta',
  http: 'Resposta',
  text: 'O programa mostra',
  console: 'Terminal',
}

/** Whether a block is an example in one of the languages that have a tab. */
const isExemplo = (bloco: Bloco): bloco is BlocoDeCodigo =>
  bloco.tipo === 'codigo' && Object.hasOwn(linguas, bloco.lingua)

/**
 * Draws an example with a tab a language, which are choices of a form: they need no program. `numero` is the
 * example's own on its page.
 */
const desenharExemplo = (blocos: readonly BlocoDeCodigo[], numero: number): Html => html`<div class="exemplo">
${
  blocos.length > 1 &&
  html`<fieldset class="abas"><legend class="so-leitor">Linguagem do exemplo</legend>${blocos.map(
    ({ lingua }, at) =>
      html`<label>${at === 0 ? escolhida(lingua, numero) : escolha(lingua, numero)}<span>${linguas[lingua]}</span></label>`,
  )}</fieldset>
`
}${blocos.map((bloco) => html`<pre class="codigo ${bloco.lingua}"><code>${desenharLinhas(bloco)}</code></pre>\n`)}</div>
`

const escolha = (lingua: string, numero: number): Html =>
  html`<input type="radio" name="${`lingua-${numero}`}" value="${lingua}"/>`

const escolhida = (lingua: string, numero: number): Html =>
  html`<input type="radio" name="${`lingua-${numero}`}" value="${lingua}" checked="checked"/>`

/** Draws a block that shows what comes of an example, or what is typed otherwise. */
const desenharSaida = (bloco: BlocoDeCodigo): Html => html`<figure class="exemplo saida">
<figcaption>${bloco.legenda ?? legendas[bloco.lingua]}</figcaption>
<pre class="codigo ${bloco.lingua}"><code>${desenharLinhas(bloco)}</code></pre>
</figure>
`

const desenharLinhas = ({ linhas }: BlocoDeCodigo): Content =>
  linhas.map((linha, at) => [at > 0 && '\n', linha.map(desenharPedaco)])

const desenharPedaco = ([cor, texto]: Pedaco): Content =>
  cor === '' ? texto : html`<span class="${cor}">${texto}</span>`

/** Draws the blocks of a chapter. Codes of the three languages that follow each other are one example. */
function desenhar(blocos: readonly Bloco[], prefixo: string): Html[] {
  const feitos: Html[] = []
  let exemplo: BlocoDeCodigo[] = []
  const terminar = (): void => {
    if (exemplo.length > 0) feitos.push(desenharExemplo(exemplo, feitos.length))
    exemplo = []
  }
  for (const bloco of blocos) {
    if (isExemplo(bloco)) {
      exemplo.push(bloco)
      continue
    }
    terminar()
    feitos.push(desenharBloco(bloco, prefixo))
  }
  terminar()
  return feitos
}

function desenharBloco(bloco: Bloco, prefixo: string): Html {
  switch (bloco.tipo) {
    case 'titulo': {
      const elo = html`<a href="${url(`#${bloco.id}`)}">${desenharFrases(bloco.frases, prefixo)}</a>`
      return bloco.nivel === 2
        ? html`<h2 id="${bloco.id}">${elo}</h2>\n`
        : html`<h3 id="${bloco.id}">${elo}</h3>\n`
    }
    case 'paragrafo':
      return html`<p>${desenharFrases(bloco.frases, prefixo)}</p>\n`
    case 'lista': {
      const itens = bloco.itens.map((item) => html`<li>${desenharItem(item, prefixo)}</li>\n`)
      return bloco.ordenada ? html`<ol>${itens}</ol>\n` : html`<ul>${itens}</ul>\n`
    }
    case 'nota':
      return html`<div class="conselho" role="note">${desenhar(bloco.blocos, prefixo)}</div>\n`
    case 'tabela':
      return desenharTabela(bloco, prefixo)
    case 'codigo':
      return desenharSaida(bloco)
  }
}

/** The first text of an item stands without a paragraph of its own. */
const desenharItem = ([primeiro, ...resto]: readonly Bloco[], prefixo: string): Content => [
  primeiro?.tipo === 'paragrafo'
    ? desenharFrases(primeiro.frases, prefixo)
    : primeiro && desenharBloco(primeiro, prefixo),
  desenhar(resto, prefixo),
]

const desenharTabela = ({ cabeca, linhas }: TabelaDoGuia, prefixo: string): Html => html`<table>
<thead><tr>${cabeca.map((one) => html`<th scope="col">${desenharFrases(one, prefixo)}</th>`)}</tr></thead>
<tbody>${linhas.map(
  (linha) => html`<tr>${linha.map((one) => html`<td>${desenharFrases(one, prefixo)}</td>`)}</tr>\n`,
)}</tbody>
</table>
`

const desenharFrases = (frases: readonly Fragmento[], prefixo: string): Content =>
  frases.map((frase) => {
    if (typeof frase === 'string') return frase
    if (frase.tipo === 'codigo') return html`<code>${frase.texto}</code>`
    const dentro = desenharFrases(frase.frases, prefixo)
    if (frase.tipo === 'elo')
      return html`<a href="${url(comPrefixo(destinoDe(frase.para), prefixo))}">${dentro}</a>`
    return frase.tipo === 'forte' ? html`<strong>${dentro}</strong>` : html`<em>${dentro}</em>`
  })

const comPrefixo = (para: string, prefixo: string): string => (para.startsWith('/') ? prefixo + para : para)

/** A chapter among the others. */
type NoGuia = { capitulo: Capitulo; capitulos: readonly Capitulo[]; prefixo: string }

/** Draws a chapter between the list of all and that of its sections. */
function paginaDoCapitulo(onde: NoGuia, blocos: readonly Bloco[]): Html {
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
const indice = (capitulos: readonly Capitulo[], { prefixo, atual, q = '', secoes }: Indice): Html => {
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

/** A chapter is a page or Markdown, as the reader asks. */
const COMUM = { headers: cabecalhosPublicos, vary: 'accept, accept-encoding' }

/** The guide as it was read, with the address of this service in it. */
type Guia = { blocos: GuiaLido; procurar: Procurar }

/**
 * The pages of the guide, under `/docs`. What it gives reads the guide once the service listens; a request
 * that comes earlier does it, or waits for it.
 */
export function paginasDoGuia(app: FastifyInstance, moldura: MolduraDoSite): () => Promise<unknown> {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 100 })
  const emSuaVez = abrirBuscas<Awaited<ReturnType<Procurar>>>()
  const base = (): string => baseDe(app, moldura)
  const fim = new AbortController()
  app.addHook('preClose', async () => fim.abort())
  const guia = abrirUmaVez(() => abrirGuia(base(), fim.signal))

  async function mandar(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    if (prefersMarkdown(request.headers.accept)) return mandarTexto(request, reply, capitulo)
    const blocos = (await guia()).blocos.get(capitulo) ?? []
    const make = (): string => escreverCapitulo(capitulo, blocos, moldura)
    return prontas.send(request, reply, {
      nome: capitulo.slug,
      versao: '',
      type: 'text/html',
      ...COMUM,
      make,
    })
  }
  function mandarTexto(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    const make = (): string => textoAvulso(capitulo, base())
    const what = { nome: `${capitulo.slug}.md`, versao: '', type: 'text/markdown', ...COMUM, make }
    return prontas.send(request, reply, what)
  }

  app.get('', READY, async (_request, reply) => reply.redirect(`${prefixo}/docs/`, 301))
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    mandar(request, reply, capituloPedido(PRIMEIRO)),
  )
  app.get('/busca/', READY, async (request, reply) => {
    const q = readBusca(Object(request.query).q)
    const { procurar } = await guia()
    const achadas = await emSuaVez({ request, reply }, q, async () => (q === '' ? [] : procurar(q)))
    return mandarPaginaDaBusca(reply, escreverBusca(q, achadas, moldura))
  })
  app.get('/:nome', READY, async (request, reply) => {
    const [, slug, extensao] = /^(.*?)(\.md)?$/.exec(nomePedido(request)) ?? []
    const capitulo = capituloPedido(slug)
    return extensao ? mandarTexto(request, reply, capitulo) : reply.redirect(prefixo + capitulo.caminho, 301)
  })
  app.get('/:nome/', READY, async (request, reply) => {
    const capitulo = capituloPedido(nomePedido(request))
    if (capitulo.slug === PRIMEIRO) return reply.redirect(prefixo + capitulo.caminho, 301)
    return mandar(request, reply, capitulo)
  })
  return guia
}

const nomePedido = ({ params }: FastifyRequest): string => String(Object(params).nome)

function capituloPedido(slug: string | undefined): Capitulo {
  const found = lerCapitulos().find((one) => one.slug === slug)
  if (!found) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há um capítulo do guia neste endereço.')
  return found
}

async function abrirGuia(base: string, signal: AbortSignal): Promise<Guia> {
  const blocos = await lerGuia(base, signal)
  return { blocos, procurar: await abrirBusca([...blocos]) }
}

const escreverCapitulo = (capitulo: Capitulo, blocos: readonly Bloco[], moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: capitulo.titulo,
      descricao: capitulo.descricao,
      atual: 'documentacao',
      canonico: capitulo.caminho,
      modulos: [estaticos.guia.caminho],
      conteudo: paginaDoCapitulo({ capitulo, capitulos: lerCapitulos(), prefixo: moldura.prefixo }, blocos),
    },
    moldura,
  )

const escreverBusca = (q: string, achadas: Awaited<ReturnType<Procurar>>, moldura: MolduraDoSite): string =>
  escreverPagina(
    {
      titulo: q === '' ? 'Procurar no guia' : `“${q}” no guia`,
      descricao: 'O que o guia diz sobre o que você procura.',
      atual: 'documentacao',
      avulsa: true,
      conteudo: paginaDaBusca(
        { q, achadas },
        indice(lerCapitulos(), { prefixo: moldura.prefixo, q }),
        moldura.prefixo,
      ),
    },
    moldura,
  )
