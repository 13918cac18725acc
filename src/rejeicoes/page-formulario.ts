import { gunzipSync, gzipSync } from 'node:zlib'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { CORRIGIDO } from './enderecos.ts'
import type { Corrigido } from './rules-laudo.ts'

/** The field in which a page carries the note that it diagnosed: nothing of it is kept on our side. */
export const CAMPO_DA_NOTA = 'nota'

/** Octets of an XML that is diagnosed, and of the field: a form takes little more. */
const MAIOR_NOTA = 1024 * 1024
const MAIOR_CAMPO = 1024 * 1024

/** A note as a form carries it: a field of plain text would lose its line ends, and be ten times as large. */
const guardar = (xml: string): string => gzipSync(xml).toString('base64url')

/** The note that a form carried. Undefined for what no page of ours has written. */
export function notaGuardada(campo: string): string | undefined {
  try {
    return gunzipSync(Buffer.from(campo, 'base64url'), { maxOutputLength: MAIOR_NOTA }).toString('utf8')
  } catch {
    return undefined
  }
}

/** The corrected note to take away, and what is left to do with it. */
export function cartaoDoCorrigido(
  { mudancas, falta }: Corrigido,
  { xml, emendas, prefixo }: { xml: string; emendas: number; prefixo: string },
): Html {
  const nota = guardar(xml)
  const formas = mudancas.slice(emendas)
  return cartao(
    { titulo: 'O XML corrigido', id: 'corrigido' },
    html`${
      nota.length > MAIOR_CAMPO
        ? html`<p>Este XML é grande demais para voltar por uma página: a API e o programa <code>fiscal</code> dão o corrigido.</p>`
        : html`<form class="sem-papel" method="post" action="${url(prefixo + CORRIGIDO)}"><input type="hidden" name="${CAMPO_DA_NOTA}" value="${nota}"/><p><button class="botao">Baixar o XML corrigido (sem assinatura)</button></p></form>`
    }<p class="suave">O arquivo traz as correções acima, e no mais é o que você enviou. Ele não é guardado aqui.</p>${
      formas.length > 0 && html`<ul class="pontos">${formas.map((one) => html`<li>${one}</li>`)}</ul>`
    }<h3>O que falta fazer</h3><ol class="pontos">${falta.map((one) => html`<li>${one}</li>`)}</ol><p class="suave">Faça as mesmas correções no programa que emite as notas: sem isso a próxima sai com o mesmo erro.</p>`,
  )
}
