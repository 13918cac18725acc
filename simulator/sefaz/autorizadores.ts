import { ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'

export type Doc = 'nfe' | 'nfce' | 'cte'

export type CasaSefaz = 'AM' | 'BA' | 'GO' | 'MG' | 'MS' | 'MT' | 'PE' | 'PR' | 'RS' | 'SP' | 'SERPRO'

/** A physical authorizer, by the states that it serves and those whose contingency (SVC) it is. */
export type Autorizador = {
  id: string
  doc: Doc
  sigla: string
  casa: CasaSefaz
  ufs: readonly Uf[]
  contingencia: readonly Uf[]
}

const SVRS_NFE = 'AC AL AP CE DF ES PA PB PI RJ RN RO RR SC SE TO'
const SVC_RS_NFE = 'AM BA GO MA MS MT PE PR'
const SVC_RS_CTE = 'AP MS MT PE RR SP'
const SVRS_CTE = 'AC AL AM BA CE DF ES GO MA PA PB PI RJ RN RO RS SC SE TO'

/** An authorizer of its own state alone. */
const proprio =
  (doc: Doc) =>
  (uf: CasaSefaz): [Doc, string, CasaSefaz] => [doc, uf, uf]

/** Document, name, data centre, and the two lists of states where they are not the name's own state. */
const linhas: readonly [doc: Doc, sigla: string, casa: CasaSefaz, ufs?: string, svc?: string][] = [
  ...(['AM', 'BA', 'GO', 'MG', 'MS', 'MT', 'PE', 'PR', 'RS', 'SP'] as const).map(proprio('nfe')),
  // SVAN and SVC-AN have been one service since 2025-02-11.
  ['nfe', 'SVAN', 'SERPRO', 'MA', `${SVRS_NFE} MG RS SP`],
  ['nfe', 'SVRS', 'RS', SVRS_NFE, SVC_RS_NFE],
  ...(['AM', 'GO', 'MG', 'MS', 'MT', 'PR', 'RS', 'SP'] as const).map(proprio('nfce')),
  ['nfce', 'SVRS', 'RS', `${SVRS_NFE} BA MA PE`],
  ...(['MG', 'MS', 'MT', 'PR'] as const).map(proprio('cte')),
  ['cte', 'SVRS', 'RS', SVRS_CTE, SVC_RS_CTE],
  ['cte', 'SVSP', 'SP', 'AP PE RR SP', `${SVRS_CTE} MG PR`],
]

const estados = (texto: string): Uf[] => ufs.filter((uf) => texto.split(' ').includes(uf))

/** 12 of the NF-e, 9 of the NFC-e, 6 of the CT-e (lists of the national portals, 2026). */
export const autorizadores: readonly Autorizador[] = linhas.map(
  ([doc, sigla, casa, ufs = sigla, svc = '']) => ({
    id: `${doc}-${sigla.toLowerCase()}`,
    doc,
    sigla,
    casa,
    ufs: estados(ufs),
    contingencia: estados(svc),
  }),
)

/** The authorizer behind an id: SEFAZ GO answers for both of its documents at one address. */
export const fisico = (id: string): string => (id === 'nfce-go' ? 'nfe-go' : id)
