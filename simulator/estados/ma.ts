import { randomBytes } from 'node:crypto'
import { cleanDocumento, dataBrasileira } from '../documento/documento.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  type Exigencias,
  naoHa,
  peloMotivo,
  porToken,
  recusaDoDocumento,
} from '../portal/conversa.ts'
import { ENDERECO, type Ficha, fill, habilitado, type Leiaute, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, type Par } from '../portal/html.ts'
import { camposDaVista, checkVista, idGerado, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'sistemas1.sefaz.ma.gov.br'

const CPF_CNPJ = 'form1:cpfCnpj'
const INSCRICAO = 'form1:inscricaoEstadual'
const CAMPOS = { '1': INSCRICAO, '2': CPF_CNPJ } as const

const documentoDe = (pedido: { campo: (nome: string) => string }): string | undefined =>
  pedido.campo(CPF_CNPJ) || pedido.campo(INSCRICAO) || undefined

function perguntaDe(pedido: { campo: (nome: string) => string }): Pergunta {
  if (pedido.campo('form1:tipoEmissao') === '1') return { tipo: 'ie', documento: pedido.campo(INSCRICAO) }
  const documento = pedido.campo(CPF_CNPJ)
  return { tipo: cleanDocumento(documento).length === 11 ? 'cpf' : 'cnpj', documento }
}

function radios(escolhido: string, onclick?: string): string {
  const itens = { '1': 'Inscrição Estadual', '2': 'CPF/CNPJ' }
  const celulas = Object.entries(itens).map(([value, texto]) => {
    const checked = value === escolhido ? 'checked' : undefined
    const radio = elemento('input', { type: 'radio', name: 'form1:tipoEmissao', value, checked, onclick })
    return `<td>${radio}<label> ${texto}</label></td>`
  })
  return elemento('table', { id: 'form1:tipoEmissao' }, `<tr>${celulas.join('')}</tr>`)
}

const FALTA = 'Preencha os campos obrigatórios.'

/** The script by which RichFaces 3 sends the form; `id` is the asking component. */
const submit = (form: string, id: string): string =>
  `A4J.AJAX.Submit('_viewRoot','${form}',event,{'similarityGroupingId':'${id}','parameters':{'${id}':'${id}'}})`

const camposDoAjax = (id: string): Exigencias => ({ AJAXREQUEST: '_viewRoot', [id]: id })

const lugarDaVista = <S>(pedido: PedidoPortal<S>, etapa: string): string =>
  elemento('span', { id: 'ajax-view-state' }, camposDaVista(pedido, etapa))

/** An AJAX answer of RichFaces 3: elements by their ids, and the script that runs once they are in place. */
function respostaAjax<S>(
  pedido: PedidoPortal<S>,
  etapa: string,
  trocas: Readonly<Record<string, string>>,
  aoTerminar = '',
): Mensagem {
  const corpo = Object.entries(trocas).map(([id, html]) => elemento('span', { id }, html))
  const script = aoTerminar && `<span id="org.ajax4jsf.oncomplete"><![CDATA[${aoTerminar}]]></span>`
  const ids = escapeXml(Object.keys(trocas).join(','))
  const mensagem = pedido.texto(
    'text/xml',
    `<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="Ajax-Update-Ids" content="${ids}"/></head>` +
      `<body>${emXhtml(corpo.join(''))}${script}${emXhtml(lugarDaVista(pedido, etapa))}</body></html>`,
  )
  return { ...mensagem, cabecalhos: { ...mensagem.cabecalhos, 'ajax-response': 'true' } }
}

const emXhtml = (html: string): string => html.replace(/<(input|img|br)([^>]*)>/g, '<$1$2 />')

const EMISSAO = '/certidoes/jsp/emissaoCertidaoNegativa/emissaoCertidaoNegativa.jsf'
const ERRO = '/certidoes/jsp/util/paginaErro.jsf'
const IMAGEM = '/certidoes/a4j/g/3_3_3.Final/org.richfaces.renderkit.html.Paint2DResource/DATA/'

/** `validado`: what AJAX validated, captcha included, for the printing that follows. */
type Emissao = { imagem: string; validado: Pergunta | undefined; erro: string }

const certidoes = portal<Emissao>({
  uf: 'MA',
  servico: 'cnd',
  nome: 'SEFAZ-MA, certidão negativa de débito',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith('/certidoes/'),
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ imagem: '', validado: undefined, erro: '' }),
  captcha: 'imagem',
  documento: documentoDe,
  answer: (pedido) => {
    const { caminho, metodo, sessao, campos } = pedido
    if (caminho === IMAGEM + sessao.dados.imagem) return pedido.captcha.imagem({ letras: 4 })
    if (caminho === ERRO) return pedido.pagina('Erro', mensagemDe(sessao.dados.erro || 'Erro inesperado.'))
    if (caminho !== EMISSAO) return naoHa(pedido, 'HTTP Status 404')
    if (metodo !== 'POST') return emissao(pedido)
    if (!checkVista(pedido, 'emissao')) return pedido.expirada()
    return campos.has('AJAXREQUEST') ? validacao(pedido) : issue(pedido)
  },
  expirada: vistaExpirada,
})

function emissao(pedido: PedidoPortal<Emissao>): Mensagem {
  const form = formulario(
    { id: 'form1', name: 'form1', action: EMISSAO },
    ocultos({ form1: 'form1' }),
    radios('2'),
    `<label>CPF/CNPJ</label>${entrada(CPF_CNPJ)}<label>Inscrição Estadual</label>${entrada(INSCRICAO)}`,
    elemento('span', { id: 'form1:imagem' }, novaImagem(pedido)),
    entrada(idDoTexto(pedido), { maxlength: '4', size: '6' }),
    botao('form1:btn', EMITIR, { onclick: `${submit('form1', idDaValidacao(pedido))};return false;` }),
    elemento('span', { id: 'form1:mensagens' }, ''),
    lugarDaVista(pedido, 'emissao'),
  )
  return pedido.pagina('Certidão Negativa de Débito', form)
}

const EMITIR = 'Emitir Certidão'

const idDoTexto = (pedido: PedidoPortal<Emissao>): string => idGerado(pedido, 0, 'form1:j_id')

const idDaValidacao = (pedido: PedidoPortal<Emissao>): string => idGerado(pedido, 2, 'form1:j_id')

function novaImagem({ sessao }: PedidoPortal<Emissao>): string {
  sessao.dados.imagem = `${randomBytes(9).toString('base64url')}.jsf`
  return elemento('img', { src: IMAGEM + sessao.dados.imagem, width: '100', height: '25' })
}

const mensagemDe = (erro: string): string =>
  erro && `<span class="pf-messages-error-detail">${escapeXml(erro)}</span>`

const validacao = conversaDeCertidao<Emissao>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => {
    const ajax = camposDoAjax(idDaValidacao(pedido))
    const exigidos = { ...ajax, form1: 'form1', 'form1:tipoEmissao': /^[12]$/, [idDoTexto(pedido)]: /^/ }
    return campoErrado(pedido.campos, exigidos) || !perguntaDe(pedido).documento ? FALTA : undefined
  },
  captcha: {
    fits: (pedido) => pedido.captcha.checkTexto(pedido.campo(idDoTexto(pedido))),
    errado: 'Código da imagem inválido.',
  },
  pergunta: perguntaDe,
  recusa: (pergunta, pedido) =>
    recusaDoDocumento('MA', pergunta) ?? (hasAtiva(pedido, pergunta) ? PELA_INSCRICAO : undefined),
  notify: (pedido, aviso) => validate(pedido, aviso),
  mensagens: { positiva: 'Este CPF/CNPJ é devedor.', irregular: peloMotivo },
  deliver: (pedido) => validate(pedido),
})

const PELA_INSCRICAO =
  'Existe Inscrição Estadual ativa para este CPF/CNPJ. Favor emitir pela Inscrição Estadual'

function hasAtiva(pedido: PedidoPortal<Emissao>, pergunta: Pergunta): boolean {
  if (pergunta.tipo === 'ie') return false
  return pedido.search(pergunta).some(({ inscricao }) => inscricao.situacao === 'habilitado')
}

/** The script of the answer presses the button when nothing is wrong. */
function validate(pedido: PedidoPortal<Emissao>, erro = ''): Mensagem {
  pedido.sessao.dados.validado = erro ? undefined : perguntaDe(pedido)
  const trocas = { 'form1:mensagens': mensagemDe(erro), 'form1:imagem': novaImagem(pedido) }
  const script = `if(${erro === ''}){document.getElementById('form1:btn').form.submit();}`
  return respostaAjax(pedido, 'emissao', trocas, script)
}

async function issue(pedido: PedidoPortal<Emissao>): Promise<Mensagem> {
  const { dados } = pedido.sessao
  const pergunta = perguntaDe(pedido)
  const mesma = dados.validado?.tipo === pergunta.tipo && dados.validado.documento === pergunta.documento
  dados.validado = undefined
  if (!mesma || campoErrado(pedido.campos, { form1: 'form1', 'form1:btn': EMITIR })) {
    dados.erro = 'Os dados informados não foram validados. Reinicie a emissão.'
    return pedido.redirect(ERRO)
  }
  return pedido.pdf(pedido.certidao(pergunta))
}

function lista(action: string, fichas: readonly Ficha[]): string {
  const linhas = fichas.map(({ ie, nome, situacao }, i) => {
    const open = elemento('input', {
      type: 'image',
      name: `j_id6:tabela:${i}:j_id12`,
      src: '/sintegra/imagens/lupa.gif',
    })
    const celulas = [ie, nome, situacao].map((texto) =>
      elemento('span', { class: 'textoPequeno' }, escapeXml(texto)),
    )
    return `<tr>${[...celulas, open].map((html) => `<td>${html}</td>`).join('')}</tr>`
  })
  return formulario(
    { id: 'j_id6', name: 'j_id6', action },
    ocultos({ j_id6: 'j_id6' }),
    elemento('div', { id: 'j_id6:pnlCadastro' }, elemento('table', {}, linhas.join('\n'))),
    ocultos({ 'javax.faces.ViewState': 'j_id2' }),
  )
}

const LEIAUTE: Leiaute = [
  ['CGC:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Razão Social:', 'nome'],
  ['Regime Apuração:', 'regime'],
  ...ENDERECO,
  ['DDD:', undefined],
  ['Telefone:', undefined],
  ['CNAE Principal:', 'atividadeComMascara'],
  ['Situação Cadastral Vigente:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ["NFe a partir de (CNAE's):", undefined],
  ['EDF a partir de:', undefined],
  ['CTE a partir de:', undefined],
]

/** One registration, labels and values in spans of their own classes, as recorded on 2025-08-25. */
function ficha(dados: Ficha, agora: Date): string {
  const pares: Par[] = [
    ...fill(LEIAUTE, dados).map(
      ([rotulo, valor]): Par => [
        rotulo,
        rotulo.startsWith('NFe') && dados.nfeDesde
          ? `${dados.nfeDesde} - (Devido emissão voluntária),`
          : valor,
      ],
    ),
    ['Data da Consulta:', dataBrasileira(agora.toISOString().slice(0, 10))],
    ['Número da Consulta:', '1'],
  ]
  const linhas = pares.map(([rotulo, valor]) => {
    const nome = elemento('span', { class: 'texto_negrito' }, escapeXml(rotulo))
    return `<tr><td>${nome}</td><td>${elemento('span', { class: 'texto' }, escapeXml(valor) || '&nbsp;')}</td></tr>`
  })
  const outros = elemento('table', { id: 'j_id6:idlista' }, '<tr><th>CNAE Secundário</th></tr>')
  return elemento('table', {}, linhas.join('\n')) + outros
}

const PASTA = '/sintegra/jsp/consultaSintegra/'
const FILTRO = `${PASTA}consultaSintegraFiltro.jsf`
const LISTA = `${PASTA}consultaSintegraResultadoListaConsulta.jsf`
const FICHA = `${PASTA}consultaSintegraResultadoConsulta.jsf`

/** The radio buttons change `tipo` by AJAX. */
type Filtro = {
  tipo: '1' | '2'
  documento: string
  achadas: readonly Ocorrencia[]
  aberta: Ocorrencia | undefined
}

const cadastro = portal<Filtro>({
  uf: 'MA',
  servico: 'ie',
  nome: 'SEFAZ-MA, SINTEGRA',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith('/sintegra/'),
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ tipo: '1', documento: '', achadas: [], aberta: undefined }),
  captcha: 'recaptcha-v2',
  documento: (pedido) => documentoDe(pedido) ?? (pedido.sessao.dados.documento || undefined),
  answer: (pedido) => {
    const { caminho, metodo, sessao } = pedido
    const { achadas, aberta } = sessao.dados
    if (caminho === LISTA && achadas.length > 0)
      return metodo === 'POST' ? openFicha(pedido) : showLista(pedido)
    if (caminho === FICHA && aberta)
      return pedido.pagina(TITULO, ficha(readFicha(aberta, habilitado, MASCARA), pedido.agora))
    if (caminho !== FILTRO) return naoHa(pedido, 'HTTP Status 404')
    if (metodo !== 'POST') return filtro(pedido)
    if (!checkVista(pedido, 'filtro')) return pedido.expirada()
    return pedido.campos.has('AJAXREQUEST') ? changeTipo(pedido) : query(pedido)
  },
  expirada: vistaExpirada,
})

const TITULO = 'SINTEGRA/ICMS - Maranhão'
const MASCARA = '00.000.000-0'

function filtro(pedido: PedidoPortal<Filtro>, aviso = ''): Mensagem {
  const { dados } = pedido.sessao
  if (pedido.metodo !== 'POST') dados.tipo = '1'
  const form = formulario(
    { id: 'form1', name: 'form1', action: FILTRO },
    ocultos({ form1: 'form1' }),
    elemento('span', { id: 'form1:msgs' }, aviso && elemento('div', {}, escapeXml(aviso))),
    radios(dados.tipo, submit('form1', idDoTipo(pedido))),
    elemento('span', { id: 'form1:painel' }, campoDoTipo(dados.tipo)),
    elemento('div', { class: 'g-recaptcha', 'data-sitekey': pedido.captcha.chave }, ''),
    elemento(
      'div',
      { id: 'form1:pnlPrincipal4' },
      elemento('input', { type: 'button', value: 'Limpar' }) + botao(idDaConsulta(pedido), 'Consulta'),
    ),
    ocultos({ 'form1:panel_loadingOpenedState': '' }),
    lugarDaVista(pedido, 'filtro'),
  )
  return pedido.pagina(TITULO, form)
}

const idDoTipo = (pedido: PedidoPortal<Filtro>): string => idGerado(pedido, 0, 'form1:j_id')

const idDaConsulta = (pedido: PedidoPortal<Filtro>): string => idGerado(pedido, 13, 'form1:j_id')

function campoDoTipo(tipo: '1' | '2'): string {
  const id = CAMPOS[tipo]
  return `<label for="${id}">${tipo === '1' ? 'Inscrição Estadual' : 'CPF/CNPJ'}</label>${entrada(id, { id, size: '20' })}`
}

function changeTipo(pedido: PedidoPortal<Filtro>): Mensagem {
  const exigidos = { ...camposDoAjax(idDoTipo(pedido)), form1: 'form1', 'AJAX:EVENTS_COUNT': '1' }
  if (campoErrado(pedido.campos, { ...exigidos, 'form1:tipoEmissao': /^[12]$/ })) return filtro(pedido, FALTA)
  const tipo = pedido.campo('form1:tipoEmissao') === '1' ? '1' : '2'
  pedido.sessao.dados.tipo = tipo
  return respostaAjax(pedido, 'filtro', { 'form1:painel': campoDoTipo(tipo) })
}

const query = conversaDeCadastro<Filtro>({
  ordem: ['campos', 'captcha', 'documento'],
  campos: (pedido) => {
    const { tipo } = pedido.sessao.dados
    const exigidos = { form1: 'form1', 'form1:tipoEmissao': tipo, [CAMPOS[tipo]]: /\S/ }
    const enviado = { [idDaConsulta(pedido)]: 'Consulta', 'form1:panel_loadingOpenedState': '' }
    return campoErrado(pedido.campos, { ...exigidos, ...enviado }) && FALTA
  },
  captcha: porToken('g-recaptcha-response', 'Captcha inválido.'),
  pergunta: perguntaDe,
  notify: filtro,
  ninguem: 'Nenhum resultado encontrado',
  draw: (pedido, achadas) => {
    Object.assign(pedido.sessao.dados, { achadas, documento: perguntaDe(pedido).documento })
    return pedido.redirect(LISTA)
  },
})

function showLista(pedido: PedidoPortal<Filtro>): Mensagem {
  const { achadas } = pedido.sessao.dados
  const fichas = achadas.map((achada) => readFicha(achada, habilitado, MASCARA))
  return pedido.pagina(TITULO, lista(LISTA, fichas))
}

/** The image that was pressed says which. The server keeps the list's view: it may be sent again. */
function openFicha(pedido: PedidoPortal<Filtro>): Mensagem {
  const { dados } = pedido.sessao
  const linha = [...pedido.campos.keys()].map((nome) => /^j_id6:tabela:(\d+):j_id12\.x$/.exec(nome)?.[1])
  const errado = campoErrado(pedido.campos, { j_id6: 'j_id6', 'javax.faces.ViewState': 'j_id2' })
  dados.aberta = dados.achadas[Number(linha.find(Boolean) ?? -1)]
  return dados.aberta && !errado ? pedido.redirect(FICHA) : pedido.expirada()
}

export const portais: readonly Portal[] = [cadastro, certidoes]
