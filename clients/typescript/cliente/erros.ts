import type { Problema, SituacaoDaFonte } from '../openapi.d.ts'
import type { Recibo } from './recibo.ts'

/** What an error has besides its message. */
type Detalhes = { retryable: boolean; retryAfterS?: number | undefined; recibo?: Recibo | undefined }

/** Todo erro que este cliente lança, fora o cancelamento de quem chama (o motivo do `AbortSignal`). */
export class ErroFiscal extends Error {
  override name = 'ErroFiscal'
  /** Código estável, para programas. */
  readonly codigo: string
  /** Se repetir a mesma chamada mais tarde pode dar certo. */
  readonly retryable: boolean
  /** Segundos até valer a pena repetir, quando o serviço disse. */
  readonly retryAfterS: number | undefined
  /** O recibo da resposta; undefined quando não houve nenhuma. */
  readonly recibo: Recibo | undefined

  constructor(codigo: string, mensagem: string, { retryable, retryAfterS, recibo }: Detalhes) {
    super(mensagem)
    this.codigo = codigo
    this.retryable = retryable
    this.retryAfterS = retryAfterS
    this.recibo = recibo
  }

  /** Identifica a requisição; informe-o ao operador. */
  get requestId(): string | undefined {
    return this.recibo?.requestId
  }
}

/** What the service answered with the HTTP status of an error. */
export type RespostaDeErro = {
  status: number
  recibo: Recibo
  /** Absent where somebody else answered, such as a proxy. */
  problema?: Problema
}

/** O serviço recusou a chamada, ou ela falhou: a resposta tem um status HTTP de erro. */
export class ErroDaApi extends ErroFiscal {
  override name = 'ErroDaApi'
  readonly status: number
  /** O corpo da resposta (RFC 9457), com `errors` (400) ou `required` e `remaining` (402). */
  readonly problema: Problema | undefined

  constructor({ status, recibo, problema }: RespostaDeErro) {
    const mensagem =
      problema?.detail ?? `Quem respondeu não foi o serviço: HTTP ${status} sem um problema em JSON.`
    const retryable = problema?.retryable ?? PASSAGEIROS.has(status)
    super(problema?.error_code ?? `HTTP_${status}`, mensagem, {
      retryable,
      retryAfterS: recibo.retryAfterS,
      recibo,
    })
    this.status = status
    this.problema = problema
  }
}

/** What a proxy answers while the service does not. */
const PASSAGEIROS: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Where the failure of a source was told. */
export type FalhaNaFonte = {
  source_status: SituacaoDaFonte
  uf?: string | undefined
  recibo?: Recibo | undefined
}

/** A fonte não respondeu à consulta: o que `source_status` diz numa resposta com HTTP 200. */
export class ErroDaFonte extends ErroFiscal {
  override name = 'ErroDaFonte'
  /** O estado que falhou, nas consultas a um ou a todos; vazio nas nacionais. */
  readonly uf: string

  constructor({ source_status, uf = '', recibo }: FalhaNaFonte) {
    const { error_code, error_message, retryable } = source_status
    super(error_code, error_message, { retryable, retryAfterS: recibo?.retryAfterS, recibo })
    this.uf = uf
  }
}

/** Why there was no answer that can be read, and whether repeating helps. */
const conexoes = {
  CONEXAO: { mensagem: 'Não houve resposta do serviço', retryable: true },
  CONEXAO_INTERROMPIDA: { mensagem: 'A resposta do serviço foi interrompida', retryable: true },
  PRAZO: { mensagem: 'O serviço não respondeu dentro do prazo', retryable: true },
  RESPOSTA_ILEGIVEL: { mensagem: 'A resposta não é a que o serviço promete', retryable: true },
  RESPOSTA_GRANDE: { mensagem: 'A resposta passa do tamanho máximo', retryable: false },
  REDIRECIONAMENTO: {
    mensagem: 'O endereço redireciona para outro, e a chave não é enviada a outro: corrija o endereço',
    retryable: false,
  },
} as const

/** Não houve uma resposta inteira do serviço. */
export class ErroDeConexao extends ErroFiscal {
  override name = 'ErroDeConexao'
  declare readonly codigo: keyof typeof conexoes

  /** `motivo` is the code of the system, such as ECONNRESET: a text of another could have the key. */
  constructor(codigo: keyof typeof conexoes, { motivo, recibo }: { motivo?: string; recibo?: Recibo } = {}) {
    const { mensagem, retryable } = conexoes[codigo]
    super(codigo, motivo ? `${mensagem} (${motivo}).` : `${mensagem}.`, { retryable, recibo })
  }
}
