import { custoDoEndpoint } from '../painel/chamadas.ts'
import { enderecoDaPergunta } from '../painel/consultar/perguntar.ts'
import {
  type ChamadaDoCliente,
  type Lingua,
  type PedidoDaAmostra,
  writeAmostras,
  writeTypescript,
} from '../platform/pages/amostras.ts'
import { blocosDe, drawAbas } from '../platform/pages/codigo.ts'
import { findEntry } from '../platform/pages/erros-textos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import {
  type Destinos,
  drawCampos,
  drawExemplo,
  drawLinha,
  drawMembros,
  drawTexto,
  type EsquemaLido,
  linkDoModelo,
  nomeDoModelo,
} from './documentacao-esquema.ts'
import { capituloDaConsulta } from './guia-capitulos.ts'

type ParametroLido = {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  example?: unknown
  schema: EsquemaLido
}
type Midia = { schema: EsquemaLido; example?: unknown; examples?: Readonly<Record<string, unknown>> }
type RespostaLida = {
  description: string
  headers?: Readonly<Record<string, unknown>>
  content?: Readonly<Record<string, Midia>>
}
type OperacaoLida = {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  security: readonly object[]
  parameters?: readonly ParametroLido[]
  requestBody?: { content: Readonly<Record<string, Midia>> }
  responses: Readonly<Record<string, RespostaLida>>
  'x-codigos-da-fonte'?: readonly string[]
  'x-eventos'?: EsquemaLido
}

/** What the page reads of the OpenAPI document. */
export type DocumentoLido = {
  info: { description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, OperacaoLida>>>>
  components: {
    schemas: Readonly<Record<string, EsquemaLido>>
    headers: Readonly<Record<string, { description: string; schema: EsquemaLido }>>
    examples: Readonly<Record<string, { value: unknown }>>
  }
}

/** An operation with where it stands. */
export type Operacao = OperacaoLida & { metodo: string; caminho: string }

/** The name of what an operation answers. */
export const nomeDaResposta = ({ responses }: Operacao): string =>
  nomeDoModelo(responses[200]?.content?.['application/json']?.schema ?? {})

export const listOperacoes = ({ paths }: DocumentoLido): Operacao[] =>
  Object.entries(paths).flatMap(([caminho, metodos]) =>
    Object.entries(metodos).map(([metodo, operacao]) => ({
      ...operacao,
      metodo: metodo.toUpperCase(),
      caminho,
    })),
  )

/** What drawing an operation takes beside it. */
type Onde = Destinos & {
  /** The address of the service in the samples. */
  servico: string
  schemas: DocumentoLido['components']['schemas']
  /** The headers that every answer of an account has. */
  comuns: ReadonlySet<string>
  /** The call at which the members of an answer stand, by the answer's name. */
  donas: ReadonlyMap<string, string>
}

export function drawOperacao(operacao: Operacao, onde: Onde): Html {
  const { operationId: id, summary, metodo, caminho, description } = operacao
  const { custo, texto } = splitCusto(description)
  return html`<article class="operacao" id="${id}" aria-labelledby="titulo-${id}">
<span id="${ancoraAntiga(operacao)}"></span>
<header><h3 id="titulo-${id}"><a href="${url(`#${id}`)}">${summary}</a></h3>
<p class="rota"><b class="${metodo.toLowerCase()}">${metodo}</b> <code>${caminho}</code></p></header>
<div class="explicada">
<p class="preco"><b>Custo</b> <span>${drawLinha(custo ?? custoDoEndpoint(caminho), onde)}</span></p>
${drawOutrasPortas(operacao, onde)}${drawTexto(texto, onde)}${drawParametros(operacao, onde)}${drawCorpo(operacao, onde)}${drawResposta(operacao, onde)}${drawErros(operacao, onde)}
</div>
<div class="ao-lado">
<h4 class="so-leitor">Exemplo em cada linguagem</h4>
${drawAbas(blocosDe(amostrasDe(operacao, onde.servico)), `lingua-${id}`)}${drawExemploDaResposta(operacao)}</div>
</article>
`
}

/** To the page that asks it without code, where there is one, and to the chapter of the guide. */
function drawOutrasPortas({ operationId, caminho }: Operacao, { prefixo }: Onde): Html {
  const pergunta = enderecoDaPergunta(prefixo, caminho)
  return html`<p class="outras-portas">${
    pergunta !== undefined && html`<b><a href="${url(pergunta)}">Fazer esta consulta</a></b>`
  }<span><a href="${url(prefixo + capituloDaConsulta(operationId))}">No guia</a>: quando usar, o que cada resposta quer dizer, o que fazer com cada erro.</span></p>`
}

/** The place of a call on the page as it was until November 2026: links to it are in the world. */
const ancoraAntiga = ({ tags, metodo, caminho }: Operacao): string =>
  `tag/${String(tags).toLowerCase().replaceAll(' ', '-')}/${metodo}${caminho}`

/** The price has a place of its own on the page. */
function splitCusto(description: string): { custo: string | undefined; texto: string } {
  const found = /(?:^|\n\n)\*\*Custo\.\*\* ([^\n]+)/.exec(description)
  if (!found) return { custo: undefined, texto: description }
  const [whole, custo] = found
  return { custo, texto: description.replace(whole, '').replace(/^\n+/, '') }
}

const OBRIGATORIO = 'obrigatório'

function drawParametros({ parameters = [] }: Operacao, destinos: Destinos): Content {
  if (parameters.length === 0) return undefined
  const campos = parameters.map(({ name, in: place, required, description = '', example, schema }) => ({
    nome: name,
    esquema: schema,
    descricao: description,
    selo: required ? OBRIGATORIO : place === 'header' ? 'cabeçalho' : undefined,
    exemplo: example === undefined ? undefined : String(example),
  }))
  return html`<h4>Parâmetros</h4>${drawCampos(campos, destinos)}`
}

function drawCorpo({ requestBody }: Operacao, onde: Onde): Content {
  if (!requestBody) return undefined
  const { 'application/json': json, ...others } = requestBody.content
  const esquema = json && (onde.schemas[nomeDoModelo(json.schema)] ?? json.schema)
  if (!esquema) return undefined
  const { properties = {}, required = [] } = esquema
  const campos = Object.entries(properties).map(([nome, one]) => ({
    nome,
    esquema: one,
    descricao: one.description ?? '',
    selo: required.includes(nome) ? OBRIGATORIO : undefined,
  }))
  const types = Object.keys(others)
  return html`<h4>Corpo, em JSON</h4>${drawCampos(campos, onde)}${
    types.length > 0 &&
    html`<p class="suave">Também ${types.map((type, at) => [at > 0 && ' ou ', html`<code>${type}</code>`])}: o arquivo como ele é.</p>`
  }`
}

function drawResposta(operacao: Operacao, onde: Onde): Content {
  const { responses, 'x-eventos': eventos } = operacao
  const good = responses[200]
  const schema = good?.content?.['application/json']?.schema
  if (!good || !schema) return undefined
  const nome = nomeDoModelo(schema)
  const own = Object.keys(good.headers ?? {}).filter((header) => !onde.comuns.has(header))
  const unchanged = responses[304]
  return html`<h4>Resposta</h4>${
    onde.donas.get(nome) === operacao.operationId
      ? html`<details><summary>Campos da resposta</summary><div id="modelo-${nome}">${drawMembros(onde.schemas[nome] ?? {}, onde)}</div></details>`
      : html`<p>Os campos são os de ${linkDoModelo(nome)}.</p>`
  }${
    own.length > 0 &&
    html`<p>Além dos <a href="#cabecalhos">cabeçalhos de toda resposta</a>: ${own.map((header, at) => [at > 0 && ', ', html`<code>${header}</code>`])}.</p>`
  }${eventos && html`<p>Com <code>Accept: text/event-stream</code>, em partes: ${linkDoModelo(nomeDoModelo(eventos))}.</p>`}${unchanged && html`<p><code>304</code> ${unchanged.description}.</p>`}`
}

type LinhaDeErro = readonly [http: string, codigo: string]

/** The failures of an operation: those with a status of their own, then those in `source_status`. */
function listErros({ responses, 'x-codigos-da-fonte': fonte = [] }: Operacao): LinhaDeErro[] {
  const own = Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : description.split(', ').map((codigo): LinhaDeErro => [status, codigo]),
  )
  return [...own, ...fonte.map((codigo): LinhaDeErro => ['200', codigo])]
}

function drawErros(operacao: Operacao, { prefixo }: Destinos): Content {
  const erros = listErros(operacao)
  return html`<details><summary>Erros: ${erros.length} códigos</summary><table class="erros"><thead><tr><th scope="col">HTTP</th><th scope="col">Código</th><th scope="col">O que houve</th></tr></thead><tbody>${erros.map(
    ([http, codigo]) =>
      html`<tr><td>${http}</td><td><a href="${url(`${prefixo}/erros#${codigo}`)}"><code>${codigo}</code></a></td><td>${findEntry(codigo)?.title}${http === '200' && ', em source_status'}</td></tr>
`,
  )}</tbody></table></details>`
}

/** About as many as stand in the frame before it is opened. */
const LINHAS_A_VISTA = 20

function drawExemploDaResposta({ responses }: Operacao): Content {
  const example = responses[200]?.content?.['application/json']?.example
  if (example === undefined) return undefined
  const desenho = drawExemplo(example)
  const isLong = String(desenho).split('\n').length > LINHAS_A_VISTA
  return html`<figure class="exemplo saida"><figcaption>Resposta, HTTP 200${isLong && html`<label><input type="checkbox"/> Ver inteira</label>`}</figcaption>
<div tabindex="0" role="group" aria-label="Exemplo de resposta">${desenho}</div></figure>
`
}

/** The samples of an operation: its example, with the key where the reader keeps it. */
function amostrasDe(operacao: Operacao, servico: string): Partial<Record<Lingua, string | undefined>> {
  const pedido = pedidoDa(operacao, servico)
  const chamada = isComChave(operacao) ? chamadaDa(operacao, servico) : undefined
  return { ...writeAmostras(pedido), ts: chamada && writeTypescript(chamada) }
}

/** A login ends with its own token; all others take the key. */
const SAIR = 'sair'

const isComChave = ({ operationId, security }: Operacao): boolean =>
  operationId !== SAIR && security.length > 0

const exemploDoCorpo = ({ requestBody }: Operacao): Readonly<Record<string, unknown>> =>
  Object(requestBody?.content['application/json']?.example)

const NOTA = 'nota.xml'
const CERTIFICADO = 'certificado.pfx'

function pedidoDa(operacao: Operacao, servico: string): PedidoDaAmostra {
  const { operationId, metodo, caminho, parameters = [], security } = operacao
  const sent = parameters.filter(({ in: place, example }) => place !== 'header' && example !== undefined)
  const query = new URLSearchParams(
    sent
      .filter((one) => one.in === 'query')
      .map(({ name, example }): [string, string] => [name, String(example)]),
  )
  const path = sent
    .filter((one) => one.in === 'path')
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      caminho,
    )
  const cabecalhos: PedidoDaAmostra['cabecalhos'][number][] = []
  if (isComChave(operacao)) cabecalhos.push(['X-API-Key', [{ variavel: 'CHAVE' }]])
  else if (security.length > 0) cabecalhos.push(['Authorization', ['Bearer ', { variavel: 'TOKEN' }]])
  if (parameters.some(({ name }) => name === 'Idempotency-Key'))
    cabecalhos.push(['Idempotency-Key', [{ novo: 'uuid' }]])
  const endereco = `${servico}${path}${query.size > 0 ? `?${query}` : ''}`
  if (metodo !== 'POST') return { endereco, cabecalhos }
  const corpo = exemploDoCorpo(operacao)
  if ('xml' in corpo) return { endereco, cabecalhos, corpo: { arquivo: NOTA } }
  return {
    endereco,
    cabecalhos,
    corpo: Object.entries(corpo).map(([nome, valor]) => {
      if (nome === 'certificado') return [nome, [{ base64: CERTIFICADO }]]
      if (nome === 'senha' && operationId === 'consultar-nfe-xml') return [nome, [{ variavel: 'SENHA' }]]
      return [nome, typeof valor === 'boolean' ? valor : [String(valor)]]
    }),
  }
}

function chamadaDa(operacao: Operacao, servico: string): ChamadaDoCliente {
  const { operationId: id, parameters = [] } = operacao
  const asked = parameters.flatMap(({ in: place, name, example, schema }) =>
    place === 'header' || example === undefined
      ? []
      : [[name, schema.type === 'integer' ? String(example) : JSON.stringify(example)] as const],
  )
  const body = Object.entries(exemploDoCorpo(operacao)).map(([nome, valor]) => {
    if (nome === 'xml') return [nome, `readFileSync('${NOTA}', 'utf8')`] as const
    if (nome === 'certificado') return [nome, `readFileSync('${CERTIFICADO}').toString('base64')`] as const
    return [nome, nome === 'senha' ? "process.env.SENHA ?? ''" : JSON.stringify(valor)] as const
  })
  return { id, servico, parametros: [...asked, ...body], semGuardada: false }
}
