import { type Uf, ufs } from '../documento/uf.ts'
import type { FalhaDaFonte } from '../platform/wire/leituras.ts'

/** The documents whose authorizers are watched: NF-e (model 55), NFC-e (65) and CT-e (57). */
export const docs = ['nfe', 'nfce', 'cte'] as const

export type Doc = (typeof docs)[number]

export const nomeDoDoc = { nfe: 'NF-e', nfce: 'NFC-e', cte: 'CT-e' } as const satisfies Record<Doc, string>

/** What falls there falls together: SEFAZ RS runs SVRS too, SEFAZ SP also SVSP, and SERPRO runs SVAN. */
export type Casa = 'AM' | 'BA' | 'GO' | 'MG' | 'MS' | 'MT' | 'PE' | 'PR' | 'RS' | 'SP' | 'SERPRO'

export const nameOfCasa = (casa: Casa): string => (casa === 'SERPRO' ? casa : `SEFAZ ${casa}`)

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

/** Origin: the national portals' lists of web services, as three public clients carry them in 2026. */
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
export const autorizadorById = (id: string): Autorizador | undefined => porId.get(id)

export const autorizadorOf = (doc: Doc, uf: Uf): Autorizador => porEstado[doc].get(uf) ?? unserved(doc, uf)

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

/** Undefined for the NFC-e, which is issued offline instead (MOC 7.0, Anexo III: model 65 has no SVC). */
export function svcOf(doc: Doc, uf: Uf): Svc | undefined {
  if (doc === 'nfce') return undefined
  const isRs = comSvcRs[doc].has(uf)
  if (doc === 'nfe') return isRs ? svcs.nfeRs : svcs.nfeAn
  return isRs ? svcs.cteRs : svcs.cteSp
}

/** `respostaMs` is from the request to the whole answer; the others are null on a reused connection. */
export type LeituraSefaz = {
  autorizador: string
  /** When the round began, in milliseconds since 1970: the same for all readings of a round. */
  em: number
  resultado: Resultado
  conexaoMs: number | null
  tlsMs: number | null
  respostaMs: number | null
  /** What the authority answered, if it did: 107 is the service in operation. */
  cStat: number | null
  /** Why it is an error, in Portuguese; empty for an answer. */
  motivo: string
  /** Whether a call of ours failed meanwhile. Null where the authority said otherwise, or nobody called. */
  desmentida: boolean | null
}

/** `disponivel` and `indisponivel` come from the public pages, which tell no time. */
export type Resultado = 'resposta' | 'disponivel' | 'indisponivel' | 'erro' | 'timeout'

export const isFalha = ({ resultado }: Pick<LeituraSefaz, 'resultado'>): boolean =>
  resultado !== 'resposta' && resultado !== 'disponivel'

/** Below it a code tells how the service stands; from it on the question itself is refused. */
const PRIMEIRA_RECUSA = 200
/** An error that the authority has no code for: its own failure. */
const NAO_CATALOGADO = 999

/** A refusal of our question says nothing of its service to others (MOC 7.0, Anexo I, table of codes). */
export const isRecusada = ({ cStat }: Pick<LeituraSefaz, 'cStat'>): boolean =>
  cStat !== null && cStat >= PRIMEIRA_RECUSA && cStat !== NAO_CATALOGADO

/** The classes of a state (specification, "SEFAZ status codes"). */
export const classes = ['Indisponível', 'Normal', 'Lento', 'Muito lento', 'Erro', 'Timeout'] as const

/** What people read of a class. */
export const nomesDasClasses = { ...classes, 5: 'Não respondeu' } as const

export type StatusCode = 0 | 1 | 2 | 3 | 4 | 5

/** How a state stands for a document. `status_avg` is in seconds with two decimals, 0 without a time. */
export type Situacao = { status_code: StatusCode; status: (typeof classes)[number]; status_avg: number }

/** The rounds whose readings count: a reading older than this many intervals is none. */
export const RODADAS = 3

/** The first second of each class after `Normal`. From `LIMITE_S` on nobody waits for the answer. */
const LENTO_S = 2
const MUITO_LENTO_S = 6
export const LIMITE_S = 30

/** The newest reading decides where it is a failure; else the mean is rounded (decisions, "SEFAZ status"). */
export function classify(leituras: readonly LeituraSefaz[]): Situacao {
  const [ultima] = leituras
  if (!ultima) return situacao(0, 0)
  if (isFalha(ultima)) return situacao(ultima.resultado === 'timeout' ? 5 : 4, 0)
  // A public page tells no time, and those of before it are no word of now.
  if (ultima.resultado === 'disponivel') return situacao(1, 0)
  const times = leituras.flatMap(({ resultado, respostaMs }) =>
    resultado === 'resposta' && respostaMs !== null ? [respostaMs] : [],
  )
  if (times.length === 0) return situacao(1, 0)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const seconds = Math.round(mean / 10) / 100
  return situacao(classOf(seconds), seconds)
}

function classOf(seconds: number): StatusCode {
  if (seconds < LENTO_S) return 1
  return seconds < MUITO_LENTO_S ? 2 : 3
}

const situacao = (status_code: StatusCode, status_avg: number): Situacao => ({
  status_code,
  status: classes[status_code],
  status_avg,
})

/** What our own calls to the services of an authorizer's states came to in a while. */
export type ChamadasProprias = { boas: number; falhas: readonly Pick<FalhaDaFonte, 'tipo' | 'codigo'>[] }

export function checkPalavra(leitura: LeituraSefaz, chamadas: ChamadasProprias | undefined): LeituraSefaz {
  if (isFalha(leitura) || !chamadas) return leitura
  if (chamadas.falhas.some(isDaAutoridade)) return { ...leitura, desmentida: true }
  return chamadas.boas > 0 ? { ...leitura, desmentida: false } : leitura
}

/** A code of OpenSSL tells that TLS refused us. */
function isDaAutoridade({ tipo, codigo }: Pick<FalhaDaFonte, 'tipo' | 'codigo'>): boolean {
  if (tipo === 'timeout') return true
  if (tipo === 'network') return !codigo.startsWith('ERR_')
  return tipo === 'http' && /^(?:HTTP 5\d\d|cStat (?:108|109|999))$/.test(codigo)
}

/** What an SVC last answered about a state (cStat 107, 113, 114), and when. */
export type Ativacao = { estado: 'ativada' | 'encerrando' | 'desativada'; em: number }

/** `ativacao` is undefined where nobody has asked. */
export type Conselho = {
  acao: 'emitir' | 'esperar' | 'contingencia-svc' | 'contingencia-offline'
  svc: Svc['nome'] | undefined
  ativacao: Ativacao | undefined
  texto: string
}

/** What is known when the advice is given: the authorizers (by id) of which an incident is open. */
export type Sabido = { fora: ReadonlySet<string>; ativacaoDe: (doc: Doc, uf: Uf) => Ativacao | undefined }

/** Advises by what is known now (MOC 7.0, Anexo III: SVC for NF-e and CT-e, offline issue for the NFC-e). */
export function advise(doc: Doc, uf: Uf, { fora, ativacaoDe }: Sabido): Conselho {
  const svc = svcOf(doc, uf)
  const ativacao = svc && ativacaoDe(doc, uf)
  const say = (acao: Conselho['acao'], texto: string): Conselho => ({ acao, svc: svc?.nome, ativacao, texto })
  if (!fora.has(autorizadorOf(doc, uf).id)) return say('emitir', 'Emita normalmente.')
  if (!svc)
    return say(
      'contingencia-offline',
      'Emita em contingência offline e transmita quando o autorizador voltar: a NFC-e não tem SVC.',
    )
  if (fora.has(svc.autorizador))
    return say('esperar', `A contingência deste estado é a ${svc.nome}, que também não responde: aguarde.`)
  const { nome } = svc
  switch (ativacao?.estado) {
    case 'ativada':
      return say('contingencia-svc', `Emita pela ${nome}, que este estado ativou.`)
    case 'encerrando':
      return say(
        'contingencia-svc',
        `A ${nome} está ativada e será desativada em breve: confira antes de emitir por ela.`,
      )
    case 'desativada':
      return say(
        'esperar',
        `A contingência deste estado é a ${nome}, que responde, mas o estado não a ativou: aguarde.`,
      )
    case undefined:
      return say(
        'esperar',
        `A contingência deste estado é a ${nome}, que responde; ainda não se sabe se o estado a ativou.`,
      )
  }
}

/** Between the first failure and the third, which opens an incident. */
const TENTE =
  'A última leitura falhou: tente emitir. Se três seguidas falharem, abre-se um incidente, com o que fazer.'

/** Nobody knows: to say that all is well would be a guess. */
const NAO_SE_SABE =
  'Não há leitura de agora, e não se sabe se este autorizador responde. Tente emitir; se falhar, confira na SEFAZ antes de entrar em contingência.'

export function tellConselho(
  { acao, texto }: Conselho,
  { status_code }: Pick<Situacao, 'status_code'>,
): string {
  if (acao !== 'emitir') return texto
  if (status_code === 0) return NAO_SE_SABE
  return status_code >= 4 ? TENTE : texto
}
