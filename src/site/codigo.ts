import { type Content, type Html, html } from '../platform/pages/html.ts'
import type { Bloco, BlocoDeCodigo, Pedaco } from './blocos.ts'

/** The languages of an example, in the order of their tabs. */
const linguas: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }

/** What a block that is no example shows, unless the page says it. */
const legendas: Readonly<Record<string, string>> = {
  json: 'Resposta',
  http: 'Resposta',
  text: 'O programa mostra',
  console: 'Terminal',
}

/** Whether a block is an example in one of the languages that have a tab. */
export const isExemplo = (bloco: Bloco): bloco is BlocoDeCodigo =>
  bloco.tipo === 'codigo' && Object.hasOwn(linguas, bloco.lingua)

/**
 * Draws an example with a tab a language, which are choices of a form: they need no program. `numero` is the
 * example's own on its page.
 */
export const desenharExemplo = (
  blocos: readonly BlocoDeCodigo[],
  numero: number,
): Html => html`<div class="exemplo">
${
  blocos.length > 1 &&
  html`<fieldset class="abas"><legend class="so-leitor">Linguagem do exemplo</legend>${blocos.map(
    ({ lingua }, at) =>
      html`<label>${at === 0 ? escolhida(lingua, numero) : escolha(lingua, numero)}<span>${linguas[lingua]}</span></label>`,
  )}</fieldset>
`
}${blocos.map((bloco) => html`<pre class="codigo ${bloco.lingua}"><code>${desenharLinhas(bloco)}</code></pre>\n`)}</div>
`

const escolha = (lingua: string, numero: number): Html =>
  html`<input type="radio" name="${`lingua-${numero}`}" value="${lingua}"/>`

const escolhida = (lingua: string, numero: number): Html =>
  html`<input type="radio" name="${`lingua-${numero}`}" value="${lingua}" checked="checked"/>`

/** Draws a block that shows what comes of an example, or what is typed otherwise. */
export const desenharSaida = (bloco: BlocoDeCodigo): Html => html`<figure class="exemplo saida">
<figcaption>${bloco.legenda ?? legendas[bloco.lingua]}</figcaption>
<pre class="codigo ${bloco.lingua}"><code>${desenharLinhas(bloco)}</code></pre>
</figure>
`

const desenharLinhas = ({ linhas }: BlocoDeCodigo): Content =>
  linhas.map((linha, at) => [at > 0 && '\n', linha.map(desenharPedaco)])

const desenharPedaco = ([cor, texto]: Pedaco): Content =>
  cor === '' ? texto : html`<span class="${cor}">${texto}</span>`
