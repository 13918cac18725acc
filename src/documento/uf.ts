/** The 26 states and the Federal District, in alphabetical order. */
export const ufs = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const

export type Uf = (typeof ufs)[number]

/** The owner of a system: a state, or the Union (`BR`), whose systems serve the whole country. */
export const ambitos = [...ufs, 'BR'] as const

export type Ambito = (typeof ambitos)[number]

/** Whether `text` is one of the 27, in capitals. */
export const isUf = (text: string): text is Uf => known.has(text)

const known: ReadonlySet<string> = new Set(ufs)

/**
 * Finds the UF that `text` names in either case. Only ASCII letters are raised: `toUpperCase` alone would
 * take `ſp` for SP and `pı` for PI.
 */
export function findUf(text: string): Uf | undefined {
  const raised = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''
  return isUf(raised) ? raised : undefined
}

/** Finds the UF, or BR, that `text` names in either case. Undefined if it names none. */
export const findAmbito = (text: string): Ambito | undefined => (/^br$/i.test(text) ? 'BR' : findUf(text))

/** Says in Portuguese why `text` is no UF, in either case. Undefined if it is one. */
export const ufProblem = (text: string): string | undefined =>
  findUf(text) ? undefined : `envie a sigla de uma das 27 UFs: ${ufs.join(', ')}`

/** Says in Portuguese why `text` is no UF nor BR, in either case. Undefined if it is one. */
export const ambitoProblem = (text: string): string | undefined =>
  findAmbito(text)
    ? undefined
    : `envie BR (as fontes nacionais) ou a sigla de uma das 27 UFs: ${ufs.join(', ')}`

/**
 * The name and two-digit code of each UF, and the word for `in`; the code is `cUF` in every fiscal document.
 * Origin: IBGE, "Códigos dos municípios", units of the federation; the NF-e's `TCodUfIBGE` has the same
 * (tiposBasico_v4.00.xsd).
 */
export const unidades: Readonly<Record<Uf, { codigo: string; nome: string; em: 'em' | 'na' | 'no' }>> = {
  AC: { codigo: '12', nome: 'Acre', em: 'no' },
  AL: { codigo: '27', nome: 'Alagoas', em: 'em' },
  AM: { codigo: '13', nome: 'Amazonas', em: 'no' },
  AP: { codigo: '16', nome: 'Amapá', em: 'no' },
  BA: { codigo: '29', nome: 'Bahia', em: 'na' },
  CE: { codigo: '23', nome: 'Ceará', em: 'no' },
  DF: { codigo: '53', nome: 'Distrito Federal', em: 'no' },
  ES: { codigo: '32', nome: 'Espírito Santo', em: 'no' },
  GO: { codigo: '52', nome: 'Goiás', em: 'em' },
  MA: { codigo: '21', nome: 'Maranhão', em: 'no' },
  MG: { codigo: '31', nome: 'Minas Gerais', em: 'em' },
  MS: { codigo: '50', nome: 'Mato Grosso do Sul', em: 'em' },
  MT: { codigo: '51', nome: 'Mato Grosso', em: 'em' },
  PA: { codigo: '15', nome: 'Pará', em: 'no' },
  PB: { codigo: '25', nome: 'Paraíba', em: 'na' },
  PE: { codigo: '26', nome: 'Pernambuco', em: 'em' },
  PI: { codigo: '22', nome: 'Piauí', em: 'no' },
  PR: { codigo: '41', nome: 'Paraná', em: 'no' },
  RJ: { codigo: '33', nome: 'Rio de Janeiro', em: 'no' },
  RN: { codigo: '24', nome: 'Rio Grande do Norte', em: 'no' },
  RO: { codigo: '11', nome: 'Rondônia', em: 'em' },
  RR: { codigo: '14', nome: 'Roraima', em: 'em' },
  RS: { codigo: '43', nome: 'Rio Grande do Sul', em: 'no' },
  SC: { codigo: '42', nome: 'Santa Catarina', em: 'em' },
  SE: { codigo: '28', nome: 'Sergipe', em: 'em' },
  SP: { codigo: '35', nome: 'São Paulo', em: 'em' },
  TO: { codigo: '17', nome: 'Tocantins', em: 'no' },
}
