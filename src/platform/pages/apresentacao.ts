import type { Uf } from '../../documento/uf.ts'
import { onOneLine } from '../texto.ts'
import { type Content, html } from './html.ts'

/**
 * bom: what was asked for came, and is good news; nota: it came, with something to know (a kept answer);
 * lento: it is still being made, or something is owed; ruim: it did not come; neutro: there is nothing there.
 */
export type Tom = 'bom' | 'nota' | 'lento' | 'ruim' | 'neutro'

/** A label that was written for people, and a value that is formatted already. Empty ones are left out. */
export type Fato = { rotulo: string; valor: Content }

/** A number that is taken elsewhere, as where it is checked: a page copies it whole. */
export const copiavel = (numero: string): Content =>
  numero !== '' && html`<span data-copia="${numero}">${numero}</span>`

/** One thing with its facts, such as a registration, a partner, a property. */
export type Ficha = {
  titulo: Content
  selo?: { tom: Tom; palavra: string }
  /** A line below the title: the state, the regime, who answered and when. */
  linha?: Content
  fatos: readonly Fato[]
}

/** A section below the verdict. `dobrada`: a fold that is shut at first. */
export type ParteDaResposta = { titulo: string; dobrada?: boolean } & (
  | { fatos: readonly Fato[] }
  | { fichas: readonly Ficha[] }
  | { tabela: { colunas: readonly string[]; linhas: readonly (readonly Content[])[] } }
  /** `creditos`: whose drawing it is, which the foot of the page says. */
  | { conteudo: Content; creditos?: string }
)

/** What became of one state among the 27: found is a hit; `nao_conectado`, what the operator did not set. */
export type EstadoApresentado = {
  uf: Uf
  desfecho: 'achado' | 'pendencia' | 'nada' | 'falhou' | 'nao_conectado'
  /** One or two words: Ativa, Negativa, Sem inscrição, Falhou. */
  palavra: string
  /** The hits of the state, each a card; of a failure, none. */
  fichas: readonly Ficha[]
  /** Why it failed, or what the operator would have to set. */
  motivo: string
  /** Of a state that was asked two questions: what came to each, by its name. */
  de?: Readonly<Record<string, EstadoApresentado>>
  papel?: PapelDaResposta
  validade?: ValidadeDaResposta
}

/** A file of the answer, in base64. `nosso`: our print of what the authority shows as a page. */
export type PapelDaResposta = { tipo: 'pdf' | 'xml'; nome: string; base64: string; nosso?: true }

/** A last day (AAAA-MM-DD), and what a calendar calls it. */
export type ValidadeDaResposta = { dia: string; titulo: string }

/** What an answer of the API says to somebody who reads no JSON: the verdict first. */
export type Apresentacao = {
  tom: Tom
  /** The verdict in a few words: Negativa; 2 inscrições, 1 ativa. */
  veredito: string
  /** Whose it is: the company's or the person's name where the answer has one; else empty. */
  nome: string
  /** How it stands in its register: then the name is the big line of the page, with this beside it. */
  selo?: Ficha['selo']
  /** What stands beside the name of the lookup: the state that was asked, or the authority. */
  onde?: string
  /** One or two sentences that a bookkeeper acts on. */
  frase: Content
  /** Up to six facts that stand with the verdict. */
  fatos: readonly Fato[]
  partes: readonly ParteDaResposta[]
  papel?: PapelDaResposta
  validade?: ValidadeDaResposta
  /** Where the paper is checked at the authority. */
  conferencia?: { nome: string; endereco: string }
  porEstado?: readonly EstadoApresentado[]
  /** What the sentence of all states says, in pieces and without who failed: sentences, then counts. */
  contagem?: { frases: readonly string[]; contados: readonly string[] }
  /** When the authority answered (ISO), and whether this was a kept answer. */
  respondido?: { quem: string; em: string; guardada: boolean }
}

/** When a call began: its number is a UUID of version 7. */
export const instanteDe = (request_id: string): number =>
  Number.parseInt(request_id.replace('-', '').slice(0, 12), 16)

/** Whether an authority said it before the call that it was given to. */
export const isGuardada = (request_id: string, consultado_em: string): boolean =>
  Date.parse(consultado_em) < instanteDe(request_id)

/** Reads the body of a 200 of one endpoint. What it may trust is the endpoint's own schema. */
export type Apresentar = (corpo: unknown, agora: Date) => Apresentacao

/** The entry of one state, as it comes before the whole answer. */
export type ApresentarEstado = (entrada: unknown, agora: Date) => EstadoApresentado

/** Without those that say nothing: what a source does not tell comes empty. */
export const ditos = (fatos: readonly Fato[]): readonly Fato[] =>
  fatos.filter(({ valor }) => valor !== '' && valor !== false && valor !== undefined)

/** What the foot of a page says of the drawings of its answers; undefined where there are none. */
export const creditosDe = (partes: readonly ParteDaResposta[]): string | undefined =>
  partes.flatMap((parte) => ('conteudo' in parte ? (parte.creditos ?? []) : []))[0]

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What a presenter writes, and what stands in its place where there is text alone. */
const ELEMENTS: Readonly<Record<string, string>> = {
  a: '',
  b: ' ',
  br: ' ',
  '/br': ' ',
  code: '',
  div: '',
  '/div': ' ',
  li: '',
  '/li': ' ',
  p: '',
  '/p': ' ',
  q: '“',
  '/q': '”',
  small: ', ',
  span: '',
  time: '',
  ul: '',
  '/ul': ' ',
}

/**
 * What a piece of a page says, as plain text, the items of a list a line each; a drawing says nothing. Throws
 * for an element that no presenter writes yet.
 */
export const linesOf = (content: Content): readonly string[] =>
  String(html`${content}`)
    .replace(/<svg.*?<\/svg>/gs, '')
    // In print an address has to be read.
    .replace(/<a\b[^>]*href="(https?:[^"]*)"[^>]*>(.*?)<\/a>/gs, '$2 ($1)')
    .split(/<\/li>\s*<li[^>]*>/)
    .map((line) =>
      onOneLine(
        line
          .replace(/<(\/?)([\w-]+)[^>]*>/g, (_, end: string, name: string) => markOf(end, name))
          .replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one),
      ),
    )

function markOf(end: string, name: string): string {
  if (ELEMENTS[name] === undefined) throw new Error(`nothing says <${name}> without a page`)
  return ELEMENTS[`${end}${name}`] ?? ''
}

export const textOf = (content: Content): string => linesOf(content).join('; ')

/** Each reason once, with the states that gave it: `A SEFAZ não respondeu a tempo.` */
export const porMotivo = (estados: readonly Pick<EstadoApresentado, 'uf' | 'motivo'>[]) =>
  [
    ...Map.groupBy(estados, ({ uf, motivo }) =>
      motivo.replace(new RegExp(` de ${uf}\\b`, 'g'), ' deles').replace(new RegExp(`[-/ ]${uf}\\b`, 'g'), ''),
    ),
  ].map(([motivo, own]) => [own.length === 1 ? (own[0]?.motivo ?? '') : motivo, own] as const)
