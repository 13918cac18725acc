import { type Html, html } from '../platform/pages/html.ts'
import { rotuloDe } from './rotulos.ts'

/** A name of a field, or a path of names. */
const NOME = /(?<![\p{L}\d/@])(?:[A-Za-z@*.][\w@*]*\/)*[A-Za-z@]\w*(?![\p{L}\d/])/gu

/** A text in which the names of fields, and what backticks enclose, are code. */
export function comCodigo(texto: string): readonly (string | Html)[] {
  return texto.split('`').flatMap((part, at) => (at % 2 === 1 ? [html`<code>${part}</code>`] : marcar(part)))
}

function marcar(texto: string): (string | Html)[] {
  const parts: (string | Html)[] = []
  let from = 0
  for (const { 0: name, index } of texto.matchAll(NOME)) {
    if (!isCampo(name)) continue
    parts.push(texto.slice(from, index), html`<code>${name}</code>`)
    from = index + name.length
  }
  return [...parts, texto.slice(from)]
}

/** Words have no capital inside; other paths are known by the table of fields. */
const isCampo = (name: string): boolean =>
  /[a-z][A-Z]|^@/.test(name) || (name.includes('/') && rotuloDe(name.replace(/^\.\//, '')) !== undefined)

/** `NF-e`, `NFC-e`. */
export const nomesDosModelos = { '55': 'NF-e', '65': 'NFC-e' } as const

/** Cuts a text after a word. */
export function recortar(texto: string, most: number): string {
  if (texto.length <= most) return texto
  const start = texto.slice(0, most - 1)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), most / 2)).toWellFormed()}…`
}
