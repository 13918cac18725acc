import type { No } from '../rejeicoes/no.ts'

/** An element of the note with what was already read from it in one run of the checks. */
export type Ponto = {
  readonly no: No
  /** Undefined for `infNFe` and `infNFeSupl`. */
  readonly pai: Ponto | undefined
  /** What the paths found from here, by their numbers; made with the first that is read. */
  lidos: (Ponto[] | undefined)[] | undefined
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

/** The steps to the children of an element, which stays as it is. */
const passos = new WeakMap<No, ReadonlyMap<No, string>>()

/** The last step to an element: its name, with its position where it may have siblings of that name. */
export function passoDe(no: No, pai: No): string {
  const seus = passos.get(pai) ?? contarPassos(pai)
  passos.set(pai, seus)
  return seus.get(no) ?? (repetidos.has(no.nome) ? `${no.nome}[1]` : no.nome)
}

/** Counts all siblings at once: to count them for each would walk over them each time. */
function contarPassos({ filhos }: No): ReadonlyMap<No, string> {
  const passo = new Map<No, string>()
  for (const [nome, iguais] of Map.groupBy(filhos, (filho) => filho.nome)) {
    const comPosicao = iguais.length > 1 || repetidos.has(nome)
    for (const [i, filho] of iguais.entries()) passo.set(filho, comPosicao ? `${nome}[${i + 1}]` : nome)
  }
  return passo
}

/** Tells where an element is, as `det[5]/prod/NCM`; empty for `infNFe`. */
export function lugarDe({ no, pai }: Ponto): string {
  if (!pai) return no.nome === 'infNFe' ? '' : no.nome
  const acima = lugarDe(pai)
  const aqui = passoDe(no, pai.no)
  return acima ? `${acima}/${aqui}` : aqui
}
