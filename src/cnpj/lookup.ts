import type { Contrato } from '../federal/contrato.ts'
import type { PorChamada, Recursos } from '../inscricao/recursos.ts'
import type { Got } from '../platform/cache/cache.ts'
import type { SealedCache } from '../platform/cache/sealed.ts'
import { ApiError } from '../platform/errors.ts'
import type { RegistroCnpj } from './base/registro.ts'
import { findBase, type RecursosCnpj } from './cnpj.ts'
import { askCnpj } from './consulta.ts'
import { fonteCnpj } from './fonte.ts'
import { tabelasSemBase } from './sem-base.ts'
import type { CadastroAoVivo } from './source.ts'
import { toEmpresa } from './source-tabelas.ts'

/** What a live lookup needs of the service. The Context has all of it. */
type RecursosAoVivo = {
  now: () => Date
  config: RecursosCnpj['config'] & {
    /** Seconds that the Receita Federal may take. */
    CNPJ_SECONDS: number
    CNPJ_MASK_CPF: boolean
  }
  store: RecursosCnpj['store'] & { sealed: SealedCache }
  sources: Pick<Recursos['sources'], 'guard'> & { contrato: Contrato | undefined }
}

/** A company, with the source and the instant of the answer. The monthly base has neither. */
export type EmpresaAchada = {
  result: RegistroCnpj['result']
  cached: boolean
  fonte: string
  consultado_em: string
  avisos: string[]
}

/** The answer is kept as the register told it, so that a later base gives its words. Null is nobody. */
type Kept = CadastroAoVivo | null

const HOUR_MS = 60 * 60 * 1000

/** Version 1 kept an answer without partners as one that has none. */
const keyOf = (cnpj: string): string => `cnpj/2:${cnpj}`

/** A company that was asked for live within the hour. Throws CNPJ_NAO_ENCONTRADO where nobody was found. */
export async function findAoVivoCached(
  recursos: RecursosAoVivo,
  cnpj: string,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<EmpresaAchada | undefined> {
  const kept = await recursos.store.sealed.find<Kept>(keyOf(cnpj), maxAgeMs)
  return kept && achada(recursos, kept, true)
}

/**
 * Asks the Receita Federal for a company, or finds what it said within the hour. Throws SITE_INDISPONIVEL
 * without a contract, CNPJ_NAO_ENCONTRADO, or SourceError.
 */
export async function findAoVivo(
  recursos: RecursosAoVivo,
  cnpj: string,
  { request_id, maxAgeMs }: PorChamada,
): Promise<EmpresaAchada> {
  const { now, config, store, sources } = recursos
  const { contrato, guard } = sources
  if (!contrato)
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'Este servidor não tem contrato para consultar a Receita Federal ao vivo. Consulte sem force_fresh. Operador: defina SERPRO_KEY e SERPRO_SECRET. Nada foi cobrado.',
      { retryS: null },
    )
  // Nobody is kept as long: the Receita Federal's gateway bills that answer too.
  const entry = { key: keyOf(cnpj), ttlMs: HOUR_MS, loadMs: config.CNPJ_SECONDS * 1000, maxAgeMs }
  const got = await store.sealed.through<Kept>(entry, async (deadlineMs) => {
    const cadastro = await askCnpj(cnpj, { contrato, guard, now, request_id, deadlineMs })
    return cadastro ?? null
  })
  return achada(recursos, got, got.cached)
}

function achada(recursos: RecursosAoVivo, { value, since }: Got<Kept>, cached: boolean): EmpresaAchada {
  if (!value)
    throw new ApiError(
      'CNPJ_NAO_ENCONTRADO',
      'A Receita Federal não tem registro deste CNPJ. Nada foi cobrado.',
    )
  const tabelas = findBase(recursos)?.tabelas ?? tabelasSemBase()
  const { result, avisos } = toEmpresa(value, tabelas, recursos.config.CNPJ_MASK_CPF)
  return { result, cached, fonte: fonteCnpj.source.id, consultado_em: since, avisos }
}
