import { cleanDocumento } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  recusaDoDocumento,
  unicaPreenchida,
} from '../portal/conversa.ts'
import { ativo, ENDERECO, type Ficha, fill, type Leiaute, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { recursoAusente } from '../portal/webforms.ts'

const HOST = 'www.sefaz.rs.gov.br'
const CONSULTA = '/consultas/contribuinte'

const cadastro = portal({
  uf: 'RS',
  servico: 'ie',
  nome: 'Receita Estadual-RS, consulta de contribuinte',
  hosts: [HOST],
  serves: (caminho) => caminho.toLowerCase().startsWith(CONSULTA),
  motor: 'asp.net',
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo('CodInscrCnpj') || undefined,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase().replace(/\/$/, '')
    if (caminho === CONSULTA && pedido.metodo === 'GET') return filtro(pedido)
    if (caminho === `${CONSULTA}/home/consulta` && pedido.metodo === 'POST') return consulta(pedido)
    return recursoAusente(pedido)
  },
  expirada: (pedido) =>
    pedido.pagina(
      'The required anti-forgery form field is not present.',
      '<h2>The required anti-forgery form field &quot;__RequestVerificationToken&quot; is not present.</h2>',
      { status: 500 },
    ),
})

function filtro(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const token = pedido.sessao.issueToken('consulta', (octetos) => octetos.toString('base64url'))
  const form = formulario(
    { action: `${CONSULTA}/Home/Consulta`, class: 'form-horizontal' },
    ocultos({ __RequestVerificationToken: token, recaptchaValor: '' }),
    '<label for="CodInscrCnpj">Inscrição Estadual ou CNPJ</label>',
    entrada('CodInscrCnpj', { id: 'CodInscrCnpj', class: 'form-control' }),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    botao('validateButton', 'Pesquisar', { class: 'btn btn-primary' }),
  )
  const erro = aviso && elemento('div', { class: 'alert alert-danger' }, escapeXml(aviso))
  return pedido.pagina('Consulta Contribuintes', erro + form)
}

const consulta = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'captcha', 'documento'],
  sessao: ({ sessao, campo }) => sessao.checkToken('consulta', campo('__RequestVerificationToken')),
  captcha: {
    fits: ({ captcha, campos, campo }) => {
      const token = campo('g-recaptcha-response')
      const errado = campoErrado(campos, { recaptchaValor: token, validateButton: 'Pesquisar' })
      // The token is used up whatever the other fields say.
      return captcha.checkToken(token) && !errado
    },
    errado: 'Captcha inválido.',
  },
  pergunta: ({ campo }) => {
    const documento = campo('CodInscrCnpj')
    return { tipo: cleanDocumento(documento).length === 14 ? 'cnpj' : 'ie', documento }
  },
  recusa: (pergunta) => recusaDoDocumento('RS', pergunta) && 'Inscrição Estadual ou CNPJ inválido.',
  notify: filtro,
  ninguem: 'Nenhum contribuinte encontrado.',
  draw: paginaDeFichas({
    titulo: 'Consulta Contribuintes',
    palavras: ativo,
    mascara: '000/000000-0',
    bloco: resultado,
    entre: '\n<hr>\n',
  }),
})

const RESULTADO: Leiaute = [
  ['Inscrição Estadual:', 'ie'],
  ['{tipo}:', 'documento'],
  ['Razão Social:', 'nome'],
  ['Nome Fantasia:', 'fantasia'],
  ...ENDERECO,
  ['CNAE Fiscal:', 'atividadeComMascara'],
  ['Data de Início de Atividade:', 'inicio'],
  ['Situação Cadastral Vigente:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ['Regime de Apuração de ICMS:', 'regime'],
]

function resultado(ficha: Ficha): string {
  const linhas = fill(RESULTADO, ficha).map(
    ([rotulo, valor]) =>
      `<div class="row"><div class="col-xs-2"><label>${rotulo}</label></div>${elemento('div', { class: 'col-xs-4' }, escapeXml(valor))}</div>`,
  )
  return elemento('div', { class: 'container' }, `\n${linhas.join('\n')}\n`)
}

const CERTIDAO = '/sat/'
const DESAFIO = 'AltchaDesafio.ashx'
const CAMPOS = { cnpj: 'campoCnpj', cpf: 'campoCpf', ie: 'campoIe' } as const

const certidoes = portal({
  uf: 'RS',
  servico: 'cnd',
  nome: 'Receita Estadual-RS, certidão de situação fiscal',
  hosts: [HOST],
  serves: (caminho) => caminho.toLowerCase().startsWith(CERTIDAO),
  motor: 'asp.net',
  captcha: 'altcha',
  documento: (pedido) => preenchido(pedido)?.documento,
  answer: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === CERTIDAO + DESAFIO.toLowerCase()) return pedido.captcha.desafio()
    if (caminho !== `${CERTIDAO}certidaositfiscalsolic.aspx`) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? conversa(pedido) : solicitacao(pedido)
  },
})

const preenchido = (pedido: PedidoPortal<undefined>): Pergunta | undefined => unicaPreenchida(pedido, CAMPOS)

/** No source shows that it carries the state of WebForms. */
function solicitacao(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const campo = (rotulo: string, tipo: Pergunta['tipo']): string =>
    `<p><label>${rotulo} ${entrada(CAMPOS[tipo])}</label></p>`
  const form = formulario(
    { action: './CertidaoSitFiscalSolic.aspx' },
    campo('CNPJ', 'cnpj') + campo('CPF', 'cpf') + campo('Inscrição Estadual', 'ie'),
    elemento('altcha-widget', { id: 'altcha', name: 'altcha', challengeurl: DESAFIO }, ''),
    botao('btnEnviar', 'Enviar', { id: 'btnEnviar' }),
  )
  const erro = aviso && elemento('div', { class: 'alert alert-danger' }, escapeXml(aviso))
  return pedido.pagina('Certidão de Situação Fiscal', erro + form)
}

const conversa = conversaDeCertidao<undefined>({
  ordem: ['captcha', 'campos', 'documento'],
  captcha: {
    fits: (pedido) => pedido.captcha.checkDesafio(pedido.campo('altcha')),
    errado: 'Verificação ALTCHA inválida.',
  },
  campos: (pedido) => (preenchido(pedido) ? undefined : 'Informe o CNPJ, o CPF ou a Inscrição Estadual.'),
  pergunta: preenchido,
  notify: solicitacao,
  mensagens: { irregular: 'Não foi possível emitir a certidão pela internet.' },
  deliver: (pedido, certidao) => pedido.pdf(certidao, { nome: 'CertidaoSituacaoFiscal.pdf' }),
})

export const portais: readonly Portal[] = [cadastro, certidoes]
