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
 * Drops texts left empty, and null for a text that must be sent: they count as not sent, unless the schema
 * says that empty is a value. In a field that is no text, empty is a wrong value.
 */
export const dropEmpty =
  ({ properties, required }: TObject): preValidationHookHandler =>
  ({ body }, _reply, done) => {
    const needed: readonly string[] = required ?? []
    if (typeof body === 'object' && body !== null)
      for (const [name, value] of Object.entries(body))
        if (isUnsent(value, properties[name], needed.includes(name))) Reflect.deleteProperty(body, name)
    done()
  }

function isUnsent(value: unknown, schema: object = {}, isRequired: boolean): boolean {
  if (Reflect.get(schema, 'type') !== 'string') return false
  return (value === '' && !(EMPTY_COUNTS in schema)) || (value === null && isRequired)
}
