import type { Rejeicao } from '../../src/rejeicoes/rules.ts'
import { lerTabela } from './tabelas.ts'

/** The most registers and tables that an entry points to. */
const MAIS = 3

type Consulta = NonNullable<Rejeicao['onde_consultar']>[number]

let tabela: { campo: string; consulta: Consulta }[] | undefined

const lerConsultas = (): NonNullable<typeof tabela> => {
  tabela ??= lerTabela('consultas.csv', ['campo', 'nome', 'endereco', 'origem']).map(
    ({ campo, ...consulta }) => ({
      campo,
      consulta,
    }),
  )
  return tabela
}

/** The registers and tables of the fields of an entry, by the order of its fields, each address once. */
export function ondeConsultar(campos: readonly string[]): Consulta[] {
  const achadas = campos.flatMap((caminho) =>
    lerConsultas().flatMap(({ campo, consulta }) =>
      caminho === campo || caminho.startsWith(`${campo}/`) ? consulta : [],
    ),
  )
  return [...new Map(achadas.map((consulta) => [consulta.endereco, consulta])).values()].slice(0, MAIS)
}
