import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What was asked of the server. */
export type Pedida = { url: string; headers: IncomingMessage['headers']; corpo: string }

/** Answers one request; the last one of a list answers all that follow. */
export type Resposta = (saida: ServerResponse, entrada: IncomingMessage) => unknown

/** A small server over HTTP that answers as it is told, however wrong. Close it when done. */
export async function abrirTorto(...respostas: [Resposta, ...Resposta[]]): Promise<{
  endereco: string
  pedidas: Pedida[]
  /** Settles when the connection of an answer has ended, by whomever. */
  fechou: Promise<void>
  close: () => void
}> {
  const pedidas: Pedida[] = []
  const { promise: fechou, resolve } = Promise.withResolvers<void>()
  const servidor = createServer(async (entrada, saida) => {
    saida.once('close', resolve)
    const { url = '', headers } = entrada
    pedidas.push({ url, headers, corpo: await text(entrada) })
    const [ultima] = respostas.slice(-1)
    await (respostas[pedidas.length - 1] ?? ultima)?.(saida, entrada)
  })
  await new Promise<void>((listening) => servidor.listen(0, '127.0.0.1', listening))
  const { port } = servidor.address() as AddressInfo
  return {
    endereco: `http://127.0.0.1:${port}`,
    pedidas,
    fechou,
    close: () => {
      servidor.close()
      servidor.closeAllConnections()
    },
  }
}

/** An answer in JSON. */
export const json =
  (corpo: unknown, status = 200, headers: Record<string, string> = {}): Resposta =>
  (saida) =>
    saida.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(corpo))

/** A failure as the service tells it. */
export const problema = (error_code: string, status: number, retryAfter?: string): Resposta =>
  json(
    { error_code, status, detail: `houve ${error_code}`, retryable: retryAfter !== undefined },
    status,
    retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  )

/** An answer that comes in these pieces; undefined cuts the connection. */
export const emPedacos =
  (tipo: string, ...pedacos: (string | Buffer | undefined)[]): Resposta =>
  async (saida) => {
    saida.writeHead(200, { 'Content-Type': tipo })
    for (const pedaco of pedacos) {
      if (pedaco === undefined) return saida.destroy()
      await new Promise((taken) => saida.write(pedaco, taken))
    }
    return saida.end()
  }
