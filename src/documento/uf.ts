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
 * The name and two-digit code of each UF; the code is `cUF` in every fiscal document. Origin: IBGE, "Códigos
 * dos municípios", table of the units of the federation; the NF-e's `TCodUfIBGE` has the same
 * (tiposBasico_v4.00.xsd).
 */
export const unidades: Readonly<Record<Uf, { codigo: string; nome: string }>> = {
  AC: { codigo: '12', nome: 'Acre' },
  AL: { codigo: '27', nome: 'Alagoas' },
  AM: { codigo: '13', nome: 'Amazonas' },
  AP: { codigo: '16', nome: 'Amapá' },
  BA: { codigo: '29', nome: 'Bahia' },
  CE: { codigo: '23', nome: 'Ceará' },
  DF: { codigo: '53', nome: 'Distrito Federal' },
  ES: { codigo: '32', nome: 'Espírito Santo' },
  GO: { codigo: '52', nome: 'Goiás' },
  MA: { codigo: '21', nome: 'Maranhão' },
  MG: { codigo: '31', nome: 'Minas Gerais' },
  MS: { codigo: '50', nome: 'Mato Grosso do Sul' },
  MT: { codigo: '51', nome: 'Mato Grosso' },
  PA: { codigo: '15', nome: 'Pará' },
  PB: { codigo: '25', nome: 'Paraíba' },
  PE: { codigo: '26', nome: 'Pernambuco' },
  PI: { codigo: '22', nome: 'Piauí' },
  PR: { codigo: '41', nome: 'Paraná' },
  RJ: { codigo: '33', nome: 'Rio de Janeiro' },
  RN: { codigo: '24', nome: 'Rio Grande do Norte' },
  RO: { codigo: '11', nome: 'Rondônia' },
  RR: { codigo: '14', nome: 'Roraima' },
  RS: { codigo: '43', nome: 'Rio Grande do Sul' },
  SC: { codigo: '42', nome: 'Santa Catarina' },
  SE: { codigo: '28', nome: 'Sergipe' },
  SP: { codigo: '35', nome: 'São Paulo' },
  TO: { codigo: '17', nome: 'Tocantins' },
}
