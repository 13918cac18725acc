import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export type Mensagem = { status: number; cabecalhos: Record<string, string>; corpo: Buffer }

export type Pagina = { status: number; tipo: string; corpo: string | Buffer }

/**
 * Writes a whole message with its length; one of 1 MiB or more goes without, so that the reader must count.
 */
export function send({ status, cabecalhos, corpo }: Mensagem, resposta: ServerResponse): void {
  const tamanho = corpo.length < 1 << 20 ? { 'content-length': corpo.length } : {}
  resposta.writeHead(status, { ...cabecalhos, ...tamanho }).end(corpo)
}

/** The caller, by a certificate in force that the simulator's CA signed. */
export type Chamador = { tipo: 'cnpj' | 'cpf'; documento: string; nome: string }

/** One request as it reached an authority, body and all. */
export type Pedido = {
  host: string
  metodo: string
  caminho: string
  consulta: URLSearchParams
  cabecalhos: IncomingHttpHeaders
  corpo: Buffer
  /** Undefined when no certificate came, or one that the authority would not accept. */
  chamador: Chamador | undefined
  conexao: Conexao
}

/** The ways in which a misbehaving authority breaks a connection. */
export type Conexao = {
  drop: () => void
  /** Breaks it off with a fatal alert, as a server that refuses a certificate after a TLS 1.3 handshake. */
  refuseTls: () => void
}

/** One service of an authority: the names that it answers for, and how. Several may share a name. */
export type Autoridade = {
  nome: string
  hosts: readonly string[]
  /** Whether the hosts ask for a client certificate in the handshake; of those that share a name, any. */
  asksCertificado: boolean
  /** The paths on which IIS asks by renegotiation. Such hosts speak TLS 1.2 at most. */
  asksCertificadoAt?: (caminho: string) => boolean
  /** Whether a path is its own; left out, every path is. The first in the list gets the request. */
  serves?: (caminho: string) => boolean
  ambiente?: () => Record<string, unknown>
  /** Members of `/estatisticas.json`: what it has counted. */
  contadores?: () => Record<string, unknown>
  instrumentos?: readonly Instrumento[]
  answer: (pedido: Pedido, resposta: ServerResponse) => void | Promise<void>
}

/** A path of the simulator's own site that an authority answers; undefined for a method that it has not. */
export type Instrumento = {
  caminho: string
  answer: (metodo: string, corpo: Buffer) => Pagina | undefined
}

/** The clock that dates the answers, and the factor of their delays (1 when left out). */
export type Opcoes = { agora: () => Date; ritmo?: number }

/** Plays the webhook with which an operator has captchas solved. */
export type Resolvedor = {
  /** What its calls must carry: `Authorization: Bearer <token>`. */
  token: string
  /** Solves what the JSON asks for; the answer is JSON too: `resposta`, or `motivo` with 400, 401 or 422. */
  resolver: (autorizacao: string | undefined, corpo: Buffer) => Resolvido
}

export type Resolvido = { status: number; json: { resposta: string } | { motivo: string } }
