import { isValidIe } from '@brazilian-utils/brazilian-utils/is-valid-ie'
import { hasCheckDigits, remainder } from './documento.ts'
import { listFormat } from './formato.ts'
import type { Uf } from './uf.ts'

/**
 * The lengths of each state's registrations, with the old forms that are still in use. Origin: SINTEGRA,
 * "Inscrição Estadual", a page a state.
 */
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

/** Whether a number may be meant as a registration of the state: it has as many digits as one. */
export const isTamanhoDeInscricao = (uf: Uf, numero: string): boolean =>
  /^\d+$/.test(numero) && digitos[uf].includes(numero.length)

/** Forms of registrations that the library does not know. */
const otherForms: Partial<Record<Uf, (ie: string) => boolean>> = {
  // 07 ran out in September 2020. 08 followed under the same rule (as 0803455100107), and 09 comes next.
  DF: (ie) => /^0[89]/.test(ie) && hasCheckDigits(ie, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
  // Today's roteiro of SEFAZ-GO knows only 10, 11 and 15. The older SINTEGRA page gave 20 to 29 too.
  GO: (ie) => ie.startsWith('2') && hasCheckDigits(ie, [9, 8, 7, 6, 5, 4, 3, 2], 1),
  // CACEPE, the register before eFisco, gives 1 for a remainder of 0.
  PE: (ie) =>
    ie.length === 14 &&
    (11 - remainder(ie, 13, [5, 4, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3, 2])) % 10 === Number(ie.charAt(13)),
}

const oneOf = listFormat('disjunction')

/**
 * Says in Portuguese why `ie` is no state registration of `uf`; undefined if it is one. Old forms that the
 * register still holds are taken: GO with 20 to 29, PE of 14 digits, RO of 9, MT without its two zeros.
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
  // The library takes zeros in states whose formula gives 0 for them. No state ever issued such a number.
  if (/^P?0+$/i.test(ie)) return 'só zeros não são uma inscrição; verifique o número'
  if (isInscricao(uf, normalizeInscricao(uf, ie))) return undefined
  const wrong = hasOtherDigits(uf, normalizeInscricao(uf, ie)) ? 'o dígito verificador' : 'o começo'
  return `${wrong} não confere com a regra de ${uf}; verifique se a UF e o número estão certos`
}

/** Whether other check digits would make it a registration: then only they are wrong. */
function hasOtherDigits(uf: Uf, ie: string): boolean {
  const [one, other] = lugaresDosDigitos(uf, ie)
  return Array.from({ length: 100 }, (_, value) => {
    const digits = [...ie]
    digits[one] = String(value % 10)
    if (value >= 10) digits[other] = String(Math.floor(value / 10))
    return digits.join('')
  }).some((changed) => isInscricao(uf, changed))
}

/** Where the check digits stand: at the end, and in SP after the eighth digit too. */
const lugaresDosDigitos = (uf: Uf, ie: string): [one: number, other: number] =>
  uf === 'SP' ? (ie.startsWith('P') ? [9, 9] : [8, 11]) : [ie.length - 1, ie.length - 2]

/**
 * The rules are SINTEGRA's, "Inscrição Estadual", a page a state; GO's by the roteiro de crítica of SEFAZ-GO.
 */
const isInscricao = (uf: Uf, ie: string): boolean =>
  isValidIe({ value: ie, stateCode: uf }) || otherForms[uf]?.(ie) === true

/** Gives a valid registration the one form that is sent to the state and kept in the cache. */
export function normalizeInscricao(uf: Uf, ie: string): string {
  // The official rule has 11 digits. The state prints the last 9, and its taxpayers' NF-es carry either.
  if (uf === 'MT') return ie.padStart(11, '0')
  // The old form has three digits of the municipality before the same number and check digit (SINTEGRA's
  // example: 101.62521-3 is 0000000062521-3).
  if (uf === 'RO' && ie.length === 9) return ie.slice(3).padStart(14, '0')
  // SP's portals take a capital `P`. The `TIe` of the NF-e schemas has no room for it.
  return ie.toUpperCase()
}

/**
 * How each state writes its numbers. Origin: SINTEGRA, "Inscrição Estadual", and the states' own pages, which
 * print RS, PB, MS and MT with more marks.
 */
const mascaras: Readonly<Record<Uf, readonly string[]>> = {
  AC: ['00.000.000/000-00'],
  AL: ['00000000-0'],
  AM: ['00.000.000-0'],
  AP: ['00000000-0'],
  BA: ['000000-00', '0000000-00'],
  CE: ['00000000-0'],
  DF: ['00.000000.000-00'],
  ES: ['000.000.00-0'],
  GO: ['00.000.000-0'],
  MA: ['00000000-0'],
  MG: ['000.000.000/0000'],
  MS: ['00.000.000-0'],
  MT: ['00.000.000-0', '0000000000-0'],
  PA: ['00-000000-0'],
  PB: ['00.000.000-0'],
  PE: ['0000000-00', '00.0.000.0000000-0'],
  PI: ['00.000.000-0'],
  PR: ['000.00000-00'],
  RJ: ['00.000.00-0'],
  RN: ['00.000.000-0', '00.0.000.000-0'],
  RO: ['000.00000-0', '0000000000000-0'],
  RR: ['00000000-0'],
  RS: ['000/000000-0'],
  SC: ['000.000.000'],
  SE: ['00000000-0'],
  SP: ['000.000.000.000'],
  TO: ['00.000.000-0', '00.000.0000-00'],
}

/** Writes a registration as its state does. A number of another length stays as it is. */
export function formatInscricao(uf: Uf, ie: string): string {
  const rural = /^P(\d{8})(\d)(\d{3})$/i.exec(ie)
  if (rural) return `P-${rural[1]}.${rural[2]}/${rural[3]}`
  if (!/^\d+$/.test(ie)) return ie
  const mascara = mascaras[uf].find((one) => one.replace(/[^0]/g, '').length === ie.length)
  let at = 0
  return mascara === undefined ? ie : mascara.replace(/0/g, () => ie.charAt(at++))
}
