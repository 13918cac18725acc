import type { Certidao } from '../certidao/certidao.ts'
import { dataBrasileira, sementeDe } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  COM_MASCARA,
  type ConversaDeCadastro,
  conversaDeCadastro,
  conversaDeCertidao,
  invalido,
  porToken,
  recusaDoDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import { ativo, ENDERECO, type Ficha, fill, type Leiaute, readFicha } from '../portal/ficha.ts'
import { elemento, entrada, selecao, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import {
  checkTrio,
  estadoInvalido,
  idDe,
  linkDePostback,
  paginaWebForms,
  recursoAusente,
} from '../portal/webforms.ts'

const CORPO = 'ctl00$ctl00$ctl00$Body$Main$Main$'
const BUSCAR = `${CORPO}sepBusca$btnBuscar`

const tipos = { 1: 'CPF', 2: 'CNPJ', 3: 'IE' } as const
const perguntas = tiposPor({ 1: 'cpf', 2: 'cnpj', 3: 'ie' })
const mascaras = { ...COM_MASCARA, ie: /^\d{3}\.?\d{3}\.?\d{3}$/ } as const

type TelaSat = {
  titulo: string
  etapa: string
  identificador: string
  captcha?: string
  resultado?: string
  erros?: readonly string[]
}

function telaSat<S>(pedido: PedidoPortal<S>, tela: TelaSat): Mensagem {
  const { titulo, etapa, identificador, captcha = '', resultado = '', erros = [] } = tela
  const lista = `${identificador}$IdentificationTypeField`
  const campo = `${identificador}$MaskedField`
  const caixa = [
    selecao(lista, tipos, pedido.campo(lista) || '2', { id: idDe(lista) }),
    entrada(campo, { id: idDe(campo), value: pedido.campo(campo), autocomplete: 'off' }),
    captcha,
    elemento('a', { id: idDe(BUSCAR), class: 'btn', href: linkDePostback(BUSCAR) }, '<span>Buscar</span>'),
  ]
  return paginaWebForms(pedido, {
    titulo,
    etapa,
    id: 'form1',
    conteudo: [
      painelSat(),
      listaSat('sat-vs-error', erros.map(escapeXml)),
      elemento('div', { class: 'sat-panel' }, caixa.join('\n')),
      resultado,
    ].join('\n'),
  })
}

const GERENTE = 'ctl00$ctl00$ctl00$ScriptManager1'
const PAINEL = `${CORPO}sepBusca$uppBusca`

/** The script of ASP.NET AJAX that says which panel a search renews. */
const painelSat = (): string =>
  elemento(
    'script',
    { type: 'text/javascript' },
    `Sys.WebForms.PageRequestManager._initialize('${GERENTE}', 'form1', ['t${PAINEL}','${idDe(PAINEL)}'], [], [], 90, 'ctl00');`,
  )

/** ASP.NET AJAX: `length|type|id|content|`, repeated; a search without AJAX gets the whole screen. */
function comoDelta<S>(pedido: PedidoPortal<S>, tela: Mensagem): Mensagem {
  const doPainel = pedido.campo(GERENTE) === `${PAINEL}|${BUSCAR}` && pedido.campo('__ASYNCPOST') === 'true'
  if (!doPainel || pedido.cabecalhos['x-microsoftajax'] !== 'Delta=true') return tela
  const [, dentro = ''] = /<form[^>]*>([\s\S]*)<\/form>/.exec(tela.corpo.toString()) ?? []
  const partes = [
    ['updatePanel', idDe(PAINEL), dentro],
    ['asyncPostBackControlIDs', '', ''],
    ['pageTitle', '', 'SAT'],
  ].map(([tipo, id, conteudo = '']) => `${conteudo.length}|${tipo}|${id}|${conteudo}|`)
  return pedido.texto('text/plain', partes.join(''))
}

const listaSat = (classe: 'sat-vs-error' | 'sat-vs-success', itens: readonly string[]): string =>
  itens.length === 0
    ? ''
    : elemento('ul', { class: classe }, itens.map((item) => `<li>${item}</li>`).join(''))

const documentoSat = <S>(pedido: PedidoPortal<S>, identificador: string): string | undefined =>
  (pedido.campo('__EVENTTARGET') === BUSCAR && pedido.campo(`${identificador}$MaskedField`)) || undefined

function buscaSat<S>(
  identificador: string,
): Required<Pick<ConversaDeCadastro<S>, 'campos' | 'pergunta' | 'recusa'>> {
  const perguntaDe = ({ campo }: PedidoPortal<S>): Pergunta | undefined => {
    const tipo = perguntas.get(campo(`${identificador}$IdentificationTypeField`))
    const documento = campo(`${identificador}$MaskedField`)
    return tipo && documento !== '' ? { tipo, documento } : undefined
  }
  return {
    campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Preencha o campo de identificação.'),
    pergunta: perguntaDe,
    recusa: (pergunta) => {
      const mascarada = mascaras[pergunta.tipo].test(pergunta.documento)
      const recusa = mascarada ? recusaDoDocumento('SC', pergunta) : invalido(pergunta)
      return recusa && `${recusa}.`
    },
  }
}

const PASTA_CERTIDAO = '/tax.net/sat.ctacte.web/'
const IDENTIFICADOR_CERTIDAO = `${CORPO}sepBusca$idnCnd`
const GERAR = `${CORPO}ctnResultado$btnGerarCnd`
const GRADE = `${CORPO}ctnResultado$grpCnd$gridView`
const JANELA = 'ImpressaoCnd.aspx'
const TITULO_CERTIDAO = 'Solicitação de Certidão Negativa de Débitos Fiscais'

type Dados = { pedida: Certidao | undefined; grade: readonly Certidao[] }

const certidoesSat = portal<Dados>({
  uf: 'SC',
  servico: 'cnd',
  nome: 'SEF-SC, certidão negativa de débitos',
  hosts: ['sat.sef.sc.gov.br', 'tributario.sef.sc.gov.br'],
  serves: (caminho) => caminho.toLowerCase().startsWith(PASTA_CERTIDAO),
  motor: 'asp.net',
  novaSessao: () => ({ pedida: undefined, grade: [] }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => documentoSat(pedido, IDENTIFICADOR_CERTIDAO),
  answer: async (pedido) => {
    const { pedida } = pedido.sessao.dados
    if (pedido.caminho.toLowerCase() === PASTA_CERTIDAO + JANELA.toLowerCase() && pedida)
      return pedido.paginaDaCertidao(pedida, 'Certidão')
    if (pedido.caminho.toLowerCase() !== `${PASTA_CERTIDAO}solicitacaocnd.aspx`) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postback(pedido) : telaCertidao(pedido)
  },
  expirada: estadoInvalido,
})

function telaCertidao(pedido: PedidoPortal<Dados>, resto: Partial<TelaSat> = {}): Mensagem {
  const captcha = elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, '')
  return telaSat(pedido, {
    titulo: TITULO_CERTIDAO,
    etapa: 'cnd',
    identificador: IDENTIFICADOR_CERTIDAO,
    captcha,
    ...resto,
  })
}

async function postback(pedido: PedidoPortal<Dados>): Promise<Mensagem> {
  if (!checkTrio(pedido, 'cnd')) return pedido.expirada()
  const alvo = pedido.campo('__EVENTTARGET')
  const { dados } = pedido.sessao
  if (alvo === BUSCAR) {
    Object.assign(dados, { pedida: undefined, grade: [] })
    return busca(pedido)
  }
  const { pedida, grade } = dados
  if (!pedida) return telaCertidao(pedido)
  if (alvo === GERAR) return generate(pedido, pedida)
  const baixada = grade.find((_, i) => alvo === comandoDe(i))
  return baixada
    ? pedido.pdf(baixada, { nome: 'cnd.pdf' })
    : telaCertidao(pedido, { resultado: resultado(pedido) })
}

const busca = conversaDeCertidao<Dados>({
  ordem: ['captcha', 'campos', 'documento'],
  captcha: porToken('g-recaptcha-response', 'Captcha inválido.'),
  ...buscaSat(IDENTIFICADOR_CERTIDAO),
  notify: (pedido, erro) => telaCertidao(pedido, { erros: [erro] }),
  deliver: (pedido, pedida) => {
    Object.assign(pedido.sessao.dados, { pedida, grade: jaEmitidas(pedida) })
    return telaCertidao(pedido, { resultado: resultado(pedido) })
  },
})

/** A new certificate comes as a page in a window, to be printed, or as a link over the grid. */
function generate(pedido: PedidoPortal<Dados>, pedida: Certidao): Mensagem {
  const { dados } = pedido.sessao
  if (pedida.desfecho === 'positiva')
    return telaCertidao(pedido, { resultado: resultado(pedido) + pendencias })
  if (pedida.desfecho === 'irregular')
    return telaCertidao(pedido, {
      erros: ['Não foi possível emitir a certidão pela internet.'],
      resultado: resultado(pedido),
    })
  dados.grade = [pedida, ...dados.grade]
  if (sementeDe(pedida.documento) % 2 === 0) {
    const script = `<script type="text/javascript">window.open('${JANELA}', '_blank');</script>`
    return telaCertidao(pedido, { resultado: resultado(pedido) + script })
  }
  const baixar = elemento('a', { href: linkDePostback(comandoDe(0)) }, 'Clique aqui para baixar a certidão')
  const sucesso = listaSat('sat-vs-success', [
    'Certidão gerada com sucesso.',
    `Número: ${pedida.numero}`,
    baixar,
  ])
  return telaCertidao(pedido, { resultado: sucesso + resultado(pedido) })
}

const pendencias = elemento(
  'div',
  { id: 'Body_Main_Main_popPendencias', class: 'modal' },
  '<h4>Pendências</h4><p>Existem pendências que impedem a emissão da certidão.</p>',
)

/** Of three companies that may have a certificate, one got it ten days before, one has an expired one. */
function jaEmitidas(pedida: Certidao): Certidao[] {
  const sorte = sementeDe(pedida.documento) % 3
  if (sorte === 0 && ['negativa', 'efeitos'].includes(pedida.desfecho)) return [moveBack(pedida, 10)]
  return sorte === 1 ? [moveBack(pedida, 400)] : []
}

function moveBack(certidao: Certidao, dias: number): Certidao {
  const antes = (data: string): string =>
    new Date(Date.parse(data) - dias * 86_400_000).toISOString().slice(0, 10)
  const numero = String(BigInt(certidao.numero) - BigInt(dias)).padStart(certidao.numero.length, '0')
  return { ...certidao, numero, emissao: antes(certidao.emissao), validade: antes(certidao.validade) }
}

function resultado(pedido: PedidoPortal<Dados>): string {
  const { grade } = pedido.sessao.dados
  const hoje = pedido.agora.toISOString().slice(0, 10)
  const linhas = grade.map(({ numero, emissao, validade, nome }, i) => {
    const isValid = validade >= hoje
    const data = elemento('span', { class: isValid ? 'valido' : 'vencido' }, dataBrasileira(validade))
    const baixar = { id: `${idDe(GRADE)}_cmd0_${i}`, href: linkDePostback(comandoDe(i)) }
    const celulas = [
      numero,
      escapeXml(nome),
      dataBrasileira(emissao),
      data,
      isValid ? elemento('a', baixar, 'Baixar') : '&nbsp;',
    ]
    return `<tr>${celulas.map((celula) => `<td>${celula}</td>`).join('')}</tr>`
  })
  const cabeca = '<tr><th>Número</th><th>Nome</th><th>Emissão</th><th>Válida até</th><th>&nbsp;</th></tr>'
  return [
    elemento('table', { id: idDe(GRADE), class: 'grid' }, [cabeca, ...linhas].join('\n')),
    elemento('a', { id: idDe(GERAR), class: 'btn', href: linkDePostback(GERAR) }, '<span>Gerar CND</span>'),
  ].join('\n')
}

const comandoDe = (linha: number): string => `${GRADE}$ctl${String(linha + 2).padStart(2, '0')}$cmd0`

const PASTA_CADASTRO = '/tax.net/sat.cadastro.web/'
const IDENTIFICADOR_CADASTRO = `${CORPO}sepBusca$idnContribuinte`
const TITULO_CADASTRO = 'Comprovante de Inscrição Estadual'

const cadastro = portal({
  uf: 'SC',
  servico: 'ie',
  nome: 'SEF-SC, comprovante de inscrição',
  hosts: ['sat.sef.sc.gov.br'],
  serves: (caminho) => caminho.toLowerCase().startsWith(PASTA_CADASTRO),
  motor: 'asp.net',
  documento: (pedido) => documentoSat(pedido, IDENTIFICADOR_CADASTRO),
  answer: async (pedido) => {
    if (pedido.caminho.toLowerCase() !== `${PASTA_CADASTRO}comprovanteie/consulta.aspx`)
      return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? comoDelta(pedido, await query(pedido)) : tela(pedido)
  },
  expirada: estadoInvalido,
  captchaInesperado: (pedido) =>
    tela(pedido, {
      captcha: '<div class="g-recaptcha" data-sitekey="6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ"></div>',
    }),
})

const tela = (pedido: PedidoPortal<undefined>, resto: Partial<TelaSat> = {}): Mensagem =>
  telaSat(pedido, {
    titulo: TITULO_CADASTRO,
    etapa: 'consulta',
    identificador: IDENTIFICADOR_CADASTRO,
    ...resto,
  })

async function query(pedido: PedidoPortal<undefined>): Promise<Mensagem> {
  if (!checkTrio(pedido, 'consulta')) return pedido.expirada()
  return pedido.campo('__EVENTTARGET') === BUSCAR ? consulta(pedido) : tela(pedido)
}

const consulta = conversaDeCadastro<undefined>({
  ordem: ['campos', 'documento'],
  ...buscaSat(IDENTIFICADOR_CADASTRO),
  notify: (pedido, erro) => tela(pedido, { erros: [erro] }),
  ninguem: 'Nenhum registro encontrado.',
  draw: (pedido, achadas) => {
    const blocos = achadas.map((achada, i) => comprovante(readFicha(achada, ativo, '000.000.000'), i))
    const resultado = elemento('div', { id: 'Body_Main_Main_ctnResultado' }, blocos.join('\n'))
    return tela(pedido, { resultado })
  },
})

const COMPROVANTE: Leiaute = [
  ['Inscrição Estadual:', 'ie'],
  ['{tipo}:', 'documento'],
  ['Nome Empresarial:', 'nome'],
  ['Nome Fantasia:', 'fantasia'],
  ...ENDERECO,
  ['CNAE Principal:', 'atividadeComMascara'],
  ['Data de Início de Atividade:', 'inicio'],
  ['Situação Cadastral:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ['Regime de Apuração:', 'regime'],
]

function comprovante(ficha: Ficha, indice: number): string {
  const id = `Body_Main_Main_ctnResultado_comprovante${indice}`
  const tabela = tabelaDePares(fill(COMPROVANTE, ficha), { porLinha: 2 })
  return elemento('div', { id, class: 'sat-box' }, tabela)
}

export const portais: readonly Portal[] = [cadastro, certidoesSat]
