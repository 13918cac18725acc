import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { fold } from '../platform/texto.ts'

/** A piece of a line of text. */
export type Fragmento =
  | string
  | { tipo: 'codigo'; texto: string }
  | { tipo: 'forte' | 'enfase'; frases: readonly Fragmento[] }
  | { tipo: 'elo'; para: string; frases: readonly Fragmento[] }

/** A piece of a line of code, with the name of its colour; empty for the colour of the text. */
export type Pedaco = readonly [cor: string, texto: string]

/** A block of code: its language, what it is where the page says so, and its lines in pieces. */
export type BlocoDeCodigo = {
  tipo: 'codigo'
  lingua: string
  legenda?: string
  texto: string
  linhas: readonly (readonly Pedaco[])[]
}

export type TabelaDoGuia = {
  tipo: 'tabela'
  cabeca: readonly (readonly Fragmento[])[]
  linhas: readonly (readonly (readonly Fragmento[])[])[]
}

/** A block of a chapter, as the reading thread gives it. */
export type Bloco =
  | { tipo: 'titulo'; nivel: 2 | 3; id: string; frases: readonly Fragmento[] }
  | { tipo: 'paragrafo'; frases: readonly Fragmento[] }
  | { tipo: 'lista'; ordenada: boolean; itens: readonly (readonly Bloco[])[] }
  | { tipo: 'nota'; blocos: readonly Bloco[] }
  | TabelaDoGuia
  | BlocoDeCodigo

/** The words of a text, without its marks. */
export const palavras = (frases: readonly Fragmento[]): string =>
  frases
    .map((frase) => {
      if (typeof frase === 'string') return frase
      return frase.tipo === 'codigo' ? frase.texto : palavras(frase.frases)
    })
    .join('')

/** All that a block says, in one line. */
export function textoDe(bloco: Bloco): string {
  switch (bloco.tipo) {
    case 'titulo':
    case 'paragrafo':
      return palavras(bloco.frases)
    case 'lista':
      return bloco.itens.map((item) => item.map(textoDe).join(' ')).join(' ')
    case 'nota':
      return bloco.blocos.map(textoDe).join(' ')
    case 'tabela':
      return [bloco.cabeca, ...bloco.linhas].map((linha) => linha.map(palavras).join(' ')).join(' ')
    case 'codigo':
      return bloco.texto.replace(/\s+/g, ' ')
  }
}

/** Writes a block of code in colours. */
export type Colorir = (texto: string, lingua: string) => BlocoDeCodigo

/**
 * Reads the Markdown of a chapter, without its first heading. Throws for what a chapter does not have: HTML,
 * images, entities, two headings of one name.
 */
export function lerMarkdown(texto: string, colorir: Colorir): Bloco[] {
  const ids = new Set<string>()
  return lexer(texto).flatMap((token) => lerBloco(token, { colorir, ids }))
}

type Leitura = { colorir: Colorir; ids: Set<string> }

function lerBloco(token: Token, leitura: Leitura): Bloco[] {
  if (!isKnown(token)) throw recusa(token)
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return token.depth === 1 ? [] : [lerTitulo(token, leitura.ids)]
    case 'paragraph':
    case 'text':
      return [{ tipo: 'paragrafo', frases: frasesDe(token) }]
    case 'list': {
      const itens = token.items.map(({ tokens }) => tokens.flatMap((one) => lerBloco(one, leitura)))
      return [{ tipo: 'lista', ordenada: token.ordered, itens }]
    }
    case 'blockquote':
      return [{ tipo: 'nota', blocos: token.tokens.flatMap((one) => lerBloco(one, leitura)) }]
    case 'table': {
      const cells = (row: readonly Tokens.TableCell[]): Fragmento[][] => row.map(frasesDe)
      return [{ tipo: 'tabela', cabeca: cells(token.header), linhas: token.rows.map(cells) }]
    }
    case 'code':
      return [lerCodigo(token, leitura)]
    default:
      throw recusa(token)
  }
}

/** After the language may stand what the block is: `json Configuração`. */
function lerCodigo({ text, lang = '' }: Tokens.Code, { colorir }: Leitura): Bloco {
  const [, lingua = '', legenda = ''] = /^(\S*)\s*(.*)$/.exec(lang) ?? []
  return { ...colorir(text, lingua), ...(legenda !== '' && { legenda }) }
}

function lerTitulo(token: Tokens.Heading, ids: Set<string>): Bloco {
  const id = ancora(token.text)
  if (token.depth > 3 || ids.has(id)) throw recusa(token)
  ids.add(id)
  return { tipo: 'titulo', nivel: token.depth === 2 ? 2 : 3, id, frases: frasesDe(token) }
}

/** The name by which a link leads to a heading. */
const ancora = (titulo: string): string =>
  fold(titulo)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const frasesDe = ({ tokens = [] }: { tokens?: Token[] }): Fragmento[] => tokens.map(lerFrase)

function lerFrase(token: Token): Fragmento {
  if (!isKnown(token)) throw recusa(token)
  switch (token.type) {
    case 'text':
    case 'escape':
      if (/&#?\w+;/.test(token.text)) throw recusa(token)
      return token.text
    case 'codespan':
      return { tipo: 'codigo', texto: token.text }
    case 'strong':
      return { tipo: 'forte', frases: frasesDe(token) }
    case 'em':
      return { tipo: 'enfase', frases: frasesDe(token) }
    case 'link':
      return { tipo: 'elo', para: token.href, frases: frasesDe(token) }
    default:
      throw recusa(token)
  }
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  ...(['space', 'heading', 'paragraph', 'text', 'list', 'blockquote', 'table', 'code'] as const),
  ...(['escape', 'codespan', 'strong', 'em', 'link'] as const),
])

/** The library's own type leaves room for kinds that extensions add. */
const isKnown = (token: Token): token is MarkedToken => KNOWN.has(token.type)

const recusa = ({ type, raw }: Token): Error => new Error(`no ${type} in the guide: ${raw.slice(0, 80)}`)
