import { ApiError } from '../domain/errors.ts'
import { RotaNaoAtende } from '../domain/fonte/rota-nao-atende.ts'
import { SourceError, type SourceErrorKind } from '../domain/fonte/source-error.ts'
import { VENCIDO } from '../sources/captcha/captcha.ts'
import { UNANSWERED } from '../sources/captcha/webhook.ts'
import type { Servico } from '../sources/fonte.ts'

/** How a route did when it was verified. */
export type Veredito =
  | 'respondeu'
  /** The simulator did not say of its example what it should. */
  | 'resposta-inesperada'
  | 'mudou-de-layout'
  | 'bloqueada'
  | 'fora-do-ar'
  | 'nao-consultada'
  | 'erro-interno'

/** One route, verified: `detalhe` is Portuguese; `ms` is null where it was not asked. */
export type Verificacao = {
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
export const isFailure = ({ resultado }: Verificacao): boolean =>
  resultado !== 'respondeu' && resultado !== 'nao-consultada'

const kinds: Record<SourceErrorKind, Veredito> = {
  parse: 'mudou-de-layout',
  blocked: 'bloqueada',
  network: 'fora-do-ar',
  http: 'fora-do-ar',
  timeout: 'fora-do-ar',
}

/** What the operator's captcha webhook is to blame for. */
const doSolucionador: ReadonlySet<string | undefined> = new Set([UNANSWERED, VENCIDO])

/** What an error of a route says of it; `mustKnow`, when it was asked about a document that it has to know. A closed door says nothing: it opens at its hour; a captcha webhook that fails is the operator's to mend. */
export function resultadoOf(error: unknown, mustKnow: boolean): Pick<Verificacao, 'resultado' | 'detalhe'> {
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
