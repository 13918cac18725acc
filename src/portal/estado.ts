import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { ClientCertificate } from '../platform/wire/dial.ts'
import type { Source } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import type { Captcha, CaptchaSolver } from './captcha.ts'
import type { LayoutCertidao } from './certidao-campos.ts'
import type { Certidao } from './rules-certidao.ts'
import type { Inscricao } from './rules-inscricao.ts'

/** When a portal answers: on these days, from one full hour to another, in Brasília time. */
export type Horario = { dias: 'uteis' | 'todos'; das: number; as: number }

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export const writeHorario = ({ dias, das, as }: Horario): string =>
  `${dias === 'uteis' ? 'dias úteis' : 'todos os dias'}, das ${das}h às ${as}h`

/** Undefined if it should be open now: holidays are not known, and hours may have changed. */
export function opensInS({ dias, das, as }: Horario, now: Date): number | undefined {
  const local = now.getTime() + BRASILIA_OFFSET_MS
  const isOpenDay = (day: number): boolean =>
    dias === 'todos' || ![SUNDAY, SATURDAY].includes(new Date(day).getUTCDay())
  const today = Math.floor(local / DAY_MS) * DAY_MS
  if (isOpenDay(today) && local >= today + das * HOUR_MS && local < today + as * HOUR_MS) return undefined
  let day = today
  while (!isOpenDay(day) || day + das * HOUR_MS <= local) day += DAY_MS
  return Math.ceil((day + das * HOUR_MS - local) / 1000)
}

const [SUNDAY, SATURDAY] = [0, 6]

/** A question to a state. The document is valid; an `ie` has the form that `normalizeInscricao` gives. */
export type Pergunta = { tipo: TipoDocumento; documento: string }

/** `inscricoes` are the taxpayer's registrations in the state, if they are known. */
export type PerguntaCnd = Pergunta & { tipo: 'cpf' | 'cnpj'; inscricoes: readonly Inscricao[] | undefined }

/** The means with which a route asks. */
export type Meios = {
  http: Http
  certificado: ClientCertificate | undefined
  /** The environment of the SEFAZ's web services. A portal has one environment only. */
  ambiente: 'producao' | 'homologacao'
  captcha: CaptchaSolver
  now: () => Date
  /** Milliseconds for the whole query. */
  deadlineMs: number
  relato?: Relato
}

/** The reports of a route about its answer. */
export type Relato = {
  /** The words of its last page, as `normalize` gives them. They are made at the first use. */
  pagina: (words: () => string) => void
  papel: (words: () => string) => void
  rotulos: (novos: readonly string[]) => void
  /** The fields whose labels stand with a registration. It is called for each. */
  campos: (campos: readonly (keyof Inscricao)[]) => void
}

/** By a current source, an old one, memory, or nothing: a `desconhecido` route is never asked. */
export const certezas = ['verificado', 'antigo', 'memoria', 'desconhecido'] as const

export type Certeza = (typeof certezas)[number]

export type ParteDaCertidao = 'protocolo' | 'emissao' | 'validade' | 'codigo_autenticacao'

/** What every good answer of a route holds. If an answer has less, the page changed: SourceError `parse`. */
export type Espera = {
  /** Words that every good page or paper carries, as `normalize` gives them. */
  marca: string
  /** The least number of visible characters. */
  minimo: number
  /** Fields of a registration that are never empty. `situacao_ie` is always one of them. */
  campos?: readonly (keyof Inscricao)[]
  /** More fields whose labels every page shows. Where one is missing, `avisos` names its field. */
  rotulos?: readonly (keyof Inscricao)[]
  /** The name that the paper gives itself, if it was seen, as `normalize` gives it. */
  titulo?: RegExp
  /** Parts that every paper has. Where one is not read, `avisos` says so. */
  partes?: readonly ParteDaCertidao[]
  /** Words of the page that says that there are none. Left out if the state only sends a message. */
  vazia?: string
}

/** A way to ask a state, for registrations or for a certificate. */
export type Rota = {
  /** The name of its protocol (`rota` on the wire). */
  familia: string
  source: Source
  url: string
  aceita: readonly TipoDocumento[]
  captcha: Captcha
  /** The protocol takes a CPF, but the service probably refuses all of them. It is asked all the same. */
  refusesCpf?: true
  certificado?: true
  /** The shortest time between two queries, in milliseconds. The authority blocks faster clients. */
  paceMs?: number
  espera?: Espera
  horario?: Horario
  certeza: Certeza
  /** Where its address and its flow were found, and when (AAAA-MM-DD, or less if no more is known). */
  origem: string
  em: string
  /** A note for the operator, in Portuguese. */
  nota?: string
}

export type RotaIe = Rota & {
  /** Throws SourceError, ApiError if the state refuses the document, or RotaNaoAtende. */
  ask: (pergunta: Pergunta, meios: Meios) => Promise<Inscricao[]>
}

/** Those inscribed in the state's dívida ativa, the others, or both. */
export const abrangencias = ['inscritos', 'nao-inscritos', 'ambos', 'desconhecido'] as const

/** A way to ask a state for a clearance certificate. */
export type RotaCnd = Rota & {
  layout?: LayoutCertidao
  /** `resto` says in Portuguese who certifies what it leaves out, if that is known. */
  abrange: { debitos: (typeof abrangencias)[number]; origem: string; resto?: string }
  /** Who tells that somebody is no taxpayer. The lookup comes first where the page certifies anybody. */
  naoContribuinte: 'pagina' | 'ie'
  /** Its certificates may come as HTML without a PDF. Then we add our own print (docs/decisions/0022). */
  emHtml?: true
  ask: (pergunta: PerguntaCnd, meios: Meios) => Promise<Certidao>
}

/** One state: a file of `estados/` that ends with `satisfies Estado`. */
export type Estado = {
  uf: Uf
  /** A CNPJ that the simulator knows here, with one active registration and a negative certificate. */
  exemplo: string
  /** In the order in which they are tried. */
  ie: readonly [RotaIe, ...RotaIe[]]
  /** In the order in which they are tried: the newest portal first. */
  cnd: readonly [RotaCnd, ...RotaCnd[]]
}
