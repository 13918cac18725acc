import type { Mensagem } from '../autoridades/mensagem.ts'
import { sintegraPr } from '../familias/cakephp.ts'
import { recusaDoDocumento } from '../familias/exigencia.ts'
import type { Certidao } from '../mundo/certidao.ts'
import { elemento } from '../portal/html.ts'
import { dataBrasileira, limparDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SPA = '/cdwportal/certidao/automatica'
const API = '/cdwportal/api/certidao/'

/** The certificates of the last list, by the end of the address that serves each. */
type Dados = { emitidas: ReadonlyMap<string, Certidao> }

/** A single page over an interface that only its own script knows: the steps are made up. */
const certidoes = portal<Dados>({
  uf: 'PR',
  servico: 'cnd',
  nome: 'SEFA-PR, certidão automática',
  hosts: ['cdwfazenda.paas.pr.gov.br'],
  charset: 'utf-8',
  motor: 'spa',
  sessao: { em: 'cookie', nome: 'CDWSESSION' },
  novaSessao: () => ({ emitidas: new Map() }),
  captcha: 'recaptcha-enterprise',
  documento: (pedido) => pedido.campo('documento') || undefined,
  responder: async (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === SPA && metodo === 'GET') return casca(pedido)
    if (caminho === `${API}automatica` && metodo === 'POST') return pedir(pedido)
    const emitida = pedido.sessao.dados.emitidas.get(caminho.replace(`${API}arquivo/`, ''))
    if (emitida && metodo === 'GET') return pedido.pdf(emitida)
    return pedido.responderJson({ mensagem: 'Recurso não encontrado' }, 404)
  },
  expirada: (pedido) => dizer(pedido, 'Sessão expirada. Recarregue a página.'),
})

function casca(pedido: PedidoPortal<Dados>): Mensagem {
  const widget = { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave, 'data-size': 'invisible' }
  return pedido.pagina(
    'Certidão Automática',
    `<app-root></app-root>${elemento('div', widget, '')}<script src="main.js" type="module"></script>`,
  )
}

function dizer(pedido: PedidoPortal<Dados>, mensagem: string): Mensagem {
  return pedido.responderJson({ mensagem, certidoes: [] })
}

const recusas: Partial<Record<Certidao['desfecho'], string>> = {
  positiva: 'Existem pendências que impedem a emissão da certidão: constam débitos em nome do requerente.',
  irregular: 'Não foi possível emitir a certidão pela internet.',
}

function pedir(pedido: PedidoPortal<Dados>): Mensagem {
  const { sessao, captcha } = pedido
  // Nobody comes without the page but a robot.
  if (sessao.nova) return dizer(pedido, 'Seu computador ou rede pode estar enviando consultas automatizadas')
  if (!captcha.conferirToken(pedido.campo('recaptchaToken'))) return dizer(pedido, 'Captcha inválido')
  const documento = limparDocumento(pedido.campo('documento'))
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  const recusa = recusaDoDocumento('PR', { tipo, documento })
  if (recusa) return dizer(pedido, recusa)
  const nova = pedido.certidao({ tipo, documento })
  const motivo = recusas[nova.desfecho]
  if (motivo) return dizer(pedido, motivo)
  const emitidas = [nova, anterior(nova)].map((uma) => [uma.numero.replace(/\D/g, ''), uma] as const)
  sessao.dados.emitidas = new Map(emitidas)
  return pedido.responderJson({
    mensagem: '',
    certidoes: emitidas.map(([id, { numero, emissao, validade }]) => ({
      numero,
      emissao: dataBrasileira(emissao),
      validade: dataBrasileira(validade),
      arquivo: `${API}arquivo/${id}`,
    })),
  })
}

/** The one before it in the list of recent ones, twenty days older. */
function anterior(certidao: Certidao): Certidao {
  const antes = (data: string): string =>
    new Date(Date.parse(data) - 20 * 86_400_000).toISOString().slice(0, 10)
  const numero = certidao.numero.replace(/\d$/, (digito) => String((Number(digito) + 9) % 10))
  return { ...certidao, numero, emissao: antes(certidao.emissao), validade: antes(certidao.validade) }
}

export const portais: readonly Portal[] = [sintegraPr, certidoes]
