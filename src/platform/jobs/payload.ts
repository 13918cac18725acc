import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { trusted } from '../trusted.ts'

/** Bytes of the JSON of a payload or a result. What is larger belongs in a table of its own. */
const MOST_BYTES = 256 * 1024

/** Writes a payload or a result as JSON. Throws RangeError for one that is too large. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw new RangeError(`more than ${MOST_BYTES} bytes of JSON in a job`)
  return text
}

/** Reads a payload by its kind's schema; a Portuguese reason where it has another shape. */
export function readPayload<S extends TSchema>(
  schema: S,
  text: string,
): { payload: Static<S> } | { reason: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: 'os dados não são um JSON que se possa ler' }
  }
  // Proven by the schema.
  if (Check(schema, value)) return { payload: trusted<Static<S>>(value) }
  const [, [first]] = Errors(schema, value)
  return { reason: `os dados não têm a forma que esta versão espera (${first?.instancePath || 'o todo'})` }
}
