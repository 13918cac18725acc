import { isValidIe } from '@brazilian-utils/brazilian-utils/is-valid-ie'
import type { Uf } from '../uf.ts'
import { hasCheckDigits, remainder } from './modulo-11.ts'

/** How many digits a registration of each state has; the old forms still in use are counted too. Origin: SINTEGRA, "Inscrição Estadual", a page a state. */
const digitos: Readonly<Record<Uf, readonly number[]>> = {
  AC: [13],
  AL: [9],
  AM: [9],
  AP: [9],
  BA: [8, 9],
  CE: [9],
  DF: [13],
  ES: [9],
  GO: [9],
  MA: [9],
  MG: [13],
  MS: [9],
  MT: [9, 11],
  PA: [9],
  PB: [9],
  PE: [9, 14],
  PI: [9],
  PR: [10],
  RJ: [8],
  RN: [9, 10],
  RO: [9, 14],
  RR: [9],
  RS: [10],
  SC: [9],
  SE: [9],
  SP: [12],
  TO: [9, 11],
}

/** Forms that registrations have and the library does not know. */
const otherForms: Partial<Record<Uf, (ie: string) => boolean>> = {
  // 07 ran out in September 2020 and 08 followed, under the same rule (as 0803455100107); 09 comes next.
  DF: (ie) => /^0[89]/.test(ie) && hasCheckDigits(ie, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
  // Today's roteiro of SEFAZ-GO knows only 10, 11 and 15; the SINTEGRA page before it gave 20 to 29 too.
  GO: (ie) => ie.startsWith('2') && hasCheckDigits(ie, [9, 8, 7, 6, 5, 4, 3, 2], 1),
  // CACEPE, before eFisco: here a remainder of 0 gives 1.
  PE: (ie) =>
    ie.length === 14 &&
    (11 - remainder(ie, 13, [5, 4, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3, 2])) % 10 === Number(ie.charAt(13)),
}

const oneOf = new Intl.ListFormat('pt-BR', { type: 'disjunction' })

/**
 * What keeps `ie` from being a state registration of `uf`, in Portuguese for who sent it; undefined when nothing does.
 * Only digits are taken (and, in SP, a rural producer's `P` before them), with the length, the prefix and the check
 * digits of the state. Forms that a state no longer issues are taken as well, for its register still holds them: GO
 * beginning with 20 to 29, PE of 14 digits, RO of 9; so is MT without its two zeros. Rules: SINTEGRA,
 * "Inscrição Estadual", a page a state; GO by the roteiro de crítica of SEFAZ-GO.
 */
export function inscricaoProblem(uf: Uf, ie: string): string | undefined {
  const sizes = oneOf.format(digitos[uf].map(String))
  const wanted = `${sizes} dígitos${uf === 'SP' ? ' (produtor rural: P e 12 dígitos)' : ''}`
  if (/^isent[oa]$/i.test(ie)) {
    return 'quem é isento não tem inscrição estadual; consulte pelo CPF ou pelo CNPJ'
  }
  if (/[./\s-]/.test(ie)) {
    return `envie somente dígitos, sem pontos, barra, traço ou espaços; em ${uf} são ${wanted}`
  }
  if (!(uf === 'SP' ? /^[Pp]?[0-9]*$/ : /^[0-9]*$/).test(ie)) {
    return `envie somente dígitos; em ${uf} são ${wanted}`
  }
  const received = ie.replace(/^p/i, '').length
  if (!digitos[uf].includes(received)) {
    return `em ${uf} envie ${wanted}, com os zeros à esquerda; dígitos recebidos: ${received}`
  }
  // The library takes zeros in the states whose formula gives 0 for them; no state ever issued such a number.
  if (/^P?0+$/i.test(ie) || !isInscricao(uf, normalizeInscricao(uf, ie))) {
    return `o começo ou o dígito verificador não confere com a regra de ${uf}; verifique se a UF e o número estão certos`
  }
  return undefined
}

const isInscricao = (uf: Uf, ie: string): boolean =>
  isValidIe({ value: ie, stateCode: uf }) || otherForms[uf]?.(ie) === true

/**
 * A registration that has no problem, in the one form in which it is sent to the state and kept in the cache. MT: 11
 * digits, the width of the official rule, though the state prints the last 9 (NF-es of its taxpayers carry either). RO:
 * 14 digits; the old 9 are three of the municipality before the same number and check digit (SINTEGRA's example:
 * 101.62521-3 is 0000000062521-3). SP: a capital `P`, which portals take; the `TIe` of the NF-e schemas has no room for it.
 */
export function normalizeInscricao(uf: Uf, ie: string): string {
  if (uf === 'MT') return ie.padStart(11, '0')
  if (uf === 'RO' && ie.length === 9) return ie.slice(3).padStart(14, '0')
  return ie.toUpperCase()
}
