import { dataBrasileira } from '../../documento/dia.ts'
import { findEntry, markup } from '../../platform/pages/erros-textos.ts'
import { formatInstante, formatNumero, formatTempo, rotuloDoMembro } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { lista, membro, texto } from './consulta.ts'

export type Respondida = {
  http: number
  corpo: unknown
  request_id: string
  /** The credits that it cost, and that the account has left; undefined where the answer does not say. */
  cobrados: number | undefined
  restantes: number | undefined
  /** Seconds until it may be repeated with hope. */
  retryS: number | undefined
  ms: number
}

type Desfecho = { tom: string; palavra: string; codigo: string; texto: string }

export function desfechoDe({ http, corpo }: Pick<Respondida, 'http' | 'corpo'>): Desfecho {
  const fonte = membro(corpo, 'source_status')
  const codigo = texto(membro(http === 200 ? fonte : corpo, 'error_code'))
  if (http !== 200) {
    const titulo = texto(membro(corpo, 'title')) || 'A consulta falhou'
    return { tom: 'ruim', palavra: titulo, codigo, texto: texto(membro(corpo, 'detail')) }
  }
  if (codigo === 'EM_PROCESSAMENTO')
    return { tom: 'lento', palavra: 'Em emissão', codigo, texto: texto(membro(fonte, 'error_message')) }
  if (codigo !== '')
    return { tom: 'ruim', palavra: 'A fonte falhou', codigo, texto: texto(membro(fonte, 'error_message')) }
  if (membro(corpo, 'cached') === true)
    return {
      tom: 'nota',
      palavra: 'Do cache',
      codigo,
      texto: 'É uma resposta guardada: ela diz quando o órgão foi consultado.',
    }
  return { tom: 'bom', palavra: 'Entregue', codigo, texto: '' }
}

export function drawDesfecho(respondida: Respondida, prefixo: string): Html {
  const { request_id, ms, corpo } = respondida
  const { tom, palavra, codigo, texto: dito } = desfechoDe(respondida)
  const avisos = lista(membro(corpo, 'avisos')).map(String)
  return html`<section class="cartao desfecho" id="resposta" aria-labelledby="desfecho" tabindex="-1"><header><h2 id="desfecho">Resposta</h2><span class="selo ${tom}">${palavra}</span></header>${
    dito !== '' && html`<p>${dito}</p>`
  }${codigo !== '' && drawConselho(codigo, respondida, prefixo)}${avisos.length > 0 && html`<ul class="avisos">${avisos.map((aviso) => html`<li>${aviso}</li>`)}</ul>`}<dl class="dados"><div><dt>Custo</dt><dd>${custoDe(respondida)}</dd></div><div><dt>Tempo</dt><dd>${formatTempo(ms)}</dd></div><div><dt>Pedido</dt><dd><a href="${url(`${prefixo}/painel/registro/${request_id}/`)}"><code>${request_id}</code></a></dd></div></dl></section>`
}

export function custoDe({ cobrados = 0, restantes }: Pick<Respondida, 'cobrados' | 'restantes'>): string {
  const cost = cobrados === 0 ? 'Nada foi cobrado' : `${cobrados} ${cobrados === 1 ? 'crédito' : 'créditos'}`
  return restantes === undefined ? cost : `${cost}; restam ${formatNumero(restantes)}`
}

function drawConselho(codigo: string, { corpo, retryS }: Respondida, prefixo: string): Html {
  const entry = findEntry(codigo)
  const motivos = lista(membro(corpo, 'errors'))
  const when: Content =
    retryS !== undefined &&
    html`<p>Vale repetir em ${retryS} s: <a href="#consultar">volte ao formulário</a>.</p>`
  return html`<div class="conselho"><p><b><code>${codigo}</code></b></p>${
    motivos.length > 1 &&
    html`<ul>${motivos.map((one) => html`<li><code>${texto(membro(one, 'parameter'))}</code>: ${texto(membro(one, 'reason'))}</li>`)}</ul>`
  }${entry && html`<p>${markup(entry.action)}</p>`}${when}<p><a href="${url(`${prefixo}/erros#${codigo}`)}">Tudo sobre este código</a></p></div>`
}

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

export const cutJson = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one: unknown) =>
      typeof one === 'string' && one.length > MAIOR_TEXTO ? `${one.slice(0, MAIOR_TEXTO)}…` : one,
    2,
  )

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

/** The member that holds the answer itself: what stands around it is of the call. */
export function corpoDe(resposta: unknown): unknown {
  const result = membro(resposta, 'result')
  return result === null || result === undefined ? resposta : result
}
