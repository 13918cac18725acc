import { ApiError } from '../platform/errors.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import { UNANSWERED, VENCIDO } from '../portal/captcha.ts'
import type { Servico } from './nacionais.ts'

/** The result of a route's verification. */
export type Veredito =
  | 'respondeu'
  /** The simulator gave another answer for its example than it should. */
  | 'resposta-inesperada'
  | 'mudou-de-layout'
  | 'bloqueada'
  | 'fora-do-ar'
  | 'nao-consultada'
  | 'erro-interno'

/** One verified route. `detalhe` is Portuguese; `ms` is null if it was not asked. */
export type VerificacaoDeFonte = {
  uf: string
  servico: Servico
  ordem: number
  fonte: string
  rota: string
  resultado: Veredito
  detalhe: string
  /** Unknown labels on its page. */
  rotulos_novos: readonly string[]
  ms: number | null
}

/** Whether a route that could be asked failed. */
export const isFailure = ({ resultado }: VerificacaoDeFonte): boolean =>
  resultado !== 'respondeu' && resultado !== 'nao-consultada'

const kinds: Record<SourceErrorKind, Veredito> = {
  parse: 'mudou-de-layout',
  blocked: 'bloqueada',
  network: 'fora-do-ar',
  http: 'fora-do-ar',
  timeout: 'fora-do-ar',
}

/** Failures that the operator's captcha webhook causes. */
const doSolucionador: ReadonlySet<string | undefined> = new Set([UNANSWERED, VENCIDO])

/**
 * The result that an error of a route means; `mustKnow` says that the route has to know the document. A
 * closed source and a failed captcha webhook say nothing of the route.
 */
export function resultadoOf(
  error: unknown,
  mustKnow: boolean,
): Pick<VerificacaoDeFonte, 'resultado' | 'detalhe'> {
  const detalhe = error instanceof Error ? error.message : String(error)
  if (error instanceof RotaNaoAtende)
    return { resultado: doSolucionador.has(error.codigo) ? 'bloqueada' : 'nao-consultada', detalhe }
  if (error instanceof ApiError) return { resultado: mustKnow ? 'resposta-inesperada' : 'respondeu', detalhe }
  if (!(error instanceof SourceError)) return { resultado: 'erro-interno', detalhe }
  const { kind, codigo, status } = error
  if (codigo === 'fechado') return { resultado: 'nao-consultada', detalhe }
  const code = codigo ?? (status === undefined ? '' : `HTTP ${status}`)
  return {
    resultado: kinds[kind],
    detalhe: code && !detalhe.includes(code) ? `${detalhe} (${code})` : detalhe,
  }
}
