import { randomBytes } from 'node:crypto'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { botao, elemento, entrada } from '../portal/html.ts'
import { conferirTrio, idDe, paginaWebForms } from '../portal/webforms.ts'
import { dvDaChave, lerChave } from './chave.ts'
import { irPara, nomeDe, type PedidoNacional, TIPO_CONTEUDO, TITULO } from './pedido.ts'

const CHAVE = nomeDe('txtChaveAcessoResumo')
const CONTINUAR = nomeDe('btnConsultarHCaptcha')
const LIMPAR = nomeDe('btnLimparHCaptcha')
const ERROS = nomeDe('bltMensagensErroHCaptcha')

/** The key that a request types in, as it came; empty when there is none. */
export function chaveDigitada({ campo }: Pick<PedidoNacional, 'campo'>): string {
  return campo(CHAVE)
}

/** `consultaRecaptcha.aspx`: the key and the captcha, which is used up by every attempt. */
export function consultar(pedido: PedidoNacional): Mensagem {
  if (pedido.metodo !== 'POST') return tela(pedido)
  if (!conferirTrio(pedido, 'consulta')) return pedido.expirada()
  pedido.sessao.dados.consulta = undefined
  if (!pedido.campos.has(CONTINUAR)) return tela(pedido)
  const chave = chaveDigitada(pedido)
  const humano = pedido.captcha.conferirToken(pedido.campo('h-captcha-response'))
  if (!ehChave(chave)) return tela(pedido, 'Chave de Acesso inválida')
  // Those words are the portal's own (open clients, 2026-06); the others of this page are played.
  if (!humano) return tela(pedido, 'Falha na validação do Captcha')
  const { nota } = pedido
  if (nota?.cenario.portal === 'indisponivel') return irPara('erro.aspx')
  if (nota?.cenario.existe !== 'sim') return irPara('inexistente_resumo.aspx')
  // 48 octets in base64, as the real addresses carry (2025); what is in them is not known.
  pedido.sessao.dados.consulta = { nota, a: randomBytes(48).toString('base64') }
  return irPara(`consultaResumo.aspx?tipoConteudo=${TIPO_CONTEUDO}`)
}

function ehChave(texto: string): boolean {
  return lerChave(texto)?.dv === dvDaChave(texto.slice(0, -1))
}

function tela(pedido: PedidoNacional, erro?: string): Mensagem {
  const erros = erro && elemento('ul', { id: idDe(ERROS, true) }, elemento('li', {}, escapar(erro)))
  const widget = elemento('div', { class: 'h-captcha', 'data-sitekey': pedido.captcha.chave }, '')
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'consulta',
    conteudo: [
      '<div id="conteudoDinamico"><h2>Consultar Resumo da NF-e</h2>',
      elemento('span', { id: idDe(nomeDe('lblChaveAcesso'), true) }, 'Chave de Acesso:'),
      entrada(CHAVE, { id: idDe(CHAVE, true), maxlength: '44', class: 'txtChaveAcesso' }),
      erros ?? '',
      elemento(
        'div',
        { id: idDe(nomeDe('pnlBotoesHCaptcha'), true) },
        [
          widget,
          botao(CONTINUAR, 'Continuar', { id: idDe(CONTINUAR, true) }),
          botao(LIMPAR, 'Limpar', { id: idDe(LIMPAR, true) }),
        ].join('\n'),
      ),
      '</div>',
    ].join('\n'),
  })
}
