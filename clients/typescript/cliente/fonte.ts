import { classesDaFonte } from '../gerado/erros.ts'
import type { SituacaoDaFonte } from '../openapi.d.ts'
import { ErroDaFonte, type FalhaNaFonte } from './erros.ts'

/** Uma resposta, ou a parte de um estado, que diz como foi a fonte. */
export type ComFonte = { source_status: SituacaoDaFonte; uf?: string }

/** A mesma resposta, depois que a fonte respondeu: `result` não é null. */
export type ComResultado<R> = { [K in keyof R]: K extends 'result' ? NonNullable<R[K]> : R[K] }

/**
 * A própria resposta, se a fonte respondeu. Lança um `ErroDaFonte`, da classe do código, se `source_status`
 * diz que não; a certidão recusada (`result.status` erro, com sucesso na fonte) não é uma falha dela.
 */
export function exigirFonte<R extends ComFonte>(resposta: R): ComResultado<R> {
  const falha = erroDaFonte(resposta)
  if (falha) throw falha
  return resposta as ComResultado<R>
}

/** The failure that `source_status` tells, if it tells one. */
export function erroDaFonte(
  { source_status, uf }: ComFonte,
  recibo?: FalhaNaFonte['recibo'],
): ErroDaFonte | undefined {
  if (source_status.status === 'success') return undefined
  const classes: Readonly<Record<string, typeof ErroDaFonte>> = classesDaFonte
  const Classe = classes[source_status.error_code] ?? ErroDaFonte
  return new Classe({ source_status, uf, recibo })
}

/** Whether an answer, of which nothing is known, has a `source_status` of its own. */
export const temFonte = (corpo: unknown): corpo is ComFonte =>
  typeof corpo === 'object' &&
  corpo !== null &&
  'source_status' in corpo &&
  typeof corpo.source_status === 'object' &&
  corpo.source_status !== null &&
  'status' in corpo.source_status
