import type { Pagina } from '../portal/pagina.ts'
import { normalize } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'

/** The hidden fields of its form: the state of ASP.NET WebForms, and the fields that a script fills. */
const ESTADO = ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const
const OCULTOS = new Set<string>([...ESTADO, '__VIEWSTATEENCRYPTED', '__EVENTTARGET', '__EVENTARGUMENT'])

/** The controls of its form. Five clients know these and no others (2022 to 2025). */
export const CAMPOS = {
  cnpj: 'txtCNPJ',
  ie: 'txtie',
  uf: 'CmdUF',
  situacao: 'CmdSituacao',
  filtrar: 'AplicarFiltro',
} as const
const VISIVEIS = new Set<string>(Object.values(CAMPOS))

/** Decorative pictures have a plain file name. A picture that a program draws may be a captcha. */
const ENFEITE = /^[^?]*\.(?:gif|png|jpe?g|svg|ico|webp)$/i
const CAPTCHA = /captcha|codigo|imagem/i

/**
 * Throws unless the page is the known form. An error, an unknown field, a captcha or a drawn picture is
 * refused.
 */
export function checkLayout(portal: Portal, pagina: Pagina): void {
  refuseErro(portal, pagina)
  const $ = pagina.html()
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  const controls = $('input, select, textarea, button')
    .toArray()
    .map((control) => $(control))
  const names = controls.map((control) => control.attr('name') ?? '')
  const missing = [...ESTADO, ...VISIVEIS].find((name) => !names.includes(name))
  if (missing) throw changed(`falta o campo ${missing}`)
  const unknown = controls.find((control) => {
    const known = control.attr('type') === 'hidden' ? OCULTOS : VISIVEIS
    return !known.has(control.attr('name') ?? '')
  })
  if (unknown) throw changed(`traz um campo que não tinha (${unknown.attr('name') || 'sem nome'})`)
  if ($('iframe, [data-sitekey], canvas').length > 0) throw changed('traz um captcha')
  const drawn = $('img')
    .toArray()
    .some((img) => {
      const { src = '', id = '', alt = '' } = $(img).attr() ?? {}
      return !ENFEITE.test(src) || CAPTCHA.test(`${src} ${id} ${alt}`)
    })
  if (drawn) throw changed('traz uma imagem que não tinha')
}

/** Throws if the page redirects, or is the site's own page of errors. */
function refuseErro(portal: Portal, pagina: Pagina): void {
  const $ = pagina.html()
  const isErro =
    pagina.status >= 300 || $('[id$="desTipoErro"]').length > 0 || /\bOPS ?!/.test(pagina.words())
  if (isErro)
    throw portal.failure('http', 'mostrou a sua página de erro', {
      codigo: 'erro',
      unavailable: true,
    })
}

/** One row of the list. */
export type LinhaDoCcc = { cnpj: string; ie: string; nome: string; uf: string; situacao: string }

/**
 * One page of the list: its rows, its number, the highest number that it links to, and the count of all rows.
 */
export type Folha = { linhas: LinhaDoCcc[]; numero: number; ultima: number; total: number }

const TITULOS = ['CNPJ', 'IE', 'RAZAO SOCIAL', 'UF', 'SITUACAO']

/**
 * Reads one page of the list; undefined if it says that nobody was found. Throws SourceError `parse` for any
 * other page.
 */
export function readFolha(portal: Portal, pagina: Pagina): Folha | undefined {
  const $ = pagina.html()
  const changed = (why: string) => portal.failure('parse', `mudou de página: ${why}`)
  const rows = $('table#Grid')
    .find('tr')
    .filter((_, row) => $(row).closest('table').is('#Grid'))
    .toArray()
    .map((row) => $(row))
  const cellsOf = (row: (typeof rows)[number]): string[] =>
    row
      .children('td, th')
      .toArray()
      .map((cell) => $(cell).text().trim())
  const nobody = $('#lblConsultaVazia').text().trim() !== ''
  if (nobody && rows.length > 1) throw changed('diz que não há ninguém e mostra uma lista')
  if (nobody) return undefined
  const [heads, ...others] = rows
  if (!heads || cellsOf(heads).map(normalize).join('|') !== TITULOS.join('|'))
    throw changed('a lista não tem os títulos de sempre')
  const pager = others.at(-1)?.find('table').length ? others.pop() : undefined
  const linhas = others.map((row): LinhaDoCcc => {
    const [cnpj, ie, nome, uf, situacao, ...more] = cellsOf(row)
    if (!cnpj || !ie || nome === undefined || !uf || !situacao || more.length > 0)
      throw changed('uma linha da lista não tem as colunas de sempre')
    return { cnpj, ie, nome, uf, situacao }
  })
  if (linhas.length === 0) throw changed('a lista não tem linhas')
  const total = /^\D*(\d+)\D*$/.exec($('#lblTotal').text())?.[1]
  if (!total) throw changed('falta o total da lista')
  const numero = pager ? Number(pager.find('span').first().text().trim()) : 1
  if (!Number.isInteger(numero) || numero < 1) throw changed('não se sabe em que folha da lista se está')
  const hrefs = pager?.find('a').toArray() ?? []
  const linked = hrefs.map((link) => Number(/'Page\$(\d+)'/.exec($(link).attr('href') ?? '')?.[1] ?? 0))
  return { linhas, numero, ultima: Math.max(numero, ...linked), total: Number(total) }
}
