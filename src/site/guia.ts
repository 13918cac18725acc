import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import MiniSearch from 'minisearch'
import { ApiError } from '../platform/errors.ts'
import { prefersMarkdown, READY } from '../platform/http/ready.ts'
import { fromLibrary, type Html, html, url } from '../platform/pages/html.ts'
import { entradas, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { baseDe, cabecalhosPublicos, estaticos, openProntas } from '../platform/pages/moldura.ts'
import { findByWord, openBuscas, openOnce, sendPaginaDaBusca } from '../platform/pages/por-palavra.ts'
import { fold } from '../platform/texto.ts'
import { trusted } from '../platform/trusted.ts'
import { MAIOR_BUSCA, MAIOR_PALAVRA, PALAVRAS, readBusca } from '../rejeicoes/page-busca.ts'
import { type Capitulo, PRIMEIRO, readCapitulos, textoAvulso, withAddress } from './guia-capitulos.ts'
import type { CapituloLido, PedidoDeLeitura, SecaoLida } from './guia-worker.ts'

type NoGuia = { capitulo: Capitulo; capitulos: readonly Capitulo[]; prefixo: string }

function drawChapter(onde: NoGuia, { pagina, secoes: lidas }: CapituloLido): Html {
  const { capitulo, prefixo } = onde
  const secoes = drawSections(lidas)
  return html`<div class="guia">
${drawIndex(onde.capitulos, { prefixo, atual: capitulo.slug, secoes })}
<article>
<p class="trilha suave">${capitulo.parte}</p>
<h1>${capitulo.titulo}</h1>
${fromLibrary(pagina)}
${drawNeighbours(onde)}
<p class="suave sem-papel"><a href="${url(`${prefixo}/docs/${capitulo.slug}.md`)}">Esta página em Markdown</a></p>
</article>
<nav class="secoes" aria-label="Nesta página">${secoes && html`<h2>Nesta página</h2>${secoes}`}</nav>
</div>`
}

type Indice = { prefixo: string; atual?: string; q?: string; secoes?: Html | undefined }

/** The list of the chapters and the search: beside the text on a wide screen, folded on a narrow one. */
const drawIndex = (capitulos: readonly Capitulo[], { prefixo, atual, q = '', secoes }: Indice): Html => {
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
function drawSections(secoes: readonly SecaoLida[]): Html | undefined {
  const altas = secoes.filter(({ nivel }) => nivel === 2)
  if (altas.length < 2) return undefined
  return html`<ul>${altas.map(({ id, titulo }) => html`<li><a href="${url(`#${id}`)}">${titulo}</a></li>`)}</ul>`
}

function drawNeighbours({ capitulo, capitulos, prefixo }: NoGuia): Html {
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

const COMUM = { headers: cabecalhosPublicos, vary: 'accept, accept-encoding' }

type Guia = { lidos: ReadonlyMap<Capitulo, CapituloLido>; search: Procurar }

/**
 * The pages of the guide, under `/docs`. What it gives reads the guide once the service listens; a request
 * that comes earlier does it, or waits for it.
 */
export function serveGuia(app: FastifyInstance, moldura: MolduraDoSite): () => Promise<unknown> {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 100 })
  const emSuaVez = openBuscas<Awaited<ReturnType<Procurar>>>()
  const base = (): string => baseDe(app, moldura)
  const fim = new AbortController()
  let leitura: Promise<Guia> | undefined
  const guia = openOnce(() => {
    leitura = openGuia({ base: base(), prefixo, signal: fim.signal })
    return leitura
  })
  app.addHook('preClose', async () => {
    fim.abort()
    await leitura?.catch(() => undefined)
  })

  async function send(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    if (prefersMarkdown(request.headers.accept)) return sendText(request, reply, capitulo)
    const lido = (await guia()).lidos.get(capitulo)
    const make = (): string => (lido ? writeChapter(capitulo, lido, moldura) : '')
    return prontas.send(request, reply, {
      nome: capitulo.slug,
      versao: '',
      type: 'text/html',
      ...COMUM,
      make,
    })
  }
  function sendText(request: FastifyRequest, reply: FastifyReply, capitulo: Capitulo) {
    const make = (): string => textoAvulso(capitulo, base())
    const what = { nome: `${capitulo.slug}.md`, versao: '', type: 'text/markdown', ...COMUM, make }
    return prontas.send(request, reply, what)
  }

  app.get('', READY, async (_request, reply) => reply.redirect(`${prefixo}/docs/`, 301))
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    send(request, reply, findCapitulo(PRIMEIRO)),
  )
  app.get('/busca/', READY, async (request, reply) => {
    const q = readBusca(Object(request.query).q)
    const { search } = await guia()
    const achadas = await emSuaVez({ request, reply }, q, async () => (q === '' ? [] : search(q)))
    return sendPaginaDaBusca(reply, writeSearch(q, achadas, moldura))
  })
  app.get('/:nome', READY, async (request, reply) => {
    const [, slug, extensao] = /^(.*?)(\.md)?$/.exec(nomePedido(request)) ?? []
    const capitulo = findCapitulo(slug)
    return extensao ? sendText(request, reply, capitulo) : reply.redirect(prefixo + capitulo.caminho, 301)
  })
  app.get('/:nome/', READY, async (request, reply) => {
    const capitulo = findCapitulo(nomePedido(request))
    if (capitulo.slug === PRIMEIRO) return reply.redirect(prefixo + capitulo.caminho, 301)
    return send(request, reply, capitulo)
  })
  return guia
}

const nomePedido = ({ params }: FastifyRequest): string => String(Object(params).nome)

function findCapitulo(slug: string | undefined): Capitulo {
  const found = readCapitulos().find((one) => one.slug === slug)
  if (!found) throw new ApiError('ROTA_NAO_ENCONTRADA', 'Não há um capítulo do guia neste endereço.')
  return found
}

const PROGRAMA = fileURLToPath(new URL('./guia-worker.ts', import.meta.url))
/** Below the service, which may have one core: nobody else waits for the guide. */
const PRIORIDADE = 10
/** It takes two seconds, and may get a twentieth of a busy core. */
const PRAZO_MS = 300_000

/**
 * Reads all chapters, with this address of the service in them, in a process of its own without our
 * settings, because the highlighter takes 50 MB and a thread would leave them behind. `signal` ends it; what
 * this gives settles when that process is gone.
 */
async function openGuia({
  base,
  prefixo,
  signal,
}: {
  base: string
  prefixo: string
  signal: AbortSignal
}): Promise<Guia> {
  const capitulos = readCapitulos()
  const pedido: PedidoDeLeitura = {
    textos: capitulos.map(({ texto }) => withAddress(texto, base)),
    prefixo,
    enderecos: Object.fromEntries(capitulos.map(({ slug, caminho }) => [slug, caminho])),
  }
  const leitor = spawn(process.execPath, [PROGRAMA], { env: {}, timeout: PRAZO_MS, signal })
  if (leitor.pid !== undefined) setPriority(leitor.pid, PRIORIDADE)
  const gone = new Promise((resolve) => leitor.once('close', resolve))
  // A program that ends before it has read all tells why by itself.
  leitor.stdin.on('error', () => undefined)
  const [escrito, queixa, [codigo]] = await Promise.all([
    text(leitor.stdout),
    text(leitor.stderr),
    once(leitor, 'close'),
    leitor.stdin.end(JSON.stringify(pedido)),
  ]).finally(() => gone)
  if (codigo !== 0) throw new Error(`the guide could not be read: ${queixa}`)
  // The program is ours, and answers each text.
  const lidos = trusted<CapituloLido[]>(JSON.parse(escrito))
  const guia = new Map(capitulos.flatMap((capitulo, at) => (lidos[at] ? [[capitulo, lidos[at]]] : [])))
  return { lidos: guia, search: await openSearch(guia) }
}

const writeChapter = (capitulo: Capitulo, lido: CapituloLido, moldura: MolduraDoSite): string =>
  writePage(
    {
      titulo: capitulo.titulo,
      descricao: capitulo.descricao,
      atual: capitulo.caminho === entradas.precos.caminho ? 'precos' : 'documentacao',
      canonico: capitulo.caminho,
      modulos: [estaticos.guia.caminho],
      conteudo: drawChapter({ capitulo, capitulos: readCapitulos(), prefixo: moldura.prefixo }, lido),
    },
    moldura,
  )

const writeSearch = (q: string, achadas: Awaited<ReturnType<Procurar>>, moldura: MolduraDoSite): string =>
  writePage(
    {
      titulo: q === '' ? 'Procurar no guia' : `“${q}” no guia`,
      descricao: 'O que o guia diz sobre o que você procura.',
      atual: 'documentacao',
      avulsa: true,
      conteudo: drawSearch(
        { q, achadas },
        drawIndex(readCapitulos(), { prefixo: moldura.prefixo, q }),
        moldura.prefixo,
      ),
    },
    moldura,
  )

type Secao = {
  id: number
  capitulo: Capitulo
  titulo: string
  caminho: string
  texto: string
  /** The text without accents and capitals. */
  dobrado: string
}

type Feita = { q: string; achadas: readonly Secao[] }

type Procurar = (q: string) => Promise<readonly Secao[]>

const MAIS_ACHADAS = 20
/** How much of a section's text is shown, in characters. */
const TRECHO = 180

/** The index is filled so many sections at a time: a request in between does not wait for it. */
const DE_UMA_VEZ = 20

async function openSearch(lidos: ReadonlyMap<Capitulo, CapituloLido>): Promise<Procurar> {
  const secoes = [...lidos].flatMap(([capitulo, lido]) =>
    lido.secoes.map(({ id, titulo, texto }) => ({
      capitulo,
      titulo: titulo || capitulo.titulo,
      caminho: capitulo.caminho + (id && `#${id}`),
      texto,
    })),
  )
  const indexadas = secoes.map((secao, id) => ({
    ...secao,
    id,
    pagina: secao.capitulo.titulo,
    dobrado: foldCase(secao.texto),
  }))
  const indice = new MiniSearch<(typeof indexadas)[number]>({
    fields: ['titulo', 'pagina', 'texto'],
    processTerm: foldCase,
    searchOptions: {
      boost: { titulo: 4, pagina: 3 },
      fuzzy: (term) => (term.length < 5 || term.length > MAIOR_PALAVRA ? false : 0.2),
      maxFuzzy: 2,
    },
  })
  await indice.addAllAsync(indexadas, { chunkSize: DE_UMA_VEZ })
  return async (q) => {
    const palavras = (foldCase(q).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, PALAVRAS)
    const { todas, algumas } = await findByWord(
      indice,
      palavras.map((dita) => ({ dita })),
      (palavra) => palavra.length > 2,
    )
    const achadas = todas.length > 0 ? todas : algumas
    return achadas.slice(0, MAIS_ACHADAS).flatMap((id) => indexadas[id] ?? [])
  }
}

const foldCase = (texto: string): string => fold(texto).toLowerCase()

const drawSearch = (feita: Feita, indice: Html, prefixo: string): Html => html`<div class="guia">
${indice}
<article><h1>Procurar no guia</h1>
${drawResults(feita, prefixo)}
</article>
</div>`

function drawResults({ q, achadas }: Feita, prefixo: string): Html {
  if (q === '') return html`<p>Escreva no campo o que procura: um código de erro, um campo, uma consulta.</p>`
  if (achadas.length === 0) return html`<p class="vazio">Nada no guia fala de “${q}”.</p>`
  const [primeira = ''] = foldCase(q).split(' ')
  return html`<p class="suave">Trechos do guia que falam de “${q}”.</p>
<ul class="achados-do-guia">${achadas.map(
    ({ capitulo, titulo, caminho, ...secao }) => html`<li><a href="${url(prefixo + caminho)}">${titulo}</a>${
      titulo !== capitulo.titulo && html` <span class="suave">${capitulo.titulo}</span>`
    }<p class="suave">${excerptOf(secao, primeira)}</p></li>
`,
  )}</ul>`
}

/** The text round a word, or its beginning, in whole words. */
function excerptOf({ texto, dobrado }: Pick<Secao, 'texto' | 'dobrado'>, palavra: string): string {
  const at = Math.max(0, dobrado.indexOf(palavra) - TRECHO / 3)
  const inicio = at === 0 ? 0 : texto.indexOf(' ', at) + 1
  const fim = texto.indexOf(' ', inicio + TRECHO)
  const dentro = texto.slice(inicio, fim < 0 ? texto.length : fim).trim()
  return `${inicio > 0 ? '… ' : ''}${dentro}${fim < 0 || fim >= texto.length - 1 ? '' : ' …'}`
}
