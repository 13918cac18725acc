import type { Mensagem } from '../autoridades/mensagem.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import { botaoGenexus, conferirEstado, estadoExpirado, paginaGenexus } from '../familias/genexus.ts'
import { entrada, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const CERTIDAO = '/sefazonline/app.cndprincipal'
/** The portal's own codes. */
const TIPOS = { '1': 'CPF', '2': 'CNPJ' }

const certidoes = portal<undefined>({
  uf: 'AC',
  servico: 'cnd',
  nome: 'SEFAZ-AC, certidão negativa',
  hosts: ['sefazonline.ac.gov.br'],
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('vDOCUMENTO') || undefined,
  responder: (pedido) => {
    if (pedido.caminho !== CERTIDAO) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    return pedido.metodo === 'POST' ? emitir(pedido) : emissao(pedido)
  },
  expirada: estadoExpirado,
})

function emissao(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const campos = [
    selecao('vTIPODOCUMENTO', TIPOS, '2', { id: 'vTIPODOCUMENTO' }),
    entrada('vDOCUMENTO', { id: 'vDOCUMENTO' }),
    botaoGenexus('BTNEMITIR', 'Emitir'),
  ]
  return paginaGenexus(pedido, { titulo: 'Certidão Negativa de Débitos', conteudo: campos.join('\n'), aviso })
}

async function emitir(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  if (!conferirEstado(pedido)) return pedido.expirada()
  const exigidos = { vTIPODOCUMENTO: /^[12]$/, vDOCUMENTO: /^[0-9A-Z]+$/, BTNEMITIR: 'Emitir' }
  if (campoErrado(pedido.campos, exigidos)) return emissao(pedido, 'Informe o tipo e o número do documento.')
  const tipo = pedido.campo('vTIPODOCUMENTO') === '1' ? 'cpf' : 'cnpj'
  const pergunta = { tipo, documento: pedido.campo('vDOCUMENTO') } as const
  const recusa = recusaDoDocumento('AC', pergunta)
  if (recusa) return emissao(pedido, recusa)
  const certidao = pedido.certidao(pergunta)
  const { desfecho, motivo } = certidao
  if (desfecho === 'positiva' || desfecho === 'irregular') return emissao(pedido, motivo)
  return pedido.pdf(certidao)
}

export const portais: readonly Portal[] = [certidoes]
