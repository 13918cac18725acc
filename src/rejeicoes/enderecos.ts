import { fold } from '../platform/texto.ts'
import { type Categoria, categorias } from './categorias.ts'

/** Where the pages of the catalogue are, without the prefix of a proxy. */
export const INDICE = '/blog/rejeicoes/'

/** The form for a whole XML, and where all such forms are sent. */
export const DIAGNOSTICO = `${INDICE}diagnostico/`
export const DIAGNOSTICAR = `${INDICE}diagnosticar`

/** Where the page of a diagnosis asks for the corrected note. */
export const CORRIGIDO = `${INDICE}corrigido`

/** A heading of the catalogue: a category, or what has none. */
export type Assunto = { nome: string; slug: string; categoria: Categoria | null }

/** The headings in the order of the specification; what has no category is the last. */
export const assuntos: readonly Assunto[] = [
  ...categorias.map((categoria) => ({ nome: categoria, slug: slugOf(categoria), categoria })),
  { nome: 'Sem categoria', slug: 'sem-categoria', categoria: null },
]

/** The heading of a category. */
export const assuntoDe = (categoria: Categoria | null): Assunto => {
  const found = assuntos.find((one) => one.categoria === categoria)
  if (found === undefined) throw new Error(`no such category: ${categoria}`)
  return found
}

/** The page of a heading, or one of its later pages. */
export const enderecoDoAssunto = ({ slug }: Assunto, pagina = 1): string =>
  `${INDICE}categoria/${slug}/${parametro(pagina)}`

/** A page of the list of all codes. */
export const enderecoDaLista = (pagina: number): string => INDICE + parametro(pagina)

const parametro = (pagina: number): string => (pagina === 1 ? '' : `?pagina=${pagina}`)

function slugOf(text: string): string {
  return fold(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}
