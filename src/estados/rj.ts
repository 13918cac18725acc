import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import type { Controle } from '../portal/controle.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import type { Frase } from '../portal/frase.ts'
import { textosOf } from '../portal/html.ts'
import { toInscricao } from '../portal/inscricao.ts'
import { camposDe, type Legenda, labelOf, legendaOf } from '../portal/inscricao-rotulo.ts'
import { formDe, readParcial, VIEW_STATE } from '../portal/jsf.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { readRotulos } from '../portal/registro.ts'
import { readNone } from '../portal/resultado.ts'
import { type PortalOptions, portalIe, writeDocumento } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { solveImagem } from '../portal/solve.ts'

export type RichFaces4IeOptions = PortalOptions & {
  form: string
  /** The field of each document. */
  campos: Record<TipoDocumento, string>
  /** The image (CSS), and the field for its letters. */
  imagem: string
  resposta: string
  botao: string
  fixos?: Campos
  /** The id of the grid of registrations, and the place of the number in its columns, from 0. */
  grade: string
  colunaIe: number
  frases?: readonly Frase[]
}

/** RichFaces 4 with a grid of registrations: the page, the AJAX event of the field, the image, the query. */
export function richFaces4Ie(uf: Uf, options: RichFaces4IeOptions): RotaIe {
  const { url, form, campos, imagem, resposta, botao, fixos } = options
  const legenda = legendaOf()
  return portalIe('richfaces4', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const image = pagina.html()(imagem).first().attr('src')
    if (!image) throw portal.failure('parse', 'mudou de página: falta a imagem do captcha')
    const campo = campos[pergunta.tipo]
    const target = actionOf(pagina, formDe(form))
    const fields = { ...hiddenOf(portal, pagina, form), [campo]: writeDocumento(pergunta, 'mascara') }
    const change = await portal.post(target, { ...fields, ...changeOf(campo) }, ajax)
    const { viewState } = readParcial(portal, change)
    const answer = await portal.post(target, {
      ...fields,
      ...fixos,
      [VIEW_STATE]: viewState,
      [resposta]: await solveImagem(portal, new URL(image, change.url).href),
      [botao]: botao,
    })
    return readGrade(portal, pergunta, answer, { ...options, legenda })
  })
}

const ajax = { headers: { 'faces-request': 'partial/ajax' } }

/** The fields that RichFaces 4 sends when a value changes. */
const changeOf = (campo: string): Campos => ({
  'javax.faces.source': campo,
  'javax.faces.partial.event': 'change',
  'javax.faces.partial.execute': campo,
  'javax.faces.partial.render': '@component',
  'javax.faces.behavior.event': 'valueChange',
  'org.richfaces.ajax.component': campo,
  'AJAX:EVENTS_COUNT': '1',
  'javax.faces.partial.ajax': 'true',
})

/** Reads one registration a row, by the words at the head of each column. */
function readGrade(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { grade, colunaIe, legenda, frases }: RichFaces4IeOptions & { legenda: Legenda },
): Inscricao[] {
  const $ = pagina.html()
  const grid = $(`[id="${grade}"]`)
  const textsOf = (cells: Controle): string[] =>
    cells.toArray().map((cell) => textosOf({ toArray: () => [cell] }).join(' '))
  const heads = textsOf(grid.find('th'))
  const novos = heads.filter((head) => head && !legenda.has(labelOf(head)))
  portal.meios.relato?.rotulos(novos)
  const rows = grid.find('tr').filter((_, row) => $(row).find('td.rf-dt-c').length > 0)
  if (rows.length === 0) return readNone(portal, pergunta, pagina, { frases })
  return rows.toArray().map((row) => {
    const cells = textsOf($(row).find('td.rf-dt-c'))
    if (cells.length !== heads.length) throw portal.failure('parse', 'mudou as colunas da grade')
    const pairs = heads.flatMap((head, at) => [head, cells[at] ?? ''].filter(Boolean))
    const lidos = readRotulos(pairs, legenda)
    portal.meios.relato?.campos(camposDe(lidos))
    return toInscricao({ ...lidos, inscricao_estadual: cells[colunaIe] ?? '' }, portal, pergunta)
  })
}

const hiddenOf = (portal: Portal, pagina: Pagina, form: string): Campos => ({
  ...harvest(portal, pagina, formDe(form)),
  [form]: form,
})
