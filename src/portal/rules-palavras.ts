import { arrumar, collapse, fold, onOneLine } from '../platform/texto.ts'
import * as lexico from './rules-lexico.ts'
import { ABREVIADO } from './rules-lexico.ts'
import { withoutLetras, withoutNome } from './rules-titular.ts'

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
  const tidy = arrumar(texto)
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
  const lines = arrumar(texto).split('\n').map(collapse).filter(Boolean)
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
