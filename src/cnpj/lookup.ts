import type { Got, PorChamada } from '../platform/cache/cache.ts'
import { ApiError } from '../platform/errors.ts'
import { tabelasSemBase, toEmpresa } from './ao-vivo.ts'
import type { RegistroCnpj } from './base/registro.ts'
import type { CnpjBase } from './base/versao.ts'
import type { CnpjRoom } from './cnpj.ts'
import { askCnpj, type CadastroAoVivo, fonteCnpj } from './source.ts'

/**
 * The CNPJ base that answers now. Throws SITE_INDISPONIVEL if there is none, and in live mode if it is the
 * fictitious sample, so that nobody takes it for the real registry.
 */
export function readBase({ base, config }: CnpjRoom): CnpjBase {
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
export function findBase({ base, config }: CnpjRoom): CnpjBase | undefined {
  const current = base.current()
  return current && !isRefused(current, config) ? current : undefined
}

const isRefused = ({ manifesto }: CnpjBase, { AUTHORITIES }: CnpjRoom['config']): boolean =>
  manifesto.amostra && AUTHORITIES === 'live'

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
  room: CnpjRoom,
  cnpj: string,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<EmpresaAchada | undefined> {
  const kept = await room.sealed.find<Kept>(keyOf(cnpj), maxAgeMs)
  return kept && achada(room, kept, true)
}

/**
 * Asks the Receita Federal for a company, or finds what it said within the hour. Throws SITE_INDISPONIVEL
 * without a contract, CNPJ_NAO_ENCONTRADO, or SourceError.
 */
export async function findAoVivo(
  room: CnpjRoom,
  cnpj: string,
  { request_id, maxAgeMs }: PorChamada,
): Promise<EmpresaAchada> {
  const { now, config, sealed, contrato, guard } = room
  if (!contrato)
    throw new ApiError(
      'SITE_INDISPONIVEL',
      'Este servidor não tem contrato para consultar a Receita Federal ao vivo. Consulte sem force_fresh. Operador: defina SERPRO_KEY e SERPRO_SECRET. Nada foi cobrado.',
      { retryS: null },
    )
  // Nobody is kept as long: the Receita Federal's gateway bills that answer too.
  const entry = { key: keyOf(cnpj), ttlMs: HOUR_MS, loadMs: config.CNPJ_SECONDS * 1000, maxAgeMs }
  const got = await sealed.through<Kept>(entry, async (deadlineMs) => {
    const cadastro = await askCnpj(cnpj, { contrato, guard, now, request_id, deadlineMs })
    return cadastro ?? null
  })
  return achada(room, got, got.cached)
}

function achada(room: CnpjRoom, { value, since }: Got<Kept>, cached: boolean): EmpresaAchada {
  if (!value)
    throw new ApiError(
      'CNPJ_NAO_ENCONTRADO',
      'A Receita Federal não tem registro deste CNPJ. Nada foi cobrado.',
    )
  const tabelas = findBase(room)?.tabelas ?? tabelasSemBase()
  const { result, avisos } = toEmpresa(value, tabelas, room.config.CNPJ_MASK_CPF)
  return { result, cached, fonte: fonteCnpj.source.id, consultado_em: since, avisos }
}
