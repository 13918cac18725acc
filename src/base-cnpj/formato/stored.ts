import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/schema'

/** Reads JSON of the shape that `schema` describes. Undefined when it is broken or has another shape. */
export function parseStored<const T extends TSchema>(schema: T, json: string): Static<T> | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  return Check(schema, value) ? value : undefined
}
