import type { Uf } from '../documento/molde.ts'

/** How a taxpayer stands before ICMS. */
export type Enquadramento = 'normal' | 'simples' | 'mei' | 'substituto' | 'produtor'

/** What the states call the ordinary regime in their own registers; `NORMAL` where nothing else is listed. */
const NORMAL: Partial<Record<Uf, string>> = {
  BA: 'CONTA CORRENTE FISCAL',
  MG: 'DÉBITO E CRÉDITO',
  RS: 'GERAL',
  SP: 'NORMAL - REGIME PERIÓDICO DE APURAÇÃO',
}

/** The ICMS regime as a state's register words it (xRegApur). */
export function regimeDeApuracao(uf: Uf, enquadramento: Enquadramento): string {
  if (enquadramento === 'normal') return NORMAL[uf] ?? 'NORMAL'
  return {
    simples: 'SIMPLES NACIONAL',
    mei: 'SIMPLES NACIONAL - MEI',
    substituto: 'SUBSTITUTO TRIBUTÁRIO',
    produtor: 'PRODUTOR RURAL',
  }[enquadramento]
}

/** The payment regime of the public queries. */
export function regimeDePagamento(enquadramento: Enquadramento): string {
  return {
    normal: 'NORMAL',
    simples: 'SIMPLES NACIONAL',
    mei: 'SIMPLES NACIONAL',
    substituto: 'SUBSTITUIÇÃO TRIBUTÁRIA',
    produtor: 'DISPENSADO',
  }[enquadramento]
}
