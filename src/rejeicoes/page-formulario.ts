import { gunzipSync, gzipSync } from 'node:zlib'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { CORRIGIDO, DIAGNOSTICAR } from './page-busca.ts'
import type { Corrigido } from './rules-laudo.ts'

/** The names of the form's fields. */
export const CAMPOS = { xml: 'xml', arquivo: 'arquivo', informado: 'informado', pagina: 'pagina' } as const

/** The most characters of what the authority answered. */
export const MAIOR_INFORMADO = 500

/**
 * The form for an XML, as a file or a text, and for what the authority answered, in the reader's words or by
 * `codigo`. The page of a rejection sends its code, so that the answer shows its pair.
 */
export const formularioDoXml = (prefixo: string, codigo?: number): Html =>
  html`<form class="diagnostico" method="post" action="${url(prefixo + DIAGNOSTICAR)}" enctype="multipart/form-data">
<div class="solta"><label for="arquivo">Arquivo XML da nota: escolha ou solte aqui</label><input id="arquivo" name="${CAMPOS.arquivo}" type="file" accept=".xml,text/xml,application/xml"/><p class="suave" id="solto" role="status"></p></div>
<div><label for="xml">ou o texto dele</label><textarea id="xml" name="${CAMPOS.xml}" rows="6" spellcheck="false" autocomplete="off" placeholder="&lt;NFe xmlns=…"></textarea></div>
${
  codigo === undefined
    ? html`<div><label for="informado">O que a SEFAZ respondeu, se respondeu</label><input id="informado" name="${CAMPOS.informado}" maxlength="${MAIOR_INFORMADO}" autocomplete="off" placeholder="539, ou o texto da rejeição"/></div>`
    : html`<label class="marca-de"><input type="checkbox" name="${CAMPOS.informado}" value="${codigo}" checked=""/> A SEFAZ respondeu ${codigo} a esta nota</label><input type="hidden" name="${CAMPOS.pagina}" value="${codigo}"/>`
}
<p><button class="botao">Diagnosticar</button></p>
<p class="suave">NF-e ou NFC-e, até 1 MiB. O XML não é guardado nem registrado; a resposta sai na hora.</p>
</form>`

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
