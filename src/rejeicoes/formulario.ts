import { type Html, html, url } from '../platform/pages/html.ts'
import { DIAGNOSTICAR } from './enderecos.ts'

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
