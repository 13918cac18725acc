import type { LinhaDoExtrato } from '../contas/extrato.ts'
import { writeReais } from '../platform/ledger/rules.ts'
import type { Celula } from '../platform/pages/csv.ts'
import { formatInstante, formatNumero } from '../platform/pages/formatos.ts'
import { nomeDoEndpoint } from './chamadas.ts'

const mesEAno = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' })
// Made once: a sheet of paper has a thousand lines.
const sinalizado = new Intl.NumberFormat('pt-BR', { signDisplay: 'exceptZero' })

/** `novembro de 2026`, of a month AAAA-MM. */
export const nomeDoMes = (mes: string): string => mesEAno.format(new Date(`${mes}-15T00:00:00Z`))

/** `+100`, `−3`, `0`: what an entry adds to the balance. */
export const comSinal = (value: number): string => sinalizado.format(value).replace('-', '−')

/** `R$ 2,00`, or a dash where there is no price. */
export const emReais = (reais: string | null): string => (reais === null ? '–' : writeReais(reais))

/** What an entry adds to the balance, in credits. */
export const movimento = ({ cota, extra }: Pick<LinhaDoExtrato, 'cota' | 'extra'>): number => cota + extra

/** What an entry is, and of what: the endpoint of a call, or the reason that somebody gave. */
export function dizer({ tipo, endpoint, cota, extra, creditos }: LinhaDoExtrato): {
  oque: string
  deque: string
} {
  switch (tipo) {
    case 'charge':
      return { oque: nomeDoEndpoint(endpoint), deque: endpoint }
    case 'grant':
      return cota > 0 && extra === 0
        ? { oque: 'Aumento da cota', deque: endpoint }
        : { oque: 'Créditos extras', deque: endpoint }
    case 'debit':
      return { oque: 'Débito', deque: endpoint }
    case 'renewal':
      return { oque: 'Renovação da cota', deque: renovacao(creditos, creditos - cota) }
    case 'release':
      return { oque: 'Cota reservada que venceu', deque: endpoint }
    case 'hold':
      return { oque: 'Reserva', deque: endpoint }
  }
}

const renovacao = (cota: number, vencida: number): string =>
  vencida > 0
    ? `cota de ${formatNumero(cota)}; ${formatNumero(vencida)} do mês anterior venceram`
    : `cota de ${formatNumero(cota)}`

/** The columns of a statement as CSV. Those of credits add up to the closing less the opening balance. */
export const COLUNAS = [
  'Data e hora (Brasília)',
  'Lançamento',
  'Consulta ou motivo',
  'Identificador',
  'Créditos',
  'Da cota',
  'Dos extras',
  'Reais',
]

/** A line of a statement in these columns. An entry without a price leaves the last one empty. */
export function celulasDe(lancamento: LinhaDoExtrato): Celula[] {
  const { criado_em, request_id, cota, extra, reais } = lancamento
  const { oque, deque } = dizer(lancamento)
  return [
    formatInstante(criado_em),
    oque,
    deque,
    request_id,
    movimento(lancamento),
    cota,
    extra,
    reais === null ? '' : { decimal: reais },
  ]
}
