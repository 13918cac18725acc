import type { ServerResponse } from 'node:http'

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
