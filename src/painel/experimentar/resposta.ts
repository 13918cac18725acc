import { rotuloDoMembro } from '../../platform/http/membros.ts'
import { formatInstante, formatNumero } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html } from '../../platform/pages/html.ts'
import { membro } from './consulta.ts'

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

/** The most members of an object, and items of a list, that are shown. */
const MAIS = 60
const MAIOR_TEXTO = 500
const MAIS_FUNDO = 6

/** What an answer says, for people: its members by their names, without those that are empty. */
export function escreverDados(value: unknown, depth = 0): Html | false {
  if (Array.isArray(value)) return escreverItens(value, depth)
  const entries = Object.entries(Object(value)).filter(([nome, one]) => !A_PARTE.has(nome) && isDito(one))
  if (entries.length === 0 || depth > MAIS_FUNDO) return false
  const simples = entries.filter(([, one]) => typeof one !== 'object')
  const outros = entries.filter(([, one]) => typeof one === 'object')
  return html`${
    simples.length > 0 &&
    html`<dl class="dados">${simples
      .slice(0, MAIS)
      .map(
        ([nome, one]) =>
          html`<div><dt>${rotuloDoMembro(nome)}</dt><dd>${escreverValor(nome, one)}</dd></div>`,
      )}</dl>`
  }${outros.slice(0, MAIS).map(([nome, one]) => escreverParte(nome, one, depth))}`
}

const escreverParte = (nome: string, value: unknown, depth: number): Html =>
  html`<div class="parte"><p class="nome-da-parte">${rotuloDoMembro(nome)}${Array.isArray(value) && value.length > 1 && html` <span class="suave">(${value.length})</span>`}</p>${escreverDados(value, depth + 1)}</div>`

function escreverItens(items: readonly unknown[], depth: number): Html {
  if (items.every((one) => typeof one !== 'object'))
    return html`<ul class="textos">${items.slice(0, MAIS).map((one) => html`<li>${escreverValor('', one)}</li>`)}</ul>${sobra(items)}`
  return html`<ol class="itens">${items.slice(0, MAIS).map((one) => html`<li>${escreverDados(one, depth + 1)}</li>`)}</ol>${sobra(items)}`
}

const sobra = ({ length }: readonly unknown[]): Content =>
  length > MAIS && html`<p class="suave">E mais ${formatNumero(length - MAIS)}: veja o JSON.</p>`

/** Whether there is anything to say: an empty text, a null and an empty list say nothing. */
function isDito(value: unknown): boolean {
  if (value === null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.values(Object(value)).some(isDito)
}

function escreverValor(nome: string, value: unknown): Content {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (typeof value === 'number')
    return value.toLocaleString('pt-BR', { maximumFractionDigits: 4, useGrouping: !/codigo/.test(nome) })
  const text = String(value)
  const [, ano, mes, dia, hora] = /^(\d{4})-(\d\d)-(\d\d)(T[\d:.]+Z)?$/.exec(text) ?? []
  if (ano && hora !== undefined)
    return html`<time datetime="${text}">${formatInstante(new Date(text))}</time>`
  if (ano) return html`<time datetime="${text}">${dia}/${mes}/${ano}</time>`
  return text.length > MAIOR_TEXTO ? `${text.slice(0, MAIOR_TEXTO)}…` : text
}

/** The member that holds the answer itself: what stands around it is of the call. */
export function corpoDe(resposta: unknown): unknown {
  const result = membro(resposta, 'result')
  return result === null || result === undefined ? resposta : result
}
