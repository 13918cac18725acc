import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** An answer ready for the wire. */
export type Mensagem = { status: number; cabecalhos: Record<string, string>; corpo: Buffer }

/** An answer of the simulator's own site; `tipo` is its content type. */
export type Pagina = { status: number; tipo: string; corpo: string | Buffer }

/**
 * Writes a whole message on the wire, with its length. A very long one goes without it, so that the reader
 * must count.
 */
export function enviar({ status, cabecalhos, corpo }: Mensagem, resposta: ServerResponse): void {
  const tamanho = corpo.length < 1 << 20 ? { 'content-length': corpo.length } : {}
  resposta.writeHead(status, { ...cabecalhos, ...tamanho }).end(corpo)
}

/** The caller, by a certificate in force that the simulator's CA signed. */
export type Chamador = { tipo: 'cnpj' | 'cpf'; documento: string; nome: string }

/** One request as it reached an authority, body and all. */
export type Pedido = {
  /** The name it was sent to, lower case, without port. */
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
  /** Breaks it off with a TCP reset. */
  derrubar: () => void
  /**
   * Breaks it off with a fatal TLS alert, as a server that refuses a certificate after a TLS 1.3 handshake.
   */
  recusarTls: () => void
}

/** One service of an authority: the names that it answers for, and how. Several may share a name. */
export type Autoridade = {
  nome: string
  /** Real host names, lower case. */
  hosts: readonly string[]
  /**
   * Whether the real hosts ask for a client certificate in the TLS handshake: of those that share a name,
   * any.
   */
  pedeCertificado: boolean
  /**
   * The paths on which it asks for the certificate after the request came, by renegotiation, as IIS does.
   * Such hosts speak TLS 1.2 at most, unless they already ask in the handshake.
   */
  pedeCertificadoEm?: (caminho: string) => boolean
  /**
   * Whether a path is its own; left out, every path is. The first in the list to say so gets the request; if
   * none, 404.
   */
  atende?: (caminho: string) => boolean
  /** Members of `/ambiente.json`: what a service needs to know of it besides its hosts. */
  ambiente?: () => Record<string, unknown>
  /** Members of `/estatisticas.json`: what it has counted. */
  contadores?: () => Record<string, unknown>
  /** What it shows and takes on the simulator's own site. */
  instrumentos?: readonly Instrumento[]
  responder: (pedido: Pedido, resposta: ServerResponse) => void | Promise<void>
}

/** A path of the simulator's own site that an authority answers; undefined for a method that it has not. */
export type Instrumento = {
  caminho: string
  atender: (metodo: string, corpo: Buffer) => Pagina | undefined
}

/**
 * The options of all authorities: the clock that dates their answers, and the factor of their delays (1 when
 * left out).
 */
export type Opcoes = { agora: () => Date; ritmo?: number }
