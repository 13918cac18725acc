import { type Content, type Html, html } from '../../platform/pages/html.ts'

/** A member of a JSON value that is an object; undefined for all others. */
export const membro = (value: unknown, nome: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, nome)
    ? Reflect.get(value, nome)
    : undefined

export const texto = (value: unknown): string => (typeof value === 'string' ? value : '')

export const lista = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The longest text that is shown whole: a certificate in base64 would be most of the page. */
const MAIOR_TEXTO = 300

const MAIS_VALORES = 2_000

const MAIS_FUNDO = 20

/** A long text is cut after 300 characters, the whole after 2,000 values; it says where. */
export function highlightJson(value: unknown): Html {
  const left = { values: MAIS_VALORES }
  const drawn = drawJson(value, '', left)
  return html`<pre class="json" tabindex="0" role="region" aria-label="Resposta em JSON"><code>${drawn}</code></pre>${
    left.values <= 0 &&
    html`<p class="suave">A resposta é maior do que se mostra aqui; o código acima a traz inteira.</p>`
  }`
}

function drawJson(value: unknown, indent: string, left: { values: number }): Content {
  left.values -= 1
  if (left.values < 0) return '…'
  if (typeof value === 'string') return drawTexto(value)
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
    lines.push(html`\n${deeper}${name}${drawJson(one, deeper, left)}${at < entries.length - 1 && ','}`)
  }
  return html`${isArray ? '[' : '{'}${lines}\n${indent}${isArray ? ']' : '}'}`
}

function drawTexto(text: string): Html {
  if (text.length <= MAIOR_TEXTO) return html`<span class="j-texto">${JSON.stringify(text)}</span>`
  const rest = (text.length - MAIOR_TEXTO).toLocaleString('pt-BR')
  return html`<span class="j-texto">${JSON.stringify(text.slice(0, MAIOR_TEXTO)).slice(0, -1)}…</span> <span class="suave">(mais ${rest} caracteres)</span>`
}
