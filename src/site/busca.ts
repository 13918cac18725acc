import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logado } from '../contas/acesso.ts'
import { findPorFim, isFimDePedido } from '../contas/lookup-usos.ts'
import type { Visitante } from '../contas/visitante.ts'
import { ufs, unidades } from '../documento/uf.ts'
import { lookups, nomeDoEndpoint } from '../painel/chamadas.ts'
import { enderecoDaPergunta, enderecoDe } from '../painel/consultar/perguntar.ts'
import { nomesDosTipos, readLido } from '../painel/consultar/perguntas.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { READY } from '../platform/http/ready.ts'
import { findEntry, groups } from '../platform/pages/erros-textos.ts'
import { countOf, formatQuando } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { entradas, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { openBuscas, sendPaginaDaBusca } from '../platform/pages/por-palavra.ts'
import { fold } from '../platform/texto.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import {
  assuntos,
  DIAGNOSTICO,
  enderecoDoAssunto,
  MAIOR_BUSCA,
  PALAVRAS,
  readBusca,
  searchCatalogo,
} from '../rejeicoes/page-busca.ts'
import type { RejeicoesRoom } from '../rejeicoes/rejeicoes.ts'
import { capituloDaConsulta, readCapitulos } from './guia-capitulos.ts'

/** What is found: its name, what is said of it, and its address without the prefix of a proxy. */
type Achado = {
  nome: string
  dito: string
  endereco: string
  /** The chapter that explains what is asked at `endereco`. */
  guia?: string | undefined
}

type Grupo = { titulo: string; achados: readonly Achado[] }

/** Something to be found by its words, which are folded once. */
type Entrada = Achado & { dobrado: string }

const MAIS = 6

const GUIA = 'Guia'
const CODIGOS = 'Códigos de erro'

const foldText = (text: string): string => fold(text).toLowerCase()

/** The words of a text, each after a space: of `(CNPJ)` and of a path too. */
const foldWords = (text: string): string => ` ${foldText(text).replace(/[^\p{L}\p{N}_]+/gu, ' ')}`

const entrada = (nome: string, dito: string, endereco: string, palavras = ''): Entrada => ({
  nome,
  dito,
  endereco,
  dobrado: foldWords(`${nome} ${dito} ${palavras}`),
})

const paginasDe = (isLogado: boolean): readonly Entrada[] =>
  Object.values(entradas)
    .filter(({ caminho }) => isLogado || !caminho.startsWith('/painel/'))
    .map(({ nome, caminho }) => entrada(nome, '', caminho))

/** The lists that do not change while the service runs, for visitors and for accounts. */
function listasDe(isLogado: boolean): readonly (readonly [titulo: string, entradas: readonly Entrada[]])[] {
  const consultas = lookups.map((one) => daConsulta(one, isLogado))
  return [
    ['Consultas', consultas],
    [
      'Páginas',
      [
        ...paginasDe(isLogado),
        ...ufs.map((uf) =>
          entrada(`SEFAZ ${unidades[uf].nome}`, `situação agora, ${uf}`, `/sefaz/${uf.toLowerCase()}/`),
        ),
      ],
    ],
    [
      GUIA,
      readCapitulos()
        .filter(({ caminho }) => isLogado || !consultas.some(({ endereco }) => endereco === caminho))
        .map(({ titulo, descricao, caminho }) => entrada(titulo, descricao, caminho)),
    ],
    [
      CODIGOS,
      groups.flatMap(({ entries }) =>
        entries.map(({ code, title, meaning }) =>
          entrada(title, code, `/erros#${code}`, `${meaning} ${code.replaceAll('_', ' ')}`),
        ),
      ),
    ],
    ['Rejeições por assunto', assuntos.map((one) => entrada(one.nome, '', enderecoDoAssunto(one)))],
  ]
}

let daVisita: string | undefined

/** Whether something that a visitor may see has a word in its name or address that begins so. */
export function isAssunto(palavra: string): boolean {
  daVisita ??= listasDe(false)
    .flatMap(([, lista]) => lista.map(({ nome, endereco }) => foldWords(`${nome} ${endereco}`)))
    .join('')
  return daVisita.includes(` ${foldText(palavra)}`)
}

/** An account asks it; a visitor reads of it. The diagnosis of a note has a page without a key. */
function daConsulta(
  { declared: { url: caminho, words } }: (typeof lookups)[number],
  isLogado: boolean,
): Entrada {
  const { id = caminho.split('/').at(-1) ?? '', nome, description, custo = '' } = words
  const guia = capituloDaConsulta(id)
  const { titulo, descricao } = readCapitulos().find((one) => one.caminho === guia) ?? {}
  const endereco = isLogado ? doPainel(id, caminho) : guia
  const palavras = `${caminho} ${custo} ${titulo} ${descricao}`
  return {
    ...entrada(nome, beginOf(description), endereco, palavras),
    guia: endereco === guia ? undefined : guia,
  }
}

/** What a description says first, without marks. */
const beginOf = (description: string): string => description.replace(/[.;:](?=\s).*/s, '').replaceAll('`', '')

/** Where an account asks it; what is no question of a bookkeeper is explained. */
function doPainel(id: string, caminho: string): string {
  if (id === 'diagnosticar') return DIAGNOSTICO
  return enderecoDaPergunta('', caminho) ?? capituloDaConsulta(id)
}

type Palavras = readonly string[]

const palavrasDe = (q: string): Palavras => (foldText(q).match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, PALAVRAS)

/** Marks where a word begins as one sought, or its plural. A folded text has each letter in its place. */
function openMarcador(palavras: Palavras): (texto: string) => Content {
  if (palavras.length === 0) return (texto) => texto
  const inicios = palavras.join('|').replace(/ao\b/g, '(?:ao|oes)')
  const sought = new RegExp(`(?<![\\p{L}\\p{N}])(?:${inicios})`, 'gu')
  return (texto) => {
    const parts: Content[] = []
    let from = 0
    for (const { index, 0: found } of foldText(texto).matchAll(sought)) {
      const end = index + found.length
      parts.push(texto.slice(from, index), html`<mark>${texto.slice(index, end)}</mark>`)
      from = end
    }
    return [...parts, texto.slice(from)]
  }
}

const fraseDe = (texto: string, palavras: Palavras): string =>
  texto.split(/(?<=\.) /).find((um) => palavras.some((palavra) => foldWords(um).includes(` ${palavra}`))) ??
  ''

/** The words that all must be there: those that begin a word of its count for more, and its name's most. */
function procurar(lista: readonly Entrada[], palavras: Palavras): Achado[] {
  const notas = lista.flatMap((one) => {
    const nome = foldWords(one.nome)
    let nota = 0
    for (const palavra of palavras) {
      if (!one.dobrado.includes(palavra)) return []
      nota += nome.includes(` ${palavra}`) ? 4 : one.dobrado.includes(` ${palavra}`) ? 2 : 1
    }
    return [{ one, nota }]
  })
  return notas
    .sort((a, b) => b.nota - a.nota)
    .slice(0, MAIS)
    .map(({ one }) => one)
}

type Achada = { q: string; grupos: Grupo[]; isLogado: boolean }

type BuscaRoom = PainelRoom & RejeicoesRoom

/** The search over all: a page with a form, and the same as JSON for the box that opens over a page. */
export function openBusca(
  app: FastifyInstance,
  room: BuscaRoom,
  { moldura, visitante }: { moldura: MolduraDoSite; visitante: Visitante },
): void {
  const emSuaVez = openBuscas<readonly Grupo[]>()
  const daConta = createQueue(FILA)
  const listas = new Map<boolean, ReturnType<typeof listasDe>>()

  function listasPara(isLogado: boolean): ReturnType<typeof listasDe> {
    const known = listas.get(isLogado) ?? listasDe(isLogado)
    listas.set(isLogado, known)
    return known
  }

  async function findDeTodos(q: string, isLogado: boolean): Promise<readonly Grupo[]> {
    const palavras = palavrasDe(q)
    if (palavras.length === 0) return []
    const catalogo = room.rejeicoes.read()
    const rejeicoes = catalogo ? (await searchCatalogo(catalogo, q)).slice(0, MAIS) : []
    const dasRejeicoes = {
      titulo: 'Rejeições',
      achados: rejeicoes.map(({ codigo, titulo, url_blog }) => ({
        nome: `Rejeição ${codigo}`,
        dito: titulo,
        endereco: url_blog,
      })),
    }
    const outros = listasPara(isLogado).map(([titulo, lista]) => ({
      titulo,
      achados: procurar(lista, palavras),
    }))
    const isCodigo = /^\d{3,4}$/.test(q)
    return isCodigo ? [dasRejeicoes, ...outros] : [...outros, dasRejeicoes]
  }

  /** Of the account's own calls alone, and kept for nobody. */
  async function findChamadas(logado: Logado | null, reply: FastifyReply, q: string): Promise<Grupo[]> {
    if (!logado || !isFimDePedido(q)) return []
    const { id } = logado.conta
    const usos = await daConta({ owner: id, signal: signalOfLeaving(reply.raw) }, () =>
      findPorFim(room, id, q.toLowerCase()),
    ).catch(refuseFull)
    const achados = usos.map(({ endpoint, criado_em, request_id }) => ({
      nome: nomeDoEndpoint(endpoint),
      dito: `${formatQuando(criado_em)}, pedido ${request_id}`,
      endereco: `${entradas.registro.caminho}${request_id}/`,
    }))
    return [{ titulo: 'Chamadas', achados }]
  }

  async function find(request: FastifyRequest, reply: FastifyReply): Promise<Achada> {
    const q = readBusca(Object(request.query).q)
    const logado = request.logado ?? (await visitante.find(request))
    const isLogado = logado !== null
    const chave = `${isLogado} ${room.rejeicoes.read()?.versao} ${q}`
    const daqui = q === '' ? inicioDe(isLogado) : doDocumento(q, room.now())
    const deTodos =
      daqui ?? mergeGuia(await emSuaVez({ request, reply }, chave, () => findDeTodos(q, isLogado)))
    const grupos = [...(await findChamadas(logado, reply, q)), ...deTodos].filter(
      ({ achados }) => achados.length > 0,
    )
    return { q, grupos, isLogado }
  }

  app.get('/achados.json', { schema: { hide: true }, exposeHeadRoute: true }, async (request, reply) => {
    const { q, grupos } = await find(request, reply)
    const { prefixo } = moldura
    return reply.header('cache-control', 'private, no-store').send({
      texto: textoDe(q, grupos),
      grupos: grupos.map(({ titulo, achados }) => ({
        titulo,
        achados: achados.map(({ nome, dito, endereco }) => ({ nome, dito, endereco: prefixo + endereco })),
      })),
    })
  })

  const pagina = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { q, grupos, isLogado } = await find(request, reply)
    const page = writeBusca(q, grupos, moldura)
    return isLogado ? sendDaConta(reply, page) : sendPaginaDaBusca(reply, page)
  }
  app.get('', READY, pagina)
  app.get('/', { ...READY, prefixTrailingSlash: 'slash' }, pagina)
}

/** What an account finds, its own calls among it, no cache keeps. */
const sendDaConta = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({ 'cache-control': 'private, no-store', vary: 'cookie' })
    .type('text/html; charset=utf-8')
    .send(page)

/** The calls of accounts are looked through one question at a time, and turns go round the accounts. */
const FILA = { places: 1, waiting: 64, perOwner: 8 }

function refuseFull(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error
  const detail = 'Há buscas demais nas chamadas agora. Espere a resposta das suas e procure de novo.'
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { retryS: 5 })
}

/** What the box shows before anything is typed. */
const inicioDe = (isLogado: boolean): Grupo[] => [{ titulo: 'Páginas', achados: paginasDe(isLogado) }]

/** Of a whole CPF, CNPJ or key, what can be asked of it; its digits are no code of a rejection. */
function doDocumento(q: string, agora: Date): Grupo[] | undefined {
  const lido = readLido(q, '', agora)
  if (!lido || lido.problema !== undefined || lido.tipo === 'ie') return undefined
  const { tipo, documento, mascarado } = lido
  const consultar = {
    nome: `Consultar ${mascarado}`,
    dito: nomesDosTipos[tipo],
    endereco: `${enderecoDe('')}?documento=${documento}`,
  }
  const dossie = {
    nome: 'Montar o dossiê',
    dito: 'tudo dele em uma página',
    endereco: `/painel/dossie/${documento}/`,
  }
  return [{ titulo: 'Documento', achados: tipo === 'chave' ? [consultar] : [consultar, dossie] }]
}

function textoDe(q: string, grupos: readonly Grupo[]): string {
  if (q === '')
    return 'Escreva um CPF ou CNPJ, o nome de uma página ou consulta, um código, ou o fim de um pedido.'
  const quantos = grupos.reduce((soma, { achados }) => soma + achados.length, 0)
  return quantos === 0 ? `Nada com “${q}”.` : countOf(quantos, 'resultado', 'resultados')
}

/** A lookup and its chapter stand as one, and the page has a link to each. */
function mergeGuia(grupos: readonly Grupo[]): Grupo[] {
  const ditos = new Set(grupos.flatMap(({ achados }) => achados.flatMap(({ guia }) => guia ?? [])))
  return grupos.map(({ titulo, achados }) => ({
    titulo,
    achados: titulo === GUIA ? achados.filter(({ endereco }) => !ditos.has(endereco)) : achados,
  }))
}

const writeBusca = (q: string, grupos: readonly Grupo[], moldura: MolduraDoSite): string =>
  writePage(
    {
      titulo: q === '' ? 'Procurar' : `Procurar “${q}”`,
      descricao: 'Páginas, consultas, rejeições, códigos de erro e chamadas da conta.',
      atual: undefined,
      avulsa: true,
      conteudo: drawBusca(q, grupos, moldura.prefixo),
    },
    moldura,
  )

function drawBusca(q: string, grupos: readonly Grupo[], prefixo: string): Html {
  const palavras = palavrasDe(q)
  const mark = openMarcador(palavras)
  return html`<div class="procura"><h1>Procurar</h1>
<form action="${url(`${prefixo}/busca`)}" role="search"><label class="so-leitor" for="q">Procurar</label><input id="q" type="search" name="q" value="${q}" maxlength="${MAIOR_BUSCA}" autocomplete="off" spellcheck="false" placeholder="Página, consulta, código ou pedido"/><button class="botao">Procurar</button></form>
<p class="suave">${textoDe(q, grupos)}</p>
${grupos.map(
  ({ titulo, achados }) => html`<section aria-label="${titulo}"><h2>${titulo}</h2><ul>${achados.map(
    ({ nome, dito, endereco, guia }) =>
      html`<li><a href="${url(prefixo + endereco)}"><b>${mark(nome)}</b> ${
        titulo === CODIGOS
          ? html`<code>${mark(dito)}</code> <span class="suave">${mark(fraseDe(findEntry(dito)?.meaning.replaceAll('`', '') ?? '', palavras))}</span>`
          : html`<span class="suave">${mark(dito)}</span>`
      }</a>${
        guia !== undefined &&
        html`<a class="ao-guia" href="${url(prefixo + guia)}">Ver o guia<span class="so-leitor">: ${nome}</span></a>`
      }</li>`,
  )}</ul></section>
`,
)}</div>`
}
