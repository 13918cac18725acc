import type { Mensagem } from '../autoridades/mensagem.ts'
import { recusaDoDocumento } from '../familias/exigencia.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { limparDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const API = '/api/certidao-negativa/'

const certidoes = portal<undefined>({
  uf: 'RN',
  servico: 'cnd',
  nome: 'SEFAZ-RN, certidão negativa',
  hosts: ['uvt.sefaz.rn.gov.br'],
  charset: 'utf-8',
  motor: 'spa',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('identificacao') || undefined,
  responder: (pedido) => {
    const { caminho, metodo } = pedido
    if (metodo === 'GET' && caminho === `${API}captcha`) return pedido.captcha.imagem()
    if (metodo === 'POST' && caminho === `${API}emitir`) return emitir(pedido)
    if (metodo !== 'GET' || caminho.startsWith('/api/')) return negar(pedido, 'Recurso não encontrado', 404)
    return pedido.pagina(
      'Unidade Virtual de Tributação',
      '<app-root></app-root><script src="main.js"></script>',
    )
  },
})

async function emitir(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  if (pedido.sessao.nova) return negar(pedido, 'Sessão expirada', 401)
  if (!pedido.captcha.conferirTexto(pedido.campo('captcha'))) return negar(pedido, 'Captcha inválido')
  const documento = pedido.campo('identificacao')
  const pergunta: Pergunta = { tipo: tipoPelo(documento.length), documento }
  const recusa =
    limparDocumento(documento) === documento ? recusaDoDocumento('RN', pergunta) : 'Identificação inválida'
  if (recusa) return negar(pedido, recusa)
  const certidao = pedido.certidao(pergunta)
  const { desfecho, motivo } = certidao
  if (desfecho === 'positiva' || desfecho === 'irregular') return negar(pedido, motivo)
  return pedido.pdf(certidao, { nome: 'certidao.pdf' })
}

/** One field for all three; an IE has 9 or 10 digits. */
function tipoPelo(tamanho: number): Pergunta['tipo'] {
  if (tamanho === 14) return 'cnpj'
  return tamanho === 11 ? 'cpf' : 'ie'
}

function negar(pedido: PedidoPortal<undefined>, mensagem: string, status = 400): Mensagem {
  return pedido.responderJson({ mensagem }, status)
}

export const portais: readonly Portal[] = [certidoes]
