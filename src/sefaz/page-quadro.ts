import { type Uf, ufs } from '../documento/uf.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { legendaDasClasses, mapaDoBrasil } from '../platform/pages/mapa.ts'
import { listaDeIncidentes, verIncidente } from './incidentes.ts'
import { cartaoDaFonte, cartaoDaPalavra, cartaoNacional } from './procedencia.ts'
import { type Agora, resumir } from './resumo.ts'
import { type Doc, docs, nomeDoDoc } from './rules.ts'
import { situacaoDe } from './rules-quadro.ts'
import { tabelaDosEstados } from './tabela.ts'
import { formatDiaCurto } from './textos.ts'
import type { Vista } from './vista.ts'

/** The most past incidents that the page lists. */
const PASSADOS = 5

/** The content of the public page, for one document. `prefixo` stands before each address. */
export function painelDaSefaz(vista: Vista, doc: Doc, prefixo: string): Html {
  const agora = resumir(vista)
  const enderecoDe = (uf: Uf): string => `${prefixo}/sefaz/${uf.toLowerCase()}/`
  const passados = vista.incidentes.filter(({ fim }) => fim !== null).slice(0, PASSADOS)
  const [primeiro = ''] = vista.calendario
  return html`<div class="topo"><div><h1>SEFAZ agora</h1>${linhaDaLeitura(agora)}</div><nav class="abas" aria-label="Documento">${docs.map(
    (one) =>
      html`<a href="${url(enderecoDoPainel(one, prefixo))}" aria-current="${one === doc ? 'true' : 'false'}">${nomeDoDoc[one]}</a>`,
  )}</nav></div>
${faixaDoAviso(agora)}
<div class="grade" id="sefaz" data-doc="${doc}" data-eventos="${prefixo}/sefaz/eventos">
${docs.map((one) => cartaoDoDoc(one, agora))}
${cartao(
  {
    titulo: `${nomeDoDoc[doc]} por estado`,
    id: 'mapa',
    classe: 'menor',
    lado: html`<span class="selo bom ao-vivo" hidden=""></span>`,
  },
  html`${mapaDoBrasil((uf) => situacaoDe(vista.quadro, doc, uf), enderecoDe)}${legendaDasClasses(agora.docs[doc].contagem)}`,
)}
${cartao(
  { titulo: 'Incidentes', id: 'incidentes', classe: 'maior' },
  html`<div id="abertos">${listaDeIncidentes(agora.incidentes, agora.semIncidentes)}</div>${
    passados.length > 0 &&
    html`<h3>Encerrados há pouco</h3>${listaDeIncidentes(
      passados.map((one) => verIncidente(one, vista)),
      '',
    )}`
  }`,
)}
${cartao(
  {
    titulo: `Estados, ${nomeDoDoc[doc]}`,
    id: 'estados',
    lado: html`<span class="suave">90 dias, de ${formatDiaCurto(primeiro)} a hoje</span>`,
  },
  tabelaDosEstados(vista, doc, enderecoDe),
)}
${cartaoDaPalavra(vista, doc)}
${cartaoNacional(vista)}
${cartaoDaFonte(vista)}
</div>
<p class="suave sem-papel">Para programas: <a href="${url(`${prefixo}/documentacao`)}"><code>GET /api/v1/sefaz/status</code></a> na API, ou <a href="${url(`${prefixo}/sefaz/api/v2/summary.json`)}"><code>summary.json</code></a>, sem chave, para leitores de páginas de status.</p>`
}

/** The address of the page for a document. */
export const enderecoDoPainel = (doc: Doc, prefixo: string): string =>
  `${prefixo}/sefaz/${doc === 'nfe' ? '' : `?doc=${doc}`}`

/** When the last reading was, and the next one will be. */
export const linhaDaLeitura = ({ lida }: Agora): Html =>
  lida
    ? html`<p class="suave" id="leitura">Última leitura em <time datetime="${lida.iso}">${lida.texto}</time> (Brasília)<span id="proxima">${lida.proxima && `; a próxima, às ${lida.proxima}`}</span></p>`
    : html`<p class="suave" id="leitura">Ainda sem leitura</p>`

/** The band that says all in one line. What the live events change is announced apart. */
const faixaDoAviso = ({ aviso: { tom, titulo, texto } }: Agora): Html =>
  html`<div class="faixa-aviso ${tom}" id="aviso"><div><p>${titulo}</p><p>${texto}</p></div></div><p class="so-leitor" role="status" id="anuncio"></p>`

const cartaoDoDoc = (doc: Doc, { docs: all }: Agora): Html =>
  html`<section class="cartao terco placar" data-cartao="${doc}" aria-label="${nomeDoDoc[doc]}"><p class="suave">${nomeDoDoc[doc]}</p><p class="numero"><span>${all[doc].normais}</span> <small>de ${ufs.length} estados normais</small></p><p class="suave resumo">${all[doc].resumo}</p></section>`
