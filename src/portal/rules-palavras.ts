import { collapse, fold, onOneLine, tidyText } from '../platform/texto.ts'
import * as lexico from './rules-lexico.ts'
import { ABREVIADO } from './rules-lexico.ts'

/** The label of a holder's name, as certificates print it. BA's has no colon, so it opens its line. */
const ROTULO =
  /(?:\b(?:NOME|RAZAO ?SOCIAL|IDENTIFICACAO)(?: ?[/(] ?(?:NOME ?EMPRESARIAL|RAZAO ?SOCIAL) ?\)?)? ?:|(?:^|(?<=\d ))RAZAO ?SOCIAL(?! ?[/:(]))[^\S\n]*/gm

const SEGUE =
  /(?:CNPJ|CPF)[/A-Z ]{0,12} ?(?:: ?$|:? ?(?:[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}|(?=[\dA-Z*./]*\d)[\dA-Z*]{2,3}[.\d*]))|\bCPF\/CNPJ NAO|INSCRICAO ?ESTADUAL|\bESTABELECIMENTO INSCRITO|\bCACEAL ?:|R\.G\. ?:|\bDESPACHO ?[:(]|\bRESSALVADO O|\bE? ?CERTIFICADO QUE|\bCERTIFIC(?:A|O|AMOS) ?QUE|\bCERTIFICAMOS\b|\bCERTIFICA ?- ?SE\b/

/** No name is longer. A longer stretch may hold words of the authority. */
const LONGEST = 170

const SENTENCE = /[A-Z]{3}[.;!?](?=\s|$)/

/** Full from the first length, or where the next word would pass the second. A4 has some 64 capitals. */
const [FULL, WIDEST] = [55, 58]
const isFull = (length: number, nextWord: string): boolean =>
  length >= FULL || length + 1 + nextWord.length > WIDEST
const NEXT_LINE = /^\n[^\S\n]*([A-Z0-9][^\s:.;!?]*)[^\n:.;!?]{0,100}(?=\n)/

/** Writes X for the holder's name: a firm may be called `Nada Consta`. A name without an end stays. */
export const withoutNome = (folded: string): string =>
  withX(folded, ROTULO, (text, from, at) => (from < at ? at : endOfNome(text, from)))

function withX(
  folded: string,
  labels: RegExp,
  endOf: (text: string, from: number, at: number) => number,
): string {
  const text = folded.replace(/[^\S\n]+/g, ' ')
  let [masked, at] = ['', 0]
  for (const { index, 0: label } of text.matchAll(labels)) {
    const from = Math.max(at, index + label.length)
    const to = Math.max(from, endOf(text, index + label.length, at))
    masked += text.slice(at, from) + text.slice(from, to).replace(/\S/g, 'X')
    at = to
  }
  return masked + text.slice(at)
}

function endOfNome(text: string, from: number): number {
  const rest = text.slice(from, from + 2 * LONGEST)
  const line = /^[^\n]*/.exec(rest)?.[0] ?? ''
  const next = SEGUE.exec(line)?.index
  const isWhole = next !== undefined || rest.length > line.length
  const nome = line.slice(0, next)
  if (!isWhole || nome.length > LONGEST || SENTENCE.test(nome)) return from
  return next === undefined ? endOfLines(text, from, from + line.length) : from + nome.length
}

function endOfLines(text: string, from: number, at: number): number {
  const length = at - Math.max(from, text.lastIndexOf('\n', at - 1) + 1)
  const [more = '', word = ''] = NEXT_LINE.exec(text.slice(at, at + LONGEST)) ?? []
  const isName =
    more !== '' && isFull(length, word) && at + more.length - from <= LONGEST && !SEGUE.test(more)
  return isName ? endOfLines(text, from, at + more.length) : at
}

/** What a name may stand after: its label, or the document that opens its line (MT). */
const ANTES = new RegExp(`${ROTULO.source}|\\b(?:CNPJ|CPF)[/A-Z ]{0,12}: ?[0-9A-Z*./-]{11,20}(?= )`, 'gm')

const LINHAS_DO_NOME = 4

/** Writes X for all that may be of a name. It only proves which words stand in no name. */
export function withoutDuvida(folded: string): string {
  // Labels of one line share its end, which is looked for once.
  let lineEnd = -1
  return withX(folded, ANTES, (text, from) => {
    if (lineEnd < from) {
      const next = text.indexOf('\n', from)
      lineEnd = next < 0 ? text.length : next
    }
    return endOfDuvida(text, from, lineEnd)
  })
}

/** In a line too long for a name, the last words that may follow one. */
function endOfDuvida(text: string, from: number, lineEnd: number): number {
  const line = text.slice(from, Math.min(lineEnd, from + 2 * LONGEST))
  const segue = lastSegue(line)
  if (line.length > LONGEST) return segue === undefined ? lineEnd : from + segue
  let [to, last] = [lineEnd, segue === undefined ? line : '']
  const next = text.slice(lineEnd + 1, lineEnd + 1 + LINHAS_DO_NOME * LONGEST).split('\n')
  for (const more of next.slice(0, LINHAS_DO_NOME - 1)) {
    const [word = ''] = /\S+/.exec(more) ?? []
    if (last === '' || !isFull(last.length, word) || more.length > LONGEST) break
    if (lastSegue(more) !== undefined) break
    to += 1 + more.length
    last = more
  }
  return to
}

/** Words may come glued, so these stand anywhere. */
const SEGUE_COLADO = new RegExp(SEGUE.source.replaceAll('\\b', ''), 'g')
const lastSegue = (text: string): number | undefined => [...text.matchAll(SEGUE_COLADO)].at(-1)?.index

/** A CNPJ with letters, and a control code of the Receita Federal. Their letters may spell words (`HA8`). */
const CODIGO =
  /(?<![0-9A-Z])[0-9A-F]{4}(?:\.[0-9A-F]{4}){3}(?![0-9A-F])|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d\d|(?<=CNPJ ?: ?)(?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}|[0-9A-Z]{12}\d\d)/g

export const withoutLetras = (text: string): string =>
  text.replace(CODIGO, (codigo) => codigo.replace(/[A-Z]/g, '0'))

export type Trecho = { inicio: number; fim: number }

export type Palavra = Trecho & { texto: string }

/** `DÉBITO(S)` is one word. The point of an abbreviation or a number is no mark. */
export function wordsOf(folded: string): Palavra[] {
  const palavras: Palavra[] = []
  for (const { index, 0: found, 1: texto = found } of folded.matchAll(
    /(\d+|[A-Zº]+(?:\/[A-Z]+)*)(?:\([A-Z]{1,3}\))?|[.,:;!?()-]/g,
  )) {
    const before = palavras.at(-1)?.texto ?? ''
    const isNumber = /^\d+$/.test(before) && /\d/.test(folded.charAt(index + 1))
    if (texto === '.' && (isNumber || before.length === 1 || ABREVIADO.has(before))) continue
    palavras.push({ texto, inicio: index, fim: index + found.length })
  }
  return palavras
}

/** `plain` as it was written, `folded` as it is compared, without the holder's name. Places are equal. */
export type Linha = { plain: string; folded: string }

/** Reads a text as one line, without the holder's name. Words that came glued are put apart. */
export function lineOf(texto: string, without = withoutNome): Linha {
  const tidy = tidyText(texto)
  const folded = withoutLetras(onOneLine(without(fold(tidy))))
  return withWordsApart({ plain: onOneLine(tidy), folded })
}

export const wordsAt = ({ plain }: Linha, inicio: number, fim: number): string =>
  plain.slice(inicio, fim).trim()

/** Words of certificates. The words on debts are in rules-lexico.ts. */
const OTHERS =
  'CERTIDAO CERTIDOES POSITIVA NEGATIVA NEGATIVO NEGATIVOS EFEITO EFEITOS CONJUNTA REGULARIDADE IRREGULARIDADE DEPENDENCIA ' +
  'INDEPENDENCIA CERTIFICA CERTIFICO CERTIFICAMOS CERTIFICADO FAZENDA SECRETARIA PROCURADORIA RECEITA ECONOMIA ' +
  'CONTRIBUINTE REQUERENTE SUJEITO PASSIVO TRIBUTOS TRIBUTARIA TRIBUTARIAS TRIBUTARIO TRIBUTARIOS ESTADO ESTADUAL ' +
  'ESTADUAIS FEDERAIS ATIVA PRESENTE DATA NOME ACIMA DIREITO EXIGIBILIDADE SUSPENSA DESPACHO NATUREZA VALIDADE ' +
  'EMISSAO EMITIDA REGULAR CNPJ CPF ESTE EMPRESA SITUACAO FISCAL PUBLICA RELATIVOS MESMOS EXISTENCIA SOLICITE PEDIDO ' +
  'REQUERER PODERA OBTER POSSIVEL PERMITE APLICA INDEFERIDO PARCELAMENTO PARCELAS RESCINDIDO CANCELADO DEIXOU RECOLHER ' +
  'PARANA PARAIBA IMPOSTO RECOLHIDO PAGOS PROTESTADO PROTESTADA PROTESTO INFRACAO RESTRICAO RESTRICOES EXECUCAO CREDITO CREDITOS ' +
  'LANCAMENTO COBRANCA COMPROVADO OMISSO OMISSAO'

const SMALL = 'NAO NADA SEM COM HA EM DE DA DO DOS DAS QUE AS OS NO NA SE E A O'.split(' ')

const known = new Set([
  ...OTHERS.split(' '),
  ...Object.values(lexico).flatMap((one) => (one instanceof Set ? [...one].map(String) : [])),
])
const long = [...known].filter((word) => /^[A-Z]{4,}$/.test(word)).sort((a, b) => b.length - a.length)

/** A word that holds one of these is glued, whatever its rest. No debt may be overlooked. */
const isTelling =
  /(?<!IN)DEBITO|(?<!DE)PENDENCIA|DEVEDOR|INADIMPLENTE|IRREGULAR(?!MENTE)|NAOREGULAR|CERTIDAO|^(?:POSITIVA|NEGATIVA)(?!MENTE|D[AO]|CAO)|^REGULAR(?!I[DZ]|MENTE|ES$)/
const one = `(?:${SMALL.join('|')})*(?:${long.join('|')})`
/** A small word may end a glued word only after two long ones: `REGISTRADA` is not `REGISTRA DA`. */
const whole = new RegExp(`^${one}(?:(?:${one})+(?:${SMALL.join('|')})*)?$`)
const piece = new RegExp(`(?:(NAO|NADA)(SE|HA|E|FOI)?|(SEM|COM|EM|HA))?(${long.join('|')})`, 'g')

const LONGEST_WORD = 24
const SHORTEST_GLUED = 7
const LONGEST_GLUED = 5_000

/** `CERTIDAOPOSITIVA` is cut. A word that only contains one ("dispositiva") stays whole. */
function withWordsApart({ plain, folded }: Linha): Linha {
  const cuts: number[] = []
  for (const { index, 0: word } of folded.matchAll(/[A-Z]{4,}|,(?=[A-Z])/g)) {
    if (word === ',') cuts.push(index + 1)
    if (/\d/.test(folded.charAt(index - 1))) cuts.push(index)
    if (isGluedWord(word)) cuts.push(...cutsOf(word).map((at) => index + at))
  }
  return cuts.length === 0 ? { plain, folded } : { plain: cut(plain, cuts), folded: cut(folded, cuts) }
}

function isGluedWord(word: string): boolean {
  if (word.length < SHORTEST_GLUED || word.length > LONGEST_GLUED || known.has(word)) return false
  return word.length > LONGEST_WORD || isTelling.test(word) || whole.test(word)
}

function cutsOf(word: string): number[] {
  const cuts = [...word.matchAll(piece)].flatMap(({ index, 0: found, 1: denial = '', 4: known = '' }) => [
    index,
    index + denial.length,
    index + found.length - known.length,
    index + found.length,
  ])
  return [...new Set(cuts)].filter((at) => at > 0 && at < word.length)
}

const cut = (text: string, cuts: readonly number[]): string =>
  [0, ...cuts].map((at, i) => text.slice(at, cuts[i])).join(' ')

/** The most lines of a title (MT's has three). */
const LINES = 4
const SHORT = 40

/** All that `titulo` matches, else the first line that begins with a certificate's name. */
export function titleOf(texto: string, titulo?: RegExp): string {
  if (titulo) return matchesOf(lineOf(texto), titulo).join(' ')
  const lines = tidyText(texto).split('\n').map(collapse).filter(Boolean)
  const at = lines.findIndex((line) => begins.test(fold(line)))
  if (at < 0) return ''
  const rest = lines.slice(at + 1, at + LINES)
  const end = rest.findIndex((line) => !goesOn(line))
  return [lines[at], ...rest.slice(0, end < 0 ? rest.length : end)].join(' ')
}

/** `CERTIDÃO Nº 123` is a number. A sentence is no title. */
const begins =
  /^(?:(?:CND|CPD|CPN|CPEND|CPEN|CRF|CDT|CTD) ?- ?)?CERTIDAO (?!N(?:º|O|R|UMERO)?\.? ?:? ?\d|EMITIDA|EXPEDIDA|VALIDA|ACIMA)[^.:]{3,160}$/

/** Short or in capitals. Labels, numbers and firms do not (a firm may be called Positiva). */
const goesOn = (line: string): boolean =>
  (line === line.toUpperCase() || line.length < SHORT) && !/[\d:.]/.test(line) && !notTitle.test(fold(line))

const notTitle = /^[^A-Z(]|^(?:CERTIFIC|FICA |NOME|RAZAO|CNPJ|CPF)|\b(?:LTDA|EIRELI|MEI|EPP|ME|S\/?A)$/

function matchesOf({ plain, folded }: Linha, wanted: RegExp): string[] {
  const everywhere = new RegExp(wanted.source, [...new Set(`${wanted.flags}g`)].join(''))
  return [...folded.matchAll(everywhere)].map(({ index, 0: { length } }) =>
    plain.slice(index, index + length).trim(),
  )
}
