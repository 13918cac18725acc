import { type Content, type Html, html, url } from '../platform/pages/html.ts'

/** What the card of a door is drawn with. */
type Porta = { titulo: string; formulario: Content; ligacoes?: Content; aoLado?: Content }

/** A door: one card with its form, and beside it what a visitor should know. */
export const porta = ({ titulo, formulario, ligacoes, aoLado }: Porta): Html =>
  html`<div class="porta"><section class="cartao" aria-labelledby="titulo"><h1 id="titulo">${titulo}</h1>
${formulario}${ligacoes !== undefined && html`\n<p class="ligacoes">${ligacoes}</p>`}</section>${
    aoLado !== undefined && html`\n<aside class="ao-lado" aria-label="Bom saber">${aoLado}</aside>`
  }</div>`

/** What the form of a door has. */
type Formulario = { acao: string; campos: Content; botao: string; csrf: Content }

/** The form of a door. */
export const formulario = ({ acao, campos, botao, csrf }: Formulario): Html =>
  html`<form class="formulario" method="post" action="${url(acao)}">${csrf}${campos}<p><button class="botao" type="submit">${botao}</button></p></form>`

/** A field that the form carries along. */
export const levado = (nome: string, valor: string): Html =>
  html`<input type="hidden" name="${nome}" value="${valor}"/>`

/** What a page says once, after something was done. */
export const recado = (text: Content): Html =>
  html`<div class="faixa-aviso" role="status"><p>${text}</p></div>`
