import type { Palavra } from './palavras.ts'
import * as lexico from './rules-lexico.ts'

/** The value of a label: there are debts, there are none, or it decides nothing (a count of zero). */
export type Valor = 'ha' | 'nao-ha' | 'nada-diz'

/** The most words of a label, and the most characters of its value that are read. */
const LONGEST_LABEL = 12
const LONGEST_VALUE = 60

/** A count or a sum. It is no date, no hour and no number of a document. */
const NUMERO = String.raw`\d[\d.]*(?:,\d+)?(?![\d,]|\.\d| ?[/:-] ?\d)`
const REAIS = String.raw`(?:R ?\$ ?)`
const MARCA = String.raw`(?:[:?=]|\.{2,}|\.:) ?`

const zero = new RegExp(String.raw`^[ $)]*(?:${MARCA})?\(?${REAIS}?(?=0[0.,]*(?!\d))${NUMERO}`)
/** `Não` denies where the value ends, or where a verb follows. `Débitos: não tributários` denies nothing. */
const naoHa =
  /^[ $)]*[:?=-] ?(?:NAO\b(?= ?(?:$|[.,;)]|(?:HA|TEM|FOI|FORAM)\b|CONST|EXIST|POSSU|ENCONTR|LOCALIZ|IDENTIF|APRESENT))|NADA\b|NENHUMA?\b|INEXIST|SEM (?:DEBITO|PENDENCIA|REGISTRO|OCORRENCIA))/
const naoPago = /^[ $)]*[:?=-] ?NAO (?:QUIT|PAG|REGUL|RECOLH|ADIMPL|GARANT)/
const naoSolto = /^[ $)]*[:?] ?NAO\b(?! (?:INSCR|TRIBUT|DECLAR|SUSPEN))/

/** The next words may be glued to a value. */
const dito = /^[ $)]*[:?=-] ?(?:SIM(?!PLES|ILAR|UL)|CONSTAM?(?!N)|HA\b|EXISTE|POSSUI|PENDENTE|VENCID)/
const verbo = /^ (?:CONSTAM|EXISTEM)\b/
const quantia = new RegExp(
  String.raw`^[ $)]*(?:${MARCA}${REAIS}?${NUMERO}|(?:D[EO] )?(?:${MARCA})?${REAIS}${NUMERO}|${NUMERO}(?<=,\d\d)|\(? ?${NUMERO} ?\))`,
)

/**
 * Reads the value of the label around the word `i`, a debt: `Débitos de ICMS: constam`, `Total de débitos:
 * 3`, `Possui débito(s)? NÃO`. Undefined if it is no label.
 */
export function valorOf(folded: string, palavras: readonly Palavra[], i: number): Valor | undefined {
  let last = i
  while (last - i < LONGEST_LABEL && lexico.ROTULO.has(palavras[last + 1]?.texto ?? '')) last++
  const from = palavras[last]?.fim ?? folded.length
  const value = folded.slice(from, from + LONGEST_VALUE)
  if (naoHa.test(value)) return 'nao-ha'
  if (dito.test(value) || naoPago.test(value)) return 'ha'
  if (naoSolto.test(value)) return 'nada-diz'
  if (isOfName(palavras, i)) return undefined
  if (zero.test(value)) return 'nada-diz'
  const isSaid = verbo.test(value) && !lexico.EVENTUAL.has(palavras[i - 1]?.texto ?? '')
  return isSaid || quantia.test(value) ? 'ha' : undefined
}

/**
 * Whether the debts are part of a name: in `Certidão Negativa de Débitos 123` the number is the
 * certificate's.
 */
function isOfName(palavras: readonly Palavra[], i: number): boolean {
  for (let at = i - 1; i - at < LONGEST_LABEL; at--) {
    const word = palavras[at]?.texto ?? '.'
    if (/^(?:CERTIDAO|CND|CPD|CPEN)$/.test(word)) return lexico.EVENTUAL.has(palavras[i - 1]?.texto ?? '')
    if (lexico.FIM.has(word) || word === ':' || lexico.CONTA.has(word)) return false
  }
  return false
}
