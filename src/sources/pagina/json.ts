import type { Pagina } from './pagina.ts'

/** The JSON of an answer, whatever its media type says; undefined where it is none. Throws SourceError `parse` for bytes that its charset does not have. */
export function parseJson(pagina: Pagina): unknown {
  try {
    return JSON.parse(pagina.text())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What stands at a path, `data.arquivo`; undefined where there is nothing. */
export const valueAt = (json: unknown, path: string): unknown => path.split('.').reduce(memberOf, json)

/** The text or number at a path; empty where there is none. */
export function textAt(json: unknown, path: string): string {
  const found = valueAt(json, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found).trim() : ''
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
