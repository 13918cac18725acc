import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type MiniSearch from 'minisearch'
import { ApiError } from '../errors.ts'
import { signalOfLeaving } from '../http/outcome.ts'
import { networkOf } from '../limits.ts'
import { createQueue, QueueFull } from '../wire/threads.ts'
import { cabecalhosPublicos } from './moldura.ts'

/** What a search found, the best first: the ids of what has all words, and of what has at least one. */
export type AchadasPorPalavra = { todas: number[]; algumas: number[] }

/** Whichever answers best counts. What lacks an optional one may have all words. */
export type PalavraDita = { dita: string; iguais?: readonly string[]; isOpcional?: boolean }

/** Each word in a turn of its own, so that a long question holds the thread no longer than a short one. */
export async function findByWord<T>(
  indice: MiniSearch<T>,
  palavras: readonly PalavraDita[],
  isInicio: (palavra: string, isUltima: boolean) => boolean,
): Promise<AchadasPorPalavra> {
  const unicas = [...new Map(palavras.map((palavra) => [palavra.dita, palavra])).values()]
  const pedidas = unicas.filter(({ isOpcional }) => !isOpcional)
  const quantasPedidas = pedidas.length || unicas.length
  const notas = new Map<number, { soma: number; quantas: number; pedidas: number }>()
  for (const palavra of unicas) {
    const { dita, iguais = [] } = palavra
    const conta = pedidas.length === 0 || pedidas.includes(palavra) ? 1 : 0
    const melhores = new Map<number, number>()
    const join = (achadas: readonly { id: unknown; score: number }[]): void => {
      for (const { id: escrito, score } of achadas) {
        const id = Number(escrito)
        melhores.set(id, Math.max(melhores.get(id) ?? 0, score))
      }
    }
    await nextTurn()
    if (!dita.includes(' '))
      join(indice.search(dita, { prefix: isInicio(dita, dita === palavras.at(-1)?.dita) }))
    for (const igual of iguais) {
      await nextTurn()
      join(indice.search(igual, { prefix: false, fuzzy: false }))
    }
    for (const [id, score] of melhores) {
      const nota = notas.get(id) ?? { soma: 0, quantas: 0, pedidas: 0 }
      nota.soma += score
      nota.quantas++
      nota.pedidas += conta
      notas.set(id, nota)
    }
  }
  const peso = ({ soma, quantas }: { soma: number; quantas: number }): number => soma * quantas
  const naOrdem = [...notas].sort(([, a], [, b]) => peso(b) - peso(a))
  return {
    todas: naOrdem.filter(([, nota]) => nota.pedidas === quantasPedidas).map(([id]) => id),
    algumas: naOrdem.map(([id]) => id),
  }
}

/** A value that is made when it is first asked for. A failure is not kept. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let aberto: Promise<T> | undefined
  return () => {
    aberto ??= open().catch((error) => {
      aberto = undefined
      throw error
    })
    return aberto
  }
}

const FILA = { places: 1, waiting: 64, perOwner: 8 }

const GUARDADAS = 300

/** Each in a turn of its own, or kept of the same question. Throws RATE_LIMIT_EXCEEDED. */
export function openBuscas<T extends object>(): (
  from: { request: FastifyRequest; reply: FastifyReply },
  pergunta: string,
  search: () => Promise<T>,
) => Promise<T> {
  const emSuaVez = createQueue(FILA)
  const feitas = new LRUCache<string, T>({ max: GUARDADAS })

  const make = async (pergunta: string, search: () => Promise<T>): Promise<T> => {
    await nextTurn()
    const feita = feitas.get(pergunta) ?? (await search())
    feitas.set(pergunta, feita)
    return feita
  }

  return async ({ request, reply }, pergunta, search) => {
    const guardada = feitas.get(pergunta)
    if (guardada) return guardada
    const turn = { owner: networkOf(request.ip), signal: signalOfLeaving(reply.raw) }
    return emSuaVez(turn, () => make(pergunta, search)).catch((error: unknown) => {
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
export const sendPaginaDaBusca = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({ ...cabecalhosPublicos, vary: 'cookie' })
    .type('text/html; charset=utf-8')
    .send(page)
