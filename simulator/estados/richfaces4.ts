import { escapar } from '../platform/xml.ts'
import type { Exigencias } from '../portal/exigencia.ts'
import { elemento } from '../portal/html.ts'

/** What the script of RichFaces 4 sends when a field has changed, besides the form's own fields. */
export function camposDaMudanca(id: string): Exigencias {
  return {
    'javax.faces.source': id,
    'javax.faces.partial.event': 'change',
    'javax.faces.partial.execute': id,
    'javax.faces.partial.render': '@component',
    'javax.faces.behavior.event': 'valueChange',
    'org.richfaces.ajax.component': id,
    'AJAX:EVENTS_COUNT': '1',
    'javax.faces.partial.ajax': 'true',
  }
}

/** A `rich:messages` with one message, or with none. */
export function mensagens(aviso: string): string {
  const mensagem =
    aviso && `<span class="rf-msgs-err"><span class="rf-msgs-det">${escapar(aviso)}</span></span>`
  return elemento('span', { class: 'rf-msgs', id: 'formulario:mensagens' }, mensagem)
}

/** A `rich:dataTable` of plain texts. */
export function grade(
  id: string,
  titulos: readonly string[],
  linhas: readonly (readonly string[])[],
): string {
  const cabeca = titulos.map((titulo) => `<th class="rf-dt-hdr-c">${escapar(titulo)}</th>`).join('')
  const corpo = linhas.map(
    (celulas, i) =>
      `<tr id="${id}:${i}" class="rf-dt-r">${celulas.map((texto) => `<td class="rf-dt-c">${escapar(texto) || '&nbsp;'}</td>`).join('')}</tr>`,
  )
  return elemento(
    'table',
    { id, class: 'rf-dt' },
    `<thead class="rf-dt-thd"><tr class="rf-dt-hdr">${cabeca}</tr></thead><tbody id="${id}:tb" class="rf-dt-b">${corpo.join('\n')}</tbody>`,
  )
}
