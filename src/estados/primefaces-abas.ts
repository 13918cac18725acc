import type { CheerioAPI } from 'cheerio/slim'
import type { Campos } from '../portal/campos.ts'
import type { Entrega } from '../portal/certidao.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { PerguntaCnd } from '../portal/estado.ts'
import { eventoPrime, formDe, readParcial, VIEW_STATE } from '../portal/jsf.ts'
import { readCertificado } from '../portal/mensagem.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { type PortalOptions, writeDocumento } from '../portal/rota.ts'

/**
 * The options of the page, and of the fields in its tabs. `documentos` has the place of each kind in the
 * list.
 */
export type AbasOptions = PortalOptions &
  Required<Entrega> & {
    /** The menu, and the place of the certificate's entry in it, from 1. */
    menu: { form: string; barra: string; item: number }
    /** The ends of the ids of the fields of each tab: the list of kinds, and the document. */
    campos: { tipo: string; documento: string }
  }

/**
 * A form that an entry of the submenu opens: the place of the entry, from 1, and the ends of the ids of form
 * and button.
 */
export type Aba = { entrada: number; form: string; botao: string }

/** An AJAX answer, and the pieces of page in it. */
export type RespostaParcial = { answer: Pagina; html: CheerioAPI }

/** An open tab, with the question filled in. */
export type AbaAberta = {
  press: () => Promise<RespostaParcial>
  /** Sends its form for a file. */
  download: (botao: [name: string, value: string]) => Promise<Pagina>
}

/**
 * Opens a page whose menu opens each form in a tab over AJAX, and gives the function that opens a tab. The
 * ids count the tabs of the session, so they are read from the page.
 */
export async function openAbas(
  portal: Portal,
  pergunta: PerguntaCnd,
  options: AbasOptions,
): Promise<(aba: Aba) => Promise<AbaAberta>> {
  const { url, menu, layout, mensagem } = options
  const inicio = await portal.get(url)
  const form = formDe(menu.form)
  const hidden = harvest(portal, inicio, form)
  const target = actionOf(inicio, form)
  let viewState = hidden[VIEW_STATE] ?? ''
  const send = async (campos: Campos): Promise<RespostaParcial> => {
    const answer = await portal.post(target, { ...campos, [VIEW_STATE]: viewState }, ajax)
    // A whole page here says that the portal is closed, or out of order.
    if (!answer.text().includes('<partial-response'))
      await readCertificado(portal, pergunta, answer, { layout, mensagem })
    const parcial = readParcial(portal, answer)
    viewState = parcial.viewState
    return { answer, html: parcial.html }
  }
  return async (aba) => {
    const { item, barra } = menu
    const link = `[id="${barra}"] > ul > li:nth-child(${item}) > ul > li:nth-child(${aba.entrada}) > a`
    const evento = eventoPrime(inicio.html()(link).first())
    if (!evento) failUnknown(portal, inicio, `falta o menu (${barra})`)
    const { html } = await send({ ...hidden, [menu.form]: menu.form, ...evento })
    const { campos, botao } = fill(portal, html, aba, pergunta, options)
    return {
      press: () => send({ ...campos, ...botao }),
      download: ([name, value]) => portal.post(target, { ...campos, [VIEW_STATE]: viewState, [name]: value }),
    }
  }
}

const ajax = { headers: { 'faces-request': 'partial/ajax', 'x-requested-with': 'XMLHttpRequest' } }

/**
 * Fills the form of a tab, and gives the additions of its button. Throws SourceError `parse` if it lacks a
 * field.
 */
function fill(
  portal: Portal,
  $: CheerioAPI,
  aba: Aba,
  pergunta: PerguntaCnd,
  { documentos, campos }: AbasOptions,
): { campos: Campos; botao: Campos } {
  const missing = (what: string): Error => portal.failure('parse', `mudou de página: falta ${what}`)
  const form = $(`form[id$="${aba.form}"]`).last()
  const id = form.attr('id')
  if (!id) throw missing(`o formulário (${aba.form})`)
  const list = form.find(`select[name*="${campos.tipo}"]`).first()
  const tipo = list.attr('name')
  // The options are known by their order.
  const codigo = list.find('option').eq(Number(documentos[pergunta.tipo])).attr('value')
  if (!tipo || codigo === undefined) throw missing(`a lista (${campos.tipo})`)
  const documento = form.find(`input[name$="${campos.documento}"]`).first().attr('name')
  if (!documento) throw missing(`o campo (${campos.documento})`)
  const botao = eventoPrime(form.find(`[id$="${aba.botao}"]`).first())
  if (!botao) throw missing(`o botão (${aba.botao})`)
  const isMasked = $('script').text().includes('InputMask')
  const inputs = form.find('input[type=hidden][name], input[type=text][name]').toArray()
  const others = inputs.map(({ attribs }) => [attribs.name ?? '', attribs.value ?? ''] as const)
  return {
    campos: {
      ...Object.fromEntries(others),
      [id]: id,
      [tipo]: codigo,
      [documento]: writeDocumento(pergunta, isMasked ? 'mascara' : 'digitos'),
    },
    botao,
  }
}
