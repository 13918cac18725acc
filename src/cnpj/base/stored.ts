import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'

/** Compiled with their first use: the 23,000 texts of `dominios.json` take 2 ms, and took 50 without. */
const compiled = new WeakMap<TSchema, Pick<Validator, 'Check'>>()

/** Reads JSON of the shape that `schema` describes. Undefined when it is broken or has another shape. */
export function parseStored<const T extends TSchema>(schema: T, json: string): Static<T> | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  return isOf(schema, value) ? value : undefined
}

function isOf<const T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  const known = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, known)
  return known.Check(value)
}
