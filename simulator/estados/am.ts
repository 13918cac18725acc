import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  peloMotivo,
  perguntaDeDocumento,
  porToken,
  recusaDoDocumento,
} from '../portal/conversa.ts'
import { ativo, blocosDoSintegra, OBSERVACAO, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SINTEGRA = '/sintegra/'

type Lista = { achadas: readonly Ocorrencia[] }

const cadastro = portal<Lista>({
  uf: 'AM',
  servico: 'ie',
  nome: 'SEFAZ-AM, SINTEGRA',
  hosts: ['online.sefaz.am.gov.br'],
  charset: 'iso-8859-1',
  motor: 'asp',
  sessao: { em: 'cookie', nome: 'ASPSESSIONIDCQSBTRDA' },
  novaSessao: () => ({ achadas: [] }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo('cgc') || undefined,
  answer: (pedido) => {
    const pagina = pedido.caminho.slice(SINTEGRA.length).toLowerCase()
    if (!pedido.caminho.startsWith(SINTEGRA)) return naoAchada(pedido)
    if (pagina === '' || pagina === 'index.asp') return filtro(pedido)
    if (pagina === 'sintegra_cnpj.asp' && pedido.metodo === 'POST') return consulta(pedido)
    if (pagina === 'sintegra_detalhe.asp') return detail(pedido)
    return naoAchada(pedido)
  },
  expirada: (pedido) => pedido.redirect('index.asp?nErr=1'),
})

/** What the number in the address says; 5 was seen, its wording was not. */
const erros = new Map([
  ['1', 'Sessão expirada.'],
  ['5', 'Parâmetros inválidos ou verificação de segurança não confirmada.'],
])

function filtro(pedido: PedidoPortal<Lista>): Mensagem {
  const erro = erros.get(pedido.consulta.get('nErr') ?? '')
  const form = formulario(
    { action: 'sintegra_cnpj.asp', name: 'frmCNPJ' },
    entrada('cgc', { maxlength: '14' }),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    botao('B3', 'Consultar'),
  )
  return pedido.pagina(TITULO, `${erro ? `<font color="red">${erro}</font>` : ''}${form}`)
}

const TITULO = 'SINTEGRA - Consulta Pública ao Cadastro do Estado do Amazonas'

const consulta = conversaDeCadastro<Lista>({
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: (pedido) => campoErrado(pedido.campos, { cgc: /^[0-9A-Z]+$/, B3: 'Consultar' }) && deny(pedido),
  captcha: porToken('g-recaptcha-response', deny),
  pergunta: ({ campo }) => ({ tipo: 'cnpj', documento: campo('cgc') }),
  notify: notify,
  ninguem: ({ sessao }) => {
    sessao.dados.achadas = []
    return 'Nenhum registro encontrado'
  },
  draw: (pedido, achadas) => {
    pedido.sessao.dados.achadas = achadas
    const linhas = achadas.map((achada) => {
      const { ie, nome } = readFicha(achada, ativo, MASCARA)
      const vinculo = elemento('a', { href: `sintegra_detalhe.asp?ie=${achada.inscricao.ie}` }, ie)
      return `<tr><td>${vinculo}</td><td>${escapeXml(nome)}</td></tr>`
    })
    const cabeca = '<tr><td>Inscrição Estadual</td><td>Razão Social</td></tr>'
    return pedido.pagina(TITULO, elemento('table', { border: '1' }, cabeca + linhas.join('\n')))
  },
})

function deny(pedido: PedidoPortal<Lista>): Mensagem {
  return pedido.redirect('index.asp?nErr=5')
}

const MASCARA = '00.000.000-0'

function detail(pedido: PedidoPortal<Lista>): Mensagem {
  const ie = pedido.consulta.get('ie')
  const achada = pedido.sessao.dados.achadas.find(({ inscricao }) => inscricao.ie === ie)
  if (!achada) return pedido.expirada()
  const blocos = blocosDoSintegra(readFicha(achada, ativo, MASCARA), 'CNPJ:').map(
    ({ titulo, pares }) => `<h4>${titulo}</h4>${tabelaDePares(pares, {}, { border: '0' })}`,
  )
  return pedido.pagina(TITULO, `${blocos.join('\n')}<small>${OBSERVACAO}</small>`)
}

function notify<S>(pedido: PedidoPortal<S>, aviso: string): Mensagem {
  return pedido.pagina(TITULO, `<p align="center"><b>${escapeXml(aviso)}</b></p>`)
}

const naoAchada = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina('Página não encontrada', '<h1>404</h1>', { status: 404 })

const PORTAL = '/GAE/mnt/dividaAtiva/certidaoNegativa/'
/**
 * Companies that contribute use one form, by IE, all others another; the captcha of both lives in a frame.
 */
const NAO_CONTRIBUINTE = {
  action: 'emitirCertidaoNegativaNaoContPortal.do',
  campo: 'nrDocumento',
  rotulo: 'CPF ou CNPJ:',
}
const CONTRIBUINTE = {
  action: 'emitirCertidaoNegativaContPortal.do',
  campo: 'nrInscricaoEstadual',
  rotulo: 'Inscrição Estadual',
}
const MOLDURA = '/GAE/html/recaptcha-script.html'

type Formulario = typeof NAO_CONTRIBUINTE

const certidoes = portal({
  uf: 'AM',
  servico: 'cnd',
  nome: 'SEFAZ-AM, certidão negativa',
  hosts: ['sistemas.sefaz.am.gov.br'],
  charset: 'iso-8859-1',
  motor: 'java',
  captcha: 'recaptcha-v2',
  widget: { invisivel: true },
  documento: (pedido) => pedido.campo('nrDocumento') || pedido.campo('nrInscricaoEstadual') || undefined,
  answer: (pedido) => {
    if (pedido.caminho === MOLDURA) return moldura(pedido)
    const form = [NAO_CONTRIBUINTE, CONTRIBUINTE].find(({ action }) => pedido.caminho === PORTAL + action)
    if (!form) return naoAchada(pedido)
    return pedido.metodo === 'POST' ? emissao(form)(pedido) : solicitacao(pedido, form)
  },
})

const CND = 'Certidão Negativa de Débitos'

function solicitacao(
  pedido: PedidoPortal<undefined>,
  { action, campo, rotulo }: Formulario,
  aviso = '',
): Mensagem {
  const form = formulario(
    { action: PORTAL + action, name: 'certidaoNegativaForm' },
    ocultos({ method: '', 'g-recaptcha-response': '' }),
    `<label>${elemento('input', { type: 'checkbox', name: 'csCompleto', value: 'S', checked: 'checked' })} CND completa</label>`,
    `<label>${rotulo}</label>`,
    entrada(campo, { maxlength: '18' }),
    elemento('iframe', { src: MOLDURA, frameborder: '0' }, ''),
    elemento('input', { type: 'button', id: 'botaoEmitir', value: 'Emitir' }),
  )
  return pedido.pagina(CND, `<div class="mensagem">${escapeXml(aviso)}</div>${form}`)
}

function moldura(pedido: PedidoPortal<undefined>): Mensagem {
  const caixa = elemento(
    'div',
    { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave, 'data-size': 'invisible' },
    '',
  )
  return pedido.pagina('reCAPTCHA', caixa)
}

const emissao = (form: Formulario) =>
  conversaDeCertidao<undefined>({
    ordem: ['sessao', 'campos', 'captcha', 'documento'],
    sessao: ({ sessao }) => !sessao.nova,
    campos: ({ campos }) => {
      const exigidos = { [form.campo]: /^[0-9A-Z]+$/, csCompleto: 'S', method: 'emitir' }
      const errado = campoErrado(campos, { ...exigidos, 'g-recaptcha-response': /^/ })
      return errado && `Informe o campo ${form.rotulo}`
    },
    captcha: porToken('g-recaptcha-response', 'Captcha inválido. Tente novamente.'),
    pergunta: (pedido) => perguntaDe(pedido, form),
    recusa: (pergunta, pedido) =>
      recusaDoDocumento('AM', pergunta) ??
      (pergunta.tipo === 'cnpj' && isContribuinte(pedido, pergunta)
        ? 'Contribuinte inscrito: utilize o formulário de contribuintes.'
        : undefined),
    notify: (pedido, aviso) => solicitacao(pedido, form, aviso),
    mensagens: { irregular: peloMotivo },
    deliver: (pedido, certidao) =>
      form === CONTRIBUINTE ? pedido.pdf(certidao) : pedido.paginaDaCertidao(certidao, CND),
  })

const isContribuinte = (pedido: PedidoPortal<undefined>, pergunta: Pergunta): boolean =>
  pedido.search(pergunta).some(({ inscricao }) => inscricao.situacao === 'habilitado')

function perguntaDe(pedido: PedidoPortal<undefined>, form: Formulario): Pergunta {
  const documento = pedido.campo(form.campo)
  return form === CONTRIBUINTE ? { tipo: 'ie', documento } : perguntaDeDocumento(documento)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
