import { type ItemA1, item } from '../platform/icp/catalogo.ts'
import { readTable } from '../platform/table.ts'
import { buildCenarios, type Cenario, type LinhaDeCenario } from './cenario.ts'

type Tabela = Readonly<Record<'fluxo' | 'papeis' | 'falhas', readonly LinhaDeCenario[]>>

const { fluxo, papeis, falhas } = readTable<Tabela>('./cenarios.json', import.meta.url)

/** Every scenario. Their numbers are in the keys of the notes, so each table has a range of its own. */
export const cenarios: readonly Cenario[] = [
  ...buildCenarios(1, fluxo),
  ...buildCenarios(101, papeis),
  ...buildCenarios(201, falhas),
]

/** The A1 file of each scenario: `nfe-<nome>`. They share one key pair of each kind. */
export const CATALOGO_NFE: readonly ItemA1[] = cenarios.map(({ nome, titular, nota, chaveDoA1 }) =>
  item(`nfe-${nome}`, titular, nota, { chave: chaveDoA1, par: 'comum' }),
)

const porNumero = new Map(cenarios.map((cenario) => [cenario.numero, cenario]))
const porTitular = new Map(cenarios.map((cenario) => [cenario.titular.documento, cenario]))
const porNome = new Map(cenarios.map((cenario) => [cenario.nome, cenario]))

export const findCenario = (numero: number): Cenario | undefined => porNumero.get(numero)

export const doTitular = (documento: string): Cenario | undefined => porTitular.get(documento)

export function comCenario(nome: string): Cenario {
  const cenario = porNome.get(nome)
  if (!cenario) throw new Error(`O simulador não tem o cenário ${nome}.`)
  return cenario
}
