import { openTransport } from './wire/transport.ts'

const DEADLINE_MS = 10_000

/**
 * Reads JSON from the simulator's own site, over plain HTTP on its own port, of 2 MiB at most where nothing
 * else is said. Throws SourceError if nobody answers, SyntaxError if it has no such page.
 */
export async function readSite(
  endereco: string,
  caminho: `/${string}.json`,
  limits: { maxBytes?: number } = {},
): Promise<object> {
  const http = openTransport({ mode: 'live', ca: [], hosts: {} })
  const source = { id: 'simulador', nome: `O simulador em ${endereco}` }
  const url = endereco + caminho
  try {
    const ask = { source, method: 'GET', url, deadlineMs: DEADLINE_MS, repeatable: true } as const
    const reply = await http.send({ ...ask, ...limits })
    return Object(JSON.parse(reply.text()))
  } finally {
    await http.close()
  }
}
