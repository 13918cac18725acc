import type { MolduraDaCertidao } from '../../domain/cnd/cnd.ts'
import { endOfPrazo, findData, findPrazo, type Prazo } from '../../domain/texto/data-por-extenso.ts'

/**
 * How a state prints its certificates, where the usual labels do not do. The expressions meet the text in capitals,
 * without accents, on one line with single spaces, `º` for every ordinal sign and `-` for every dash.
 */
export type LayoutCertidao = MolduraDaCertidao & {
  /** Its first group is the number. */
  numero?: RegExp
  /** Its first group is the authenticity code; MT alone has a field for it. */
  codigo?: RegExp
  /** The label that the date of issue follows, in any form of date. */
  emissao?: RegExp
  /** The label that the last day of validity follows, in any form of date. */
  validade?: RegExp
  /** Used where the certificate tells neither a last day nor a number of days. */
  validadeDias?: number
  /** Where people check the certificate. */
  verificacao?: string
}

/** What is printed on a certificate; empty where nothing is. */
export type CamposDaCertidao = { numero: string; codigo: string; emissao: string; validade: string }

/** How far from its label a date may stand. */
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

/** The number, the code and the dates of a certificate, from its text as `fold` gives it. */
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

/** The first date near one of the labels, wherever on the page they are repeated. */
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

/** "Emitida nos termos da lei, válida até 10/07/2026" tells the other date. */
const isIssue = (between: string): boolean => !/\bVALID/.test(between)

/** "Validade: 60 dias a contar da emissão, em 10/07/2026" tells the other date. */
const isValidity = (between: string): boolean => !/EMI[ST]|CONTA[DR]|EXPEDI/.test(between)

/** "Válida por 60 dias", "validade de 6 (seis) meses"; else what the state is known to give. */
function termOf(text: string, { validadeDias }: LayoutCertidao): Prazo | undefined {
  for (const { index } of text.matchAll(/\bVALID(?:A|O|ADE)\b/g)) {
    const prazo = findPrazo(text.slice(index, index + NEAR))
    if (prazo) return prazo
  }
  return validadeDias === undefined ? undefined : { dias: validadeDias }
}

const computed = (emissao: string, prazo: Prazo | undefined): string =>
  emissao && prazo ? endOfPrazo(emissao, prazo) : ''
