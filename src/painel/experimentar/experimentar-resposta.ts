import { formatNumero, formatTempo } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { findEntry } from '../../site/entries.ts'
import { markup } from '../../site/markup.ts'
import { lista, membro, texto } from './consulta.ts'

/** What the API answered to a call of a page. */
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

/** What became of a call, in a word and in a sentence. */
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

/** The outcome of a call with what it cost, its number, and what to do where it failed. */
export function escreverDesfecho(respondida: Respondida, prefixo: string): Html {
  const { request_id, ms, corpo } = respondida
  const { tom, palavra, codigo, texto: dito } = desfechoDe(respondida)
  const avisos = lista(membro(corpo, 'avisos')).map(String)
  return html`<section class="cartao desfecho" id="resposta" aria-labelledby="desfecho" tabindex="-1"><header><h2 id="desfecho">Resposta</h2><span class="selo ${tom}">${palavra}</span></header>${
    dito !== '' && html`<p>${dito}</p>`
  }${codigo !== '' && escreverConselho(codigo, respondida, prefixo)}${avisos.length > 0 && html`<ul class="avisos">${avisos.map((aviso) => html`<li>${aviso}</li>`)}</ul>`}<dl class="dados"><div><dt>Custo</dt><dd>${custoDe(respondida)}</dd></div><div><dt>Tempo</dt><dd>${formatTempo(ms)}</dd></div><div><dt>Pedido</dt><dd><a href="${url(`${prefixo}/painel/registro/${request_id}/`)}"><code>${request_id}</code></a></dd></div></dl></section>`
}

/** What it cost, in words. */
export function custoDe({ cobrados = 0, restantes }: Pick<Respondida, 'cobrados' | 'restantes'>): string {
  const cost = cobrados === 0 ? 'Nada foi cobrado' : `${cobrados} ${cobrados === 1 ? 'crédito' : 'créditos'}`
  return restantes === undefined ? cost : `${cost}; restam ${formatNumero(restantes)}`
}

/** What to do about a code, as the page of errors says it. */
function escreverConselho(codigo: string, { corpo, retryS }: Respondida, prefixo: string): Html {
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
