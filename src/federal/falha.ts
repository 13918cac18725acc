import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { CodigoDaFalha, RetryS, Source } from '../platform/wire/fonte.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Reply } from '../platform/wire/http.ts'
import { retryAfterOf } from '../platform/wire/http.ts'
import { parseJson } from '../portal/pagina.ts'

/** The gateway of the contracted APIs: the token endpoint and every product (public client code, 2026). */
export const GATEWAY = 'https://gateway.apiserpro.serpro.gov.br'

/**
 * The gateway's own error, in place of a product's answer (WSO2): `{ code, message, description }`, in some
 * versions inside `fault`.
 */
const Erro = Type.Object({
  code: Type.Union([Type.String(), Type.Number()]),
  message: Type.String(),
  description: Type.Optional(Type.String()),
})
const ErroDoGateway = Type.Union([Erro, Type.Object({ fault: Erro })])

/** What a product itself may answer. With any other status the gateway or the product failed. */
const DO_PRODUTO = new Set([200, 201, 202, 206, 400, 404, 422])

/** Whether a product gave this answer. A 404 of the gateway is a wrong path, and never an unknown company. */
export const isOfProduct = (reply: Reply): boolean =>
  DO_PRODUTO.has(reply.status) && !(reply.status >= 400 && Check(ErroDoGateway, parseJson(reply)))

type Details = {
  source: Source
  reply: Reply
  kind?: 'http' | 'parse'
  codigo?: CodigoDaFalha
  retryS?: RetryS | undefined
}

/** A failure for which the contract as a whole is out of reach, whatever is asked. */
export const semContrato = (
  why: string,
  { source, reply, kind = 'http', codigo, retryS }: Details,
): SourceError =>
  new SourceError(kind, `${source.nome} ${why}`, {
    source: source.id,
    elapsedMs: reply.elapsedMs,
    status: reply.status,
    unavailable: true,
    codigo,
    retryS,
  })

/** The failure that an answer tells which is no product's. Its words name the operator who can mend it. */
export function failureOf(source: Source, reply: Reply): SourceError {
  const { status } = reply
  const recusa = recusas[status]
  if (recusa) return semContrato(recusa.why, { source, reply, codigo: recusa.codigo, retryS: null })
  if (status === 429)
    return semContrato('recebe consultas demais deste contrato por ora.', {
      source,
      reply,
      retryS: retryAfterOf(reply),
    })
  if (status >= 500)
    return semContrato(`está fora do ar (HTTP ${status}).`, { source, reply, retryS: retryAfterOf(reply) })
  return new SourceError('http', `${source.nome} recusou a consulta (HTTP ${status}).`, {
    source: source.id,
    elapsedMs: reply.elapsedMs,
    status,
  })
}

const recusas: Readonly<Partial<Record<number, { why: string; codigo: CodigoDaFalha }>>> = {
  401: {
    why: 'recusou o token do contrato. Operador: confira SERPRO_KEY e SERPRO_SECRET.',
    codigo: 'credencial',
  },
  403: {
    why: 'não faz parte do contrato deste serviço com o SERPRO. Operador: contrate este produto.',
    codigo: 'sem-produto',
  },
}
