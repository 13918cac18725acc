import type { TipoLancamento } from '../platform/db/tables.ts'
import type { Entry, Soma } from '../platform/ledger/extrato.ts'
import type { Livro, MesDoLivro } from '../platform/ledger/meses.ts'
import { addReais, type Parcelas } from '../platform/ledger/rules.ts'

/** A line of a statement. */
export type LinhaDoExtrato = Entry

/** The charges of an endpoint in a month: calls, credits and BRL (null where none has a price). */
type LinhaPorConsulta = { endpoint: string; chamadas: number; creditos: number; reais: string | null }

/**
 * What an account's month came to, in credits: the opening balance, less `vencida` and so on, is the closing
 * one, which is the next month's opening balance.
 */
export type MesDoExtrato = {
  /** AAAA-MM in Brasília. */
  mes: string
  /** Its newest entry, from which its lines are read. */
  fim: MesDoLivro['fim']
  lancamentos: number
  inicial: number
  /** What the renewal took of the quota of the month before, because quota does not last. */
  vencida: number
  /** The month's quota, with what larger plans added to it. */
  cota: number
  concedidos: number
  cobrados: number
  debitados: number
  /** What came back of holds, less the quota of the month before in them. */
  reservas: number
  final: number
  porConsulta: readonly LinhaPorConsulta[]
  /** The sum of the prices of its notes, as decimal text; null where no note has one. */
  reais: string | null
  /** Its notes without a price in BRL. */
  notasSemPreco: number
}

/** The endpoint whose charges have a price in BRL. */
const NOTA = '/api/consultar-nfe-xml'

/** The months of an account's statement, newest first. Their sums are those of the ledger. */
export function mesesDoExtrato({ meses }: Livro): MesDoExtrato[] {
  let inicial = 0
  return meses
    .map((mes) => {
      const feito = resumir(mes, inicial)
      inicial = feito.final
      return feito
    })
    .toReversed()
}

function resumir({ mes, fim, somas }: MesDoLivro, inicial: number): MesDoExtrato {
  const of = (...tipos: TipoLancamento[]) => somas.filter(({ tipo }) => tipos.includes(tipo))
  const renovada = of('renewal')
  const vencida = add(renovada, 'creditos') - add(renovada, 'cota')
  const cobradas = of('charge')
  const pagas = of('charge', 'debit')
  return {
    mes,
    fim,
    lancamentos: add(somas, 'lancamentos'),
    inicial,
    vencida,
    cota: add(renovada, 'creditos') + add(of('grant'), 'cota'),
    concedidos: add(of('grant'), 'extra'),
    cobrados: add(cobradas, 'creditos'),
    debitados: add(of('debit'), 'creditos'),
    // Before 2026-11-22 a hold was an entry, and what it paid was not taken again.
    reservas: move(of('hold', 'release')) + move(pagas) + add(pagas, 'creditos'),
    final: inicial + move(somas),
    porConsulta: porConsultaOf(cobradas),
    reais: reaisOf(cobradas),
    notasSemPreco: add(
      cobradas.filter(({ endpoint, reais }) => endpoint === NOTA && reais === null),
      'lancamentos',
    ),
  }
}

type Medida = 'lancamentos' | 'creditos' | 'cota' | 'extra'

const add = (somas: readonly Soma[], medida: Medida): number =>
  somas.reduce((sum, soma) => sum + soma[medida], 0)

/** What entries added to the balance. */
const move = (somas: readonly Soma[]): number => add(somas, 'cota') + add(somas, 'extra')

/** The dearest first. */
const porConsultaOf = (cobradas: readonly Soma[]): LinhaPorConsulta[] =>
  [...Map.groupBy(cobradas, ({ endpoint }) => endpoint)]
    .map(([endpoint, alike]) => ({
      endpoint,
      chamadas: add(alike, 'lancamentos'),
      creditos: add(alike, 'creditos'),
      reais: reaisOf(alike),
    }))
    .sort((a, b) => b.creditos - a.creditos || (a.endpoint < b.endpoint ? -1 : 1))

/** What charges came to in BRL, exactly, by the price that each entry has. Null where none has one. */
export function reaisOf(cobradas: readonly Soma[]): string | null {
  const parcelas: Parcelas[] = cobradas.flatMap(({ reais, lancamentos }) =>
    reais === null ? [] : [{ reais, vezes: lancamentos }],
  )
  return parcelas.length === 0 ? null : addReais(parcelas)
}
