import { readDatas } from './certidao-datas.ts'
import type { MolduraDaCertidao } from './rules-certidao.ts'

/**
 * How a state prints its certificates, if the usual labels do not fit. The expressions are compared with one
 * line of capitals without accents, with single spaces, `º` for every ordinal sign and `-` for every dash.
 */
export type LayoutCertidao = MolduraDaCertidao & {
  /** The label of the number, and the number as its first group. */
  numero?: RegExp
  /** The form of the number, where one was seen. A text of this form is the number wherever it stands. */
  forma?: RegExp
  /** Its first group is the authenticity code. Only MT's answers have a field for it. */
  codigo?: RegExp
  /** The label before the date of issue. The date may have any form. */
  emissao?: RegExp
  /** The label before the last day of validity. The date may have any form. */
  validade?: RegExp
  /** The address where people check the certificate. */
  verificacao?: string
}

/** `CERTIDÃO NEGATIVA DE DÉBITOS`, and not of the inscribed debts alone. */
const deDebitos =
  /CERTIDAO [^.:;]{0,90}?DE ?(?:DEBITOS?(?!S)|TRIBUTOS)(?! ?INSCRITOS? ?(?:EM|NA) ?DIVIDA)(?! ?(?:RELATIVOS? ?)?(?:A|AO|DE|DO) ?(?:IPVA|ITCM?D)\b)(?! (?:(?!E )[A-Z]+ ){0,3}D[AE] DIVIDA ATIVA)/

/** Names of other certificates: of the attorney, of a vehicle or an estate, of a registration. */
const deOutraCoisa =
  /CERTIDAO [^.:;]{0,60}?(?:D[AE]|(?<!NAO ?)INSCRIT[AO]S? ?(?:EM|NA)) ?DIVIDA ?ATIVA|NATUREZA ?NAO ?TRIBUTARIA|CERTIDAO ?(?:NEGATIVA ?)?(?:DE ?)?(?:BAIXA|DISTRIBUICAO|INSCRICAO|CADASTRO|PROTESTO)\b|DEBITOS? ?(?:RELATIVOS? ?)?(?:A|AO|DE|DO) ?(?:IPVA|ITCM?D)\b/

/**
 * Whether a paper, on one line as `fold` gives it, may be a certificate of all debts. PI's attorney has
 * one of the same look for inscribed debts alone (2026-04-08); where a state has its own title, that
 * decides.
 */
export const isDeDebitos = (text: string, { titulo }: LayoutCertidao): boolean =>
  titulo?.test(text) || deDebitos.test(text) || !deOutraCoisa.test(text)

/** The printed values of a certificate. Those that are not printed, or not read for certain, are empty. */
export type CamposDaCertidao = { numero: string; codigo: string; emissao: string; validade: string }

/**
 * Reads the number, the code and the dates of a certificate from its text on one line, as `fold` gives it.
 * `alheios` are numbers of the holder, in digits, which are never the certificate's.
 */
export const readCampos = (
  text: string,
  layout: LayoutCertidao,
  alheios: readonly string[] = [],
): CamposDaCertidao => ({
  numero: readNumero(text, layout, alheios),
  codigo: only(
    layout.codigo ? [...text.matchAll(everywhere(layout.codigo))].map(([, code = '']) => code) : [],
  ),
  ...readDatas(text, layout),
})

const everywhere = (wanted: RegExp): RegExp => new RegExp(wanted.source, 'g')

/** The value, if all are the same. Of two, one is another's. */
const only = (values: readonly string[]): string => (new Set(values).size === 1 ? (values[0] ?? '') : '')

const VALOR = String.raw` ?:? ?(\d[\d./-]*)`

/** The labels of a number, from those that name the certificate to those that may name anything. */
const rotulos = [
  new RegExp(String.raw`\bN(?:UMERO|R|º|O)?\.? ?(?:D[AE] )?CERTIDAO ?:? ?(?:Nº)?${VALOR}`),
  new RegExp(String.raw`\b(?:CERTIDAO|CND|CPEND|CPEN|CPN|CPD|CRF|CDT) ?(?:Nº|N\.º?|NO|NR\.?|NUMERO)${VALOR}`),
  new RegExp(String.raw`\b(?:NUMERO|Nº)${VALOR}`),
]

function readNumero(text: string, layout: LayoutCertidao, alheios: readonly string[]): string {
  const { numero, forma } = layout
  if (forma) {
    const found = [
      ...text.matchAll(new RegExp(String.raw`(?<![\dA-Z./-])(?:${forma.source})(?![\d/]|[.-]\d)`, 'g')),
    ]
    return only(found.map(([value]) => value).filter((value) => !alheios.includes(digitsOf(value))))
  }
  for (const label of numero ? [numero] : rotulos) {
    const found = [...text.matchAll(everywhere(label))].flatMap((match) => valueAt(text, match, alheios))
    if (found.length > 0) return only(found)
  }
  return ''
}

const digitsOf = (value: string): string => value.replace(/\D/g, '')

/** A number has at least so many digits. Fewer are of a term, an hour, a page or a process of the text. */
const SHORTEST = 4

/**
 * The value of a label, if it is one: not of a norm, not the value of a label before, nor of another kind.
 */
function valueAt(text: string, match: RegExpExecArray, alheios: readonly string[]): string[] {
  const { index, 0: words, 1: written = '' } = match
  const value = written.replace(/[./-]+$/, '')
  const before = text.slice(Math.max(0, index - 60), index)
  const after = text.slice(index + words.length, index + words.length + 12)
  const isOther = deOutro.test(before) || segueOutro.test(after) || outraForma.test(value)
  const isShort = !/[A-Z]/.test(value) && digitsOf(value).length < SHORTEST
  return isOther || isShort || alheios.includes(digitsOf(value)) ? [] : [value]
}

/** What makes the number that of a norm, of a process, or of the label that waits before this one. */
const deOutro =
  /(?:\b(?:LEIS?|ART(?:IGO)?S?\.?|AUTOS?|LIVRO|FOLHAS?|CODIGO)|DECRETOS?|PORTARIAS?|RESOLUC(?:AO|OES)|INSTRUC(?:AO|OES)|NORMATIVAS?|CONJUNTA|PROCESSOS?|PROTOCOLO)[A-Z/]{0,20}(?: [A-Z/]{1,20}){0,3} ?$|[A-Z)] ?: ?$|\b(?:INSCRICAO ESTADUAL|CNPJ|CPF|CNPJ\/CPF|CEP|TELEFONE|NOME|RAZAO SOCIAL|EMISSAO|VALIDADE|AUTENTICIDADE|CODIGO) ?$/

/** What shows that the digits are of an hour, a term, a day in words, or of a longer text (`A N Z V`). */
const segueOutro =
  /^(?:[A-Z(:]| [A-Z\d](?: [A-Z\d])+(?![A-Z\d])| ?(?:\(|DIAS?\b|MES|DE ?\d|DE [A-Z]{4,9} |(?:JANEIRO|FEVEREIRO|MARCO|ABRIL|MAIO|JUNHO|JULHO|AGOSTO|SETEMBRO|OUTUBRO|NOVEMBRO|DEZEMBRO)))/

/** A date, alone or glued to the end, a CNPJ, a CPF or a CEP. */
const outraForma =
  /\d{1,2}\/\d{1,2}\/\d{4}$|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$|\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{5}-\d{3}$/
