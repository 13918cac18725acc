import type { No } from '../no.ts'

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
function passoDe(no: No, pai: No): string {
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

/** Tells where an element is, as `det[5]/prod/NCM`; empty for `infNFe` and what holds it. */
export function lugarDe(no: No): string {
  const { nome, pai } = no
  if (!pai || nome === 'infNFe' || nome === 'NFe') return ''
  const aqui = passoDe(no, pai)
  const acima = lugarDe(pai)
  return acima ? `${acima}/${aqui}` : aqui
}
