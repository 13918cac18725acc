import { parse } from 'node:querystring'
import type { preValidationHookHandler } from 'fastify'
import type { TObject } from 'typebox'
import { EMPTY_COUNTS } from './parameters.ts'

/** The query of a URL: an empty parameter (`cpf=`) counts as not sent, a repeated one becomes an array. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = parse(text)
  for (const name in query) if (query[name] === '') delete query[name]
  return query
}

/**
 * Drops texts left empty: they count as not sent, unless the schema says that empty is a value. In a field
 * that is no text, empty is a wrong value.
 */
export const dropEmpty =
  ({ properties }: TObject): preValidationHookHandler =>
  ({ body }, _reply, done) => {
    if (typeof body === 'object' && body !== null)
      for (const [name, value] of Object.entries(body))
        if (value === '' && mayBeEmpty(properties[name])) Reflect.deleteProperty(body, name)
    done()
  }

const mayBeEmpty = (schema: object = {}): boolean =>
  Reflect.get(schema, 'type') === 'string' && !(EMPTY_COUNTS in schema)
