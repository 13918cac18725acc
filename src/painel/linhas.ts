import type { LinhaDoExtrato } from '../contas/extrato.ts'
import { formatInstante } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { comSinal, dizer, emReais, movimento } from './extrato-textos.ts'

/** How long the request log keeps a call. */
const REGISTRO_MS = 90 * 86_400_000

/** Where the lines link to: the log of requests, as far back as it goes at `agora`. */
export type DestinoDasLinhas = { prefixo: string; agora: Date }

/** Entries as a table, newest first. Without `destino` the ids of requests are text, as on paper. */
export const tabelaDeLinhas = (lancamentos: readonly LinhaDoExtrato[], destino?: DestinoDasLinhas): Html =>
  html`<table class="linhas"><thead><tr><th scope="col">Quando</th><th scope="col">Lançamento</th><th scope="col" class="num">Créditos</th><th scope="col" class="num">Reais</th></tr></thead><tbody>${lancamentos.map(
    (lancamento) => linha(lancamento, destino),
  )}</tbody></table>`

function linha(lancamento: LinhaDoExtrato, destino: DestinoDasLinhas | undefined): Html {
  const { oque, deque } = dizer(lancamento)
  return html`<tr><td><time datetime="${lancamento.criado_em.toISOString()}">${formatInstante(lancamento.criado_em)}</time></td><td>${oque} <span class="suave">${deque}</span>${pedido(lancamento, destino)}</td><td class="num">${comSinal(movimento(lancamento))}</td><td class="num">${emReais(lancamento.reais)}</td></tr>`
}

/** Whether an entry is of a call, whose id a client knows. */
const deConsulta = ({ tipo }: LinhaDoExtrato): boolean =>
  tipo === 'charge' || tipo === 'release' || tipo === 'hold'

function pedido(lancamento: LinhaDoExtrato, destino: DestinoDasLinhas | undefined): Content {
  if (!deConsulta(lancamento)) return undefined
  const { request_id, criado_em } = lancamento
  if (!destino || destino.agora.getTime() - criado_em.getTime() >= REGISTRO_MS)
    return html`<code class="pedido">${request_id}</code>`
  const endereco = `${destino.prefixo}/painel/registro/${encodeURIComponent(request_id)}/`
  return html`<a class="pedido" href="${url(endereco)}"><code>${request_id}</code></a>`
}
