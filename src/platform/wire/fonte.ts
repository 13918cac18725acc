/**
 * Whom a request is sent to: `id` stands in logs and circuit breakers (`SP/ie`), `nome` in what clients read.
 */
export type Source = { id: string; nome: string }

/** The name inside of a sentence: `a SEFAZ-SP`. */
export const nomeNaFrase = ({ nome }: Pick<Source, 'nome'>): string =>
  nome.replace(/^[AO] /, (article) => article.toLowerCase())

/**
 * What became of a captcha that was not solved. The failure is the operator's to mend, not the authority's.
 */
export type CodigoDoCaptcha =
  /** Nobody solves captchas here, or not for this state. */
  | 'captcha'
  /** The operator's service did not solve it. */
  | 'captcha-sem-resposta'
  /** The answer was too old to be sent. */
  | 'captcha-vencido'

/**
 * Why a source failed, where the kind of the failure does not tell. The log has it, and
 * `ultimo_erro.codigo` of `/api/v1/fontes`.
 */
export type CodigoDaFalha =
  // Not sent, by our own limits.
  /** The source failed several times in a row, so it rests. */
  | 'circuito-aberto'
  /** Too many queries wait for the source. */
  | 'fila'
  // Turned away.
  /** A firewall's page. */
  | 'waf'
  /** Cloudflare wants to see a browser. */
  | 'cloudflare'
  /** The page takes us for a robot. */
  | 'automatizada'
  /** The page says that it blocks us, in words of no known firewall. */
  | 'bloqueado'
  /** A captcha came up that the page does not always have. */
  | 'captcha'
  /** The page refused the answer to its captcha. A new visit may pass. */
  | 'captcha-errado'
  /** Outside its hours. */
  | 'fechado'
  /** TLS refused the client's certificate; OpenSSL's name of the refusal. */
  | `ERR_${string}`
  /** The authority refuses the operator's key of the contract. */
  | 'credencial'
  /** The operator's contract does not have the product. */
  | 'sem-produto'
  // Out of order.
  | 'indisponivel'
  | 'sessao-expirada'
  /** The site's own page of errors (CCC). */
  | 'erro'
  /** The national portal's page of errors. */
  | 'erro.aspx'
  // It answered, and gave nothing.
  /** The certificate is being made. The client is told to ask again. */
  | 'em-processamento'
  /** The page says that the certificate was issued, and did not bring it. */
  | 'emitida'
  /** The paper is not the federal certificate of this CNPJ, or contradicts itself. */
  | 'certidao-invalida'
  /** MG: the taxpayer must first register an address. */
  | 'sem-endereco'
  /** RN: the certificate of a large group comes by e-mail alone. */
  | 'por-email'
  /** The page did not accept the form as we filled it in. */
  | 'formulario-errado'
  /** The national register and the state contradict each other. */
  | 'contradicao'
  /** The web service does not know the action of the call. The other name is tried. */
  | 'soap-action'
  /** The authority's own code. */
  | `cStat ${string}`

/** Seconds after which repeating a question may help (`Retry-After`). Null where it never does. */
export type RetryS = number | null

/** An outage, a time-out or a broken connection: most of them are over in a minute. */
export const OUTAGE_S = 60
/** The rest after a refusal by a firewall, as long as the national register's own. */
export const BLOCKED_S = 15 * 60
/** A portal outside its hours whose hours are not known. */
export const CLOSED_S = 60 * 60

/** Tells a client when to repeat, in whole minutes or hours from a minute on. Empty where it never helps. */
export function quandoRepetir(retryS: RetryS): string {
  if (retryS === null) return ''
  if (retryS < 60) return `Tente de novo em ${retryS} segundo${retryS === 1 ? '' : 's'}.`
  const minutes = Math.ceil(retryS / 60)
  if (minutes < 60) return `Tente de novo em ${minutes} minuto${minutes === 1 ? '' : 's'}.`
  const hours = Math.ceil(minutes / 60)
  return `Tente de novo em ${hours} hora${hours === 1 ? '' : 's'}.`
}

/**
 * Why an authority gave no answer: it refused (`http`), it could not be reached (`network`), its answer is
 * not understood (`parse`), it took too long (`timeout`), or it turned us away (`blocked`).
 */
export const sourceErrorKinds = ['http', 'network', 'parse', 'timeout', 'blocked'] as const

export type SourceErrorKind = (typeof sourceErrorKinds)[number]

type Details = {
  source: string
  elapsedMs: number
  status?: number | undefined
  /** Set if the kind and the status do not tell it. */
  unavailable?: boolean
  codigo?: CodigoDaFalha | undefined
  /** Set if kind, code and status do not tell it. */
  retryS?: RetryS | undefined
  dizeres?: string
  cause?: unknown
}

/**
 * A failure of an authority, never of the client. The message is Portuguese and says what happened;
 * `quandoRepetir(retryS)` says when to ask again.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: SourceErrorKind
  /** The source's id, as in the configuration and the log: `receita-federal`. */
  readonly source: string
  /** Milliseconds from the first byte sent to the failure. */
  readonly elapsedMs: number
  /** The HTTP status, if the authority gave one. */
  readonly status: number | undefined
  /** The authority's own code (`cStat 656`), or ours. */
  readonly codigo: CodigoDaFalha | undefined
  /**
   * Whether the source as a whole is out of reach, for any question. Otherwise it answered, but not as it
   * should.
   */
  readonly unavailable: boolean
  /** Seconds until the same question may be answered. A route that knows its hours mends it. */
  retryS: RetryS
  /** The words may name the taxpayer. The field is private, so that no log prints it with the error. */
  readonly #dizeres: string

  constructor(kind: SourceErrorKind, message: string, details: Details) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.source = details.source
    this.elapsedMs = details.elapsedMs
    this.status = details.status
    this.codigo = details.codigo
    this.unavailable = details.unavailable ?? isOutage(kind, details.status ?? 0)
    this.retryS = details.retryS === undefined ? retryOf(kind, this) : details.retryS
    this.#dizeres = details.dizeres ?? ''
  }

  /** The authority's own words, for `status_raw`. Empty if it said none. */
  get dizeres(): string {
    return this.#dizeres
  }
}

/**
 * HTTP 429 and 5xx mean that the source is out of reach. Any other refusal means that it misunderstood us.
 */
const isOutage = (kind: SourceErrorKind, status: number): boolean =>
  kind === 'http' ? status === 429 || status >= 500 : kind !== 'parse'

/** Too many queries wait for the source. */
const QUEUE_S = 10

/**
 * The failures whose code tells more than their kind. What pages say in words stands in the table of
 * `desfecho.ts`.
 */
const porCodigo: Readonly<Partial<Record<CodigoDaFalha, RetryS>>> = {
  fila: QUEUE_S,
  'circuito-aberto': OUTAGE_S,
  // MOC 7.0, Anexo I: paused for a moment, and with no end in sight.
  'cStat 108': 5 * 60,
  'cStat 109': BLOCKED_S,
  // The holder of the operator's certificate may not ask.
  'cStat 257': null,
  // The list of revoked certificates could not be read.
  'cStat 286': OUTAGE_S,
  // Used too often: the block lasts up to an hour (MOC 7.0, Anexo I, 4.3).
  'cStat 656': 60 * 60,
  // An error that the authority has not catalogued.
  'cStat 999': OUTAGE_S,
}

type Falha = { codigo?: CodigoDaFalha | undefined; status?: number | undefined; unavailable: boolean }

/**
 * Decides by kind, code and HTTP status whether the same question may be answered later. A source that
 * understood nothing of us, or that we do not understand, answers the same until somebody mends it.
 */
function retryOf(kind: SourceErrorKind, { codigo, status, unavailable }: Falha): RetryS {
  const known = codigo && porCodigo[codigo]
  if (known !== undefined) return known
  if (kind === 'network' || kind === 'timeout') return OUTAGE_S
  if (kind === 'parse' || !unavailable) return null
  return kind === 'http' || status === 429 ? OUTAGE_S : BLOCKED_S
}

/**
 * The name that Node, OpenSSL, the resolver or a driver gives a failure: `ENOENT`,
 * `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`, `28P01`. Empty if it has none.
 */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code ?? '') : ''

type DetailsOfRota = ErrorOptions & { codigo?: CodigoDoCaptcha; pedeInscricao?: boolean; retryS?: number }

/**
 * This way to ask an authority does not take the question; another way may. It says nothing against the
 * authority, and its Portuguese message says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
  /** Set where not the question but an unsolved captcha is to blame: the operator should know. */
  readonly codigo: CodigoDoCaptcha | undefined
  /** The page wants the registration in the place of the document, and it was not known. */
  readonly pedeInscricao: boolean
  /** Seconds until the question may be taken. Null unless a captcha was not solved this once. */
  readonly retryS: RetryS

  constructor(message: string, { codigo, pedeInscricao = false, retryS, ...options }: DetailsOfRota = {}) {
    super(message, options)
    this.codigo = codigo
    this.pedeInscricao = pedeInscricao
    this.retryS = retryS ?? (codigo === undefined || codigo === 'captcha' ? null : OUTAGE_S)
  }
}

/** Whose answers a service gives: the authorities', their test environments', or the simulator's. */
export const ambientes = ['producao', 'homologacao', 'simulador'] as const

export type Ambiente = (typeof ambientes)[number]
