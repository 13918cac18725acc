import type { Categoria } from './categorias.ts'
import type { Catalogo } from './ler.ts'
import type { Rejeicao } from './rejeicao.ts'

/** The most entries of one kind that a page links to. */
const MAIS = 6

/** What a page links to besides itself. */
export type Ligacoes = {
  antes: Rejeicao | undefined
  depois: Rejeicao | undefined
  /** Those that share most fields, the rarest counted most. */
  doCampo: readonly Rejeicao[]
  /** The next ones of the same category, by code. */
  daCategoria: readonly Rejeicao[]
}

type Grupos = {
  lugar: ReadonlyMap<number, number>
  porCampo: ReadonlyMap<string, readonly Rejeicao[]>
  porCategoria: ReadonlyMap<Categoria | null, readonly Rejeicao[]>
}

const conhecidos = new WeakMap<Catalogo, Grupos>()

/** Finds what is near an entry of the catalogue. */
export function ligacoesDe(catalogo: Catalogo, rejeicao: Rejeicao): Ligacoes {
  const { rejeicoes } = catalogo
  const { lugar, porCampo, porCategoria } = gruposDe(catalogo)
  const at = lugar.get(rejeicao.codigo) ?? 0
  const doCampo = comCampos(rejeicao, porCampo)
  const same = (porCategoria.get(rejeicao.categoria) ?? []).filter((one) => !doCampo.includes(one))
  const next = same.findIndex(({ codigo }) => codigo > rejeicao.codigo)
  const turned = next < 0 ? same : [...same.slice(next), ...same.slice(0, next)]
  return {
    antes: at > 0 ? rejeicoes[at - 1] : undefined,
    depois: rejeicoes[at + 1],
    doCampo,
    daCategoria: turned.filter(({ codigo }) => codigo !== rejeicao.codigo).slice(0, MAIS),
  }
}

/** The entries of each category, by code. */
export const porCategoria = (catalogo: Catalogo): Grupos['porCategoria'] => gruposDe(catalogo).porCategoria

function gruposDe(catalogo: Catalogo): Grupos {
  const known = conhecidos.get(catalogo)
  if (known) return known
  const { rejeicoes } = catalogo
  const porCampo = new Map<string, Rejeicao[]>()
  for (const one of rejeicoes)
    for (const campo of one.campos) porCampo.set(campo, [...(porCampo.get(campo) ?? []), one])
  const made = {
    lugar: new Map(rejeicoes.map(({ codigo }, at) => [codigo, at])),
    porCampo,
    porCategoria: Map.groupBy(rejeicoes, ({ categoria }) => categoria),
  }
  conhecidos.set(catalogo, made)
  return made
}

/** A field that many entries name says little. */
function comCampos({ codigo, campos }: Rejeicao, porCampo: Grupos['porCampo']): Rejeicao[] {
  const weights = new Map<Rejeicao, number>()
  for (const campo of campos) {
    const sharing = porCampo.get(campo) ?? []
    for (const one of sharing)
      if (one.codigo !== codigo) weights.set(one, (weights.get(one) ?? 0) + 1 / sharing.length)
  }
  return [...weights]
    .sort(([one, weight], [other, more]) => more - weight || one.codigo - other.codigo)
    .slice(0, MAIS)
    .map(([one]) => one)
}
