import type { Uf } from './molde.ts'

/**
 * The IBGE code of each state, as `cUF` of every NF-e message holds it (MOC 7.0, Anexo I, table of UF codes).
 */
export const codigosUf = {
  AC: '12',
  AL: '27',
  AM: '13',
  AP: '16',
  BA: '29',
  CE: '23',
  DF: '53',
  ES: '32',
  GO: '52',
  MA: '21',
  MG: '31',
  MS: '50',
  MT: '51',
  PA: '15',
  PB: '25',
  PE: '26',
  PI: '22',
  PR: '41',
  RJ: '33',
  RN: '24',
  RO: '11',
  RR: '14',
  RS: '43',
  SC: '42',
  SE: '28',
  SP: '35',
  TO: '17',
} as const satisfies Record<Uf, string>
