import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import type { Bloco, BlocoDeCodigo, Fragmento, TabelaDoGuia } from './blocos.ts'
import { desenharExemplo, desenharSaida, isExemplo } from './codigo.ts'
import { destinoDe } from './guia-capitulos.ts'

/** Draws the blocks of a chapter. Codes of the three languages that follow each other are one example. */
export function desenhar(blocos: readonly Bloco[], prefixo: string): Html[] {
  const feitos: Html[] = []
  let exemplo: BlocoDeCodigo[] = []
  const terminar = (): void => {
    if (exemplo.length > 0) feitos.push(desenharExemplo(exemplo, feitos.length))
    exemplo = []
  }
  for (const bloco of blocos) {
    if (isExemplo(bloco)) {
      exemplo.push(bloco)
      continue
    }
    terminar()
    feitos.push(desenharBloco(bloco, prefixo))
  }
  terminar()
  return feitos
}

function desenharBloco(bloco: Bloco, prefixo: string): Html {
  switch (bloco.tipo) {
    case 'titulo': {
      const elo = html`<a href="${url(`#${bloco.id}`)}">${desenharFrases(bloco.frases, prefixo)}</a>`
      return bloco.nivel === 2
        ? html`<h2 id="${bloco.id}">${elo}</h2>\n`
        : html`<h3 id="${bloco.id}">${elo}</h3>\n`
    }
    case 'paragrafo':
      return html`<p>${desenharFrases(bloco.frases, prefixo)}</p>\n`
    case 'lista': {
      const itens = bloco.itens.map((item) => html`<li>${desenharItem(item, prefixo)}</li>\n`)
      return bloco.ordenada ? html`<ol>${itens}</ol>\n` : html`<ul>${itens}</ul>\n`
    }
    case 'nota':
      return html`<div class="conselho" role="note">${desenhar(bloco.blocos, prefixo)}</div>\n`
    case 'tabela':
      return desenharTabela(bloco, prefixo)
    case 'codigo':
      return desenharSaida(bloco)
  }
}

/** The first text of an item stands without a paragraph of its own. */
const desenharItem = ([primeiro, ...resto]: readonly Bloco[], prefixo: string): Content => [
  primeiro?.tipo === 'paragrafo'
    ? desenharFrases(primeiro.frases, prefixo)
    : primeiro && desenharBloco(primeiro, prefixo),
  desenhar(resto, prefixo),
]

const desenharTabela = ({ cabeca, linhas }: TabelaDoGuia, prefixo: string): Html => html`<table>
<thead><tr>${cabeca.map((one) => html`<th scope="col">${desenharFrases(one, prefixo)}</th>`)}</tr></thead>
<tbody>${linhas.map(
  (linha) => html`<tr>${linha.map((one) => html`<td>${desenharFrases(one, prefixo)}</td>`)}</tr>\n`,
)}</tbody>
</table>
`

const desenharFrases = (frases: readonly Fragmento[], prefixo: string): Content =>
  frases.map((frase) => {
    if (typeof frase === 'string') return frase
    if (frase.tipo === 'codigo') return html`<code>${frase.texto}</code>`
    const dentro = desenharFrases(frase.frases, prefixo)
    if (frase.tipo === 'elo')
      return html`<a href="${url(comPrefixo(destinoDe(frase.para), prefixo))}">${dentro}</a>`
    return frase.tipo === 'forte' ? html`<strong>${dentro}</strong>` : html`<em>${dentro}</em>`
  })

const comPrefixo = (para: string, prefixo: string): string => (para.startsWith('/') ? prefixo + para : para)
