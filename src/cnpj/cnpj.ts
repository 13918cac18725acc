import { ApiError } from '../platform/errors.ts'
import type { BaseAtiva } from './base/ativa.ts'
import type { CnpjBase } from './base/versao.ts'

/** What a lookup in the CNPJ base needs of the service. The Context has all of it. */
export type RecursosCnpj = {
  store: { base: Pick<BaseAtiva, 'current'> }
  config: { AUTHORITIES: 'live' | 'simulator' }
}

/**
 * The CNPJ base that answers now. Throws SITE_INDISPONIVEL if there is none, and in live mode if it is the
 * fictitious sample, so that nobody takes it for the real registry.
 */
export function readBase({ store: { base }, config }: RecursosCnpj): CnpjBase {
  const current = base.current()
  if (current === undefined) {
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'A base CNPJ ainda não foi importada neste servidor. Operador: execute "fiscal cnpj baixar" e "fiscal cnpj importar".',
      { retryS: null },
    )
  }
  if (isRefused(current, config)) {
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'Este servidor só tem uma base de amostra, que não é a nacional e não responde em produção. Operador: importe a base da Receita Federal.',
      { retryS: null },
    )
  }
  return current
}

/** As `readBase`, but undefined where that throws: for what is only completed from the base. */
export function findBase({ store: { base }, config }: RecursosCnpj): CnpjBase | undefined {
  const current = base.current()
  return current && !isRefused(current, config) ? current : undefined
}

const isRefused = ({ manifesto }: CnpjBase, { AUTHORITIES }: RecursosCnpj['config']): boolean =>
  manifesto.amostra && AUTHORITIES === 'live'
