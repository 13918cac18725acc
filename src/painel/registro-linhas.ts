import type { Celula } from '../platform/pages/csv.ts'
import type { FolhaDoRegistro } from './registro-pagina-2.ts'

/** The columns of the file of the log. */
export const cabecalhoDoRegistro = [
  'Quando (Brasília)',
  'Consulta',
  'Documento',
  'UF',
  'Resultado',
  'Código',
  'Fontes que falharam',
  'HTTP',
  'Tempo (ms)',
  'Créditos',
  'Pedido',
] as const

const BRASILIA_MS = 3 * 3_600_000

/** `2026-11-14 12:00:00`, which spreadsheets read as an instant. */
const quando = (ms: number): string => new Date(ms - BRASILIA_MS).toISOString().slice(0, 19).replace('T', ' ')

function resultado({ http, cached, fontes_falhas }: FolhaDoRegistro['usos'][number]): string {
  if (http === 499) return 'interrompida'
  if (http >= 400) return 'falha'
  if (fontes_falhas > 0) return 'entregue, com erro em source_status'
  return cached > 0 ? 'do cache' : 'entregue'
}

/** A call as a line of that file. */
export const linhaDoRegistro = (uso: FolhaDoRegistro['usos'][number]): Celula[] => [
  quando(uso.criado_em),
  uso.endpoint,
  uso.documento,
  uso.uf,
  resultado(uso),
  uso.error_code || uso.fonte_code,
  uso.fontes_falhas,
  uso.http,
  uso.ms,
  uso.creditos,
  uso.request_id,
]
