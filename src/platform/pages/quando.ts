import { type Html, html } from './web-html.ts'

const format = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** An instant in Brasília, to the minute: `22/11/2026 às 14:48`. */
export const quando = (instante: Date): Html =>
  html`<time datetime="${instante.toISOString()}">${format.format(instante).replace(', ', ' às ')}</time>`
