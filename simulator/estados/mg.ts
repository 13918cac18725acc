import type { Mensagem } from '../autoridades/mensagem.ts'
import { escapar } from '../autoridades/xml.ts'
import { campoErrado, recusaDoDocumento } from '../familias/exigencia.ts'
import type { Certidao } from '../mundo/certidao.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { botao, elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import { mascararDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const CAMINHO = '/sol/ctrl/SOL/CDT/SERVICO_829'

/** The screen that the visitor is at: its buttons alone work. */
type Tela = { acao: string; certidao: Certidao | undefined }

const certidoes = portal<Tela>({
  uf: 'MG',
  servico: 'cnd',
  nome: 'SEF-MG, certidão de débitos tributários',
  hosts: ['www2.fazenda.mg.gov.br'],
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ acao: '', certidao: undefined }),
  documento: (pedido) => pedido.campo('filtro') || undefined,
  responder: (pedido) => {
    const { caminho, consulta, metodo, sessao } = pedido
    if (caminho !== CAMINHO) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    if (metodo === 'GET' && consulta.get('ACAO') === 'INICIAR') return identificacao(pedido)
    const { acao, certidao } = sessao.dados
    const rolagem = { unifwScrollTop: /^\d+$/, unifwScrollLeft: /^\d+$/ }
    if (acao === '' || campoErrado(pedido.campos, { ACAO: acao, ...rolagem })) return pedido.expirada()
    if (!certidao) return identificar(pedido)
    return acao === 'IMPRIMIR' ? pedido.pdf(certidao) : confirmar(pedido, certidao)
  },
  expirada: (pedido) => pedido.pagina(TITULO, mensagem('Sessão expirada')),
})

const TITULO = 'SOL - Certidão de Débitos Tributários'

/** A form of the framework: its next action, which becomes the only one, and where the window is scrolled to. */
function tela(pedido: PedidoPortal<Tela>, acao: string, ...conteudo: readonly string[]): Mensagem {
  pedido.sessao.dados.acao = acao
  const campos = ocultos({ ACAO: acao, unifwScrollTop: '0', unifwScrollLeft: '0' })
  return pedido.pagina(TITULO, formulario({ name: 'formulario', action: CAMINHO }, campos, ...conteudo))
}

/** Kinds of document by their code, as in the state's old SINTEGRA, where 2 was CNPJ. */
const tipos = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cnpj'],
  ['3', 'cpf'],
])

function identificacao(pedido: PedidoPortal<Tela>, aviso = ''): Mensagem {
  pedido.sessao.dados.certidao = undefined
  return tela(
    pedido,
    'CONFIRMAR',
    aviso && mensagem(aviso),
    selecao('identificadorCmbOpcao', { 0: '', 1: 'Inscrição Estadual', 2: 'CNPJ', 3: 'CPF' }),
    entrada('filtro', { maxlength: '18' }),
    botao('btnConfirmar', 'Confirmar'),
  )
}

function identificar(pedido: PedidoPortal<Tela>): Mensagem {
  const tipo = tipos.get(pedido.campo('identificadorCmbOpcao'))
  const documento = pedido.campo('filtro')
  if (!tipo || campoErrado(pedido.campos, { filtro: /^[0-9A-Z]+$/, btnConfirmar: 'Confirmar' }))
    return identificacao(pedido, 'Informe o tipo e a identificação')
  const recusa = recusaDoDocumento('MG', { tipo, documento })
  if (recusa) return identificacao(pedido, recusa)
  const certidao = pedido.certidao({ tipo, documento })
  if (certidao.desfecho === 'irregular') return identificacao(pedido, certidao.motivo)
  pedido.sessao.dados.certidao = certidao
  const quem = `${mascararDocumento(certidao.documento)} ${certidao.nome}`.trim()
  return tela(pedido, 'CONFIRMAR_EMISSAO', `<p>${escapar(quem)}</p>`, botao('btnConfirmar', 'Confirmar'))
}

function confirmar(pedido: PedidoPortal<Tela>, { numero }: Certidao): Mensagem {
  const aviso = mensagem(`Certidão ${numero} emitida com sucesso`)
  return tela(pedido, 'IMPRIMIR', aviso, botao('btnImprimir', 'Imprimir Certidão'))
}

function mensagem(texto: string): string {
  return elemento('div', { class: 'unifwMensagem' }, escapar(texto))
}

export const portais: readonly Portal[] = [certidoes]
