import type { IncomingMessage } from 'node:http'

/** No message to an authority is near this, in octets. */
const MAXIMO = 1_048_576

/**
 * The whole body of a request; undefined when it is larger than 1 MiB, once it has all gone by: who still writes would
 * otherwise not get to read the refusal. Throws when the client goes away.
 */
export async function lerCorpo(pedido: IncomingMessage): Promise<Buffer | undefined> {
  const pedacos: Buffer[] = []
  let tamanho = 0
  for await (const pedaco of pedido) {
    if (!Buffer.isBuffer(pedaco)) continue
    tamanho += pedaco.length
    if (tamanho <= MAXIMO) pedacos.push(pedaco)
  }
  return tamanho <= MAXIMO ? Buffer.concat(pedacos, tamanho) : undefined
}
