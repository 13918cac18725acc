/**
 * Every code that a client may read, with its HTTP status and title: the specification's "HTTP errors by
 * endpoint", and the general ones of HTTP.
 */
export const errorCodes = {
  NAO_AUTENTICADO: { status: 401, title: 'Não autenticado' },
  PARAMETRO_AUSENTE: { status: 400, title: 'Parâmetro obrigatório ausente' },
  PARAMETRO_CONFLITANTE: { status: 400, title: 'Parâmetros conflitantes' },
  PARAMETRO_INVALIDO: { status: 400, title: 'Parâmetro inválido' },
  DOCUMENTO_INVALIDO: { status: 400, title: 'Documento inválido' },
  IE_NAO_SUPORTADO: { status: 400, title: 'Inscrição estadual não aceita nesta rota' },
  UF_NAO_SUPORTADA: { status: 400, title: 'UF não suportada' },
  CHAVE_INVALIDA: { status: 400, title: 'Chave de acesso inválida' },
  CERTIFICADO_INVALIDO: { status: 400, title: 'Certificado digital inválido' },
  CORPO_INVALIDO: { status: 400, title: 'Corpo da requisição inválido' },
  REQUISICAO_INVALIDA: { status: 400, title: 'Requisição inválida' },
  LIMITE_ATINGIDO: { status: 402, title: 'Créditos insuficientes' },
  LIMITE_PLANO: { status: 402, title: 'Créditos insuficientes no plano' },
  CONTA_BLOQUEADA: { status: 403, title: 'Conta bloqueada' },
  CNPJ_NAO_ENCONTRADO: { status: 404, title: 'CNPJ não encontrado' },
  REJEICAO_NAO_ENCONTRADA: { status: 404, title: 'Rejeição não encontrada' },
  ROTA_NAO_ENCONTRADA: { status: 404, title: 'Rota não encontrada' },
  METODO_NAO_PERMITIDO: { status: 405, title: 'Método não permitido' },
  IDEMPOTENCIA_CONFLITANTE: { status: 409, title: 'Idempotency-Key já usada com outro corpo' },
  IDEMPOTENCIA_EM_ANDAMENTO: { status: 409, title: 'Requisição com a mesma Idempotency-Key em andamento' },
  TEMPO_ESGOTADO: { status: 408, title: 'Tempo esgotado à espera da requisição' },
  CORPO_MUITO_GRANDE: { status: 413, title: 'Corpo da requisição muito grande' },
  TIPO_NAO_SUPORTADO: { status: 415, title: 'Tipo de conteúdo não suportado' },
  RATE_LIMIT: { status: 429, title: 'Limite de requisições excedido' },
  RATE_LIMIT_EXCEEDED: { status: 429, title: 'Limite de requisições excedido' },
  CABECALHOS_MUITO_GRANDES: { status: 431, title: 'Cabeçalhos muito grandes' },
  ERRO_INTERNO: { status: 500, title: 'Erro interno' },
  PROCESSAMENTO_FALHOU: { status: 502, title: 'Falha ao processar a consulta' },
  RF_LIVE_ERROR: { status: 502, title: 'Falha na consulta ao vivo' },
  TODAS_FONTES_FALHARAM: { status: 502, title: 'Todas as fontes falharam' },
  MONITOR_INDISPONIVEL: { status: 502, title: 'Monitor indisponível' },
  REJEICOES_INDISPONIVEL: { status: 502, title: 'Catálogo de rejeições indisponível' },
  SITE_INDISPONIVEL: { status: 503, title: 'Fonte indisponível' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorCodes

/** A wrong parameter, in `errors[]` of the answer. */
export type ParameterError = { parameter: string; reason: string }

/**
 * Members that some codes add to the problem: the wrong parameters (400), the credits that were needed and
 * are left (402).
 */
export type ProblemExtra = {
  errors?: ParameterError[]
  required?: number
  remaining?: number
  resets_at?: string
}

/** A failure that the client is told. `message` is Portuguese, says what to do, and goes out as `detail`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly extra: ProblemExtra
  constructor(code: ErrorCode, message: string, extra: ProblemExtra = {}) {
    // It is an answer, and nobody reads where it was thrown: to collect its stack took 5 µs (2026-11-22).
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.extra = extra
  }
}
