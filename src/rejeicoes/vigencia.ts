import { dataBrasileira } from '../documento/dia.ts'

/**
 * The days in which an authority applies a rule, `AAAA-MM-DD`, both inclusive. Where sources name two days,
 * `de` and `ate` are the later ones and `…_talvez` the earlier: between them nobody can tell.
 */
export type Periodo = { de?: string; de_talvez?: string; ate?: string; ate_talvez?: string }

/** When a rule is in force: in production, and in homologation where that differs. */
export type Vigencia = Periodo & {
  homologacao?: Periodo
  /** The day of the text that has the rule, where no start was published: it was in force then. */
  texto?: string
}

/** The day and the environment (`tpAmb`) by which a note is judged. */
export type Regencia = { dia: string; ambiente: '1' | '2' }

/** Whether a rule is in force; if nobody can tell, why, in Portuguese. */
export type Vigor = boolean | string

/** Whether the authority applies the rule at that moment. */
export function vigorEm(vigencia: Vigencia | undefined, { dia, ambiente }: Regencia): Vigor {
  if (!vigencia) return true
  const { de, de_talvez, ate, ate_talvez } = (ambiente === '2' && vigencia.homologacao) || vigencia
  const { texto } = vigencia
  if (ate !== undefined && dia > ate) return false
  if (de_talvez !== undefined && dia < de_talvez) return false
  if (de !== undefined && dia < de) return de_talvez === undefined ? false : comecaEm(de_talvez, de)
  if (ate !== undefined && ate_talvez !== undefined && dia > ate_talvez) return terminaEm(ate_talvez, ate)
  if (de === undefined && texto !== undefined && dia < texto) return soNoTexto(texto)
  return true
}

const comecaEm = (um: string, outro: string): string =>
  `As fontes divergem sobre o início desta regra: ${dataBrasileira(um)} ou ${dataBrasileira(outro)}.`

const terminaEm = (um: string, outro: string): string =>
  `As fontes divergem sobre o último dia desta regra: ${dataBrasileira(um)} ou ${dataBrasileira(outro)}.`

const soNoTexto = (texto: string): string =>
  `A regra está no texto oficial de ${dataBrasileira(texto)}, e não se sabe se já valia na data desta nota.`
