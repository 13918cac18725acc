import { type Html, html } from '../platform/pages/html.ts'

/** A text in which what stands between backticks is code. It takes no other markup. */
export const markup = (text: string): readonly (string | Html)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
