import type { LinhaDoExtrato } from '../contas/extrato.ts'
import type { Celula } from '../platform/pages/csv.ts'
import { formatInstante } from '../platform/pages/formatos.ts'
import { dizer, movimento } from './extrato-textos.ts'

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
