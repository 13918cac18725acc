import { type Categoria, categorias, type Rejeicao, tiposDeRejeicao } from '../../src/rejeicoes/rules.ts'
import { lerTabela } from './tabelas.ts'

/** What the official tables tell of a code. */
export type Oficial = Pick<
  Rejeicao,
  'codigo' | 'titulo' | 'slug' | 'motivo' | 'categoria' | 'url_blog' | 'tipo' | 'fontes' | 'regras'
> & {
  outro: Rejeicao['outro_significado']
  /** The texts of the rules, for who writes and for the tests; they are not published. */
  textos: string[]
}

/** A status that is no refusal is no entry. */
const acharTipo = (texto: string): Rejeicao['tipo'] | undefined =>
  tiposDeRejeicao.find((tipo) => tipo === texto)

function acharCategoria(texto: string): Categoria | null {
  const achada = categorias.find((categoria) => categoria === texto)
  if (!achada && texto) throw new Error(`${texto} is no category`)
  return achada ?? null
}

/**
 * The listed codes in their order, from the official tables of `data/rejeicoes`. `titulos.csv` corrects the
 * titles whose reason has a slip or a placeholder; the reason and the slug stay as they are.
 */
export function lerOficiais(): { todos: number; listados: Oficial[] } {
  const motivos = lerTabela('oficiais.csv', ['codigo', 'motivo', 'fontes', 'tipo'])
  const derivados = new Map(
    lerTabela('derivado.csv', ['codigo', 'categoria', 'titulo', 'slug', 'url_blog']).map((linha) => [
      linha.codigo,
      linha,
    ]),
  )
  const regras = Map.groupBy(
    lerTabela('regras.csv', ['codigo', 'regra', 'modelo', 'aplicacao', 'regra_de_validacao', 'fonte']),
    ({ codigo }) => codigo,
  )
  const duplos = new Map(
    lerTabela('duplos.csv', ['codigo', 'motivo', 'fonte']).map(({ codigo, ...outro }) => [codigo, outro]),
  )
  const titulos = new Map(
    lerTabela('titulos.csv', ['codigo', 'titulo']).map(({ codigo, titulo }) => [codigo, titulo]),
  )
  const listados = motivos.flatMap(({ codigo, motivo, fontes, tipo: texto }): Oficial[] => {
    const [tipo, derivado] = [acharTipo(texto), derivados.get(codigo)]
    if (!tipo) return []
    if (!derivado) throw new Error(`derivado.csv lacks ${codigo}`)
    const { categoria, slug, url_blog } = derivado
    const titulo = titulos.get(codigo) ?? derivado.titulo
    const linhas = regras.get(codigo) ?? []
    return [
      {
        codigo: Number(codigo),
        titulo,
        slug,
        motivo,
        categoria: acharCategoria(categoria),
        url_blog,
        tipo,
        fontes: fontes.split('; '),
        regras: linhas.map(({ regra, modelo, fonte }) => ({ regra, modelo, documento: fonte })),
        outro: duplos.get(codigo) ?? null,
        textos: linhas.map(({ regra_de_validacao }) => regra_de_validacao),
      },
    ]
  })
  return { todos: motivos.length, listados: listados.sort((a, b) => a.codigo - b.codigo) }
}
