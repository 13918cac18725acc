import { sementeDe } from '../documento/documento.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { ocultos } from './html.ts'
import type { PedidoPortal } from './pedido.ts'

const VIEW_STATE = 'javax.faces.ViewState'

/** A new ViewState for that step: two signed numbers, as JSF 2 writes them. */
const novaVista = <S>({ sessao }: PedidoPortal<S>, etapa: string): string =>
  sessao.issueToken(etapa, (octetos) => `${octetos.readBigInt64BE()}:${octetos.readBigInt64BE(8)}`)

export const camposDaVista = <S>(pedido: PedidoPortal<S>, etapa: string): string =>
  ocultos({ [VIEW_STATE]: novaVista(pedido, etapa) })

/** Whether the ViewState that came is that step's, unused: it is used now. */
export const checkVista = <S>({ sessao, campos }: PedidoPortal<S>, etapa: string): boolean =>
  sessao.checkToken(etapa, campos.get(VIEW_STATE) ?? '')

/** What JSF says when it does not have the view any more. */
export const vistaExpirada = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina(
    'Sessão expirada',
    `<h1>Sessão expirada</h1><p>javax.faces.application.ViewExpiredException: viewId:${pedido.caminho} - A sessão não pôde ser restaurada. Reinicie a operação.</p>`,
  )

/** An id that JSF makes up. It differs from visitor to visitor, so that no client can rely on it. */
export const idGerado = <S>({ sessao }: PedidoPortal<S>, ordem: number, prefixo = 'j_idt'): string =>
  `${prefixo}${10 + (sementeDe(sessao.id) % 60) + ordem}`

/** HTML by the id of the element that it replaces, and the ViewState of the next step. */
export function respostaParcial<S>(
  pedido: PedidoPortal<S>,
  etapa: string,
  trocas: Readonly<Record<string, string>>,
): Mensagem {
  const escritas = Object.entries({ ...trocas, [VIEW_STATE]: novaVista(pedido, etapa) }).map(
    ([id, html]) => `<update id="${id}"><![CDATA[${html}]]></update>`,
  )
  return pedido.texto(
    'text/xml',
    `<?xml version='1.0' encoding='UTF-8'?>\n<partial-response><changes>${escritas.join('')}</changes></partial-response>`,
  )
}

export const cameFromJsf = <S>({ cabecalhos }: PedidoPortal<S>): boolean =>
  cabecalhos['faces-request'] === 'partial/ajax'
