/* Gerado do OpenAPI por gerar.ts: npm run gerar -w clients/typescript. */
import { ErroDaApi, ErroDaFonte } from '../cliente/erros.ts'

/** Não autenticado (HTTP 401). */
export class NaoAutenticado extends ErroDaApi {
  override name = 'NaoAutenticado'
  declare readonly codigo: 'NAO_AUTENTICADO'
}

/** E-mail ou senha incorretos (HTTP 401). */
export class CredenciaisInvalidas extends ErroDaApi {
  override name = 'CredenciaisInvalidas'
  declare readonly codigo: 'CREDENCIAIS_INVALIDAS'
}

/** Parâmetro obrigatório ausente (HTTP 400). */
export class ParametroAusente extends ErroDaApi {
  override name = 'ParametroAusente'
  declare readonly codigo: 'PARAMETRO_AUSENTE'
}

/** Parâmetros conflitantes (HTTP 400). */
export class ParametroConflitante extends ErroDaApi {
  override name = 'ParametroConflitante'
  declare readonly codigo: 'PARAMETRO_CONFLITANTE'
}

/** Parâmetro inválido (HTTP 400). */
export class ParametroInvalido extends ErroDaApi {
  override name = 'ParametroInvalido'
  declare readonly codigo: 'PARAMETRO_INVALIDO'
}

/** Documento inválido (HTTP 400). */
export class DocumentoInvalido extends ErroDaApi {
  override name = 'DocumentoInvalido'
  declare readonly codigo: 'DOCUMENTO_INVALIDO'
}

/** Inscrição estadual não aceita nesta rota (HTTP 400). */
export class IeNaoSuportado extends ErroDaApi {
  override name = 'IeNaoSuportado'
  declare readonly codigo: 'IE_NAO_SUPORTADO'
}

/** UF não suportada (HTTP 400). */
export class UfNaoSuportada extends ErroDaApi {
  override name = 'UfNaoSuportada'
  declare readonly codigo: 'UF_NAO_SUPORTADA'
}

/** Chave de acesso inválida (HTTP 400). */
export class ChaveInvalida extends ErroDaApi {
  override name = 'ChaveInvalida'
  declare readonly codigo: 'CHAVE_INVALIDA'
}

/** Certificado digital inválido (HTTP 400). */
export class CertificadoInvalido extends ErroDaApi {
  override name = 'CertificadoInvalido'
  declare readonly codigo: 'CERTIFICADO_INVALIDO'
}

/** Corpo da requisição inválido (HTTP 400). */
export class CorpoInvalido extends ErroDaApi {
  override name = 'CorpoInvalido'
  declare readonly codigo: 'CORPO_INVALIDO'
}

/** Senha fraca (HTTP 400). */
export class SenhaFraca extends ErroDaApi {
  override name = 'SenhaFraca'
  declare readonly codigo: 'SENHA_FRACA'
}

/** Requisição inválida (HTTP 400). */
export class RequisicaoInvalida extends ErroDaApi {
  override name = 'RequisicaoInvalida'
  declare readonly codigo: 'REQUISICAO_INVALIDA'
}

/** Créditos insuficientes (HTTP 402). */
export class LimiteAtingido extends ErroDaApi {
  override name = 'LimiteAtingido'
  declare readonly codigo: 'LIMITE_ATINGIDO'
}

/** Créditos insuficientes no plano (HTTP 402). */
export class LimitePlano extends ErroDaApi {
  override name = 'LimitePlano'
  declare readonly codigo: 'LIMITE_PLANO'
}

/** Conta bloqueada (HTTP 403). */
export class ContaBloqueada extends ErroDaApi {
  override name = 'ContaBloqueada'
  declare readonly codigo: 'CONTA_BLOQUEADA'
}

/** Cadastro fechado (HTTP 403). */
export class CadastroFechado extends ErroDaApi {
  override name = 'CadastroFechado'
  declare readonly codigo: 'CADASTRO_FECHADO'
}

/** CNPJ não encontrado (HTTP 404). */
export class CnpjNaoEncontrado extends ErroDaApi {
  override name = 'CnpjNaoEncontrado'
  declare readonly codigo: 'CNPJ_NAO_ENCONTRADO'
}

/** Rejeição não encontrada (HTTP 404). */
export class RejeicaoNaoEncontrada extends ErroDaApi {
  override name = 'RejeicaoNaoEncontrada'
  declare readonly codigo: 'REJEICAO_NAO_ENCONTRADA'
}

/** Rota não encontrada (HTTP 404). */
export class RotaNaoEncontrada extends ErroDaApi {
  override name = 'RotaNaoEncontrada'
  declare readonly codigo: 'ROTA_NAO_ENCONTRADA'
}

/** Método não permitido (HTTP 405). */
export class MetodoNaoPermitido extends ErroDaApi {
  override name = 'MetodoNaoPermitido'
  declare readonly codigo: 'METODO_NAO_PERMITIDO'
}

/** E-mail já cadastrado (HTTP 409). */
export class EmailJaCadastrado extends ErroDaApi {
  override name = 'EmailJaCadastrado'
  declare readonly codigo: 'EMAIL_JA_CADASTRADO'
}

/** Idempotency-Key já usada com outro corpo (HTTP 409). */
export class IdempotenciaConflitante extends ErroDaApi {
  override name = 'IdempotenciaConflitante'
  declare readonly codigo: 'IDEMPOTENCIA_CONFLITANTE'
}

/** Requisição com a mesma Idempotency-Key em andamento (HTTP 409). */
export class IdempotenciaEmAndamento extends ErroDaApi {
  override name = 'IdempotenciaEmAndamento'
  declare readonly codigo: 'IDEMPOTENCIA_EM_ANDAMENTO'
}

/** Tempo esgotado à espera da requisição (HTTP 408). */
export class TempoEsgotado extends ErroDaApi {
  override name = 'TempoEsgotado'
  declare readonly codigo: 'TEMPO_ESGOTADO'
}

/** Corpo da requisição muito grande (HTTP 413). */
export class CorpoMuitoGrande extends ErroDaApi {
  override name = 'CorpoMuitoGrande'
  declare readonly codigo: 'CORPO_MUITO_GRANDE'
}

/** Tipo de conteúdo não suportado (HTTP 415). */
export class TipoNaoSuportado extends ErroDaApi {
  override name = 'TipoNaoSuportado'
  declare readonly codigo: 'TIPO_NAO_SUPORTADO'
}

/** Limite de requisições excedido (HTTP 429). */
export class RateLimit extends ErroDaApi {
  override name = 'RateLimit'
  declare readonly codigo: 'RATE_LIMIT'
}

/** Limite de requisições excedido (HTTP 429). */
export class RateLimitExceeded extends ErroDaApi {
  override name = 'RateLimitExceeded'
  declare readonly codigo: 'RATE_LIMIT_EXCEEDED'
}

/** Cabeçalhos muito grandes (HTTP 431). */
export class CabecalhosMuitoGrandes extends ErroDaApi {
  override name = 'CabecalhosMuitoGrandes'
  declare readonly codigo: 'CABECALHOS_MUITO_GRANDES'
}

/** Erro interno (HTTP 500). */
export class ErroInterno extends ErroDaApi {
  override name = 'ErroInterno'
  declare readonly codigo: 'ERRO_INTERNO'
}

/** Falha ao processar a consulta (HTTP 502). */
export class ProcessamentoFalhou extends ErroDaApi {
  override name = 'ProcessamentoFalhou'
  declare readonly codigo: 'PROCESSAMENTO_FALHOU'
}

/** Falha na consulta ao vivo (HTTP 502). */
export class RfLiveError extends ErroDaApi {
  override name = 'RfLiveError'
  declare readonly codigo: 'RF_LIVE_ERROR'
}

/** Todas as fontes falharam (HTTP 502). */
export class TodasFontesFalharam extends ErroDaApi {
  override name = 'TodasFontesFalharam'
  declare readonly codigo: 'TODAS_FONTES_FALHARAM'
}

/** Monitor indisponível (HTTP 502). */
export class MonitorIndisponivel extends ErroDaApi {
  override name = 'MonitorIndisponivel'
  declare readonly codigo: 'MONITOR_INDISPONIVEL'
}

/** Catálogo de rejeições indisponível (HTTP 502). */
export class RejeicoesIndisponivel extends ErroDaApi {
  override name = 'RejeicoesIndisponivel'
  declare readonly codigo: 'REJEICOES_INDISPONIVEL'
}

/** Fonte indisponível (HTTP 503). */
export class SiteIndisponivel extends ErroDaApi {
  override name = 'SiteIndisponivel'
  declare readonly codigo: 'SITE_INDISPONIVEL'
}

/** Banco de dados indisponível (HTTP 503). */
export class BancoIndisponivel extends ErroDaApi {
  override name = 'BancoIndisponivel'
  declare readonly codigo: 'BANCO_INDISPONIVEL'
}

/** Fonte indisponível (em source_status). */
export class SiteIndisponivelNaFonte extends ErroDaFonte {
  override name = 'SiteIndisponivelNaFonte'
  declare readonly codigo: 'SITE_INDISPONIVEL'
}

/** Falha ao processar a consulta (em source_status). */
export class ProcessamentoFalhouNaFonte extends ErroDaFonte {
  override name = 'ProcessamentoFalhouNaFonte'
  declare readonly codigo: 'PROCESSAMENTO_FALHOU'
}

/** Documento inválido (em source_status). */
export class DocumentoInvalidoNaFonte extends ErroDaFonte {
  override name = 'DocumentoInvalidoNaFonte'
  declare readonly codigo: 'DOCUMENTO_INVALIDO'
}

/** Erro interno (em source_status). */
export class ErroInternoNaFonte extends ErroDaFonte {
  override name = 'ErroInternoNaFonte'
  declare readonly codigo: 'ERRO_INTERNO'
}

/** Banco de dados indisponível (em source_status). */
export class BancoIndisponivelNaFonte extends ErroDaFonte {
  override name = 'BancoIndisponivelNaFonte'
  declare readonly codigo: 'BANCO_INDISPONIVEL'
}

/** Certidão ainda em emissão (em source_status). */
export class EmProcessamento extends ErroDaFonte {
  override name = 'EmProcessamento'
  declare readonly codigo: 'EM_PROCESSAMENTO'
}

/** A Receita Federal não concluiu a emissão (em source_status). */
export class ProviderError extends ErroDaFonte {
  override name = 'ProviderError'
  declare readonly codigo: 'PROVIDER_ERROR'
}

/** CNPJ inválido (em source_status). */
export class CnpjInvalido extends ErroDaFonte {
  override name = 'CnpjInvalido'
  declare readonly codigo: 'CNPJ_INVALIDO'
}

/** CPF inválido (em source_status). */
export class CpfInvalido extends ErroDaFonte {
  override name = 'CpfInvalido'
  declare readonly codigo: 'CPF_INVALIDO'
}

/** Consulta ao SIGEF desligada (em source_status). */
export class SigefDisabled extends ErroDaFonte {
  override name = 'SigefDisabled'
  declare readonly codigo: 'SIGEF_DISABLED'
}

/** Sem sessão no SIGEF (em source_status). */
export class SigefNoSession extends ErroDaFonte {
  override name = 'SigefNoSession'
  declare readonly codigo: 'SIGEF_NO_SESSION'
}

/** O SIGEF não respondeu (em source_status). */
export class SigefHttpError extends ErroDaFonte {
  override name = 'SigefHttpError'
  declare readonly codigo: 'SIGEF_HTTP_ERROR'
}

/** O SIGEF não atendeu à conexão (em source_status). */
export class SigefNetworkError extends ErroDaFonte {
  override name = 'SigefNetworkError'
  declare readonly codigo: 'SIGEF_NETWORK_ERROR'
}

/** A página do SIGEF mudou (em source_status). */
export class SigefParseFailed extends ErroDaFonte {
  override name = 'SigefParseFailed'
  declare readonly codigo: 'SIGEF_PARSE_FAILED'
}

export const classesDaApi = {
  NAO_AUTENTICADO: NaoAutenticado,
  CREDENCIAIS_INVALIDAS: CredenciaisInvalidas,
  PARAMETRO_AUSENTE: ParametroAusente,
  PARAMETRO_CONFLITANTE: ParametroConflitante,
  PARAMETRO_INVALIDO: ParametroInvalido,
  DOCUMENTO_INVALIDO: DocumentoInvalido,
  IE_NAO_SUPORTADO: IeNaoSuportado,
  UF_NAO_SUPORTADA: UfNaoSuportada,
  CHAVE_INVALIDA: ChaveInvalida,
  CERTIFICADO_INVALIDO: CertificadoInvalido,
  CORPO_INVALIDO: CorpoInvalido,
  SENHA_FRACA: SenhaFraca,
  REQUISICAO_INVALIDA: RequisicaoInvalida,
  LIMITE_ATINGIDO: LimiteAtingido,
  LIMITE_PLANO: LimitePlano,
  CONTA_BLOQUEADA: ContaBloqueada,
  CADASTRO_FECHADO: CadastroFechado,
  CNPJ_NAO_ENCONTRADO: CnpjNaoEncontrado,
  REJEICAO_NAO_ENCONTRADA: RejeicaoNaoEncontrada,
  ROTA_NAO_ENCONTRADA: RotaNaoEncontrada,
  METODO_NAO_PERMITIDO: MetodoNaoPermitido,
  EMAIL_JA_CADASTRADO: EmailJaCadastrado,
  IDEMPOTENCIA_CONFLITANTE: IdempotenciaConflitante,
  IDEMPOTENCIA_EM_ANDAMENTO: IdempotenciaEmAndamento,
  TEMPO_ESGOTADO: TempoEsgotado,
  CORPO_MUITO_GRANDE: CorpoMuitoGrande,
  TIPO_NAO_SUPORTADO: TipoNaoSuportado,
  RATE_LIMIT: RateLimit,
  RATE_LIMIT_EXCEEDED: RateLimitExceeded,
  CABECALHOS_MUITO_GRANDES: CabecalhosMuitoGrandes,
  ERRO_INTERNO: ErroInterno,
  PROCESSAMENTO_FALHOU: ProcessamentoFalhou,
  RF_LIVE_ERROR: RfLiveError,
  TODAS_FONTES_FALHARAM: TodasFontesFalharam,
  MONITOR_INDISPONIVEL: MonitorIndisponivel,
  REJEICOES_INDISPONIVEL: RejeicoesIndisponivel,
  SITE_INDISPONIVEL: SiteIndisponivel,
  BANCO_INDISPONIVEL: BancoIndisponivel,
} as const

export const classesDaFonte = {
  SITE_INDISPONIVEL: SiteIndisponivelNaFonte,
  PROCESSAMENTO_FALHOU: ProcessamentoFalhouNaFonte,
  DOCUMENTO_INVALIDO: DocumentoInvalidoNaFonte,
  ERRO_INTERNO: ErroInternoNaFonte,
  BANCO_INDISPONIVEL: BancoIndisponivelNaFonte,
  EM_PROCESSAMENTO: EmProcessamento,
  PROVIDER_ERROR: ProviderError,
  CNPJ_INVALIDO: CnpjInvalido,
  CPF_INVALIDO: CpfInvalido,
  SIGEF_DISABLED: SigefDisabled,
  SIGEF_NO_SESSION: SigefNoSession,
  SIGEF_HTTP_ERROR: SigefHttpError,
  SIGEF_NETWORK_ERROR: SigefNetworkError,
  SIGEF_PARSE_FAILED: SigefParseFailed,
} as const
