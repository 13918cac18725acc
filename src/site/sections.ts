import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { quandoRepetir } from '../platform/wire/fonte.ts'
import { type CodeEntry, groups } from './entries.ts'
import { valueLists } from './erros.ts'
import { markup } from './markup.ts'

/** The operations that may answer a code: as HTTP error, or in `source_status`. */
export type AnsweredBy = { http: readonly string[]; source: readonly string[] }

/** The index of the page: every code and every list of values. */
export const indexHtml = (): readonly Html[] => [
  ...groups.map(({ heading, id, entries }) =>
    linksHtml(
      heading,
      id,
      entries.map(({ code }) => [code, code]),
    ),
  ),
  linksHtml(
    'Listas de valores',
    'valores',
    valueLists.map(({ id, heading }) => [id, heading]),
  ),
]

const linksHtml = (
  heading: string,
  id: string,
  links: readonly (readonly [id: string, text: string])[],
): Html => html`<div>
<p><a href="${url(`#${id}`)}"><strong>${heading}</strong></a></p>
<ul>${links.map(([to, text]) => html`<li><a href="${url(`#${to}`)}"><code>${text}</code></a></li>`)}</ul>
</div>
`

/** The codes, under the headings of their groups. */
export const codesHtml = (answeredBy: (code: string) => AnsweredBy): readonly Html[] =>
  groups.map(
    ({ id, heading, about, entries }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p>${markup(about)}</p>
${entries.map((entry) => entryHtml(entry, answeredBy(entry.code)))}</section>
`,
  )

const entryHtml = (entry: CodeEntry, answers: AnsweredBy): Html => html`<article id="${entry.code}">
<h3><a href="${url(`#${entry.code}`)}"><code>${entry.code}</code></a></h3>
<p class="titulo"><span class="selo">HTTP ${entry.status ?? 200}</span> ${entry.title}</p>
<dl>
<dt>O que significa</dt><dd>${markup(entry.meaning)}</dd>
<dt>O que fazer</dt><dd>${markup(entry.action)}</dd>
<dt>Repetir</dt><dd>${markup(repeatText(entry))}</dd>
<dt>Onde aparece</dt><dd>${answersHtml(entry, answers)}</dd>
</dl>
</article>
`

const repeatText = ({ retryS, repeat = '' }: CodeEntry): string =>
  `${retryS === null ? 'Não.' : `Sim. ${quandoRepetir(retryS)}`} ${repeat}`.trimEnd()

function answersHtml({ anyAddress }: CodeEntry, { http, source }: AnsweredBy): Content {
  if (anyAddress) return 'Qualquer endereço: a recusa vem antes de chegar a uma consulta.'
  if (http.length + source.length === 0) return 'Nenhuma consulta deste servidor, por enquanto.'
  return [operationsHtml('', http), operationsHtml('Em source_status, com HTTP 200:', source)]
}

function operationsHtml(label: string, operations: readonly string[]): Content {
  if (operations.length === 0) return undefined
  const items = operations.map((name) => html`<li><code>${name}</code></li>`)
  return html`${label !== '' && html`<p>${markup(label)}</p>`}<ul>${items}</ul>`
}

/** The lists of values, each with the meaning of its words. */
export const valuesHtml = (): readonly Html[] =>
  valueLists.map(
    ({ id, heading, about, meanings }) => html`<article id="${id}">
<h3><a href="${url(`#${id}`)}"><code>${heading}</code></a></h3>
<p>${markup(about)}</p>
<dl>
${Object.entries(meanings).map(
  ([word, meaning]) => html`<dt><code>${word}</code></dt><dd>${markup(meaning)}</dd>
`,
)}</dl>
</article>
`,
  )
