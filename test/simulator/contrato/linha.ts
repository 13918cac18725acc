import type { Uf } from '../../../simulator/mundo/inscricao/molde.ts'
import type { Question, Visit } from './visita.ts'

/** How the answer is recognised, in status, location and text; `answers` where the request is answered all the same. */
export type Said = RegExp | 'answers'

/** What one portal answers, and how it refuses what is wrong. */
export type Row = {
  portal: `${Uf}/${'ie' | 'cnd'}`
  /** Goes as far as the request that asks about the document, which is not sent. */
  prepare: (visit: Visit, document: string) => Promise<Question>
  /** What is asked about; the company with one registration in the state when left out. */
  document?: string
  /** Whether documents go with their punctuation. */
  masked?: boolean
  /** The good answer. */
  answers: RegExp
  /** The same request from a visitor who has no session. */
  stranger: Said
  /** The same request once more. */
  again: Said
  /** The request without one of its fields. */
  missing?: Said
  /** Fields of which the absence is said otherwise. */
  leftOut?: Readonly<Record<string, Said>>
  /** Fields that need not come. */
  free?: readonly string[]
  /** Fields of the page that must come back as they were, and what is said when they do not. */
  stamps?: readonly [fields: readonly string[], said: RegExp]
  /** A wrong answer to the captcha, and one that was used. */
  captcha?: RegExp
  /** A document that nobody has. */
  nobody: Said
  /** A document with a wrong check digit. */
  invalid: RegExp
  /** The document with punctuation where it goes bare, and bare where it goes with it. */
  otherForm: Said
  /** The other method at the same address. */
  otherMethod: RegExp
}
