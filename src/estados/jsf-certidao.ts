import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import { type Entrega, readEntrega } from '../portal/certidao.ts'
import { choiceOf } from '../portal/controle.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { RotaCnd } from '../portal/estado.ts'
import { findComando, formDe, readParcial, VIEW_STATE } from '../portal/jsf.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { type DaCertidao, type PortalOptions, portalCnd, writeDocumento } from '../portal/rota.ts'

/** The options of such a page in a state's file. `documentos` has the end of each radio's id. */
export type JsfCertidaoOptions = PortalOptions &
  DaCertidao &
  Entrega & {
    segunda?: true
    form: string
    /** The radios of the kind of document, and the field of its number, which is sent masked. */
    tipo: string
    campo: string
    /** The words on the button. Its name is made at the build. */
    botao: string
  }

/**
 * JavaServer Faces whose radios of the kind of document renew the field over AJAX. It answers with the
 * certificate.
 */
export function jsfCnd(uf: Uf, options: JsfCertidaoOptions): RotaCnd {
  const { url, documentos, form, tipo, campo, botao } = options
  return portalCnd('jsf', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const target = actionOf(pagina, formDe(form))
    const hidden = { ...harvest(portal, pagina, formDe(form)), [form]: form }
    const { name, value, escolhido } = choiceOf(
      portal,
      pagina,
      `[name="${tipo}"]`,
      documentos[pergunta.tipo] ?? '',
    )
    const chosen = { ...hidden, [name]: value }
    const event = escolhido ? undefined : eventOf(portal, pagina, name, value)
    const change = event && (await portal.post(target, { ...chosen, [campo]: '', ...event }, ajax))
    const { nome, valor } = findComando(portal, pagina, botao)
    const answer = await portal.post(target, {
      ...chosen,
      ...(change && { [VIEW_STATE]: readParcial(portal, change).viewState }),
      [campo]: writeDocumento(pergunta, 'mascara'),
      [nome]: valor,
    })
    return readEntrega(portal, pergunta, answer, options)
  })
}

const ajax = { headers: { 'faces-request': 'partial/ajax' } }

/**
 * `mojarra.ab(this,event,'click','@this','form:panel')`: the event, what is sent and what is drawn again (JSF
 * 2.2, jsf.js).
 */
const mojarra =
  /\bmojarra\.ab\(\s*this\s*,\s*event\s*,\s*'([^']*)'\s*,\s*(?:'([^']*)'|0)\s*,\s*(?:'([^']*)'|0)/

/** The fields that the script of a radio sends when it is chosen. Undefined if it has no script. */
function eventOf(portal: Portal, pagina: Pagina, name: string, value: string): Campos | undefined {
  const $ = pagina.html()
  const [radio] = $('input[type=radio]')
    .toArray()
    .filter(({ attribs }) => attribs.name === name && attribs.value === value)
  const { id = name, onclick = '', onchange = '' } = radio?.attribs ?? {}
  const script = `${onclick} ${onchange}`.trim().replaceAll('\\', '')
  if (!script) return undefined
  const [, event, execute = '@this', render] = mojarra.exec(script) ?? []
  if (!event) failUnknown(portal, pagina, 'não se entende o que a escolha do tipo de documento envia')
  return {
    'javax.faces.source': id,
    'javax.faces.partial.event': event,
    'javax.faces.behavior.event': event,
    'javax.faces.partial.execute': execute.replace('@this', id),
    ...(render && { 'javax.faces.partial.render': render.replace('@this', id) }),
    'javax.faces.partial.ajax': 'true',
  }
}
