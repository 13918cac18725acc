import { quandoRepetir } from '../../domain/fonte/repetir.ts'
import type { AnsweredBy } from './answered-by.ts'
import { type CodeEntry, groups } from './entries.ts'
import { escapeHtml, markup } from './markup.ts'
import { valueLists } from './values.ts'

/** The index of the page: every code and every list of values. */
export const indexHtml = (): string =>
  [
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
  ].join('\n')

const linksHtml = (
  heading: string,
  id: string,
  links: readonly (readonly [id: string, text: string])[],
): string => `<div>
<p><a href="#${id}"><strong>${escapeHtml(heading)}</strong></a></p>
<ul>${links.map(([to, text]) => `<li><a href="#${to}"><code>${escapeHtml(text)}</code></a></li>`).join('')}</ul>
</div>`

/** The codes, under the headings of their groups. */
export const codesHtml = (answeredBy: (code: string) => AnsweredBy): string =>
  groups
    .map(
      ({ id, heading, about, entries }) => `<section aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(heading)}</h2>
<p>${markup(about)}</p>
${entries.map((entry) => entryHtml(entry, answeredBy(entry.code))).join('\n')}
</section>`,
    )
    .join('\n')

const entryHtml = (entry: CodeEntry, answers: AnsweredBy): string => `<article id="${entry.code}">
<h3><a href="#${entry.code}"><code>${entry.code}</code></a></h3>
<p class="titulo"><span class="selo">HTTP ${entry.status ?? 200}</span> ${escapeHtml(entry.title)}</p>
<dl>
<dt>O que significa</dt><dd>${markup(entry.meaning)}</dd>
<dt>O que fazer</dt><dd>${markup(entry.action)}</dd>
<dt>Repetir</dt><dd>${markup(repeatText(entry))}</dd>
<dt>Onde aparece</dt><dd>${answersHtml(entry, answers)}</dd>
</dl>
</article>`

const repeatText = ({ retryS, repeat = '' }: CodeEntry): string =>
  `${retryS === null ? 'Não.' : `Sim. ${quandoRepetir(retryS)}`} ${repeat}`.trimEnd()

function answersHtml({ anyAddress }: CodeEntry, { http, source }: AnsweredBy): string {
  if (anyAddress) return 'Qualquer endereço: a recusa vem antes de chegar a uma consulta.'
  if (http.length + source.length === 0) return 'Nenhuma consulta deste servidor, por enquanto.'
  return [operationsHtml('', http), operationsHtml('Em source_status, com HTTP 200:', source)].join('')
}

function operationsHtml(label: string, operations: readonly string[]): string {
  if (operations.length === 0) return ''
  const items = operations.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join('')
  return `${label && `<p>${markup(label)}</p>`}<ul>${items}</ul>`
}

/** The lists of values, each with the meaning of its words. */
export const valuesHtml = (): string =>
  valueLists
    .map(
      ({ id, heading, about, meanings }) => `<article id="${id}">
<h3><a href="#${id}"><code>${escapeHtml(heading)}</code></a></h3>
<p>${markup(about)}</p>
<dl>
${Object.entries(meanings)
  .map(([word, meaning]) => `<dt><code>${word}</code></dt><dd>${markup(meaning)}</dd>`)
  .join('\n')}
</dl>
</article>`,
    )
    .join('\n')
