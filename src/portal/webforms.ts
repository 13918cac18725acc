import type { TipoDocumento } from '../documento/documento.ts'
import type { Campos } from './campos.ts'
import { choiceOf, controleOf, nameOf, pressOf } from './controle.ts'
import type { Pergunta } from './estado.ts'
import { postBack } from './frameworks-webforms.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { type PortalOptions, writeDocumento } from './rota.ts'
import { answerCaptcha, type CampoDoCaptcha } from './solve.ts'
import { findCampo } from './tela.ts'
import { openDelta, postDoPainel } from './webforms-ajax.ts'

/** The options of a page of ASP.NET WebForms. Controls are CSS; the page tells their names. */
export type WebformsOptions = PortalOptions & {
  /** The document's control: one for all kinds, or one for each. The others are sent empty. */
  campo: string | Partial<Record<TipoDocumento, string>>
  forma: 'digitos' | 'mascara'
  /**
   * The list or radios of the kind of document, with the codes of `documentos`. `recarrega`: the choice posts
   * back.
   */
  tipo?: { seletor: string; recarrega?: true }
  /** The button, or the target of the postback if the page does not tell it. */
  botao: string | { alvo: string }
  /** The end of the name of the panel that the answer renews, if the page posts over AJAX. */
  painel?: string
  resposta?: CampoDoCaptcha
  /** The form (CSS), if it is not known to carry the state of WebForms. */
  form?: string
}

/** Asks a page of WebForms: the form's page, the choice of the kind of document, then the question. */
export async function askWebforms(
  portal: Portal,
  pergunta: Pergunta,
  options: WebformsOptions,
): Promise<Pagina> {
  const { url, botao, captcha, resposta, tipo, documentos, form, painel } = options
  let pagina = await portal.get(url)
  let choice: Campos = {}
  if (tipo) {
    const codigo = documentos[pergunta.tipo] ?? ''
    const { name, value, escolhido } = choiceOf(portal, pagina, tipo.seletor, codigo)
    choice = { [name]: value }
    if (tipo.recarrega && !escolhido)
      pagina = await postBack(portal, pagina, { ...choice, __EVENTTARGET: name, __EVENTARGUMENT: '' })
  }
  const pressed =
    typeof botao === 'string'
      ? pressOf(controleOf(portal, pagina, botao))
      : { __EVENTTARGET: botao.alvo, __EVENTARGUMENT: '' }
  const campos = { ...choice, ...fieldsOf(portal, pagina, pergunta, options), ...pressed }
  const solved = await answerCaptcha(portal, pagina, captcha, resposta)
  if (!painel) return postBack(portal, pagina, { ...campos, ...solved }, { form })
  const { campos: doPainel, headers } = postDoPainel(portal, pagina, painel, campos.__EVENTTARGET ?? '')
  const answer = await postBack(portal, pagina, { ...campos, ...solved, ...doPainel }, { form, headers })
  return openDelta(portal, answer)
}

/** Puts the document into its field, and empties the fields of the other kinds. */
function fieldsOf(
  portal: Portal,
  pagina: Pagina,
  pergunta: Pergunta,
  { campo, forma }: WebformsOptions,
): Campos {
  const controls = typeof campo === 'string' ? { [pergunta.tipo]: campo } : campo
  const others = Object.values(controls).flatMap((seletor) => findCampo(pagina, seletor) ?? [])
  const own = nameOf(portal, pagina, controls[pergunta.tipo] ?? '')
  return { ...Object.fromEntries(others.map((name) => [name, ''])), [own]: writeDocumento(pergunta, forma) }
}
