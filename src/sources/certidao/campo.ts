import type { MolduraDaCertidao } from '../../domain/cnd/cnd.ts'
import { endOfPrazo, findData, findPrazo, type Prazo } from '../../domain/texto/data-por-extenso.ts'

/**
 * How a state prints its certificates, if the usual labels do not fit. The expressions are compared with one
 * line of capitals without accents, with single spaces, `º` for every ordinal sign and `-` for every dash.
 */
export type LayoutCertidao = MolduraDaCertidao & {
  /** Its first group is the number. */
  numero?: RegExp
  /** Its first group is the authenticity code. Only MT's answers have a field for it. */
  codigo?: RegExp
  /** The label before the date of issue. The date may have any form. */
  emissao?: RegExp
  /** The label before the last day of validity. The date may have any form. */
  validade?: RegExp
  /** Used if the certificate tells neither a last day nor a number of days. */
  validadeDias?: number
  /** The address where people check the certificate. */
  verificacao?: string
}

/** The printed values of a certificate. Those that are not printed are empty. */
export type CamposDaCertidao = { numero: string; codigo: string; emissao: string; validade: string }

/** The longest distance between a label and its date. */
const NEAR = 80

const numeros = [
  /\bN(?:UMERO|R|º|O)?\.? ?(?:DA )?CERTIDAO ?:? ?(?:Nº ?:? ?)?(\d[\d./-]*)/,
  /\b(?:CERTIDAO|CND|CPEND|CPEN|CPN|CPD|CRF|CDT) ?(?:Nº|N\.º?|NO|NR\.?|NUMERO) ?:? ?(\d[\d./-]*)/,
]

const emissoes = [
  /\b(?:DATA (?:E HORA )?D[AE] )?EMISSAO ?:/,
  /\b(?:EMITIDA|EXPEDIDA)\b(?! (?:PELA|PARA|COM|VIA|GRATUITA))/,
  /\bLOCAL E DATA ?:/,
]

const validades = [/\bVALID[AO] ATE\b/, /\b(?:DATA DE )?VALIDADE\b(?: D[AE]S?T?A? CERTIDAO)?/]

/** Reads the number, the code and the dates of a certificate from its text, as `fold` gives it. */
export function readCampos(text: string, layout: LayoutCertidao): CamposDaCertidao {
  const emissao = dateAfter(text, layout.emissao ? [layout.emissao] : emissoes, isIssue)
  const printed = dateAfter(text, layout.validade ? [layout.validade] : validades, isValidity)
  return {
    numero: groupOf(text, layout.numero ? [layout.numero] : numeros).replace(/[./-]+$/, ''),
    codigo: groupOf(text, layout.codigo ? [layout.codigo] : []),
    emissao,
    validade: printed || computed(emissao, termOf(text, layout)),
  }
}

const groupOf = (text: string, wanted: readonly RegExp[]): string =>
  wanted.map((one) => one.exec(text)?.[1]).find(Boolean) ?? ''

/** Finds the first date near one of the labels. A label may stand several times on a page. */
function dateAfter(text: string, labels: readonly RegExp[], fits: (between: string) => boolean): string {
  for (const label of labels) {
    for (const { index, 0: words } of text.matchAll(new RegExp(label.source, 'g'))) {
      const near = text.slice(index + words.length, index + words.length + NEAR)
      const found = findData(near)
      if (found && fits(near.slice(0, found.inicio))) return found.data
    }
  }
  return ''
}

/** In "Emitida nos termos da lei, válida até 10/07/2026" the date is not of issue. */
const isIssue = (between: string): boolean => !/\bVALID/.test(between)

/** In "Validade: 60 dias a contar da emissão, em 10/07/2026" the date is of issue. */
const isValidity = (between: string): boolean => !/EMI[ST]|CONTA[DR]|EXPEDI/.test(between)

/** Reads "Válida por 60 dias", "validade de 6 (seis) meses"; else takes the state's usual term. */
function termOf(text: string, { validadeDias }: LayoutCertidao): Prazo | undefined {
  for (const { index } of text.matchAll(/\bVALID(?:A|O|ADE)\b/g)) {
    const prazo = findPrazo(text.slice(index, index + NEAR))
    if (prazo) return prazo
  }
  return validadeDias === undefined ? undefined : { dias: validadeDias }
}

const computed = (emissao: string, prazo: Prazo | undefined): string =>
  emissao && prazo ? endOfPrazo(emissao, prazo) : ''
