/** The sets that are read in bulk, and the columns of each (official layout, cnpj-metadados.pdf). */
export const COLUNAS = { empresas: 7, estabelecimentos: 30, socios: 11, simples: 7 } as const
export type Conjunto = keyof typeof COLUNAS

/** The small tables. Paises is accepted and checked for its month, and not used. */
const TABELAS = ['cnaes', 'motivos', 'municipios', 'naturezas', 'qualificacoes', 'paises'] as const
export type NomeTabela = (typeof TABELAS)[number]

/** Zips of each set in a month: Empresas0.zip to Empresas9.zip. Simples.zip is one, and optional. */
export const PARTES = 10
const EM_PARTES = ['empresas', 'estabelecimentos', 'socios'] as const

const nameOf = (kind: string, parte: number | '' = ''): string =>
  `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}${parte}.zip`

/** Names of the zips of a month: 36, or 37 with Simples.zip. */
export function officialZips(simples: boolean): string[] {
  const partes = Array.from({ length: PARTES }, (_, parte) => parte)
  return [
    ...EM_PARTES.flatMap((conjunto) => partes.map((parte) => nameOf(conjunto, parte))),
    ...TABELAS.map((tabela) => nameOf(tabela)),
    ...(simples ? [nameOf('simples')] : []),
  ]
}

/** Sets and tables that an import needs, with the names of their zips as a message shows them. */
export const INDISPENSAVEIS: readonly { kind: Conjunto | NomeTabela; zips: string }[] = [
  ...EM_PARTES.map((kind) => ({ kind, zips: `${nameOf(kind, 0)}, ${nameOf(kind, 1)}...` })),
  ...TABELAS.filter((tabela) => tabela !== 'paises').map((kind) => ({ kind, zips: nameOf(kind) })),
]

const isConjunto = (kind: string): kind is Conjunto => Object.hasOwn(COLUNAS, kind)

const isTabela = (kind: string): kind is NomeTabela => TABELAS.some((tabela) => tabela === kind)

/** What an official zip holds, by its file name in any case. Empty for another file. */
export function kindOfZip(nome: string): { conjunto?: Conjunto; tabela?: NomeTabela } {
  const kind = /^([a-z]+)\d*\.zip$/i.exec(nome)?.[1]?.toLowerCase() ?? ''
  if (isConjunto(kind)) return { conjunto: kind }
  return isTabela(kind) ? { tabela: kind } : {}
}
