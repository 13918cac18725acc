import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Reads forms of text, of so many octets at most: each field by its name, the last of several. */
export function lerTextos(app: FastifyInstance, bodyLimit: number): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** The text of a form's field; empty where it was not sent. */
export const campoDe = ({ body }: Pick<FastifyRequest, 'body'>, nome: string): string =>
  textoEnviado(body, nome)

/** The text of a part of the query; empty where it was not sent, or sent twice. */
export const parametroDe = ({ query }: Pick<FastifyRequest, 'query'>, nome: string): string =>
  textoEnviado(query, nome)

/** The text that a query or a form has under a name; empty where it has none, or several. */
export function textoEnviado(enviado: unknown, nome: string): string {
  const value: unknown = Object.hasOwn(Object(enviado), nome) ? Reflect.get(Object(enviado), nome) : ''
  return typeof value === 'string' ? value : ''
}
