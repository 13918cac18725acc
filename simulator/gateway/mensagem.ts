import type { ServerResponse } from 'node:http'

/** An answer ready for the wire. */
export type Mensagem = { status: number; cabecalhos: Record<string, string>; corpo: Buffer }

/**
 * Writes a message on the wire, whole and with its length; a very long one without, so that who reads must
 * count.
 */
export function enviar({ status, cabecalhos, corpo }: Mensagem, resposta: ServerResponse): void {
  const tamanho = corpo.length < 1 << 20 ? { 'content-length': corpo.length } : {}
  resposta.writeHead(status, { ...cabecalhos, ...tamanho }).end(corpo)
}
