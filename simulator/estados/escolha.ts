import { limparDocumento } from '../documento/mascara.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { elemento } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

export const HOST = 'sistemas1.sefaz.ma.gov.br'

export const CPF_CNPJ = 'form1:cpfCnpj'
export const INSCRICAO = 'form1:inscricaoEstadual'
/** The field of each of the two radio buttons. */
export const CAMPOS = { '1': INSCRICAO, '2': CPF_CNPJ } as const

/** The document of a request, by whichever of the two fields it comes. */
export function documentoDe(pedido: { campo: (nome: string) => string }): string | undefined {
  return pedido.campo(CPF_CNPJ) || pedido.campo(INSCRICAO) || undefined
}

/** The question, from the field of the chosen kind. */
export function perguntaDe(pedido: { campo: (nome: string) => string }): Pergunta {
  if (pedido.campo('form1:tipoEmissao') === '1') return { tipo: 'ie', documento: pedido.campo(INSCRICAO) }
  const documento = pedido.campo(CPF_CNPJ)
  return { tipo: limparDocumento(documento).length === 11 ? 'cpf' : 'cnpj', documento }
}

/** The radio buttons, each with the script that it runs. */
export function radios(escolhido: string, onclick?: string): string {
  const itens = { '1': 'Inscrição Estadual', '2': 'CPF/CNPJ' }
  const celulas = Object.entries(itens).map(([value, texto]) => {
    const checked = value === escolhido ? 'checked' : undefined
    const radio = elemento('input', { type: 'radio', name: 'form1:tipoEmissao', value, checked, onclick })
    return `<td>${radio}<label> ${texto}</label></td>`
  })
  return elemento('table', { id: 'form1:tipoEmissao' }, `<tr>${celulas.join('')}</tr>`)
}

export const FALTA = 'Preencha os campos obrigatórios.'

/** Of a path that is no page. */
export function naoHa<S>(pedido: PedidoPortal<S>): Mensagem {
  return pedido.pagina('Erro 404', '<h1>HTTP Status 404</h1>', { status: 404 })
}
