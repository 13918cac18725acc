import type { Uf } from '../documento/uf.ts'
import type { Doc } from './rules.ts'

/** A virtual authorizer of contingency, and the authorizer (by id) whose address it has. */
export type Svc = { nome: 'SVC-AN' | 'SVC-RS' | 'SVC-SP'; autorizador: string }

const svcs = {
  /** SVAN and SVC-AN have been one service since 2025-02-11. */
  nfeAn: { nome: 'SVC-AN', autorizador: 'nfe-svan' },
  nfeRs: { nome: 'SVC-RS', autorizador: 'nfe-svrs' },
  cteSp: { nome: 'SVC-SP', autorizador: 'cte-svsp' },
  cteRs: { nome: 'SVC-RS', autorizador: 'cte-svrs' },
} as const satisfies Record<string, Svc>

/** The states whose contingency is SVC-RS. All others have SVC-AN for the NF-e, and SVC-SP for the CT-e. */
const comSvcRs: Readonly<Record<'nfe' | 'cte', ReadonlySet<Uf>>> = {
  nfe: new Set(['AM', 'BA', 'GO', 'MA', 'MS', 'MT', 'PE', 'PR']),
  cte: new Set(['AP', 'MS', 'MT', 'PE', 'RR', 'SP']),
}

/**
 * The contingency that is a state's own, whether it is activated or not; undefined for the NFC-e, which is
 * issued offline instead (MOC 7.0, Anexo III: model 65 has no SVC).
 */
export function svcDe(doc: Doc, uf: Uf): Svc | undefined {
  if (doc === 'nfce') return undefined
  const isRs = comSvcRs[doc].has(uf)
  if (doc === 'nfe') return isRs ? svcs.nfeRs : svcs.nfeAn
  return isRs ? svcs.cteRs : svcs.cteSp
}
