import type { Pagina } from './pagina.ts'

/**
 * Parses an answer as JSON, whatever its media type; undefined if it is none. Throws SourceError `parse` for
 * bytes that its charset lacks.
 */
export function parseJson(pagina: Pick<Pagina, 'text'>): unknown {
  try {
    return JSON.parse(pagina.text())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The value at a path such as `data.arquivo`. Undefined if there is none. */
export const valueAt = (json: unknown, path: string): unknown => path.split('.').reduce(memberOf, json)

/** The text or number at a path. Empty if there is none. */
export function textAt(json: unknown, path: string): string {
  const found = valueAt(json, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found).trim() : ''
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
