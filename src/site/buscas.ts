import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { networkOf } from '../platform/limits.ts'
import { cabecalhosPublicos } from '../platform/pages/moldura.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'

/** Searches are made one at a time, and turns go round the addresses. */
const FILA = { places: 1, waiting: 64, perOwner: 8 }

/** What was found for so many questions is kept. */
const GUARDADAS = 300

/**
 * Makes the searches of strangers, or gives what is kept of the same question, each in a turn of its own,
 * so that other requests run in between. Throws RATE_LIMIT_EXCEEDED.
 */
export function abrirBuscas<T extends object>(): (
  from: { request: FastifyRequest; reply: FastifyReply },
  pergunta: string,
  procurar: () => Promise<T>,
) => Promise<T> {
  const emSuaVez = createQueue(FILA)
  const feitas = new LRUCache<string, T>({ max: GUARDADAS })

  const fazer = async (pergunta: string, procurar: () => Promise<T>): Promise<T> => {
    await nextTurn()
    const feita = feitas.get(pergunta) ?? (await procurar())
    feitas.set(pergunta, feita)
    return feita
  }

  return async ({ request, reply }, pergunta, procurar) => {
    const guardada = feitas.get(pergunta)
    if (guardada) return guardada
    const turn = { owner: networkOf(request.ip), signal: signalOfLeaving(reply.raw) }
    return emSuaVez(turn, () => fazer(pergunta, procurar)).catch((error: unknown) => {
      throw error instanceof QueueFull ? cheia : error
    })
  }
}

const cheia = new ApiError(
  'RATE_LIMIT_EXCEEDED',
  'Há muitas buscas na fila agora. Espere a resposta das suas e procure de novo em alguns segundos.',
  { retryS: 5 },
)

/**
 * Sends the page of a search as it is: no page is kept, and none is compressed. Each question of a stranger
 * is a new one, and gzip takes 256 kB a page of which V8 knows, so that it collected the whole heap.
 */
export const mandarPaginaDaBusca = (reply: FastifyReply, page: string): FastifyReply =>
  reply.headers(cabecalhosPublicos).type('text/html; charset=utf-8').send(page)
