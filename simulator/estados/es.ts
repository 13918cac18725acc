import type { Mensagem } from '../platform/autoridade.ts'
import { conversaDeCertidao, peloMotivo, perguntaDeDocumento, recusaDoDocumento } from '../portal/conversa.ts'
import { elemento, entrada, formulario } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const BASE = '/certidao/'

/** Whether the form was opened by the menu. */
type Menu = { aberto: boolean }

const certidoes = portal<Menu>({
  uf: 'ES',
  servico: 'cnd',
  nome: 'SEFAZ-ES, certidão negativa',
  hosts: ['s2-internet.sefaz.es.gov.br'],
  motor: 'php',
  novaSessao: () => ({ aberto: false }),
  captcha: 'turnstile',
  documento: (pedido) => pedido.campo('numIdentificacao') || undefined,
  answer: (pedido) => {
    const { caminho, metodo } = pedido
    if (metodo === 'GET' && caminho === `${BASE}cnd`) return menu(pedido)
    if (metodo === 'POST' && caminho === `${BASE}renderiza`) return draw(pedido)
    if (metodo === 'POST' && caminho === `${BASE}emitir-certidao-internet`) return emissao(pedido)
    return pedido.pagina('404 Not Found', '<h1>Not Found</h1>', { status: 404 })
  },
  expirada: (pedido) => deny(pedido, 'Sessão expirada. Atualize a página.'),
})

function menu(pedido: PedidoPortal<Menu>): Mensagem {
  const itens =
    '<a href="#" onclick="abreTela(\'R1\')">Emitir certidão</a> <a href="#" onclick="abreTela(\'R2\')">Validar certidão</a>'
  return pedido.pagina(
    'Certidão Negativa de Débitos',
    `${itens}<div id="conteudo"></div><script src="cnd.js"></script>`,
  )
}

function draw(pedido: PedidoPortal<Menu>): Mensagem {
  if (pedido.sessao.nova || !cameFromScript(pedido)) return pedido.expirada()
  if (pedido.campo('passo') !== 'R1') return pedido.texto('text/html', '<p>Opção inválida.</p>')
  pedido.sessao.dados.aberto = true
  const form = formulario(
    { id: 'formCertidao' },
    entrada('numIdentificacao', { maxlength: '18', placeholder: 'CPF/CNPJ' }),
    elemento('div', { class: 'cf-turnstile', 'data-sitekey': pedido.captcha.chave }, ''),
    '<button type="button" onclick="emitir()">Emitir</button>',
  )
  return pedido.texto('text/html', form)
}

const emissao = conversaDeCertidao<Menu>({
  ordem: ['sessao', 'documento', 'captcha'],
  sessao: (pedido) => pedido.sessao.dados.aberto && cameFromScript(pedido),
  pergunta: ({ campo }) => perguntaDeDocumento(campo('numIdentificacao')),
  recusa: (pergunta) =>
    [11, 14].includes(pergunta.documento.length) ? recusaDoDocumento('ES', pergunta) : 'CPF/CNPJ incompleto',
  captcha: {
    fits: ({ captcha, campo }) => {
      const token = campo('cf-turnstile-response')
      return token !== '' && captcha.checkToken(token)
    },
    errado: ({ campo }) =>
      campo('cf-turnstile-response') === '' ? 'Complete a verificação' : 'Verificação de segurança inválida',
  },
  notify: deny,
  mensagens: {
    positiva: 'Não foi possível emitir certidão negativa: o contribuinte possui débito.',
    irregular: peloMotivo,
  },
  deliver: async (pedido, certidao) => {
    const blbCertidao = (await pedido.octetosDoPdf(certidao)).toString('base64')
    return pedido.answerJson({ success: true, data: { blbCertidao } })
  },
})

const cameFromScript = ({ cabecalhos }: PedidoPortal<Menu>): boolean =>
  cabecalhos['x-requested-with'] === 'XMLHttpRequest'

function deny(pedido: PedidoPortal<Menu>, message: string): Mensagem {
  return pedido.answerJson({ success: false, message })
}

export const portais: readonly Portal[] = [certidoes]
