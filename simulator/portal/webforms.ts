import { sementeDe } from '../documento/documento.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { elemento, formulario, ocultos } from './html.ts'
import type { PedidoPortal } from './pedido.ts'

export type PaginaWebForms = {
  titulo: string
  etapa: string
  conteudo: string
  /** The form's id; `aspnetForm` when left out. */
  id?: string
  rodape?: string
}

type PedidoWebForms = Pick<PedidoPortal<unknown>, 'sessao' | 'caminho' | 'campos' | 'pagina'>

export function paginaWebForms(
  pedido: PedidoWebForms,
  { titulo, etapa, conteudo, id = 'aspnetForm', rodape = '' }: PaginaWebForms,
): Mensagem {
  const { sessao, caminho } = pedido
  const action = `./${caminho.slice(caminho.lastIndexOf('/') + 1)}`
  const form = formulario(
    { action, id, name: id },
    ocultos({
      __EVENTTARGET: '',
      __EVENTARGUMENT: '',
      __VIEWSTATE: sessao.issueToken(`estado ${etapa}`),
      __VIEWSTATEGENERATOR: geradorDe(caminho),
      __EVENTVALIDATION: sessao.issueToken(`eventos ${etapa}`),
    }),
    doPostBack(id),
    conteudo,
  )
  return pedido.pagina(titulo, form + rodape)
}

/** Whether the request comes from the last drawing of that screen: each value of the trio serves once. */
export function checkTrio(pedido: PedidoWebForms, etapa: string): boolean {
  const { sessao, campos } = pedido
  return (
    campos.get('__VIEWSTATEGENERATOR') === geradorDe(pedido.caminho) &&
    sessao.checkToken(`estado ${etapa}`, campos.get('__VIEWSTATE') ?? '') &&
    sessao.checkToken(`eventos ${etapa}`, campos.get('__EVENTVALIDATION') ?? '')
  )
}

/** The address of a link that posts the form back, for the control of that name. */
export const linkDePostback = (alvo: string, argumento = ''): string =>
  `javascript:__doPostBack('${alvo}','${argumento}')`

/** `ctl00$Body$txt` is `Body_txt` with `clientIdMode` inherited, `ctl00_Body_txt` without. */
export const idDe = (nome: string, comCtl00 = false): string =>
  (comCtl00 ? nome : nome.replace(/^(?:ctl00\$)+/, '')).replaceAll('$', '_')

/** The error page of a state that is not the last one given, or of another session. */
export function estadoInvalido(pedido: PedidoWebForms): Mensagem {
  const aviso = 'The state information is invalid for this page and might be corrupted.'
  return pedido.pagina(
    aviso,
    `<span><h1>Server Error in '/' Application.<hr width="100%" size="1" color="silver"></h1><h2><i>${aviso}</i></h2></span>`,
    { status: 500 },
  )
}

export const recursoAusente = (pedido: PedidoWebForms): Mensagem =>
  pedido.pagina(
    'The resource cannot be found.',
    `<span><h1>Server Error in '/' Application.</h1><h2><i>The resource cannot be found.</i></h2></span>`,
    { status: 404 },
  )

/** The generator is a hash of the page's class: it never changes. */
const geradorDe = (caminho: string): string =>
  sementeDe(caminho.toLowerCase()).toString(16).toUpperCase().padStart(8, '0')

const doPostBack = (form: string): string =>
  elemento(
    'script',
    { type: 'text/javascript' },
    `\n//<![CDATA[\nvar theForm = document.forms['${form}'];\nfunction __doPostBack(eventTarget, eventArgument) {\n` +
      '  if (!theForm.onsubmit || (theForm.onsubmit() != false)) {\n    theForm.__EVENTTARGET.value = eventTarget;\n' +
      '    theForm.__EVENTARGUMENT.value = eventArgument;\n    theForm.submit();\n  }\n}\n//]]>\n',
  )
