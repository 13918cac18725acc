/** `id` stands in logs and circuit breakers (`SP/ie`), `nome` in what clients read. */
export type Source = { id: string; nome: string }

export const nomeNaFrase = ({ nome }: Pick<Source, 'nome'>): string =>
  nome.replace(/^[AO] /, (article) => article.toLowerCase())

/** An unsolved captcha is the operator's to mend, not the authority's. */
export type CodigoDoCaptcha = 'captcha' | 'captcha-sem-resposta' | 'captcha-vencido'

/** Where the kind does not tell: for the log, and `ultimo_erro.codigo` of `/api/v1/fontes`. */
export type CodigoDaFalha =
  | 'circuito-aberto'
  | 'fila'
  | 'waf'
  | 'cloudflare'
  | 'automatizada'
  | 'bloqueado'
  | 'captcha'
  /** The page refused the answer to its captcha. A new visit may pass. */
  | 'captcha-errado'
  | 'fechado'
  | `ERR_${string}`
  | 'credencial'
  | 'sem-produto'
  | 'indisponivel'
  | 'sessao-expirada'
  | 'erro'
  | 'erro.aspx'
  /** The certificate is being made. The client is told to ask again. */
  | 'em-processamento'
  /** The page says that the certificate was issued, and did not bring it. */
  | 'emitida'
  | 'certidao-invalida'
  | 'sem-endereco'
  /** RN: the certificate of a large group comes by e-mail alone. */
  | 'por-email'
  | 'formulario-errado'
  | 'contradicao'
  | 'soap-action'
  | `cStat ${string}`

/** Seconds after which repeating a question may help (`Retry-After`). Null where it never does. */
export type RetryS = number | null

export const OUTAGE_S = 60
/** The rest after a refusal by a firewall, as long as the national register's own. */
export const BLOCKED_S = 15 * 60
/** A portal outside its hours whose hours are not known. */
export const CLOSED_S = 60 * 60

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
  unavailable?: boolean
  codigo?: CodigoDaFalha | undefined
  retryS?: RetryS | undefined
  dizeres?: string
  cause?: unknown
}

/** A failure of an authority, never of the client. The message is Portuguese. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: SourceErrorKind
  readonly source: string
  readonly elapsedMs: number
  readonly status: number | undefined
  readonly codigo: CodigoDaFalha | undefined
  /** Whether it is out of reach for any question. Otherwise it answered, but not as it should. */
  readonly unavailable: boolean
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

  get dizeres(): string {
    return this.#dizeres
  }
}

/** HTTP 429 and 5xx: out of reach. Any other refusal means that it misunderstood us. */
const isOutage = (kind: SourceErrorKind, status: number): boolean =>
  kind === 'http' ? status === 429 || status >= 500 : kind !== 'parse'

const QUEUE_S = 10

/** Where the code tells more than the kind. What pages say in words stands in `desfecho.ts`. */
const porCodigo: Readonly<Partial<Record<CodigoDaFalha, RetryS>>> = {
  fila: QUEUE_S,
  'circuito-aberto': OUTAGE_S,
  // MOC 7.0, Anexo I: paused for a moment, and with no end in sight.
  'cStat 108': 5 * 60,
  'cStat 109': BLOCKED_S,
  // The holder of the operator's certificate may not ask.
  'cStat 257': null,
  'cStat 286': OUTAGE_S,
  // Used too often: the block lasts up to an hour (MOC 7.0, Anexo I, 4.3).
  'cStat 656': 60 * 60,
  'cStat 999': OUTAGE_S,
}

type Falha = { codigo?: CodigoDaFalha | undefined; status?: number | undefined; unavailable: boolean }

/** A source that does not understand us, or we it, answers the same until somebody mends it. */
function retryOf(kind: SourceErrorKind, { codigo, status, unavailable }: Falha): RetryS {
  const known = codigo && porCodigo[codigo]
  if (known !== undefined) return known
  if (kind === 'network' || kind === 'timeout') return OUTAGE_S
  if (kind === 'parse' || !unavailable) return null
  return kind === 'http' || status === 429 ? OUTAGE_S : BLOCKED_S
}

/** As `ENOENT`, `UNABLE_TO_GET_ISSUER_CERT_LOCALLY`, `28P01`. Empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code ?? '') : ''

const unmade = new WeakSet<Error>()

/** The connection of this failure was never made, so that nothing was sent. */
export const noteUnmade = (error: Error): unknown => unmade.add(error)

export const isUnmade = (error: unknown): boolean => error instanceof Error && unmade.has(error)

type DetailsOfRota = ErrorOptions & { codigo?: CodigoDoCaptcha; needsInscricao?: boolean; retryS?: number }

/**
 * This way to ask an authority does not take the question; another way may. It says nothing against the
 * authority, and its Portuguese message says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
  /** Set where not the question but an unsolved captcha is to blame: the operator should know. */
  readonly codigo: CodigoDoCaptcha | undefined
  readonly needsInscricao: boolean
  /** Seconds until the question may be taken. Null unless a captcha was not solved this once. */
  readonly retryS: RetryS

  constructor(message: string, { codigo, needsInscricao = false, retryS, ...options }: DetailsOfRota = {}) {
    super(message, options)
    this.codigo = codigo
    this.needsInscricao = needsInscricao
    this.retryS = retryS ?? (codigo === undefined || codigo === 'captcha' ? null : OUTAGE_S)
  }
}

export const ambientes = ['producao', 'homologacao', 'simulador'] as const

export type Ambiente = (typeof ambientes)[number]
