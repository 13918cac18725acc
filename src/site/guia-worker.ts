import { json as readJson } from 'node:stream/consumers'
import { Marked, type Token, type Tokens } from 'marked'
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import json from 'shiki/langs/json.mjs'
import python from 'shiki/langs/python.mjs'
import shellscript from 'shiki/langs/shellscript.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import {
  linguas,
  type PecaDaAmostra,
  type PedidoDaAmostra,
  writeAmostras,
} from '../platform/pages/amostras.ts'
import { blocosDe, drawAbas, inOrder } from '../platform/pages/codigo.ts'
import { type Content, fromLibrary, type Html, html, url } from '../platform/pages/html.ts'
import { fold } from '../platform/texto.ts'

/** The part of a chapter under one heading; the first has no heading, and `id` is empty. */
export type SecaoLida = { nivel: number; id: string; titulo: string; texto: string }

/** A chapter without its first heading: its HTML, and what its sections say. */
export type CapituloLido = { pagina: string; secoes: SecaoLida[] }

/** What the program takes: chapters as Markdown, and where a link to a file of the guide leads. */
export type PedidoDeLeitura = { textos: readonly string[]; prefixo: string; enderecos: Enderecos }

type Enderecos = Readonly<Record<string, string>>

/** The languages that a chapter writes itself; all others are made of its curl. */
const ESCRITAS = ['sh', 'ts', 'py'] as const

type Escrita = (typeof ESCRITAS)[number]

const legendas: Readonly<Record<string, string>> = {
  json: 'Resposta',
  http: 'Resposta',
  text: 'O programa mostra',
  console: 'Terminal',
}

/** The languages of the blocks, and the grammar of each. Without a grammar all has one colour. */
const gramaticas: Readonly<Record<string, string>> = {
  sh: 'shellscript',
  console: 'shellscript',
  ts: 'typescript',
  py: 'python',
  json: 'json',
  text: 'text',
  http: 'text',
}

const cores: Readonly<Record<string, string>> = {
  'var(--token-keyword)': 'k',
  'var(--token-constant)': 'c',
  'var(--token-string)': 's',
  'var(--token-string-expression)': 's',
  'var(--token-comment)': 'm',
  'var(--token-function)': 'f',
}

/** What is not longer is not broken: the longest method and path of a call. */
const LONGO = 35

/** What a chapter may hold: no HTML, images, line breaks or lines across. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['space', 'heading', 'paragraph', 'text', 'list', 'list_item', 'blockquote', 'table', 'code'],
  ...['escape', 'codespan', 'strong', 'em', 'link'],
])

/**
 * Loads `marked` and the highlighter: some 50 MB, and a fifth of a second for the first block of a language.
 * What it gives throws for what a chapter must not have, and for two headings of one name.
 */
export async function openReader({
  prefixo,
  enderecos,
}: Omit<PedidoDeLeitura, 'textos'>): Promise<(texto: string) => CapituloLido> {
  const highlight = await openHighlighter()
  const drawCode = ({ text, lang = '' }: Tokens.Code): Html => {
    const [lingua = ''] = lang.split(' ')
    return html`<pre class="codigo ${lingua}"><code>${highlight(text, lingua)}</code></pre>\n`
  }

  let programas = ''
  /** On a phone a row of many columns is a list, and each cell says of which column it is. */
  const rotulos = new WeakMap<object, string>()
  const nameCells = (table: Tokens.Table): void => {
    if (table.header.length < 3) return
    const nomes = table.header.map(({ text }) => text.replace(/[*`]/g, ''))
    for (const row of table.rows)
      for (const [at, cell] of row.entries()) if (at > 0) rotulos.set(cell, nomes[at] ?? '')
  }

  /** Draws an example with a tab a language: what the chapter has, and what its curl is in the others. */
  const drawExample = (blocos: readonly BlocoEscrito[], numero: number): string => {
    const pedido = readCurl(blocos.find(({ lang }) => lang === 'sh')?.text ?? '')
    const own = blocos.map(({ lang, text }) => ({ lingua: lang, desenho: highlight(text, lang) }))
    const made = pedido ? blocosDe(writeAmostras(pedido)) : []
    const others = made.filter(({ lingua }) => !own.some((one) => one.lingua === lingua))
    programas = own.flatMap(({ lingua }) => (lingua === 'sh' ? [] : linguas[lingua])).join(' e ')
    return String(drawAbas(inOrder([...own, ...others]), `lingua-${numero}`))
  }

  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const id = anchorOf(text)
        const elo = html`<a href="${url(`#${id}`)}">${fromLibrary(this.parser.parseInline(tokens))}</a>`
        return String(depth === 2 ? html`<h2 id="${id}">${elo}</h2>\n` : html`<h3 id="${id}">${elo}</h3>\n`)
      },
      codespan: ({ text }) =>
        String(html`<code class="${text.length > LONGO ? '' : 'inteira'}">${text}</code>`),
      link({ href, tokens }) {
        const [, slug = '', secao = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
        const to = slug === '' ? href : enderecos[slug] + secao
        const address = url(to.startsWith('/') ? prefixo + to : to)
        return String(html`<a href="${address}">${fromLibrary(this.parser.parseInline(tokens))}</a>`)
      },
      blockquote({ tokens }) {
        const inside = fromLibrary(this.parser.parse(tokens))
        return String(html`<div class="conselho" role="note">${inside}</div>\n`)
      },
      tablecell(cell) {
        const inside = fromLibrary(this.parser.parseInline(cell.tokens))
        const classe = cell.align === 'right' ? 'num' : ''
        if (cell.header) return String(html`<th scope="col" class="${classe}">${inside}</th>`)
        const rotulo = rotulos.get(cell)
        return String(
          rotulo === undefined
            ? html`<td class="${classe}">${inside}</td>`
            : html`<td class="${classe}" data-rotulo="${rotulo}">${inside}</td>`,
        )
      },
      // What comes of an example, or is typed otherwise; what it is may stand after its language.
      code(token) {
        const [, lingua = '', legenda = ''] = /^(\S*)\s*(.*)$/.exec(token.lang ?? '') ?? []
        const ofPrograms = lingua === 'text' && programas !== '' && legenda === ''
        return String(html`<figure class="exemplo saida ${ofPrograms ? 'dos-programas' : ''}">
<figcaption>${ofPrograms ? `O programa em ${programas} mostra` : legenda || legendas[lingua]}</figcaption>
${drawCode(token)}</figure>
`)
      },
    },
  })

  return (texto) => {
    const tokens = marked
      .lexer(texto)
      .filter((token) => token.type !== 'space' && !(token.type === 'heading' && token.depth === 1))
    void marked.walkTokens(tokens, check)
    for (const token of tokens) if (token.type === 'table') nameCells(token as Tokens.Table)
    const pagina = groupExamples(tokens)
      .map((group, at) => (isExample(group) ? drawExample(group, at) : marked.parser(group)))
      .join('')
    return { pagina, secoes: sectionsOf(tokens) }
  }
}

function check(token: Token): void {
  const isText = token.type === 'text' || token.type === 'escape'
  if (!KNOWN.has(token.type) || (token.type === 'heading' && token.depth > 3)) throw refusal(token)
  if (isText && /&#?\w+;/.test(token.text)) throw refusal(token)
}

const refusal = ({ type, raw }: Token): Error => new Error(`no ${type} in the guide: ${raw.slice(0, 80)}`)

type BlocoEscrito = Tokens.Code & { lang: Escrita }

const isOfExample = (token: Token | undefined): token is BlocoEscrito =>
  token?.type === 'code' && ESCRITAS.some((lingua) => lingua === token.lang)

const isExample = (group: readonly Token[]): group is BlocoEscrito[] => isOfExample(group[0])

/** Codes of the three languages that follow each other are one example. */
function groupExamples(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (last && isOfExample(token) && isOfExample(last[0])) last.push(token)
    else groups.push([token])
  }
  return groups
}

function sectionsOf(tokens: readonly Token[]): SecaoLida[] {
  const secoes: SecaoLida[] = []
  let secao: SecaoLida = { nivel: 1, id: '', titulo: '', texto: '' }
  for (const token of tokens)
    if (token.type === 'heading') {
      const id = anchorOf(token.text)
      if (secoes.some((one) => one.id === id) || secao.id === id) throw refusal(token)
      secoes.push(secao)
      secao = { nivel: token.depth, id, titulo: textOf(token), texto: '' }
    } else secao.texto += `${textOf(token)} `
  return [...secoes, secao]
}

/** The name by which a link leads to a heading. */
const anchorOf = (titulo: string): string =>
  fold(titulo)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function textOf(token: Token): string {
  // The library's own type leaves room for kinds that extensions add.
  const { type, text, tokens, items, header, rows }: Tokens.Generic = token
  const join = (all: Token[], between = ' '): string =>
    all
      .filter((one) => one.type !== 'space')
      .map(textOf)
      .join(between)
  if (type === 'code') return text.replace(/\s+/g, ' ')
  if (type === 'list') return join(items)
  if (type === 'table') return [header, ...rows].map((row: Token[]) => join(row)).join(' ')
  if (type === 'list_item' || type === 'blockquote') return join(tokens ?? [])
  return tokens ? join(tokens, '') : text
}

/**
 * Opens what writes code in colours. It gets all the time that it needs: with its usual limit a busy machine
 * leaves lines without colours.
 */
async function openHighlighter(): Promise<(texto: string, lingua: string) => Content> {
  const theme = createCssVariablesTheme({ name: 'guia', variablePrefix: '--', fontStyle: false })
  const { codeToTokens } = await createHighlighterCore({
    themes: [theme],
    langs: [json, python, shellscript, typescript],
    engine: createJavaScriptRegexEngine(),
  })
  return (texto, lingua) => {
    const lang = gramaticas[lingua]
    if (lang === undefined) throw new Error(`no language ${lingua} in the guide`)
    const { tokens } = codeToTokens(texto, { lang, theme: 'guia', tokenizeTimeLimit: 0 })
    return tokens.map((line, at) => [at > 0 && '\n', drawLine(line)])
  }
}

function drawLine(line: readonly { content: string; color?: string }[]): Content {
  const pieces: { cor: string | undefined; texto: string }[] = []
  for (const { content, color = '' } of line) {
    const last = pieces.at(-1)
    if (last && last.cor === cores[color]) last.texto += content
    else pieces.push({ cor: cores[color], texto: content })
  }
  return pieces.map(({ cor, texto }) => (cor ? html`<span class="${cor}">${texto}</span>` : texto))
}

type Palavra = readonly PecaDaAmostra[]

/** What a shell puts in the place of these: a variable, a file in base64, a new UUID. */
const LIDOS: readonly (readonly [RegExp, (name: string) => PecaDaAmostra])[] = [
  [/^\$(\w+)$/, (variavel) => ({ variavel })],
  [/^\$\(printf %s "\$(\w+)" \| sed 's\/\[\\\\"\]\/\\\\&\/g'\)$/, (variavel) => ({ variavel })],
  [/^\$\(base64 < ([\w.-]+) \| tr -d '\\n'\)$/, (base64) => ({ base64 })],
  [/^\$\(uuidgen\)$/, () => ({ novo: 'uuid' })],
]

type Leitura = { comandos: Palavra[][]; palavra: Palavra | undefined; isQuoted: boolean }

/**
 * The words of each command of a line of commands, as a shell reads them. Undefined for what is more than
 * texts, variables and pipes.
 */
function readComandos(linha: string): Palavra[][] | undefined {
  let leitura: Leitura | undefined = { comandos: [[]], palavra: undefined, isQuoted: false }
  let rest = `${linha.trim().replace(/\\\n/g, ' ')}\n`
  while (leitura && rest !== '') {
    const { isQuoted }: Leitura = leitura
    const [whole = ''] = (isQuoted ? NAS_ASPAS : FORA).exec(rest) ?? []
    leitura = readPiece(whole, leitura)
    rest = rest.slice(whole.length)
  }
  return leitura?.isQuoted ? undefined : leitura?.comandos.filter((comando) => comando.length > 0)
}

const LIDA = String.raw`\$\w+|\$\([^)]*\)`
const NAS_ASPAS = new RegExp(`^(?:"|${LIDA}|\\\\[\\\\"$\`]|[^"$\`])`, 's')
const FORA = new RegExp(`^(?:\\s+|'[^']*'|"|\\||${LIDA}|\\\\.|[^$\`;&<>()'"|\\s])`, 's')

/** Reads on by one piece; undefined for one that is not known. */
function readPiece(piece: string, { comandos, palavra, isQuoted }: Leitura): Leitura | undefined {
  if (piece === '') return undefined
  if (piece === '"') return { comandos, palavra: palavra ?? [], isQuoted: !isQuoted }
  const ended = palavra ? [...comandos.slice(0, -1), [...(comandos.at(-1) ?? []), palavra]] : comandos
  if (!isQuoted && piece.trim() === '') return { comandos: ended, palavra: undefined, isQuoted }
  if (!isQuoted && piece === '|') return { comandos: [...ended, []], palavra: undefined, isQuoted }
  if (piece.startsWith('$')) {
    const made = LIDOS.flatMap(([padrao, make]) => {
      const found = padrao.exec(piece)
      return found ? [make(found[1] ?? '')] : []
    })
    return made.length > 0 ? { comandos, palavra: [...(palavra ?? []), ...made], isQuoted } : undefined
  }
  const isPlain = !isQuoted && piece.startsWith("'")
  const text = isPlain ? piece.slice(1, -1) : piece.replace(/^\\(?=.)/s, '')
  return { comandos, palavra: add(palavra, text), isQuoted }
}

/** A text joins the one before it. */
function add(palavra: readonly PecaDaAmostra[] = [], texto: string): PecaDaAmostra[] {
  const last = palavra.at(-1)
  return typeof last === 'string' ? [...palavra.slice(0, -1), last + texto] : [...palavra, texto]
}

const textoDe = (palavra: Palavra): string | undefined =>
  palavra.every((peca) => typeof peca === 'string') ? palavra.join('') : undefined

/** The call that a curl of the guide makes; undefined where it does more, as to count what comes. */
export function readCurl(codigo: string): PedidoDaAmostra | undefined {
  const comandos = readComandos(codigo)
  const [first, second] = comandos ?? []
  if (!first || comandos === undefined || comandos.length > 2) return undefined
  const [printed, curl] = second ? [first, second] : [undefined, first]
  if (textoDe(curl[0] ?? []) !== 'curl') return undefined
  let endereco = ''
  let data: string | undefined
  const cabecalhos: [string, Palavra][] = []
  for (let at = 1; at < curl.length; at++) {
    const option = textoDe(curl[at] ?? []) ?? ''
    if (option === '-s') continue
    if (option === '-H') cabecalhos.push(readCabecalho(curl[++at] ?? []))
    else if (option === '-d' || option === '--data-binary') data = textoDe(curl[++at] ?? [])
    else if (/^https?:/.test(option)) endereco = option
    else return undefined
  }
  const pedido = { endereco, cabecalhos: cabecalhos.filter(([nome]) => nome !== 'Content-Type') }
  if (data === undefined) return printed ? undefined : pedido
  const corpo = readCorpo(data, printed)
  return corpo && { ...pedido, corpo }
}

function readCabecalho([first = '', ...rest]: Palavra): [string, Palavra] {
  const [, nome = '', value = ''] = /^([^:]+): *(.*)$/s.exec(String(first)) ?? []
  return [nome, value === '' ? rest : [value, ...rest]]
}

function readCorpo(data: string, printed: readonly Palavra[] | undefined): PedidoDaAmostra['corpo'] {
  if (!printed) return data.startsWith('@') ? { arquivo: data.slice(1) } : readMembros(data, [])
  const [command, format, ...values] = printed
  if (data !== '@-' || textoDe(command ?? []) !== 'printf') return undefined
  return readMembros(textoDe(format ?? []) ?? '', values)
}

/** The members of a JSON text, in which each `%s` of a format is the next of these values. */
function readMembros(text: string, values: readonly Palavra[]): PedidoDaAmostra['corpo'] {
  const left = [...values]
  const isFormat = values.length > 0
  const json = isFormat ? text.replaceAll('\\\\', '\\').replaceAll('%%', '\\u0025') : text
  return Object.entries<unknown>(JSON.parse(json)).map(([nome, valor]) => {
    if (typeof valor === 'boolean') return [nome, valor]
    const [first = '', ...others] = isFormat ? String(valor).split('%s') : [String(valor)]
    const pieces = [first, ...others.flatMap((after): Palavra => [...(left.shift() ?? []), after])]
    const said = pieces.filter((piece) => piece !== '')
    return [nome, said.length > 0 ? said : ['']]
  })
}

if (import.meta.main) {
  const { textos, ...pedido }: PedidoDeLeitura = Object(await readJson(process.stdin))
  const read = await openReader(pedido)
  process.stdout.write(JSON.stringify(textos.map(read)))
}
