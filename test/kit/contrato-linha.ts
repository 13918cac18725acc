import type { Uf } from '../../simulator/documento/uf.ts'
import type { Question, Visit } from './simulator-portal.ts'

/**
 * A pattern for the answer's status, location and text. `answers` means that the portal answers the request
 * all the same.
 */
export type Said = RegExp | 'answers'

/** The good answer of one portal, and its refusals. */
export type Row = {
  portal: `${Uf}/${'ie' | 'cnd'}`
  /** Makes the visit up to the request that asks about the document. That request is not sent. */
  prepare: (visit: Visit, document: string) => Promise<Question>
  /** The document to ask about. Without it, the company with one registration in the state. */
  document?: string
  /** Whether documents are sent with their punctuation. */
  masked?: boolean
  /** The good answer. */
  answers: RegExp
  /** The same request from a visitor who has no session. */
  stranger: Said
  /** The same request once more. */
  again: Said
  /** The request without one of its fields. */
  missing?: Said
  /** Fields whose absence has a refusal of its own. */
  leftOut?: Readonly<Record<string, Said>>
  /** Fields that may be left out. */
  free?: readonly string[]
  /** Fields of the page that must come back unchanged, and the refusal when they do not. */
  stamps?: readonly [fields: readonly string[], said: RegExp]
  /** A wrong answer to the captcha, and a used one. */
  captcha?: RegExp
  /** A document that nobody has. */
  nobody: Said
  /** A document with a wrong check digit. */
  invalid: RegExp
  /** The document with punctuation where the portal wants none, and without it where the portal wants it. */
  otherForm: Said
  /** The other method at the same address. */
  otherMethod: RegExp
}
