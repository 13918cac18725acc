import { type Uf, ufs } from '../documento/uf.ts'

/** The documents whose authorizers are watched: NF-e (model 55), NFC-e (65) and CT-e (57). */
export const docs = ['nfe', 'nfce', 'cte'] as const

export type Doc = (typeof docs)[number]

/** What people call the documents. */
export const nomeDoDoc = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
} as const satisfies Record<Doc, string>

/**
 * Who runs a data centre. What falls there falls together: SEFAZ RS runs its own authorizers and SVRS, SEFAZ
 * SP also SVSP, and SERPRO runs SVAN.
 */
export type Casa = 'AM' | 'BA' | 'GO' | 'MG' | 'MS' | 'MT' | 'PE' | 'PR' | 'RS' | 'SP' | 'SERPRO'

/** Who runs a data centre, in words. */
export const nomeDaCasa = (casa: Casa): string => (casa === 'SERPRO' ? casa : `SEFAZ ${casa}`)

/** A physical endpoint that answers for one or more states. */
export type Autorizador = {
  /** `nfe-svrs`: also what the database calls it, so never rename it. */
  id: string
  doc: Doc
  /** As the authorities write it: `SVRS`, `SEFAZ AM`. */
  nome: string
  casa: Casa
  /** The states that it serves in normal times, in alphabetical order. The probe names the first. */
  ufs: readonly Uf[]
}

const SVRS_NFE = 'AC AL AP CE DF ES PA PB PI RJ RN RO RR SC SE TO'

/**
 * The physical endpoints of the three documents (12, 9 and 6) and their states. Origin: the national portals'
 * lists of web services, as three public clients carry them in 2026, which agree.
 */
const linhas: readonly [doc: Doc, sigla: string, casa: Casa, ufs?: string][] = [
  ['nfe', 'AM', 'AM'],
  ['nfe', 'BA', 'BA'],
  ['nfe', 'GO', 'GO'],
  ['nfe', 'MG', 'MG'],
  ['nfe', 'MS', 'MS'],
  ['nfe', 'MT', 'MT'],
  ['nfe', 'PE', 'PE'],
  ['nfe', 'PR', 'PR'],
  ['nfe', 'RS', 'RS'],
  ['nfe', 'SP', 'SP'],
  ['nfe', 'SVAN', 'SERPRO', 'MA'],
  ['nfe', 'SVRS', 'RS', SVRS_NFE],
  ['nfce', 'AM', 'AM'],
  ['nfce', 'GO', 'GO'],
  ['nfce', 'MG', 'MG'],
  ['nfce', 'MS', 'MS'],
  ['nfce', 'MT', 'MT'],
  ['nfce', 'PR', 'PR'],
  ['nfce', 'RS', 'RS'],
  ['nfce', 'SP', 'SP'],
  ['nfce', 'SVRS', 'RS', `${SVRS_NFE} BA MA PE`],
  ['cte', 'MG', 'MG'],
  ['cte', 'MS', 'MS'],
  ['cte', 'MT', 'MT'],
  ['cte', 'PR', 'PR'],
  // One address serves both: SEFAZ RS has no other for the CT-e.
  ['cte', 'SVRS', 'RS', 'AC AL AM BA CE DF ES GO MA PA PB PI RJ RN RO RS SC SE TO'],
  // As above, for SEFAZ SP.
  ['cte', 'SVSP', 'SP', 'AP PE RR SP'],
]

export const autorizadores: readonly Autorizador[] = linhas.map(([doc, sigla, casa, served = sigla]) => ({
  id: `${doc}-${sigla.toLowerCase()}`,
  doc,
  nome: sigla.length === 2 ? `SEFAZ ${sigla}` : sigla,
  casa,
  ufs: ufs.filter((uf) => served.split(' ').includes(uf)),
}))

const porId: ReadonlyMap<string, Autorizador> = new Map(autorizadores.map((one) => [one.id, one]))

/** The authorizer of an id. Undefined for one that a table still names and that is not there any more. */
export const autorizadorPorId = (id: string): Autorizador | undefined => porId.get(id)

/** The authorizer of each state for a document. */
export const autorizadorDe = (doc: Doc, uf: Uf): Autorizador => porEstado[doc].get(uf) ?? unserved(doc, uf)

const porEstado = {
  nfe: servedBy('nfe'),
  nfce: servedBy('nfce'),
  cte: servedBy('cte'),
} as const satisfies Record<Doc, ReadonlyMap<Uf, Autorizador>>

function servedBy(doc: Doc): ReadonlyMap<Uf, Autorizador> {
  const own = autorizadores.filter((one) => one.doc === doc)
  return new Map(own.flatMap((one) => one.ufs.map((uf) => [uf, one] as const)))
}

function unserved(doc: Doc, uf: Uf): never {
  throw new Error(`no authorizer of ${doc} serves ${uf}`)
}
