import { type Content, type Html, html } from '../../platform/pages/html.ts'

/** The longest text that is shown whole: a certificate in base64 would be most of the page. */
const MAIOR_TEXTO = 300

/** The most values that are shown. */
const MAIS_VALORES = 2_000

/** The deepest value that is opened. */
const MAIS_FUNDO = 20

/**
 * A JSON value in colours, with its ends cut: a long text after 300 characters, the whole after 2,000 values.
 * It says where it cut.
 */
export function realcarJson(value: unknown): Html {
  const left = { values: MAIS_VALORES }
  const drawn = desenhar(value, '', left)
  return html`<pre class="json" tabindex="0" role="region" aria-label="Resposta em JSON"><code>${drawn}</code></pre>${
    left.values <= 0 &&
    html`<p class="suave">A resposta é maior do que se mostra aqui; o código acima a traz inteira.</p>`
  }`
}

function desenhar(value: unknown, indent: string, left: { values: number }): Content {
  left.values -= 1
  if (left.values < 0) return '…'
  if (typeof value === 'string') return desenharTexto(value)
  if (typeof value !== 'object' || value === null)
    return html`<span class="j-valor">${String(value ?? null)}</span>`
  const deeper = `${indent}  `
  if (deeper.length > MAIS_FUNDO * 2) return '…'
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return isArray ? '[]' : '{}'
  const lines: Content[] = []
  for (const [at, [key, one]] of entries.entries()) {
    if (left.values <= 0) {
      lines.push(`\n${deeper}…`)
      break
    }
    const name = !isArray && html`<span class="j-nome">${JSON.stringify(key)}</span>: `
    lines.push(html`\n${deeper}${name}${desenhar(one, deeper, left)}${at < entries.length - 1 && ','}`)
  }
  return html`${isArray ? '[' : '{'}${lines}\n${indent}${isArray ? ']' : '}'}`
}

function desenharTexto(text: string): Html {
  if (text.length <= MAIOR_TEXTO) return html`<span class="j-texto">${JSON.stringify(text)}</span>`
  const rest = (text.length - MAIOR_TEXTO).toLocaleString('pt-BR')
  return html`<span class="j-texto">${JSON.stringify(text.slice(0, MAIOR_TEXTO)).slice(0, -1)}…</span> <span class="suave">(mais ${rest} caracteres)</span>`
}

/** A JSON value as plain text, with its long texts cut: what the live page shows at the end. */
export const cortarJson = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one: unknown) =>
      typeof one === 'string' && one.length > MAIOR_TEXTO ? `${one.slice(0, MAIOR_TEXTO)}…` : one,
    2,
  )
