import type { Uf } from '../documento/molde.ts'

/** How long a certificate holds, from the day it is issued. MT counts that day, too: `contaODia`. */
export type Prazo = { dias: number; contaODia?: true } | { meses: number }

/**
 * How a state numbers and dates its certificates. In the forms `#` is a digit, `X` a capital letter or digit,
 * `H` a hexadecimal one, `{aa}` and `{aaaa}` the year; an empty form means that the state prints none.
 */
export type Emissao = {
  prazo: Prazo
  numero: string
  codigo: string
  /** Whether its page refuses documents that are not registered in the state; the others certify anybody. */
  soInscritos?: true
}

const dias = (quantos: number): Prazo => ({ dias: quantos })

/**
 * The 27 states. The terms of BA, CE, DF, GO, MA, MS, MT, PA, PI, PR and SP are published or printed on
 * real certificates (2026), the others are guesses; so are the forms, save those of AC, CE, DF, GO, MA,
 * MT, PA, PE, PI, PR and SP, seen on certificates.
 */
export const emissoes: Readonly<Record<Uf, Emissao>> = {
  AC: { prazo: dias(60), numero: '######/{aaaa}', codigo: '####################' },
  AL: { prazo: dias(60), numero: 'XXXX-XXXX-XXXX-XXXX', codigo: '' },
  AM: { prazo: dias(30), numero: '########', codigo: 'XXXXXXXXXXXX' },
  AP: { prazo: dias(60), numero: '{aaaa}######', codigo: 'XXXXXXXXXX' },
  BA: { prazo: dias(60), numero: '{aaaa}#######', codigo: '' },
  CE: { prazo: dias(60), numero: '{aaaa}########', codigo: '' },
  DF: { prazo: dias(90), numero: '###########{aaaa}', codigo: 'XXXX.XXXX.XXXX' },
  ES: { prazo: dias(90), numero: '{aaaa}######', codigo: 'HHHH-HHHH-HHHH-HHHH' },
  GO: { prazo: dias(120), numero: '########', codigo: '#.###.###.###.###' },
  MA: { prazo: dias(90), numero: '######/{aa}', codigo: 'XXXX.XXXX.XXXX' },
  MG: { prazo: dias(90), numero: '', codigo: '{aaaa}############' },
  MS: { prazo: dias(60), numero: '######/{aaaa}', codigo: 'XXXXXXXX', soInscritos: true },
  MT: { prazo: { dias: 60, contaODia: true }, numero: '00########', codigo: 'XXXXXXXXXXXXXXXX' },
  PA: { prazo: dias(180), numero: '70{aaaa}#########-#', codigo: 'HHHHHHHH.HHHHHHHH.HHHHHHHH.HHHHHHHH' },
  PB: { prazo: dias(60), numero: '####.####.####', codigo: 'XXXX.XXXX.XXXX.XXXX' },
  PE: { prazo: dias(90), numero: '{aaaa}.############-##', codigo: '' },
  PI: { prazo: dias(60), numero: '{aa}##############', codigo: 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH' },
  PR: { prazo: dias(120), numero: '########-##', codigo: '' },
  RJ: { prazo: dias(180), numero: '{aaaa}.#.#######-#', codigo: 'XXXXXXXXXX' },
  RN: { prazo: dias(30), numero: '########', codigo: 'HHHHHHHHHHHH' },
  RO: { prazo: dias(90), numero: '{aaaa}########', codigo: 'XXXX-XXXX-XXXX' },
  RR: { prazo: dias(90), numero: '######/{aaaa}', codigo: '##########' },
  RS: { prazo: dias(60), numero: '########', codigo: '####-####' },
  SC: { prazo: dias(60), numero: '{aa}############', codigo: '' },
  SE: { prazo: dias(30), numero: '######/{aaaa}', codigo: 'XXXXXXXXX' },
  SP: { prazo: { meses: 6 }, numero: '{aa}#########-##', codigo: '' },
  TO: { prazo: dias(30), numero: '#######-#', codigo: '' },
}
