import type { Certidao } from '../certidao/certidao.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  naoHa,
  peloMotivo,
  tiposPor,
  unicaPreenchida,
} from '../portal/conversa.ts'
import { blocosDoSintegra, type Ficha, habilitado, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, type Par } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SITIO = { host: 'www.sefaz.se.gov.br', pagina: '/SitePages/certidoes.aspx' }
const HOST = 'security.sefaz.se.gov.br'
const PUBLICO = '/internet/publico/'
const EMISSAO = { AppName: 'SIC', TransId: 'T24070' }
const RELATORIO = { AppName: 'SIC', TransId: 'T24071' }
/** Names that no source tells. Clients read them from the page. */
const TIPO = 'tpPessoa'
const NUMERO = 'nrDocumento'

type Dados = { certidao: Certidao | undefined }

const certidoes = portal<Dados>({
  uf: 'SE',
  servico: 'cnd',
  nome: 'SEFAZ-SE, certidão negativa',
  hosts: [SITIO.host, HOST],
  serves: (caminho) => caminho.startsWith(PUBLICO) || caminho.startsWith('/SitePages/'),
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ certidao: undefined }),
  documento: (pedido) => pedido.campo(NUMERO) || undefined,
  answer: (pedido) => {
    const { host, caminho, metodo, sessao } = pedido
    if (host === SITIO.host && caminho === SITIO.pagina) return moldura(pedido)
    if (host === HOST && caminho === `${PUBLICO}JasperPDF.jsp`) return printCertidao(pedido)
    if (host !== HOST || caminho !== `${PUBLICO}process.jsp`) return naoHa(pedido)
    if (metodo === 'POST') return conversa(pedido)
    const token = pedido.consulta.get('token') ?? ''
    return sessao.checkToken('emitida', token) ? emitida(pedido) : solicitacao(pedido)
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
    aviso && elemento('font', { class: 'fontRequiredMsg' }, escapeXml(aviso)),
    `<p>${radio('I', 'Inscrição Estadual')} ${radio('J', 'CNPJ')} ${radio('F', 'CPF')}</p>`,
    `<p>Digite o número*: ${entrada(NUMERO, { maxlength: '14' })}</p>`,
    botao('okButton', '  Ok  '),
  )
  return pedido.pagina('Certidão Negativa de Débitos Estaduais', form)
}

const tipos = tiposPor({ I: 'ie', J: 'cnpj', F: 'cpf' })

function perguntaDaCertidao(pedido: PedidoPortal<Dados>): Pergunta | undefined {
  const { campos } = pedido
  const tipo = tipos.get(pedido.campo(TIPO))
  const documento = pedido.campo(NUMERO)
  const mesma = campos.get('AppName') === EMISSAO.AppName && campos.get('TransId') === EMISSAO.TransId
  return mesma && campos.get('okButton') === '  Ok  ' && tipo && documento ? { tipo, documento } : undefined
}

const conversa = conversaDeCertidao<Dados>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: (pedido) => !pedido.sessao.nova,
  campos: (pedido) => (perguntaDaCertidao(pedido) ? undefined : 'Preencha os campos obrigatórios.'),
  pergunta: perguntaDaCertidao,
  notify: solicitacao,
  mensagens: { positiva: peloMotivo, irregular: peloMotivo },
  // The answer is a script that jumps to the page with the report.
  deliver: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    const token = pedido.sessao.issueToken('emitida', (octetos) => octetos.toString('hex'))
    const para = endereco('process.jsp', { ...RELATORIO, token })
    return pedido.pagina('Aguarde', `<script>location.href='${para}';</script>`)
  },
})

function emitida(pedido: PedidoPortal<Dados>): Mensagem {
  const src = endereco('JasperPDF.jsp', RELATORIO)
  return pedido.pagina('Certidão', elemento('iframe', { src, width: '100%' }, ''))
}

function printCertidao(pedido: PedidoPortal<Dados>): Mensagem | Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  return certidao ? pedido.pdf(certidao) : pedido.expirada()
}

type Visto = { cdImagem: string }

/** The picture of the name in the address: from then on the session answers for it. */
function showImagem(pedido: PedidoPortal<Visto>): Mensagem {
  pedido.sessao.dados.cdImagem = (pedido.consulta.get('cdImagem') ?? '').slice(0, 10)
  return pedido.captcha.imagem()
}

/** Form and picture may be of different hosts, so the session knows nothing of the name. */
const nameImagem = ({ sessao }: PedidoPortal<Visto>): string =>
  sessao.issueToken('nome', (octetos) => String(octetos.readUInt32BE() + 1_000_000))

function checkImagem(pedido: PedidoPortal<Visto>): boolean {
  const { dados } = pedido.sessao
  const [nome, texto] = [pedido.campo('cdImagem'), pedido.campo('dsImagem')]
  const mesma = nome !== '' && nome === dados.cdImagem
  dados.cdImagem = ''
  return mesma && texto === texto.toLowerCase() && pedido.captcha.checkTexto(texto)
}

const SINTEGRA = '/SIC/sintegra/'
const TRANSACAO = { AppName: 'SIC', TransId: 'T24068' }
const cadastro = portal<Visto>({
  uf: 'SE',
  servico: 'ie',
  nome: 'SEFAZ-SE, SINTEGRA',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith(SINTEGRA),
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ cdImagem: '' }),
  captcha: 'imagem',
  documento: (pedido) => pedido.campo('cdCnpj') || pedido.campo('cdPessoaContribuinte') || undefined,
  answer: (pedido) => {
    if (pedido.caminho === `${SINTEGRA}imagem.jsp`) return showImagem(pedido)
    if (pedido.caminho === `${SINTEGRA}index.jsp`) return filtro(pedido)
    if (pedido.caminho === `${SINTEGRA}result.jsp` && pedido.metodo === 'POST') return consulta(pedido)
    return naoHa(pedido)
  },
})

function filtro(pedido: PedidoPortal<Visto>): Mensagem {
  const cdImagem = nameImagem(pedido)
  const form = formulario(
    { action: 'result.jsp', name: 'form1' },
    ocultos({ ...TRANSACAO, cdImagem }),
    entrada('cdCnpj', { maxlength: '14' }),
    entrada('cdPessoaContribuinte', { maxlength: '9' }),
    elemento('img', { src: `imagem.jsp?cdImagem=${cdImagem}` }),
    entrada('dsImagem'),
    botao('OK', 'Consultar'),
  )
  return pedido.pagina('SINTEGRA - SE', form)
}

const consulta = conversaDeCadastro<Visto>({
  ordem: ['sessao', 'captcha', 'campos', 'documento'],
  sessao: ({ sessao, campos, campo }) =>
    !campoErrado(campos, EXIGIDOS) && sessao.checkToken('nome', campo('cdImagem')),
  captcha: { fits: checkImagem, errado: 'Código da imagem inválido' },
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o CNPJ ou a Inscrição Estadual'),
  pergunta: perguntaDe,
  notify: notify,
  ninguem: 'Nenhum resultado encontrado',
  draw: paginaDeFichas({
    titulo: 'SINTEGRA - SE',
    palavras: habilitado,
    mascara: '00000000-0',
    bloco: (ficha) => bloco(ficha),
    entre: '<hr>\n',
  }),
})

const EXIGIDOS = { ...TRANSACAO, cdCnpj: /^[0-9A-Z]*$/, cdPessoaContribuinte: /^\d*$/, dsImagem: /^/ }

function perguntaDe(pedido: PedidoPortal<Visto>): Pergunta | undefined {
  return unicaPreenchida(pedido, { cnpj: 'cdCnpj', ie: 'cdPessoaContribuinte' })
}

function bloco(ficha: Ficha): string {
  const tabelas = blocosDoSintegra(ficha, 'CNPJ:').map(({ titulo, pares }) => tabela(titulo, pares))
  return tabelas.join('\n')
}

function tabela(titulo: string, pares: readonly Par[]): string {
  const linhas = pares.map(
    ([rotulo, valor]) =>
      `<tr><td>${letra(`<b>${escapeXml(rotulo)}</b>`)}</td><td>${letra(escapeXml(valor) || '&nbsp;')}</td></tr>`,
  )
  const cabeca = `<tr><td colspan="2">${letra(`<b>${titulo}</b>`)}</td></tr>`
  return elemento('table', { border: '0' }, [cabeca, ...linhas].join('\n'))
}

const letra = (html: string): string => elemento('font', { face: 'Verdana', size: '1' }, html)

function notify(pedido: PedidoPortal<Visto>, aviso: string): Mensagem {
  return pedido.pagina('SEFAZ-SE', `<center>${letra(`<b>${escapeXml(aviso)}</b>`)}</center>`)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
