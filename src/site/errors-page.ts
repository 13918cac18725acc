import { type Html, html } from '../platform/pages/html.ts'
import { type AnsweredBy, codesHtml, indexHtml, valuesHtml } from './sections.ts'

const EXAMPLE = `HTTP/1.1 503 Service Unavailable
Content-Type: application/problem+json
Retry-After: 60

{
  "type": "/erros#SITE_INDISPONIVEL",
  "title": "Fonte indisponível",
  "status": 503,
  "detail": "A SEFAZ-SP não respondeu a tempo. Tente de novo em 1 minuto. Nada foi cobrado.",
  "instance": "urn:uuid:01a1da92-8d80-7889-a687-f5ac7c3db35d",
  "error_code": "SITE_INDISPONIVEL",
  "error_message": "A SEFAZ-SP não respondeu a tempo. Tente de novo em 1 minuto. Nada foi cobrado.",
  "request_id": "01a1da92-8d80-7889-a687-f5ac7c3db35d",
  "retryable": true
}`

/**
 * The content of the page that a problem's `type` points to: of each code its meaning, what to do,
 * whether to repeat and which operations of the OpenAPI document declare it; then the lists of values.
 */
export const errorsContent = (answeredBy: (code: string) => AnsweredBy): Html => html`<div class="codigos">
<h1>Códigos de erro e valores</h1>
<p>Toda falha vem como <code>application/problem+json</code> (RFC 9457). <code>error_code</code> é estável e feito para programas;
<code>detail</code> diz, em português, o que houve e o que fazer. Falhas não custam créditos.</p>
<p>Para saber se vale repetir, leia <code>retryable</code> na própria falha; o cabeçalho <code>Retry-After</code> diz depois de quantos segundos.
O que esta página diz de repetir é o que vale em geral. Guarde sempre <code>request_id</code>: é por ele que o operador acha o que houve.</p>
<pre tabindex="0"><code>${EXAMPLE}</code></pre>
<nav aria-label="Códigos e valores">
${indexHtml()}
</nav>
${codesHtml(answeredBy)}
<section aria-labelledby="valores">
<h2 id="valores">Listas de valores</h2>
<p>Palavras que as respostas trazem e que não são erros.</p>
${valuesHtml()}
</section>
</div>`
