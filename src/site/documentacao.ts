import type { FastifyInstance } from 'fastify'
import type { EscritaDoDocumento } from '../platform/http/document.ts'
import { serveStatic } from '../platform/http/ready.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { baseDe, cabecalhosDePagina, estaticos, molduraDe } from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'
import {
  type DocumentoLido,
  drawOperacao,
  listOperacoes,
  nomeDaResposta,
  type Operacao,
} from './documentacao-chamada.ts'
import {
  type Destinos,
  drawCampos,
  drawExemplo,
  drawMembros,
  drawTexto,
  type EsquemaLido,
} from './documentacao-esquema.ts'

/** The reference of the API, which is drawn once from the OpenAPI document. */
export function serveReferencia(
  app: FastifyInstance,
  room: Platform,
  writeDocumento: EscritaDoDocumento,
): void {
  const moldura = molduraDe(room)
  const make = async (forNow: () => void): Promise<string> => {
    const documento: DocumentoLido = JSON.parse(await writeDocumento(forNow))
    const conteudo = drawReferencia(documento, { moldura, servico: baseDe(app, moldura) })
    return writePage({ ...PAGINA, conteudo }, moldura)
  }
  const headers = { ...cabecalhosDePagina, 'cache-control': 'public, max-age=3600' }
  for (const path of ['/documentacao', '/documentacao/'])
    serveStatic(app, path, { type: 'text/html', headers, make })
}

const PAGINA = {
  titulo: 'Referência da API',
  descricao: 'A referência da API: cada consulta, com seus parâmetros, exemplos e respostas.',
  atual: 'referencia',
  canonico: '/documentacao',
  modulos: [estaticos.guia.caminho, estaticos.referencia.caminho],
} as const

type Grupo = { id: string; nome: string; descricao: string; operacoes: readonly Operacao[] }

function gruposDe(documento: DocumentoLido): Grupo[] {
  const todas = listOperacoes(documento)
  return documento.tags.map(({ name, description }, at) => ({
    id: `grupo-${at + 1}`,
    nome: name,
    descricao: description,
    operacoes: todas.filter(({ tags }) => tags.includes(name)),
  }))
}

/** The headers that say something of the call, whichever it is. */
function cabecalhosComuns(operacoes: readonly Operacao[]): ReadonlySet<string> {
  const [first, ...others] = operacoes
    .filter(({ security }) => security.length > 0)
    .map(({ responses }) => new Set(Object.keys(responses[200]?.headers ?? {})))
  return others.reduce((common, one) => common.intersection(one), first ?? new Set())
}

function drawReferencia(
  documento: DocumentoLido,
  { moldura: { prefixo }, servico }: { moldura: MolduraDoSite; servico: string },
): Html {
  const { schemas, headers, examples } = documento.components
  const operacoes = listOperacoes(documento)
  const grupos = gruposDe(documento)
  const idDe = (dito: string): string | undefined => {
    if (Object.hasOwn(schemas, dito)) return `modelo-${dito}`
    return operacoes.find(({ metodo, caminho }) => dito === `${metodo} ${caminho}` || dito === caminho)
      ?.operationId
  }
  // The first call with an answer shows its members.
  const donas = new Map(
    operacoes.toReversed().map((operacao) => [nomeDaResposta(operacao), operacao.operationId]),
  )
  const onde = { prefixo, idDe, servico, schemas, comuns: cabecalhosComuns(operacoes), donas }
  const modelos = Object.entries(schemas).filter(([nome]) => !donas.has(nome))
  return html`<div class="referencia">
${drawIndice(grupos)}
<div class="tudo">
<h1>Referência da API</h1>
<div class="abertura-da-referencia"><div>${drawTexto(documento.info.description, onde)}</div>${drawFatos(prefixo, servico)}</div>
${drawCabecalhos(headers, onde)}
${grupos.map(
  ({ id, nome, descricao, operacoes: suas }) => html`<section class="grupo" aria-labelledby="${id}">
<h2 id="${id}"><a href="${url(`#${id}`)}">${nome}</a></h2>
<p class="suave">${descricao}</p>
${suas.map((operacao) => drawOperacao(operacao, onde))}</section>
`,
)}${drawModelos(modelos, onde)}${drawFalhas(examples, prefixo)}</div>
</div>`
}

/** What a program needs before its first call. */
const drawFatos = (prefixo: string, servico: string): Html =>
  html`<dl class="cartao"><dt>Endereço</dt><dd><code>${servico}</code></dd><dt>Chave</dt><dd>Em <code>X-API-Key</code>. A sua está em <a href="${url(`${prefixo}/painel/configuracoes/`)}">Configurações</a>; os exemplos a leem da variável <code>CHAVE</code>.</dd><dt>Formato</dt><dd>JSON em <span class="inteira">UTF-8</span>, por HTTP/1.1</dd><dt>OpenAPI 3.1</dt><dd><a href="${url(`${prefixo}/openapi.json`)}">openapi.json</a>, para gerar clientes e importar no Postman ou no Insomnia</dd><dt>Por onde começar</dt><dd><a href="${url(`${prefixo}/docs/`)}">O guia</a>, e <a href="${url(`${prefixo}/docs/consultas-e-precos/`)}">o que cada consulta custa</a></dd></dl>`

/** The list of the calls: beside them on a wide screen, folded on a narrow one. */
function drawIndice(grupos: readonly Grupo[]): Html {
  const lista = html`<ul><li><a href="#cabecalhos">Cabeçalhos</a></li></ul>
${grupos.map(
  ({ id, nome, operacoes }) => html`<p><a href="${url(`#${id}`)}">${nome}</a></p>
<ul>${operacoes.map(
    ({ operationId, summary, metodo }) =>
      html`<li><a href="${url(`#${operationId}`)}">${summary}${metodo !== 'GET' && html` <b>${metodo}</b>`}</a></li>
`,
  )}</ul>
`,
)}<p><a href="#modelos">Modelos</a></p><p><a href="#falhas">Falhas</a></p>`
  return html`<details class="indice-dobrado sem-papel"><summary>Todas as chamadas</summary><nav aria-label="Chamadas da API">${lista}</nav></details>
<nav class="chamadas-da-api sem-papel" aria-label="Chamadas da API">${lista}</nav>`
}

const ENVIADOS = [
  ['X-API-Key', 'A chave da conta. Vai neste cabeçalho, e em nenhum outro lugar.', 'um dos dois'],
  [
    'Authorization',
    'No lugar da chave, `Bearer` e o token que `POST /api/v1/auth/login` dá, para programas que atendem pessoas.',
    'um dos dois',
  ],
  [
    'Cache-Control',
    'Onde uma chamada o aceita: `no-cache` consulta de novo, `max-age=N` só aceita uma resposta de até N segundos. O preço é o mesmo.',
    undefined,
  ],
  [
    'Idempotency-Key',
    'No XML da NF-e: um texto seu, único por consulta. Repetida em 24 horas com o mesmo corpo, a chamada dá a mesma resposta e é cobrada uma vez.',
    undefined,
  ],
  ['If-None-Match', 'O `ETag` da sua cópia: se nada mudou, a resposta é 304, sem corpo.', undefined],
  ['Accept', '`text/event-stream` pede em partes o que uma chamada sabe dar em partes.', undefined],
] as const

function drawCabecalhos(headers: DocumentoLido['components']['headers'], destinos: Destinos): Html {
  const texto: EsquemaLido = { type: 'string' }
  const enviados = ENVIADOS.map(([nome, descricao, selo]) => ({ nome, esquema: texto, descricao, selo }))
  const recebidos = Object.entries(headers).map(([nome, { description, schema }]) => ({
    nome,
    esquema: schema,
    descricao: description,
  }))
  return html`<section class="grupo em-colunas" aria-labelledby="cabecalhos"><h2 id="cabecalhos"><a href="#cabecalhos">Cabeçalhos</a></h2>
<h3>Na requisição</h3>${drawCampos(enviados, destinos)}<details><summary>Na resposta: ${recebidos.length} cabeçalhos</summary>${drawCampos(recebidos, destinos)}</details></section>
`
}

const drawModelos = (modelos: readonly (readonly [string, EsquemaLido])[], destinos: Destinos): Html =>
  html`<section class="grupo dobras" aria-labelledby="modelos"><h2 id="modelos"><a href="#modelos">Modelos</a></h2>
<p class="suave">Os objetos que as respostas trazem, pelo nome que têm no OpenAPI.</p>
${modelos.map(
  ([nome, esquema]) => html`<details><summary><code>${nome}</code></summary><div id="modelo-${nome}">${
    esquema.description !== undefined && drawTexto(esquema.description, destinos)
  }${drawModelo(nome, esquema, destinos)}</div></details>
`,
)}</section>
`

const drawModelo = (nome: string, esquema: EsquemaLido, destinos: Destinos): Content =>
  esquema.properties
    ? drawMembros(esquema, destinos)
    : drawCampos([{ nome, esquema, descricao: '' }], destinos)

const drawFalhas = (examples: DocumentoLido['components']['examples'], prefixo: string): Html =>
  html`<section class="grupo dobras" aria-labelledby="falhas"><h2 id="falhas"><a href="#falhas">Falhas</a></h2>
<p class="suave">Uma falha real de cada código. O que cada um quer dizer, e o que fazer, está em <a href="${url(`${prefixo}/erros`)}">Códigos de erro</a>.</p>
${Object.entries(examples).map(
  ([codigo, { value }]) =>
    html`<details><summary><code>${codigo}</code></summary><div id="falha-${codigo}">${drawExemplo(value)}</div></details>
`,
)}</section>
`
