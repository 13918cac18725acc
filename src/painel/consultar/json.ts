import { dataBrasileira } from '../../documento/dia.ts'
import { formatInstante, formatNumero, rotuloDoMembro } from '../../platform/pages/formatos.ts'
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

/** What is shown elsewhere on the page, or is a file. */
const A_PARTE: ReadonlySet<string> = new Set([
  'request_id',
  'source_status',
  'cached',
  'avisos',
  'pdf_base64',
  'impressao_base64',
  'xml',
  'retryable',
])

const MAIS = 60
const MAIOR_TEXTO_DE_DADOS = 500
const DADOS_MAIS_FUNDOS = 6

/** What an answer says, for people: its members by their names, without those that are empty. */
export function drawDados(value: unknown, depth = 0): Html | false {
  if (Array.isArray(value)) return drawItens(value, depth)
  const entries = Object.entries(Object(value)).filter(([nome, one]) => !A_PARTE.has(nome) && isDito(one))
  if (entries.length === 0 || depth > DADOS_MAIS_FUNDOS) return false
  const simples = entries.filter(([, one]) => typeof one !== 'object')
  const outros = entries.filter(([, one]) => typeof one === 'object')
  return html`${
    simples.length > 0 &&
    html`<dl class="dados">${simples
      .slice(0, MAIS)
      .map(
        ([nome, one]) => html`<div><dt>${rotuloDoMembro(nome)}</dt><dd>${drawValor(nome, one)}</dd></div>`,
      )}</dl>`
  }${outros.slice(0, MAIS).map(([nome, one]) => drawParte(nome, one, depth))}`
}

const drawParte = (nome: string, value: unknown, depth: number): Html =>
  html`<div class="parte"><p class="nome-da-parte">${rotuloDoMembro(nome)}${Array.isArray(value) && value.length > 1 && html` <span class="suave">(${value.length})</span>`}</p>${drawDados(value, depth + 1)}</div>`

function drawItens(items: readonly unknown[], depth: number): Html {
  if (items.every((one) => typeof one !== 'object'))
    return html`<ul class="textos">${items.slice(0, MAIS).map((one) => html`<li>${drawValor('', one)}</li>`)}</ul>${sobra(items)}`
  return html`<ol class="itens">${items.slice(0, MAIS).map((one) => html`<li>${drawDados(one, depth + 1)}</li>`)}</ol>${sobra(items)}`
}

const sobra = ({ length }: readonly unknown[]): Content =>
  length > MAIS && html`<p class="suave">E mais ${formatNumero(length - MAIS)}: veja o JSON.</p>`

function isDito(value: unknown): boolean {
  if (value === null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.values(Object(value)).some(isDito)
}

function drawValor(nome: string, value: unknown): Content {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'number')
    return value.toLocaleString('pt-BR', { maximumFractionDigits: 4, useGrouping: !/codigo/.test(nome) })
  const text = String(value)
  const [, dia, hora] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+Z)?$/.exec(text) ?? []
  if (dia && hora !== undefined)
    return html`<time datetime="${text}">${formatInstante(new Date(text))}</time>`
  if (dia) return html`<time datetime="${text}">${dataBrasileira(dia)}</time>`
  return text.length > MAIOR_TEXTO_DE_DADOS ? `${text.slice(0, MAIOR_TEXTO_DE_DADOS)}…` : text
}
