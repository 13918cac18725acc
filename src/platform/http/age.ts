import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { NOTHING_KEPT } from '../cache/cache.ts'
import { resultsOf, sectionsOf } from '../wire/resposta.ts'
import { countHeader } from './headers.ts'

/** Letters of a Cache-Control header that are read. A client sends some twenty; a longer one is ignored. */
const LONGEST = 1_000

/** A directive: its name, and its argument with or without quotes (RFC 9111, 5.2). */
const DIRECTIVE = /([^\s",;=]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g

/**
 * How old a kept answer may be for this request, in milliseconds, by its `Cache-Control`: `no-cache` and
 * `max-age=N` count, the strictest of several, and the rest is ignored. Undefined where it does not say.
 */
export function maxAgeOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const header = headers['cache-control']
  if (header === undefined || header.length > LONGEST) return undefined
  const ages = [...header.matchAll(DIRECTIVE)].flatMap(([, name = '', quoted, bare = '']) => {
    if (name.toLowerCase() === 'no-cache') return [NOTHING_KEPT]
    const seconds = quoted ?? bare
    if (name.toLowerCase() !== 'max-age' || !/^\d+$/.test(seconds)) return []
    // As `Age` counts: an answer of 10.9 seconds shows 10, and is taken under max-age=10.
    return [Number(seconds) * 1000 + 999]
  })
  return ages.length === 0 ? undefined : Math.min(...ages)
}

/** Tells how old an answer is, by its own `consultado_em` or the oldest of its results. */
export function setAge(reply: FastifyReply, body: object, now: Date): void {
  const since = consultadoEm(body)
  if (since === '') return
  reply.header('age', Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1000)))
}

/**
 * The instant at which the authority was asked, ISO 8601 UTC: the answer's own, or the oldest of its results
 * and those of its sections. Empty if nobody was asked, or it does not matter.
 */
function consultadoEm(body: object): string {
  if ('consultado_em' in body) return String(body.consultado_em)
  let oldest = ''
  for (const section of sectionsOf(body)) {
    for (const entry of resultsOf(section)) {
      const since = String(Object(entry).consultado_em ?? '')
      if (since !== '' && (oldest === '' || since < oldest)) oldest = since
    }
  }
  return oldest
}

/** What the documentation says of endpoints whose answers have an age, and of those that may ask anew. */
export const ageDescribed = {
  answerHeaders: {
    Age: countHeader(
      'Idade da resposta em segundos: o tempo desde consultado_em, o mais antigo deles quando há vários; ausente quando ninguém respondeu',
    ),
  },
  requestHeaders: Type.Object({
    'Cache-Control': Type.Optional(
      Type.String({
        description:
          'no-cache consulta de novo, sem usar resposta guardada; max-age=N só aceita uma de até N segundos. O preço é o mesmo. Se a nova consulta falhar, ' +
          'a resposta é a falha, e a guardada continua valendo para a próxima. Outras diretivas são ignoradas',
      }),
    ),
  }),
  /** Whether the answers of this schema have an age. */
  hasAge: ({ properties }: TObject): boolean =>
    'consultado_em' in properties ||
    [{ properties }, ...Object.values(properties)].some((part) => {
      const { results } = Object(Object(part).properties)
      return 'consultado_em' in Object(Object(Object(results).items).properties)
    }),
}
