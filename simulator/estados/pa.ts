import type { Certidao } from '../certidao/certidao.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCertidao,
  peloMotivo,
  recusaDoDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import { elemento, entrada, formulario, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'app.sefa.pa.gov.br'
const CERTIDAO = '/emissao-certidao/'

const naoAchada = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina('HTTP Status 404', '<h1>404</h1>', { status: 404 })

type Emissao = { certidao: Certidao | undefined }

const certidoes = portal<Emissao>({
  uf: 'PA',
  servico: 'cnd',
  nome: 'SEFA-PA, emissão de certidão',
  hosts: [HOST],
  motor: 'java',
  novaSessao: () => ({ certidao: undefined }),
  documento: (pedido) => pedido.campo('identificacao') || undefined,
  answer: (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === CERTIDAO || caminho === `${CERTIDAO}template.action`) return solicitacao(pedido)
    if (caminho === `${CERTIDAO}consultarCertidao.action` && metodo === 'POST') return consulta(pedido)
    if (caminho === `${CERTIDAO}emitirCertidao.action`) return viewCertidao(pedido)
    return naoAchada(pedido)
  },
})

const EMISSAO = 'Emissão de Certidão'

const tipos = tiposPor({ 1: 'cpf', 2: 'cnpj', 3: 'ie' })

function solicitacao(pedido: PedidoPortal<Emissao>, aviso = ''): Mensagem {
  pedido.sessao.dados.certidao = undefined
  const form = formulario(
    { action: 'consultarCertidao.action', id: 'consultarCertidao' },
    selecao('tipo', { '': 'Selecione', 1: 'CPF', 2: 'CNPJ', 3: 'INSCRIÇÃO ESTADUAL' }, '', { id: 'tipo' }),
    entrada('identificacao', { id: 'identificacao', maxlength: '18' }),
    '<input type="submit" value="Continuar">',
  )
  const erros = aviso && `<ul class="errorMessage"><li><span>${escapeXml(aviso)}</span></li></ul>`
  return pedido.pagina(EMISSAO, erros + form)
}

const consulta = conversaDeCertidao<Emissao>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o tipo e a identificação'),
  pergunta: perguntaDe,
  // A company with a registration is asked for by it.
  recusa: (pergunta, pedido) =>
    recusaDoDocumento('PA', pergunta) ??
    (pergunta.tipo === 'cnpj' && pedido.search(pergunta).length > 0
      ? 'Contribuinte possui Inscrição Estadual: informe a IE.'
      : undefined),
  notify: solicitacao,
  mensagens: { irregular: peloMotivo },
  deliver: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    const linhas = Object.entries({ T: 'Natureza Tributária', N: 'Natureza Não Tributária' }).map(
      ([natureza, nome]) => {
        const href = `emitirCertidao.action?natureza=${natureza}`
        return `<tr><td>${nome}</td><td>${elemento('a', { href }, 'Visualizar Certidão')}</td></tr>`
      },
    )
    return pedido.pagina(EMISSAO, elemento('table', { class: 'certidoes' }, linhas.join('\n')))
  },
})

function perguntaDe(pedido: PedidoPortal<Emissao>): Pergunta | undefined {
  const tipo = tipos.get(pedido.campo('tipo'))
  const errado = campoErrado(pedido.campos, { identificacao: /^[0-9A-Z]+$/ })
  return tipo && !errado ? { tipo, documento: pedido.campo('identificacao') } : undefined
}

/** Of the two certificates the simulator prints the one on taxes. */
async function viewCertidao(pedido: PedidoPortal<Emissao>): Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  if (!certidao) return pedido.expirada()
  if (pedido.consulta.get('natureza') === 'T') return pedido.pdf(certidao)
  return pedido.pagina(EMISSAO, '<p>Certidão de Natureza Não Tributária indisponível no momento.</p>')
}

export const portais: readonly Portal[] = [certidoes]
