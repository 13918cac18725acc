import type { RetryS } from './wire/fonte.ts'

export const messageOf = (error: unknown): string => errorOf(error).message

export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** The codes of the specification ("HTTP errors by endpoint"), and the general ones of HTTP. */
export const errorCodes = {
  NAO_AUTENTICADO: { status: 401, title: 'Não autenticado', retryS: null },
  CREDENCIAIS_INVALIDAS: { status: 401, title: 'E-mail ou senha incorretos', retryS: null },
  PARAMETRO_AUSENTE: { status: 400, title: 'Parâmetro obrigatório ausente', retryS: null },
  PARAMETRO_CONFLITANTE: { status: 400, title: 'Parâmetros conflitantes', retryS: null },
  PARAMETRO_INVALIDO: { status: 400, title: 'Parâmetro inválido', retryS: null },
  DOCUMENTO_INVALIDO: { status: 400, title: 'Documento inválido', retryS: null },
  IE_NAO_SUPORTADO: { status: 400, title: 'Inscrição estadual não aceita nesta rota', retryS: null },
  UF_NAO_SUPORTADA: { status: 400, title: 'UF não suportada', retryS: null },
  CHAVE_INVALIDA: { status: 400, title: 'Chave de acesso inválida', retryS: null },
  CERTIFICADO_INVALIDO: { status: 400, title: 'Certificado digital inválido', retryS: null },
  CORPO_INVALIDO: { status: 400, title: 'Corpo da requisição inválido', retryS: null },
  SENHA_FRACA: { status: 400, title: 'Senha fraca', retryS: null },
  REQUISICAO_INVALIDA: { status: 400, title: 'Requisição inválida', retryS: null },
  LIMITE_ATINGIDO: { status: 402, title: 'Créditos insuficientes', retryS: null },
  LIMITE_PLANO: { status: 402, title: 'Créditos insuficientes no plano', retryS: null },
  CONTA_BLOQUEADA: { status: 403, title: 'Conta bloqueada', retryS: null },
  CADASTRO_FECHADO: { status: 403, title: 'Cadastro fechado', retryS: null },
  CNPJ_NAO_ENCONTRADO: { status: 404, title: 'CNPJ não encontrado', retryS: null },
  REJEICAO_NAO_ENCONTRADA: { status: 404, title: 'Rejeição não encontrada', retryS: null },
  ROTA_NAO_ENCONTRADA: { status: 404, title: 'Rota não encontrada', retryS: null },
  METODO_NAO_PERMITIDO: { status: 405, title: 'Método não permitido', retryS: null },
  EMAIL_JA_CADASTRADO: { status: 409, title: 'E-mail já cadastrado', retryS: null },
  IDEMPOTENCIA_CONFLITANTE: { status: 409, title: 'Idempotency-Key já usada com outro corpo', retryS: null },
  IDEMPOTENCIA_EM_ANDAMENTO: {
    status: 409,
    title: 'Requisição com a mesma Idempotency-Key em andamento',
    retryS: 5,
  },
  TEMPO_ESGOTADO: { status: 408, title: 'Tempo esgotado à espera da requisição', retryS: 5 },
  CORPO_MUITO_GRANDE: { status: 413, title: 'Corpo da requisição muito grande', retryS: null },
  TIPO_NAO_SUPORTADO: { status: 415, title: 'Tipo de conteúdo não suportado', retryS: null },
  RATE_LIMIT: { status: 429, title: 'Limite de requisições excedido', retryS: 60 },
  RATE_LIMIT_EXCEEDED: { status: 429, title: 'Limite de requisições excedido', retryS: 60 },
  CABECALHOS_MUITO_GRANDES: { status: 431, title: 'Cabeçalhos muito grandes', retryS: null },
  ERRO_INTERNO: { status: 500, title: 'Erro interno', retryS: 30 },
  PROCESSAMENTO_FALHOU: { status: 502, title: 'Falha ao processar a consulta', retryS: null },
  RF_LIVE_ERROR: { status: 502, title: 'Falha na consulta ao vivo', retryS: 60 },
  TODAS_FONTES_FALHARAM: { status: 502, title: 'Todas as fontes falharam', retryS: 60 },
  MONITOR_INDISPONIVEL: { status: 502, title: 'Monitor indisponível', retryS: 120 },
  REJEICOES_INDISPONIVEL: { status: 502, title: 'Catálogo de rejeições indisponível', retryS: 60 },
  SITE_INDISPONIVEL: { status: 503, title: 'Fonte indisponível', retryS: 60 },
  BANCO_INDISPONIVEL: { status: 503, title: 'Banco de dados indisponível', retryS: 10 },
} as const satisfies Record<string, { status: number; title: string; retryS: RetryS }>

export type ErrorCode = keyof typeof errorCodes

/** As the specification has them ("Errors reported inside `source_status` with HTTP 200"). */
export const sourceCodes = {
  EM_PROCESSAMENTO: { title: 'Certidão ainda em emissão', retryS: 30 },
  PROVIDER_ERROR: { title: 'A Receita Federal não concluiu a emissão', retryS: 180 },
  CNPJ_INVALIDO: { title: 'CNPJ inválido', retryS: null },
  CPF_INVALIDO: { title: 'CPF inválido', retryS: null },
  SIGEF_DISABLED: { title: 'Consulta ao SIGEF desligada', retryS: null },
  SIGEF_NO_SESSION: { title: 'Sem sessão no SIGEF', retryS: 60 },
  SIGEF_HTTP_ERROR: { title: 'O SIGEF não respondeu', retryS: 60 },
  SIGEF_NETWORK_ERROR: { title: 'O SIGEF não atendeu à conexão', retryS: 60 },
  SIGEF_PARSE_FAILED: { title: 'A página do SIGEF mudou', retryS: null },
} as const satisfies Record<string, { title: string; retryS: RetryS }>

export type SourceCode = keyof typeof sourceCodes

export type ParameterError = { parameter: string; reason: string }

export type ProblemExtra = {
  errors?: ParameterError[]
  required?: number
  remaining?: number
  resets_at?: string
}

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly extra: ProblemExtra
  readonly retryS: RetryS
  constructor(
    code: ErrorCode,
    message: string,
    { retryS = errorCodes[code].retryS, ...extra }: ProblemExtra & { retryS?: RetryS } = {},
  ) {
    // It is an answer, and nobody reads where it was thrown: to collect its stack took 5 µs (2026-11-22).
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.extra = extra
    this.retryS = retryS
  }
}
