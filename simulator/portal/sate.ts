import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { campoErrado, type Exigencias } from './conversa.ts'
import { elemento, entrada, formulario, ocultos } from './html.ts'
import type { PedidoPortal } from './pedido.ts'

/** The field that SATE (AP) and ATF (PB) carry in every form, besides `hidAcao`. */
const HISTORICO = { hidHistorico: '-1' }

export const formularioSate = (action: string, ...conteudo: readonly string[]): string =>
  formulario({ name: 'frmPrincipal', action }, ocultos({ hidAcao: '', ...HISTORICO }), ...conteudo)

const SCRIPT =
  '<script>function executar(acao) { document.frmPrincipal.hidAcao.value = acao; document.frmPrincipal.submit(); }</script>'

/** A button of the family, with its script, which fills `acao` in. */
export function botaoSate(nome: 'input' | 'button', texto: string, acao: string): string {
  const onclick = `executar('${acao}')`
  const escrito =
    nome === 'input'
      ? elemento('input', { type: 'button', value: texto, class: 'botoes', onclick })
      : elemento('button', { type: 'button', class: 'botoes', onclick }, escapeXml(texto))
  return SCRIPT + escrito
}

export const captchaSate = (imagem: string, campo: string): string =>
  `${elemento('img', { src: imagem, alt: 'Código da imagem' })}${entrada(campo, { maxlength: '8' })}`

/** Whether the request is that action in a session that was there before, with these fields right. */
export function isAcao<S>(pedido: PedidoPortal<S>, acao: string, exigidos: Exigencias = {}): boolean {
  const { metodo, sessao, campos } = pedido
  if (metodo !== 'POST' || sessao.nova) return false
  return campoErrado(campos, { hidAcao: acao, ...HISTORICO, ...exigidos }) === undefined
}

/** The family's page that says one thing. */
export function notifySate<S>(pedido: PedidoPortal<S>, titulo: string, aviso: string): Mensagem {
  const celula = elemento('td', { class: 'tdMensagem' }, escapeXml(aviso))
  return pedido.pagina(titulo, elemento('table', { class: 'tbMensagem' }, `<tr>${celula}</tr>`))
}

export const naoAchadaSate = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina('Erro 404', '<h1>HTTP Status 404</h1>', { status: 404 })
