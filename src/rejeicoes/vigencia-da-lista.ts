import { dataBrasileira } from '../documento/dia.ts'
import { type Vigencia, vigorEm } from './vigencia.ts'

/** Whether a rule is in force on a day; `talvez` where two official dates disagree. */
export type EmVigor = 'nao' | 'talvez' | 'sim'

/** The environment of a note, by its `tpAmb`. */
export type AmbienteDaNota = 'producao' | 'homologacao'

/**
 * First days of the rules of NT 2026.007 v1.10: as its text of 2026-10-01 has them (`de_talvez`), and as the
 * notice of 2026-10-05 moved them, which two projects tell and no official page that could be read.
 */
export const VIGENCIA_DA_LISTA = {
  de: '2026-11-16',
  de_talvez: '2026-11-03',
  homologacao: { de: '2026-10-26', de_talvez: '2026-10-05' },
} as const satisfies Vigencia

/** Whether the rules of NT 2026.007 v1.10 are in force on a day (AAAA-MM-DD) of an environment. */
export function emVigorNoDia(dia: string, ambiente: AmbienteDaNota): EmVigor {
  const vigor = vigorEm(VIGENCIA_DA_LISTA, { dia, ambiente: ambiente === 'producao' ? '1' : '2' })
  if (vigor === true) return 'sim'
  return vigor === false ? 'nao' : 'talvez'
}

/** Why the rules are not applied, or may not be, on a day when they are not surely in force. */
export function porqueNaoVigora(dia: string, ambiente: AmbienteDaNota): string {
  const { homologacao, ...producao } = VIGENCIA_DA_LISTA
  const { de_talvez: texto, de: aviso } = ambiente === 'producao' ? producao : homologacao
  const onde = ambiente === 'producao' ? 'produção' : 'homologação'
  const datas = `em ${dataBrasileira(texto)} segundo a NT 2026.007 v1.10, em ${dataBrasileira(aviso)} segundo o aviso de 05/10/2026`
  return emVigorNoDia(dia, ambiente) === 'nao'
    ? `A regra só vale em ${onde} depois do dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
    : `Não se sabe se a regra já valia em ${onde} no dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
}
