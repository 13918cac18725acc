import { OUTAGE_S, quandoRepetir, type RetryS } from '../platform/wire/fonte.ts'
import type { SourceStatus } from '../platform/wire/source-status.ts'

/**
 * Why a section of a profile has no data, whether a source of it failed (`falhou`), and whether that source
 * may answer later.
 */
export type Ausencia = { aviso: string; falhou: boolean; retryable: boolean }

type Entrada = { uf: string; source_status: SourceStatus }

/** The absence of a section that asks every state: none gave what it is made of. */
export function ausenciaNosEstados(secao: string, entradas: readonly Entrada[]): Ausencia {
  const answered = entradas.filter(({ source_status }) => source_status.status === 'success')
  const failed = entradas.filter(({ source_status }) => isFalha(source_status))
  const what =
    answered.length === 0
      ? 'nenhum estado respondeu'
      : `nenhuma inscrição nos estados que responderam (${answered.length} de ${entradas.length})`
  const missing = failed.length > 0 ? `. Falharam desta vez: ${failed.map(({ uf }) => uf).join(', ')}` : ''
  return {
    aviso: `${secao}: ${what}${missing}.`,
    falhou: failed.length > 0,
    retryable: failed.some(({ source_status }) => source_status.retryable),
  }
}

/** Whether a state failed, and not only never answers about such a document. */
const isFalha = ({ status, error_code, retryable }: SourceStatus): boolean =>
  status !== 'success' &&
  (retryable || !(error_code === 'SITE_INDISPONIVEL' || error_code === 'DOCUMENTO_INVALIDO'))

/**
 * What a profile tells of its absent sections. Of one that has no other, the first notice tells whether
 * nothing is known or sources failed, and `retryS` whether asking again may help.
 */
export function tellAusencias(
  ausencias: readonly Ausencia[],
  secoes: number,
): { avisos: string[]; retryS: RetryS } {
  const avisos = ausencias.map(({ aviso }) => aviso)
  if (ausencias.length < secoes) return { avisos, retryS: null }
  const retryS = ausencias.some(({ retryable }) => retryable) ? OUTAGE_S : null
  const first = ausencias.some(({ falhou }) => falhou)
    ? `${INCOMPLETO} ${quandoRepetir(retryS)}`.trimEnd()
    : NADA_CONSTA
  return { avisos: [first, ...avisos], retryS }
}

const NADA_CONSTA =
  'Todas as seções vieram null porque nenhuma fonte que atende a este documento tem dados dele.'
const INCOMPLETO =
  'Todas as seções vieram null, mas há fontes que falharam: isto não quer dizer que nada conste deste documento.'
