import { BRASILIA_OFFSET_MS } from '../documento/dia.ts'
import type { TipoDocumento } from '../documento/documento.ts'
import type { Ambito, Uf } from '../documento/uf.ts'
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

/** Writes opening hours for people: `dias úteis, das 6h às 21h`. */
export const writeHorario = ({ dias, das, as }: Horario): string =>
  `${dias === 'uteis' ? 'dias úteis' : 'todos os dias'}, das ${das}h às ${as}h`

/**
 * Seconds until a portal opens. Undefined if it should be open now: holidays are not known, and hours may
 * have changed.
 */
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

/**
 * A question for a certificate. `inscricoes` are the taxpayer's registrations in the state, if they are
 * known.
 */
export type PerguntaCnd = Pergunta & { tipo: 'cpf' | 'cnpj'; inscricoes: readonly Inscricao[] | undefined }

/** The means with which a route asks. */
export type Meios = {
  http: Http
  /** The operator's certificate. */
  certificado: ClientCertificate | undefined
  /** The environment of the SEFAZ's web services. A portal has one environment only. */
  ambiente: 'producao' | 'homologacao'
  captcha: CaptchaSolver
  now: () => Date
  /** Milliseconds for the whole query. */
  deadlineMs: number
  /** Hears how the route came to its answer. */
  relato?: Relato
}

/** The reports of a route about its answer. */
export type Relato = {
  /** The words of its last page, as `normalize` gives them. They are made at the first use. */
  pagina: (words: () => string) => void
  /** The words of the certificate's paper. */
  papel: (words: () => string) => void
  /** The unknown labels of its page. */
  rotulos: (novos: readonly string[]) => void
  /** The fields whose labels stand with a registration. It is called for each. */
  campos: (campos: readonly (keyof Inscricao)[]) => void
}

/**
 * How sure we are of a state's file: it has a current source, an old one, memory, or nothing. A route that is
 * `desconhecido` is never asked, and the simulator does not play it (`families/desconhecida.ts`).
 */
export const certezas = ['verificado', 'antigo', 'memoria', 'desconhecido'] as const

export type Certeza = (typeof certezas)[number]

/** A part of a certificate's paper, by the field of the answer that it fills. */
export type ParteDaCertidao = 'protocolo' | 'emissao' | 'validade' | 'codigo_autenticacao'

/** What every good answer of a route holds. If an answer has less, the page changed: SourceError `parse`. */
export type Espera = {
  /**
   * Words that every page with registrations, or every paper, carries. They are compared as `normalize` gives
   * them.
   */
  marca: string
  /** The least number of visible characters. */
  minimo: number
  /** Fields of a registration that are never empty. `situacao_ie` is always one of them. */
  campos?: readonly (keyof Inscricao)[]
  /**
   * More fields whose labels every page shows, with or without a value. Where a label is missing, the
   * answer says that its field could not be read (`avisosDaLeitura`).
   */
  rotulos?: readonly (keyof Inscricao)[]
  /**
   * The name that the paper gives itself, if it was seen, as `normalize` gives it. Another certificate of the
   * same state decides nothing.
   */
  titulo?: RegExp
  /** Parts that every paper of the route has. If one is not read, the answer says so (`avisosDaLeitura`). */
  partes?: readonly ParteDaCertidao[]
  /** Words of the page that says that there are none. Left out if the state only sends a message. */
  vazia?: string
}

/** A way to ask a state, for registrations or for a certificate. */
export type Rota = {
  /** The name of its protocol, as in the folder `families/`. */
  familia: string
  /** The authority, as the log, the circuit breaker and the messages call it. */
  source: Source
  /** The address of its first request. */
  url: string
  aceita: readonly TipoDocumento[]
  captcha: Captcha
  /** The protocol takes a CPF, but the service probably refuses all of them. It is asked all the same. */
  recusaCpf?: true
  /** It answers only with the operator's certificate. */
  certificado?: true
  /** The shortest time between two queries, in milliseconds. The authority blocks faster clients. */
  paceMs?: number
  /** Every route that is asked has it: the types of the families require it. */
  espera?: Espera
  /** Its opening hours, if it closes and they are known. */
  horario?: Horario
  certeza: Certeza
  /**
   * Where its address and its flow were found, and when (AAAA-MM-DD, or AAAA-MM or AAAA if no more is known).
   */
  origem: string
  em: string
  /** A note for the operator, in Portuguese. */
  nota?: string
}

/** A way to ask a state for registrations. */
export type RotaIe = Rota & {
  /**
   * Gives the registrations of the document in this state, perhaps none. Throws SourceError, ApiError if the
   * state refuses the document, or RotaNaoAtende if this route does not take the question.
   */
  consultar: (pergunta: Pergunta, meios: Meios) => Promise<Inscricao[]>
}

/**
 * The debts that a state's certificate speaks of: those inscribed in its dívida ativa, the others, or
 * both.
 */
export const abrangencias = ['inscritos', 'nao-inscritos', 'ambos', 'desconhecido'] as const

/** A way to ask a state for a clearance certificate. */
export type RotaCnd = Rota & {
  /** How the state prints its certificates, if the usual labels do not fit. */
  layout?: LayoutCertidao
  /**
   * The debts that the certificate covers, and whence we know it. `resto` says in Portuguese who certifies
   * what it leaves out, if that is known.
   */
  abrange: { debitos: (typeof abrangencias)[number]; origem: string; resto?: string }
  /**
   * Who tells that somebody is no taxpayer of the state: the page itself, or the lookup of registrations. The
   * lookup is made first, because such a page certifies anybody.
   */
  naoContribuinte: 'pagina' | 'ie'
  /** Its certificates may come as HTML without a PDF. Then we add our own print (docs/decisions/0022). */
  emHtml?: true
  /** Gives the certificate, or what the state said in its place. Throws as RotaIe does. */
  consultar: (pergunta: PerguntaCnd, meios: Meios) => Promise<Certidao>
}

/** One state: a file of `estados/` that ends with `satisfies Estado`. */
export type Estado = {
  uf: Uf
  /**
   * A CNPJ that the simulator knows in this state. It has one active registration and a negative certificate.
   */
  exemplo: string
  /** In the order in which they are tried. */
  ie: readonly [RotaIe, ...RotaIe[]]
  /** In the order in which they are tried: the newest portal first. */
  cnd: readonly [RotaCnd, ...RotaCnd[]]
}

/** Says whether this service can ask a route with its settings, or why not. */
export const disponibilidades = [
  'disponivel',
  'desligada',
  'sem-certificado',
  'protocolo-desconhecido',
  'sem-solucao-de-captcha',
  'sem-contrato',
  'sem-conector',
  'sem-sessao',
] as const

export type Disponibilidade = (typeof disponibilidades)[number]

/** The settings of this service that decide it. */
export type Capacidade = {
  certificado: boolean
  captcha: Pick<CaptchaSolver, 'takes'>
}

/** The part of a route that decides it. */
type RotaPedida = Pick<Rota, 'certeza' | 'certificado' | 'captcha'>

/** Says whether a route can be asked, whatever the document. */
export function disponibilidadeOf(
  rota: RotaPedida,
  uf: Ambito,
  { certificado, captcha }: Capacidade,
): Disponibilidade {
  if (rota.certeza === 'desconhecido') return 'protocolo-desconhecido'
  if (rota.certificado && !certificado) return 'sem-certificado'
  if (asksAlways(rota) && !solvesCaptcha(rota, uf, captcha)) return 'sem-solucao-de-captcha'
  return 'disponivel'
}

/** Tells the client that the protocol of a route is unknown. */
export const semProtocolo = ({ source, url }: Pick<Rota, 'source' | 'url'>): string =>
  `${source.nome} não publica como se consulta por programa, e o que se sabe dela não basta. Consulte na página dela (${url}).`

/** Whether every query to a route meets a captcha. */
export const asksAlways = ({ captcha }: Pick<RotaPedida, 'captcha'>): boolean =>
  captcha !== 'nenhum' && captcha.quando === 'sempre'

/**
 * Whether this service can solve the captcha of a route, or the route has none. A proof of work needs no
 * solver.
 */
export const solvesCaptcha = (
  { captcha }: Pick<RotaPedida, 'captcha'>,
  uf: Ambito,
  solver: Capacidade['captcha'],
): boolean => captcha === 'nenhum' || captcha.tipo === 'altcha' || solver.takes(uf, captcha.tipo)
