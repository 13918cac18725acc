import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import type { ConversaDeCadastro } from '../portal/conversa.ts'
import { COM_MASCARA, invalido, recusaDoDocumento } from '../portal/exigencia.ts'
import { elemento, entrada, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { idDe, linkDePostback, paginaWebForms } from '../portal/webforms.ts'

/** Where the controls of a SAT screen stand. */
export const CORPO = 'ctl00$ctl00$ctl00$Body$Main$Main$'
/** The link that searches. */
export const BUSCAR = `${CORPO}sepBusca$btnBuscar`

const tipos = { 1: 'CPF', 2: 'CNPJ', 3: 'IE' } as const
const perguntas = new Map<string, Pergunta['tipo']>([
  ['1', 'cpf'],
  ['2', 'cnpj'],
  ['3', 'ie'],
])
/** What the script of the field lets in: CPF and CNPJ with their punctuation, IE either way. */
const mascaras = { ...COM_MASCARA, ie: /^\d{3}\.?\d{3}\.?\d{3}$/ } as const

/** A SAT screen: a search box, and the result of the search below it. */
export type TelaSat = {
  titulo: string
  etapa: string
  /** The control that takes type and number. */
  identificador: string
  /** HTML: a captcha, in the box. */
  captcha?: string
  /** HTML: the result of the search, inside the form. */
  resultado?: string
  /** Sentences of the validation's list. */
  erros?: readonly string[]
}

/** Writes the screen; type and number are kept, as a postback keeps them. */
export function telaSat<S>(pedido: PedidoPortal<S>, tela: TelaSat): Mensagem {
  const { titulo, etapa, identificador, captcha = '', resultado = '', erros = [] } = tela
  const lista = `${identificador}$IdentificationTypeField`
  const campo = `${identificador}$MaskedField`
  const caixa = [
    selecao(lista, tipos, pedido.campo(lista) || '2', { id: idDe(lista) }),
    entrada(campo, { id: idDe(campo), value: pedido.campo(campo), autocomplete: 'off' }),
    captcha,
    elemento('a', { id: idDe(BUSCAR), class: 'btn', href: linkDePostback(BUSCAR) }, '<span>Buscar</span>'),
  ]
  return paginaWebForms(pedido, {
    titulo,
    etapa,
    id: 'form1',
    conteudo: [
      painelSat(),
      listaSat('sat-vs-error', erros.map(escapar)),
      elemento('div', { class: 'sat-panel' }, caixa.join('\n')),
      resultado,
    ].join('\n'),
  })
}

const GERENTE = 'ctl00$ctl00$ctl00$ScriptManager1'
const PAINEL = `${CORPO}sepBusca$uppBusca`

/** The script of ASP.NET AJAX that says which panel a search renews. */
const painelSat = (): string =>
  elemento(
    'script',
    { type: 'text/javascript' },
    `Sys.WebForms.PageRequestManager._initialize('${GERENTE}', 'form1', ['t${PAINEL}','${idDe(PAINEL)}'], [], [], 90, 'ctl00');`,
  )

/**
 * The screen as ASP.NET AJAX answers a search for its panel: `length|type|id|content|`, repeated. A search
 * without AJAX gets the whole screen.
 */
export function comoDelta<S>(pedido: PedidoPortal<S>, tela: Mensagem): Mensagem {
  const doPainel = pedido.campo(GERENTE) === `${PAINEL}|${BUSCAR}` && pedido.campo('__ASYNCPOST') === 'true'
  if (!doPainel || pedido.cabecalhos['x-microsoftajax'] !== 'Delta=true') return tela
  const [, dentro = ''] = /<form[^>]*>([\s\S]*)<\/form>/.exec(tela.corpo.toString()) ?? []
  const partes = [
    ['updatePanel', idDe(PAINEL), dentro],
    ['asyncPostBackControlIDs', '', ''],
    ['pageTitle', '', 'SAT'],
  ].map(([tipo, id, conteudo = '']) => `${conteudo.length}|${tipo}|${id}|${conteudo}|`)
  return pedido.texto('text/plain', partes.join(''))
}

/** The list of messages over a screen, HTML in each; nothing when there are none. */
export function listaSat(classe: 'sat-vs-error' | 'sat-vs-success', itens: readonly string[]): string {
  return itens.length === 0
    ? ''
    : elemento('ul', { class: classe }, itens.map((item) => `<li>${item}</li>`).join(''))
}

/** The document that the search asks about; undefined on the other postbacks. */
export function documentoSat<S>(pedido: PedidoPortal<S>, identificador: string): string | undefined {
  return (
    (pedido.campo('__EVENTTARGET') === BUSCAR && pedido.campo(`${identificador}$MaskedField`)) || undefined
  )
}

/** How a search of the family is received: the two fields, then the document. */
export function buscaSat<S>(
  identificador: string,
): Required<Pick<ConversaDeCadastro<S>, 'campos' | 'pergunta' | 'recusa'>> {
  const perguntaDe = ({ campo }: PedidoPortal<S>): Pergunta | undefined => {
    const tipo = perguntas.get(campo(`${identificador}$IdentificationTypeField`))
    const documento = campo(`${identificador}$MaskedField`)
    return tipo && documento !== '' ? { tipo, documento } : undefined
  }
  return {
    campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Preencha o campo de identificação.'),
    pergunta: perguntaDe,
    recusa: (pergunta) => {
      const mascarada = mascaras[pergunta.tipo].test(pergunta.documento)
      const recusa = mascarada ? recusaDoDocumento('SC', pergunta) : invalido(pergunta)
      return recusa && `${recusa}.`
    },
  }
}
