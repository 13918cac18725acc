import { randomUUID } from 'node:crypto'
import type { Certidao } from '../certidao/certidao.ts'
import { readTabela } from '../dados-abertos/palavras.ts'
import { cleanDocumento, mask, maskDocumento } from '../documento/documento.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  invalido,
  porTexto,
  recusaDoDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import { type Palavras, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, ocultos, type Par, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { checkTrio, estadoInvalido, idDe, paginaWebForms, recursoAusente } from '../portal/webforms.ts'

const CONSULTA = '/pages/cadastro/consultas/consultapublica/consultapublica.aspx'
const FILTRO = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer'
const ABA = `${FILTRO}$filtroEmitirCertidaoTabPanel$`
const OUTRA_ABA = `${FILTRO}$filtroConsultarCertidaoTabPanel$`
const LISTA = `${ABA}tipoFiltroDropDownList`
const ESTADO_DAS_ABAS = `${idDe(FILTRO, true)}_ClientState`

/** What the list filters by; a CPF is not one of them. */
const filtros = { 0: 'IE', 1: 'CNPJ', 2: 'NIRE' } as const
const FILTROS = tiposPor({ 0: 'ie', 1: 'cnpj' })
const palavras: Palavras = {
  habilitado: 'Ativo',
  suspenso: 'Suspenso',
  baixado: 'Baixado',
  cancelado: 'Cancelado',
}
const naturezas = new Map(readTabela('naturezas'))

type Avisos = { vazio?: string; erro?: string }

/** CADESP: the session is in the path, the state of the list in the page. */
const cadesp = portal({
  uf: 'SP',
  servico: 'ie',
  nome: 'SEFAZ-SP, CADESP',
  hosts: ['www.cadesp.fazenda.sp.gov.br'],
  motor: 'asp.net',
  sessao: { em: 'caminho' },
  captcha: 'imagem',
  documento: (pedido) =>
    pedido.campo(`${ABA}consultaPublicaButton`) ? pedido.campo(`${ABA}valorFiltroTextBox`) : undefined,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === '/imagemdinamica.aspx') return pedido.captcha.imagem({ letras: 5, formato: 'bmp' })
    if (caminho !== CONSULTA) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postbackCadastro(pedido) : telaCadastro(pedido, '0')
  },
  expirada: estadoInvalido,
})

function telaCadastro(
  pedido: PedidoPortal<undefined>,
  filtro: string,
  { vazio = '', erro = '' }: Avisos = {},
): Mensagem {
  const rotulo = (nome: string, texto: string): string =>
    elemento('span', { id: idDe(ABA + nome, true), class: 'msgErro' }, escapeXml(texto))
  const caixa = (nome: string, atributos: Record<string, string> = {}): string =>
    entrada(nome, { id: idDe(nome, true), ...atributos })
  const mudar = `javascript:setTimeout('__doPostBack(\\'${LISTA}\\',\\'\\')', 0)`
  return paginaWebForms(pedido, {
    titulo: 'CADESP - Consulta Pública',
    etapa: `filtro ${filtro}`,
    conteudo: [
      ocultos({ [ESTADO_DAS_ABAS]: '{"ActiveTabIndex":0,"TabState":[true,true]}' }),
      '<table><tr><td>',
      selecao(LISTA, filtros, filtro, { id: idDe(LISTA, true), onchange: mudar }),
      `</td><td>${caixa(`${ABA}valorFiltroTextBox`)}</td></tr><tr><td>`,
      '<img src="../../../../imagemDinamica.aspx" alt="imagem" width="180" height="50">',
      `</td><td>${caixa(`${ABA}imagemDinamicaTextBox`, { maxlength: '5' })}</td></tr></table>`,
      botao(`${ABA}consultaPublicaButton`, 'Consultar'),
      rotulo('MensagemNadaEncontradoLabel', vazio),
      rotulo('MensagemErroFiltroLabel', erro),
      '<div style="display:none">',
      caixa(`${OUTRA_ABA}nrCnpjConsultarCertidaoTextBox`),
      caixa(`${OUTRA_ABA}nrCodigoValidadorTextBox`),
      '</div>',
    ].join('\n'),
  })
}

function postbackCadastro(pedido: PedidoPortal<undefined>): Mensagem | Promise<Mensagem> {
  const desenhado = Object.keys(filtros).find((filtro) => checkTrio(pedido, `filtro ${filtro}`))
  if (desenhado === undefined || !pedido.campos.has(ESTADO_DAS_ABAS)) return pedido.expirada()
  const escolhido = pedido.campo(LISTA)
  if (!Object.hasOwn(filtros, escolhido)) return pedido.expirada()
  if (!pedido.campo(`${ABA}consultaPublicaButton`)) {
    return telaCadastro(pedido, pedido.campo('__EVENTTARGET') === LISTA ? escolhido : desenhado)
  }
  // The list changed behind the page's back: it is drawn anew for the kind chosen.
  if (escolhido !== desenhado) return telaCadastro(pedido, escolhido, { erro: FALTA })
  return consulta(pedido)
}

const consulta = conversaDeCadastro<undefined>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: ({ campos }) => {
    const exigidos = { [`${ABA}consultaPublicaButton`]: 'Consultar', [`${ABA}valorFiltroTextBox`]: /\S/ }
    return campoErrado(campos, exigidos) && FALTA
  },
  captcha: porTexto(`${ABA}imagemDinamicaTextBox`, 'O texto digitado não confere com a imagem.'),
  pergunta: perguntaDoFiltro,
  recusa: (pergunta, pedido) => {
    // The simulator knows no NIRE.
    if (!FILTROS.has(pedido.campo(LISTA))) return ninguem(pedido)
    const recusa = recusaDoDocumento('SP', pergunta)
    return recusa && (pergunta.tipo === 'ie' ? 'IE inválida.' : `${recusa}.`)
  },
  notify: (pedido, erro) => telaCadastro(pedido, pedido.campo(LISTA), { erro }),
  ninguem,
  draw: (pedido, achadas) =>
    pedido.pagina('CADESP - Consulta Pública', controle() + achadas.map(resultado).join('\n<hr>\n')),
})

const FALTA = 'Informe o valor do filtro.'

function perguntaDoFiltro({ campo }: PedidoPortal<undefined>): Pergunta {
  return { tipo: FILTROS.get(campo(LISTA)) ?? 'ie', documento: campo(`${ABA}valorFiltroTextBox`) }
}

function ninguem(pedido: PedidoPortal<undefined>): Mensagem {
  const vazio = 'Não existem registros que atendem ao critério de filtro definido.'
  return telaCadastro(pedido, pedido.campo(LISTA), { vazio })
}

/** The titles of CADESP 4.29.0, and the code that the second tab checks a printout by. */
const controle = (): string =>
  [
    elemento('span', { class: 'labelTitulo' }, 'Consulta Pública ao Cadastro ICMS'),
    elemento('span', { class: 'labelTitulo' }, 'Cadastro de Contribuintes de ICMS - Cadesp'),
    elemento('span', { class: 'labelDetalhe' }, 'Código de controle da consulta:'),
    elemento('span', { id: 'ctl00_conteudoPaginaPlaceHolder_lblCodigoControleCertidao' }, randomUUID()),
  ].join('\n')

function resultado(achada: Ocorrencia): string {
  const { contribuinte, inscricao } = achada
  const mascara = inscricao.ie.startsWith('P') ? '0-00000000.0/000' : '000.000.000.000'
  const ficha = readFicha(achada, palavras, mascara)
  const natureza = naturezas.get(contribuinte.naturezaJuridica)
  const obrigado = [2, 3].includes(inscricao.credenciamentoNfe)
  return [
    secao('Estabelecimento', [
      ['IE:', ficha.ie],
      [ficha.tipo === 'cpf' ? 'CPF:' : 'CNPJ:', ficha.documento],
      ['Nome Empresarial:', ficha.nome],
      ['Nome Fantasia:', ficha.fantasia],
      ['Natureza Jurídica:', natureza ? `${mask('000-0', contribuinte.naturezaJuridica)} - ${natureza}` : ''],
    ]),
    secao('Endereço', [
      ['Logradouro:', ficha.logradouro],
      ['Nº:', ficha.numero],
      ['Complemento:', ficha.complemento],
      ['CEP:', ficha.cep],
      ['Bairro:', ficha.bairro],
      ['Município:', ficha.municipio],
      ['UF:', ficha.uf],
    ]),
    secao('Informações Complementares', [
      ['Situação Cadastral:', ficha.situacao],
      ['Data da Situação Cadastral:', ficha.dataDaSituacao],
      ['Ocorrência Fiscal:', ficha.situacao],
      ['Posto Fiscal:', 'PF-10 - CAPITAL'],
      ['Regime de Apuração:', ficha.regime],
      ['Atividades Econômicas:', inscricao.cnaeDescricao],
    ]),
    secao('Informações NF-e', [
      ['Data de Credenciamento como emissor de NF-e:', ficha.nfeDesde],
      ['Indicador de Obrigatoriedade de NF-e:', obrigado ? 'Obrigatoriedade Total' : ''],
      ['Data de Início da Obrigatoriedade de NF-e:', obrigado ? ficha.nfeDesde : ''],
    ]),
  ].join('\n')
}

function secao(titulo: string, pares: readonly Par[]): string {
  const linhas = pares.map(
    ([rotulo, valor]) =>
      `<tr>${elemento('td', { class: 'labelDetalhe' }, escapeXml(rotulo))}${elemento('td', { class: 'dadoDetalhe' }, escapeXml(valor) || '&nbsp;')}</tr>`,
  )
  const cabeca = `<tr>${elemento('td', { class: 'labelHeader', colspan: '2' }, escapeXml(titulo))}</tr>`
  return elemento('table', {}, `${cabeca}\n${linhas.join('\n')}`)
}

const PASTA = '/CertidaoNegativaDeb/Pages/'
const EMISSAO = `${PASTA}EmissaoCertidaoNegativa.aspx`.toLowerCase()
const IMPRESSAO = `${PASTA}ImpressaoCertidaoNegativa.aspx`
const CAMPO = 'ctl00$MainContent$'
const BOTAO = `${CAMPO}btnPesquisar`
const tipos = tiposPor({ cnpjradio: 'cnpj', cpfradio: 'cpf' })

type Dados = { certidao: Certidao | undefined; impressa: boolean }

const certidoes = portal<Dados>({
  uf: 'SP',
  servico: 'cnd',
  nome: 'SEFAZ-SP, certidão negativa de débitos não inscritos',
  hosts: ['www10.fazenda.sp.gov.br'],
  motor: 'asp.net',
  novaSessao: () => ({ certidao: undefined, impressa: false }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => pedido.campo(`${CAMPO}txtDocumento`) || undefined,
  answer: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === IMPRESSAO.toLowerCase() && pedido.metodo === 'GET') return printCertidao(pedido)
    if (caminho !== EMISSAO) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postback(pedido) : tela(pedido)
  },
  expirada: estadoInvalido,
  fechada: (pedido) => tela(pedido, 'Serviço disponível em dias úteis, das 06:00 às 21:00.'),
})

const TITULO = 'Certidão Negativa de Débitos Tributários Não Inscritos na Dívida Ativa'

function tela(pedido: PedidoPortal<Dados>, aviso = ''): Mensagem {
  const radio = (value: string, texto: string): string =>
    `<label>${elemento('input', { type: 'radio', id: `MainContent_${value}`, name: `${CAMPO}grupoDocumento`, value, checked: value === 'cnpjradio' ? 'checked' : undefined })} ${texto}</label>`
  const caixa = (nome: string, type: string): string =>
    elemento('input', { type, name: CAMPO + nome, id: idDe(CAMPO + nome) })
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'emissao',
    id: 'ctl01',
    conteudo: [
      aviso && elemento('div', { class: 'bg-danger' }, escapeXml(aviso)),
      radio('cnpjradio', 'CNPJ'),
      radio('cpfradio', 'CPF'),
      caixa('txtDocumento', 'text'),
      elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
      caixa('hdgrecaptcha', 'hidden'),
      botao(BOTAO, ' Emitir ', { id: idDe(BOTAO) }),
    ].join('\n'),
  })
}

function postback(pedido: PedidoPortal<Dados>): Mensagem | Promise<Mensagem> {
  const { dados } = pedido.sessao
  if (pedido.campos.has(`${CAMPO}btnImpressao`)) {
    if (!checkTrio(pedido, 'impressao') || !dados.certidao) return pedido.expirada()
    dados.impressa = true
    return pedido.redirect(IMPRESSAO)
  }
  if (!checkTrio(pedido, 'emissao')) return pedido.expirada()
  dados.certidao = undefined
  dados.impressa = false
  return pedido.campos.get(BOTAO) === ' Emitir ' ? pesquisa(pedido) : tela(pedido)
}

const PELO_SIPET = 'Solicite a certidão pelo SIPET (Sistema de Peticionamento Eletrônico).'

/** A certificate with suspended debts is asked for by petition, and printed here once it is granted. */
const recusas: Partial<Record<Certidao['desfecho'], string>> = {
  positiva: `Não foi possível emitir a certidão: constam débitos em nome do contribuinte. ${PELO_SIPET}`,
  irregular: `Não foi possível emitir a certidão pela internet. ${PELO_SIPET}`,
}

const pesquisa = conversaDeCertidao<Dados>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Informe o CNPJ ou o CPF.'),
  captcha: {
    fits: ({ captcha, campos, campo }) => {
      const token = campo('g-recaptcha-response')
      const repetido = campoErrado(campos, { [`${CAMPO}hdgrecaptcha`]: token }) === undefined
      // The token is used up whatever the hidden field says.
      return captcha.checkToken(token) && repetido
    },
    errado: 'Captcha inválido.',
  },
  pergunta: perguntaDe,
  recusa: (pergunta) => {
    const mascarada = maskDocumento(cleanDocumento(pergunta.documento)) === pergunta.documento
    return recusaDoDocumento('SP', pergunta) || !mascarada ? `${invalido(pergunta)}.` : undefined
  },
  notify: tela,
  mensagens: recusas,
  deliver: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    return paginaWebForms(pedido, {
      titulo: TITULO,
      etapa: 'impressao',
      id: 'ctl01',
      conteudo: [
        `<p>Certidão disponível para impressão: ${escapeXml(pedido.campo(`${CAMPO}txtDocumento`))}</p>`,
        botao(`${CAMPO}btnImpressao`, 'Imprimir', { id: 'MainContent_btnImpressao' }),
      ].join('\n'),
    })
  },
})

function perguntaDe({ campo }: PedidoPortal<Dados>): Pergunta | undefined {
  const tipo = tipos.get(campo(`${CAMPO}grupoDocumento`))
  const documento = campo(`${CAMPO}txtDocumento`)
  return tipo && documento !== '' ? { tipo, documento } : undefined
}

async function printCertidao(pedido: PedidoPortal<Dados>): Promise<Mensagem> {
  const { certidao, impressa } = pedido.sessao.dados
  if (!certidao || !impressa) return pedido.redirect(`${PASTA}EmissaoCertidaoNegativa.aspx`)
  return pedido.pdf(certidao)
}

export const portais: readonly Portal[] = [cadesp, certidoes]
