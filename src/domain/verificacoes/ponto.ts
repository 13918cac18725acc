import type { No } from '../rejeicoes/no.ts'

/** An element of the note with what was already read from it in one run of the checks. */
export type Ponto = {
  readonly no: No
  /** Undefined for `infNFe` and `infNFeSupl`. */
  readonly pai: Ponto | undefined
  /** What each path found from here, by the number of the path; made with the first. */
  lidos: (readonly Ponto[] | undefined)[] | undefined
  /** The text as a decimal of ten places; null if it is none. */
  decimal: bigint | null | undefined
}

/** Begins to read an element. */
export const criarPonto = (no: No, pai?: Ponto): Ponto => ({ no, pai, lidos: undefined, decimal: undefined })

/** Elements that the layout lets repeat: their place always has a position. */
const repetidos: ReadonlySet<string> = new Set([
  'NFref',
  'autXML',
  'det',
  'NVE',
  'gCred',
  'DI',
  'adi',
  'detExport',
  'rastro',
  'arma',
  'origComb',
  'reboque',
  'vol',
  'lacres',
  'dup',
  'detPag',
  'obsCont',
  'obsFisco',
  'procRef',
  'forDia',
  'deduc',
  'defensivo',
])

/** The last step to an element: its name, with its position where it may have siblings of that name. */
export function passoDe(no: No, { filhos }: No): string {
  const irmaos = filhos.filter(({ nome }) => nome === no.nome)
  if (irmaos.length < 2 && !repetidos.has(no.nome)) return no.nome
  return `${no.nome}[${Math.max(irmaos.indexOf(no), 0) + 1}]`
}

/** Tells where an element is, as `det[5]/prod/NCM`; empty for `infNFe`. */
export function lugarDe({ no, pai }: Ponto): string {
  if (!pai) return no.nome === 'infNFe' ? '' : no.nome
  const acima = lugarDe(pai)
  const aqui = passoDe(no, pai.no)
  return acima ? `${acima}/${aqui}` : aqui
}
