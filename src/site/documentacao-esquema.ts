import { colorir } from '../platform/pages/codigo.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'

/** What the page reads of a schema of the OpenAPI document. */
export type EsquemaLido = {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  pattern?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
  contentMediaType?: string
  items?: EsquemaLido
  properties?: Readonly<Record<string, EsquemaLido>>
  required?: readonly string[]
  anyOf?: readonly EsquemaLido[]
  oneOf?: readonly EsquemaLido[]
  allOf?: readonly EsquemaLido[]
  'x-erro'?: string
}

/** Where the words of a text lead to: the ids of the page by the name of a model or of a call. */
export type Destinos = { prefixo: string; idDe: (dito: string) => string | undefined }

const FORMATOS: Readonly<Record<string, string>> = {
  chave: 'chave de acesso',
  dia: 'dia, AAAA-MM-DD',
  uuid: 'UUID',
  'date-time': 'data e hora, ISO 8601',
}

/** What each pattern of the answers is called. All others are shown as they are. */
const PADROES: readonly (readonly [padrao: RegExp, nome: string])[] = [
  [/T\[0-9\]\{2\}:.*-03:00/, 'data e hora de Brasília, ISO 8601'],
  [/T\[0-9\]\{2\}:/, 'data e hora em UTC, ISO 8601'],
  [/^\^\(?\[0-9\]\{4\}-\[0-9\]\{2\}-\[0-9\]\{2\}\)?\??\$$/, 'dia, AAAA-MM-DD'],
  [/^\^\[0-9\]\{4\}-\[0-9\]\{2\}\$$/, 'mês, AAAA-MM'],
  [/\[0-9\]\{11\}\|\[0-9A-Z\]\{12\}/, 'CPF ou CNPJ, sem máscara'],
  [/^\^\[0-9A-Z\]\{12\}\[0-9\]\{2\}\$$/, 'CNPJ, sem máscara'],
  [/^\^\[0-9\]\{6\}\[0-9A-Z\]\{12\}\[0-9\]\{26\}\$$/, 'chave de acesso'],
]

const TIPOS: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'número inteiro',
  number: 'número',
  boolean: 'true ou false',
  object: 'objeto',
  null: 'null',
}

export const nomeDoModelo = ({ $ref = '' }: EsquemaLido): string => $ref.split('/').at(-1) ?? ''

/** What kind of value a schema takes, in words; a schema with a name is a link to it. */
function drawTipo(esquema: EsquemaLido): Content {
  const { items, anyOf, allOf, contentMediaType } = esquema
  if (esquema.$ref !== undefined) return linkDoModelo(nomeDoModelo(esquema))
  if (allOf?.[0]) return drawTipo(allOf[0])
  if (anyOf) return anyOf.map((one, at) => [at > 0 && ' ou ', drawTipo(one)])
  if (isBooleano(esquema)) return 'true ou false'
  if (items) return ['lista de ', drawTipo(items)]
  if (contentMediaType !== undefined) return `texto em base64 (${contentMediaType})`
  return [esquema.type ?? (palavrasDe(esquema).length > 0 ? 'string' : 'object')]
    .flat()
    .map((tipo) => (tipo === 'string' ? textoDe(esquema) : (TIPOS[tipo] ?? tipo)))
    .join(' ou ')
}

function textoDe({ format = '', pattern = '' }: EsquemaLido): string {
  const named = FORMATOS[format] ?? PADROES.find(([padrao]) => padrao.test(pattern))?.[1]
  return named === undefined ? 'texto' : `texto: ${named}`
}

export const linkDoModelo = (nome: string): Html =>
  html`<a href="${url(`#modelo-${nome}`)}"><code>${nome}</code></a>`

/** A switch of a body takes its words as text and as numbers too. */
const isBooleano = ({ enum: words }: EsquemaLido): boolean => words?.includes(true) === true

/** The values that a schema takes, where it has a list of them. */
function palavrasDe(esquema: EsquemaLido): readonly string[] {
  if (isBooleano(esquema)) return []
  const { enum: words, const: only, oneOf = [], items } = esquema
  if (words) return words.map((word) => (word === '' ? '""' : String(word)))
  if (only !== undefined) return [only === '' ? '""' : String(only)]
  if (oneOf.length > 0) return oneOf.flatMap(palavrasDe)
  return items ? palavrasDe(items) : []
}

/** What is allowed beside the type: its words, its range, its form, and what counts without it. */
function drawAceito(esquema: EsquemaLido): Content {
  const { minimum, maximum, maxItems, default: standard, 'x-erro': code } = esquema
  const words = palavrasDe(esquema)
  const said: Content[] = []
  if (words.length > 0)
    said.push(['Um de: ', words.map((word, at) => [at > 0 && ', ', html`<code>${word}</code>`])])
  if (maximum !== undefined) said.push(`De ${minimum ?? 0} a ${maximum}`)
  else if (minimum !== undefined && minimum > 0) said.push(`${minimum} ou mais`)
  if (maxItems !== undefined) said.push(`Até ${maxItems} itens`)
  if (standard !== undefined) said.push(['Se não vier, ', html`<code>${String(standard)}</code>`])
  if (code !== undefined) said.push(['Valor errado: ', html`<code>${code}</code>`])
  return said.length > 0 && html`<span class="aceito">${said.map((one) => html`<span>${one}</span>`)}</span>`
}

/** A parameter or a member: its name, its type, what it is, and what is allowed. */
type CampoDaReferencia = {
  nome: string
  esquema: EsquemaLido
  descricao: string
  /** A word that stands beside the type, such as that it must be sent. */
  selo?: string | undefined
  exemplo?: string | undefined
}

export const drawCampos = (campos: readonly CampoDaReferencia[], destinos: Destinos): Html =>
  html`<dl class="membros">${campos.map(
    ({ nome, esquema, descricao, selo, exemplo }) =>
      html`<dt><code>${nome}</code> <span>${drawTipo(esquema)}</span>${selo !== undefined && html` <b>${selo}</b>`}</dt><dd>${drawLinha(descricao, destinos)}${drawAceito(esquema)}${
        exemplo !== undefined &&
        html`<span class="aceito"><span>Exemplo: <code>${exemplo}</code></span></span>`
      }${drawDentro(esquema, destinos)}</dd>
`,
  )}</dl>`

/** The members of an object that has no name of its own. */
function drawDentro(esquema: EsquemaLido, destinos: Destinos): Content {
  const dentro = esquema.items ?? esquema
  return dentro.properties !== undefined && drawMembros(dentro, destinos)
}

export const drawMembros = ({ properties = {}, required = [] }: EsquemaLido, destinos: Destinos): Html =>
  drawCampos(
    Object.entries(properties).map(([nome, esquema]) => ({
      nome,
      esquema,
      descricao: esquema.description ?? '',
      selo: required.includes(nome) ? undefined : 'nem sempre vem',
    })),
    destinos,
  )

const MARCAS = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g

/** A line of a description: code, strong words and links. What names a call or a model leads to it. */
export function drawLinha(text: string, { prefixo, idDe }: Destinos): Content {
  const pieces: Content[] = []
  let at = 0
  for (const { 0: whole, 1: code, 2: strong, 3: label, 4: to = '', index } of text.matchAll(MARCAS)) {
    pieces.push(text.slice(at, index))
    at = index + whole.length
    if (strong !== undefined) pieces.push(html`<strong>${strong}</strong>`)
    else if (label !== undefined)
      pieces.push(html`<a href="${url(to.startsWith('/') ? prefixo + to : to)}">${label}</a>`)
    else if (code !== undefined) {
      const id = idDe(code)
      const drawn = html`<code>${code}</code>`
      pieces.push(id === undefined ? drawn : html`<a href="${url(`#${id}`)}">${drawn}</a>`)
    }
  }
  return [...pieces, text.slice(at)]
}

/** A description: paragraphs, warnings, and blocks that are shown as they are. */
export const drawTexto = (text: string, destinos: Destinos): Html[] =>
  text.split(/(```\w*\n[\s\S]*?\n```)/).flatMap((part) => {
    const [, fenced] = /^```\w*\n([\s\S]*)\n```$/.exec(part) ?? []
    if (fenced !== undefined) return html`<pre class="codigo"><code>${fenced}</code></pre>\n`
    const blocks = part.split('\n\n').filter((block) => block.trim() !== '')
    return blocks.map((block) => drawParagrafo(block.trim().replaceAll('\n', ' '), destinos))
  })

function drawParagrafo(text: string, destinos: Destinos): Html {
  if (!text.startsWith('> ')) return html`<p>${drawLinha(text, destinos)}</p>\n`
  return html`<div class="conselho" role="note"><p>${drawLinha(text.slice(2), destinos)}</p></div>\n`
}

/** So many of a list are shown, and so much of a text. */
const ITENS = 2
const MAIOR_TEXTO = 160

/** An example as JSON, its lists and long texts cut, in the colours of all code. */
export const drawExemplo = (value: unknown): Html =>
  html`<pre class="codigo json"><code>${colorir(writeCurto(value, ''), 'json')}</code></pre>`

function writeCurto(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > MAIOR_TEXTO ? `${value.slice(0, MAIOR_TEXTO)}…` : value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const deeper = `${indent}  `
  const isArray = Array.isArray(value)
  const lines = isArray
    ? value.slice(0, ITENS).map((one) => deeper + writeCurto(one, deeper))
    : Object.entries(value).map(
        ([nome, one]) => `${deeper}${JSON.stringify(nome)}: ${writeCurto(one, deeper)}`,
      )
  if (lines.length === 0) return isArray ? '[]' : '{}'
  const left = isArray ? value.length - lines.length : 0
  if (left > 0) lines.push(`${deeper}… mais ${left}`)
  const [open, close] = isArray ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
