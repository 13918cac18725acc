import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context/context.ts'
import { maskDocumento } from '../../domain/documento/documento.ts'

const DOCUMENTS = ['cnpj', 'cpf', 'ie']

/** One line a request: who asked what, how it ended, what it cost. Documents are masked; the raw URL is never logged. */
export function logRequests(app: FastifyInstance, { log }: Context): void {
  if (!log.isLevelEnabled('info')) return
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify tells nothing of a client that left before the answer: 499, as proxies have it.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      const tell = () => log.info(requestLine(request, reply, 499))
      if (request.settling) void request.settling.then(tell)
      else tell()
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    log.info(requestLine(request, reply, reply.statusCode))
    done()
  })
}

const requestLine = (request: FastifyRequest, reply: FastifyReply, http: number): object => ({
  request_id: request.id,
  conta: request.conta?.id,
  method: request.method,
  endpoint: request.routeOptions.url ?? '(desconhecida)',
  ...maskedDocuments(request),
  http,
  error_code: request.error_code || undefined,
  creditos: request.creditos,
  ms: Math.round(reply.elapsedTime * 10) / 10,
})

function maskedDocuments({ query }: FastifyRequest): Record<string, string> {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  return Object.fromEntries(
    entries
      .filter(([name]) => DOCUMENTS.includes(name))
      .map(([name, value]) => [name, maskDocumento(String(value))]),
  )
}
