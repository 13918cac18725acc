import type { Ask, Http, Reply } from '../platform/wire/http.ts'
import { failureOf, GATEWAY, isOfProduct } from './falha.ts'
import { type ChavesDoContrato, openTokens } from './source-serpro.ts'

/** One question to a product of the contract. */
type PerguntaAoContrato = Pick<Ask, 'source' | 'method' | 'deadlineMs' | 'signal' | 'maxBytes'> & {
  /** The path at the gateway: `/consulta-cnpj-df/v2/qsa/00000000000191`. */
  path: `/${string}`
  /** Sent as JSON. */
  body?: object
}

/** The operator's contract for the Receita Federal's APIs, which the SERPRO serves at one gateway. */
export type Contrato = {
  /**
   * Asks a product with the contract's token, which is renewed once if the gateway refuses it. Gives what the
   * product itself answered (200, 201, 202, 206, 400, 404 or 422); throws SourceError for anything else.
   */
  send: (pergunta: PerguntaAoContrato) => Promise<Reply>
}

type Options = {
  chaves: ChavesDoContrato
  /** What the invoice shows beside each request (`X-Request-Tag`, 32 characters at most). */
  etiqueta: string | undefined
  now: () => Date
}

/** Opens the contract. Nothing is asked before the first question. */
export function openContrato(http: Http, { chaves, etiqueta, now }: Options): Contrato {
  const tokens = openTokens(http, chaves, now)
  const ask = async (pergunta: PerguntaAoContrato, deadlineMs: number): Promise<[Reply, string]> => {
    const { source, method, path, body, signal, maxBytes } = pergunta
    const started = performance.now()
    const token = await tokens.current({ source, deadlineMs, signal })
    const reply = await http.send({
      source,
      method,
      url: GATEWAY + path,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(etiqueta !== undefined && { 'x-request-tag': etiqueta }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      deadlineMs: leftOf(deadlineMs, started),
      signal,
      // Each request is billed, and a POST may start an issuance.
      repeatable: method === 'GET',
      ...(maxBytes !== undefined && { maxBytes }),
    })
    return [reply, token]
  }
  return {
    send: async (pergunta) => {
      const started = performance.now()
      const [first, token] = await ask(pergunta, pergunta.deadlineMs)
      if (first.status !== 401) return ofProduct(pergunta, first)
      tokens.drop(token)
      const [second] = await ask(pergunta, leftOf(pergunta.deadlineMs, started))
      return ofProduct(pergunta, second)
    },
  }
}

function ofProduct({ source }: PerguntaAoContrato, reply: Reply): Reply {
  if (isOfProduct(reply)) return reply
  throw failureOf(source, reply)
}

const leftOf = (deadlineMs: number, started: number): number =>
  Math.max(1, deadlineMs - (performance.now() - started))
