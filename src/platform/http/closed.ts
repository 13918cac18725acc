import { type Static, type TSchema, Type } from 'typebox'

/**
 * A text of a closed list. `words` is the domain's own list, so that its type and the documented words cannot
 * differ; an answer is not checked against it.
 */
export const OneOf = <const T extends string>(
  words: readonly T[],
  about: string | { title: string; description: string },
) =>
  Type.Unsafe<T>({
    type: 'string',
    enum: [...words],
    ...(typeof about === 'string' ? { description: about } : about),
  })

/** A text of a closed list, or null. */
export const OneOfOrNull = <const T extends string>(words: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...words, null], description })

type Plain = { string: string; number: number; integer: number; boolean: boolean }

/** What else is known of a value: its bounds, or its form. */
type Forma = { minimum?: number; maximum?: number; pattern?: string }

/** A value that may be null. Unlike a union, the serializer writes it without trying each kind. */
export const PlainOrNull = <K extends keyof Plain>(kind: K, description: string, forma: Forma = {}) =>
  Type.Unsafe<Plain[K] | null>({ type: [kind, 'null'], description, ...forma })

/** One of a few whole numbers. */
export const OneOfNumbers = (numbers: readonly number[], description: string) =>
  Type.Unsafe<number>({ type: 'integer', enum: [...numbers], description })

/** The keyword of an object that may be null: it says when it is. */
export const WHEN_NULL = 'x-null'

/** The keyword of an object of which an endpoint has fewer words: those of each member, by its name. */
export const ONLY_WORDS = 'x-palavras'

/** An object that may be null. It has a `title`. */
export const OrNull = <S extends TSchema>(schema: S, when: string) =>
  Type.Unsafe<Static<S> | null>({ ...schema, nullable: true, [WHEN_NULL]: when })
