/**
 * The one cast of the code base. Something outside the type system has just proven the type (a schema
 * validated the value, or a table built it key by key): say at the call what the proof is.
 */
export const trusted = <T>(value: unknown): T => value as T
