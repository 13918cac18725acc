import { dataBrasileira } from '../sefaz/dia.ts'

/** Whether a rule is in force on a day; `talvez` where two official dates disagree. */
export type EmVigor = 'nao' | 'talvez' | 'sim'

/** The environment of a note, by its `tpAmb`. */
export type AmbienteDaNota = 'producao' | 'homologacao'

/**
 * First days of the rules of NT 2026.007 v1.10: as its text of 2026-10-01 has them, and as the notice of
 * 2026-10-05 moved them, which two projects tell and no official page that could be read.
 */
const INICIOS = {
  producao: { texto: '2026-11-03', aviso: '2026-11-16' },
  homologacao: { texto: '2026-10-05', aviso: '2026-10-26' },
} as const satisfies Record<AmbienteDaNota, unknown>

/** Whether the rules of NT 2026.007 v1.10 are in force on a day (AAAA-MM-DD) of an environment. */
export function emVigorNoDia(dia: string, ambiente: AmbienteDaNota): EmVigor {
  const { texto, aviso } = INICIOS[ambiente]
  if (dia < texto) return 'nao'
  return dia < aviso ? 'talvez' : 'sim'
}

/** Why the rules are not applied, or may not be, on a day when they are not surely in force. */
export function porqueNaoVigora(dia: string, ambiente: AmbienteDaNota): string {
  const { texto, aviso } = INICIOS[ambiente]
  const onde = ambiente === 'producao' ? 'produção' : 'homologação'
  const datas = `em ${dataBrasileira(texto)} segundo a NT 2026.007 v1.10, em ${dataBrasileira(aviso)} segundo o aviso de 05/10/2026`
  return emVigorNoDia(dia, ambiente) === 'nao'
    ? `A regra só vale em ${onde} depois do dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
    : `Não se sabe se a regra já valia em ${onde} no dia desta nota, ${dataBrasileira(dia)}: começa ${datas}.`
}
