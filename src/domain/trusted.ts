/**
 * The one cast of the code base: gives `value` the type that something outside the type system has just proven
 * (a schema validated it, a table built it key by key). Say at the call what the proof is.
 */
export const trusted = <T>(value: unknown): T => value as T
