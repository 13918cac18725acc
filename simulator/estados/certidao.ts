import type { Certidao } from '../certidao/certidao.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao, peloMotivo } from '../portal/conversa.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'

/** The site frames the form that the other host draws. */
const SITIO = { host: 'www.sefaz.se.gov.br', pagina: '/SitePages/certidoes.aspx' }
const HOST = 'security.sefaz.se.gov.br'
const PUBLICO = '/internet/publico/'
const EMISSAO = { AppName: 'SIC', TransId: 'T24070' }
const RELATORIO = { AppName: 'SIC', TransId: 'T24071' }
/** Names that no source tells. Clients read them from the page. */
const TIPO = 'tpPessoa'
const NUMERO = 'nrDocumento'

type Dados = { certidao: Certidao | undefined }

export const certidoes = portal<Dados>({
  uf: 'SE',
  servico: 'cnd',
  nome: 'SEFAZ-SE, certidão negativa',
  hosts: [SITIO.host, HOST],
  atende: (caminho) => caminho.startsWith(PUBLICO) || caminho.startsWith('/SitePages/'),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ certidao: undefined }),
  documento: (pedido) => pedido.campo(NUMERO) || undefined,
  responder: (pedido) => {
    const { host, caminho, metodo, sessao } = pedido
    if (host === SITIO.host && caminho === SITIO.pagina) return moldura(pedido)
    if (host === HOST && caminho === `${PUBLICO}JasperPDF.jsp`) return imprimir(pedido)
    if (host !== HOST || caminho !== `${PUBLICO}process.jsp`)
      return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    if (metodo === 'POST') return conversa(pedido)
    const token = pedido.consulta.get('token') ?? ''
    return sessao.conferirToken('emitida', token) ? emitida(pedido) : solicitacao(pedido)
  },
})

const endereco = (pagina: string, consulta: Record<string, string>): string =>
  `${pagina}?${new URLSearchParams(consulta)}`

function moldura(pedido: PedidoPortal<Dados>): Mensagem {
  const src = `https://${HOST}${PUBLICO}${endereco('process.jsp', EMISSAO)}`
  return pedido.pagina('Certidões', elemento('iframe', { id: 'MSOPageViewerWebPart_WebPartWPQ2', src }, ''))
}

function solicitacao(pedido: PedidoPortal<Dados>, aviso = ''): Mensagem {
  const radio = (value: string, texto: string): string =>
    `${elemento('input', { type: 'radio', name: TIPO, value })}${texto}`
  const form = formulario(
    { action: 'process.jsp', name: 'form' },
    ocultos(EMISSAO),
    elemento('font', { class: 'fontRequiredMsg' }, 'Os campos com ( * ) são obrigatórios.'),
    aviso && elemento('font', { class: 'fontRequiredMsg' }, escapar(aviso)),
    `<p>${radio('I', 'Inscrição Estadual')} ${radio('J', 'CNPJ')} ${radio('F', 'CPF')}</p>`,
    `<p>Digite o número*: ${entrada(NUMERO, { maxlength: '14' })}</p>`,
    botao('okButton', '  Ok  '),
  )
  return pedido.pagina('Certidão Negativa de Débitos Estaduais', form)
}

const tipos = new Map<string, Pergunta['tipo']>([
  ['I', 'ie'],
  ['J', 'cnpj'],
  ['F', 'cpf'],
])

/** Undefined without the transaction, the kind or the number. */
function perguntaDe(pedido: PedidoPortal<Dados>): Pergunta | undefined {
  const { campos } = pedido
  const tipo = tipos.get(pedido.campo(TIPO))
  const documento = pedido.campo(NUMERO)
  const mesma = campos.get('AppName') === EMISSAO.AppName && campos.get('TransId') === EMISSAO.TransId
  return mesma && campos.get('okButton') === '  Ok  ' && tipo && documento ? { tipo, documento } : undefined
}

const conversa = conversaDeCertidao<Dados>({
  uf: 'SE',
  ordem: ['sessao', 'campos', 'documento'],
  sessao: (pedido) => !pedido.sessao.nova,
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Preencha os campos obrigatórios.'),
  pergunta: perguntaDe,
  avisar: solicitacao,
  mensagens: {
    positiva: peloMotivo,
    irregular: peloMotivo,
  },
  // The answer is a script that jumps to the page with the report.
  entregar: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    const token = pedido.sessao.emitirToken('emitida', (octetos) => octetos.toString('hex'))
    const para = endereco('process.jsp', { ...RELATORIO, token })
    return pedido.pagina('Aguarde', `<script>location.href='${para}';</script>`)
  },
})

function emitida(pedido: PedidoPortal<Dados>): Mensagem {
  const src = endereco('JasperPDF.jsp', RELATORIO)
  return pedido.pagina('Certidão', elemento('iframe', { src, width: '100%' }, ''))
}

function imprimir(pedido: PedidoPortal<Dados>): Mensagem | Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  return certidao ? pedido.pdf(certidao) : pedido.expirada()
}
