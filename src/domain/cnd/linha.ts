import { collapse, fold } from '../texto-plano.ts'
import * as lexico from './lexico.ts'

/**
 * A text on one line, and the same as it is compared: what is found in one stands at the same place in the
 * other.
 */
export type Linha = { plain: string; folded: string }

/** Reads a text as one line, with its words apart, also where they came glued. */
export function lineOf(texto: string): Linha {
  const plain = collapse(texto)
  return withWordsApart({ plain, folded: fold(plain) })
}

/** The words of a line between two places, as they were written. */
export const wordsAt = ({ plain }: Linha, inicio: number, fim: number): string =>
  plain.slice(inicio, fim).trim()

/** As the words of certificates are known, besides those on debts. */
const OTHERS =
  'CERTIDAO CERTIDOES POSITIVA NEGATIVA NEGATIVO NEGATIVOS EFEITO EFEITOS CONJUNTA REGULARIDADE IRREGULARIDADE DEPENDENCIA ' +
  'INDEPENDENCIA CERTIFICA CERTIFICO CERTIFICAMOS CERTIFICADO FAZENDA SECRETARIA PROCURADORIA RECEITA ECONOMIA ' +
  'CONTRIBUINTE REQUERENTE SUJEITO PASSIVO TRIBUTOS TRIBUTARIA TRIBUTARIAS TRIBUTARIO TRIBUTARIOS ESTADO ESTADUAL ' +
  'ESTADUAIS FEDERAIS ATIVA PRESENTE DATA NOME ACIMA DIREITO EXIGIBILIDADE SUSPENSA DESPACHO NATUREZA VALIDADE ' +
  'EMISSAO EMITIDA REGULAR CNPJ CPF ESTE EMPRESA SITUACAO FISCAL PUBLICA RELATIVOS MESMOS EXISTENCIA SOLICITE PEDIDO ' +
  'REQUERER PODERA OBTER POSSIVEL PERMITE APLICA INDEFERIDO PARCELAMENTO PARCELAS RESCINDIDO CANCELADO DEIXOU RECOLHER ' +
  'IMPOSTO RECOLHIDO PAGOS PROTESTADO PROTESTADA PROTESTO INFRACAO RESTRICAO RESTRICOES EXECUCAO CREDITO CREDITOS ' +
  'LANCAMENTO COBRANCA COMPROVADO OMISSO OMISSAO'

/** Words that a glued one begins or ends with, or has between others. */
const SMALL = 'NAO NADA SEM COM HA EM DE DA DO DOS DAS QUE AS OS NO NA SE E A O'.split(' ')

const known = new Set([
  ...OTHERS.split(' '),
  ...Object.values(lexico).flatMap((one) => (one instanceof Set ? [...one].map(String) : [])),
])
const long = [...known].filter((word) => /^[A-Z]{4,}$/.test(word)).sort((a, b) => b.length - a.length)

/** Words that no other holds, whatever they are glued to: of a debt nothing is overlooked. */
const isTelling =
  /(?<!IN)DEBITO|(?<!DE)PENDENCIA|DEVEDOR|INADIMPLENTE|IRREGULAR(?!MENTE)|NAOREGULAR|CERTIDAO|^(?:POSITIVA|NEGATIVA)(?!MENTE|D[AO]|CAO)|^REGULAR(?!I[DZ]|MENTE|ES$)/
const one = `(?:${SMALL.join('|')})*(?:${long.join('|')})`
/** A small word ends it only where two others are before: `REGISTRADA` is no `REGISTRA DA`. */
const whole = new RegExp(`^${one}(?:(?:${one})+(?:${SMALL.join('|')})*)?$`)
const piece = new RegExp(`(?:(NAO|NADA)(SE|HA|E|FOI)?|(SEM|COM|EM|HA))?(${long.join('|')})`, 'g')

/** No word has more letters; and none of two that are glued has fewer. */
const LONGEST_WORD = 24
const SHORTEST_GLUED = 7
/** A line of letters alone is no text. */
const LONGEST_GLUED = 5_000

/**
 * `CERTIDAOPOSITIVA`: the words that are known in it, apart. A word that merely holds one ("dispositiva")
 * stays whole.
 */
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
