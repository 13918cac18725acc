import { contar, formatNumero, formatQuando, formatTempo } from '../platform/pages/formatos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { caminhoCurto, nomeDoEndpoint } from './consultas.ts'

/** A call as the tables show it. */
type Chamada = {
  criado_em: number
  request_id: string
  endpoint: string
  documento: string
  uf: string
  http: number
  error_code: string
  creditos: number
  cached: number
  ms: number
  fontes_falhas: number
  fonte_code: string
}

/** What a call came to, as a badge: a failure by its code, also one that `source_status` tells. */
export function seloDoDesfecho(chamada: Omit<Chamada, 'request_id'>): Html {
  const { http, error_code, cached, fontes_falhas, fonte_code } = chamada
  if (http === 499) return html`<span class="selo">Interrompida</span>`
  if (http >= 400) return html`<span class="selo ruim">${error_code || `HTTP ${http}`}</span>`
  if (fontes_falhas > 0)
    return html`<span class="selo lento">${fontes_falhas > 1 || fonte_code === '' ? contar(fontes_falhas, 'fonte falhou', 'fontes falharam') : fonte_code}</span>`
  return cached > 0
    ? html`<span class="selo nota">Do cache</span>`
    : html`<span class="selo bom">Entregue</span>`
}

/** The calls of an account, each with a link to its detail. `prefixo` stands before each address. */
export const tabelaDeChamadas = (chamadas: readonly Chamada[], prefixo: string): Html =>
  html`<table class="chamadas"><thead><tr><th scope="col">Quando</th><th scope="col">Consulta</th><th scope="col">Documento</th><th scope="col">UF</th><th scope="col">Resultado</th><th scope="col" class="num">Tempo</th><th scope="col" class="num">Créditos</th><th scope="col">Pedido</th></tr></thead><tbody>${chamadas.map(
    (chamada) => linha(chamada, prefixo),
  )}</tbody></table>`

function linha(chamada: Chamada, prefixo: string): Html {
  const { criado_em, endpoint, documento, uf, ms, creditos, request_id } = chamada
  return html`<tr><td class="quando"><time datetime="${new Date(criado_em).toISOString()}">${formatQuando(criado_em)}</time></td><th scope="row" class="qual"><code title="${nomeDoEndpoint(endpoint)}">${caminhoCurto(endpoint)}</code></th><td class="documento">${documento && html`<code>${documento}</code>`}</td><td class="uf">${uf}</td><td class="desfecho">${seloDoDesfecho(chamada)}</td><td class="num tempo">${formatTempo(ms)}</td><td class="num creditos">${formatNumero(creditos)}<span> cr.</span></td><td class="pedido"><a href="${url(`${prefixo}/painel/registro/${request_id}/`)}" title="${request_id}"><code>${request_id.slice(-8)}</code></a></td></tr>`
}
