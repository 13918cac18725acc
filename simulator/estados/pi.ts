import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Certidao } from '../certidao/certidao.ts'
import { diaEHora } from '../documento/dia.ts'
import { dataBrasileira, sementeDe } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  naoHa,
  porTexto,
  unicaPreenchida,
} from '../portal/conversa.ts'
import { ativo, type Ficha, fill, type Leiaute, paginaDeFichas } from '../portal/ficha.ts'
import {
  type Atributos,
  elemento,
  entrada,
  formulario,
  ocultos,
  selecao,
  tabelaDePares,
} from '../portal/html.ts'
import {
  cameFromJsf,
  camposDaVista,
  checkVista,
  idGerado,
  respostaParcial,
  vistaExpirada,
} from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

function botaoPrime(id: string, texto: string, atributos: Atributos = {}): string {
  const miolo = `<span class="ui-button-text ui-c">${escapeXml(texto)}</span>`
  const classe = 'ui-button ui-widget ui-state-default ui-corner-all'
  return elemento('button', { id, name: id, class: classe, type: 'submit', ...atributos }, miolo)
}

/** The script of a button that asks by AJAX: itself, and the ids that the answer renews. */
const porAjax = (id: string, alvos: string): Atributos => ({
  onclick: `PrimeFaces.ab({s:"${id}",u:"${alvos}"});return false;`,
})

function cameFromBotao<S>(pedido: PedidoPortal<S>, id: string, alvos: string): boolean {
  const errado = campoErrado(pedido.campos, {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': id,
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': alvos,
    [id]: id,
  })
  return !errado && cameFromJsf(pedido) && pedido.cabecalhos['x-requested-with'] === 'XMLHttpRequest'
}

function mensagensPrime(id: string, aviso: string, grau: 'info' | 'error' = 'error'): string {
  const mensagem =
    aviso &&
    `<div class="ui-messages-${grau} ui-corner-all"><ul><li><span class="ui-messages-${grau}-detail">${escapeXml(aviso)}</span></li></ul></div>`
  return elemento('div', { id, class: 'ui-messages ui-widget', 'aria-live': 'polite' }, mensagem)
}

const painel = (titulo: string, conteudo: string): string =>
  `<div class="ui-panel ui-widget"><div class="ui-panel-titlebar"><span class="ui-panel-title">${titulo}</span></div><div class="ui-panel-content ui-widget-content">${conteudo}</div></div>`

type ComImagem = { chave: string }

/** An image made anew, under a key of its own. */
function imagemDinamica({ sessao }: PedidoPortal<ComImagem>, recurso: string, bean: string): string {
  sessao.dados.chave = randomBytes(12).toString('hex')
  const src = `${recurso}?ln=primefaces&primefaces_image=${sessao.dados.chave}&bean=${bean}`
  return elemento('img', { id: bean, src, alt: '' })
}

type Solicitacao = { numero: number; em: Date; faltam: number }

const solicitacoes = new LRUCache<string, readonly Solicitacao[]>({ max: 10_000 })
const LEMBRADAS = 3
let feitas = 0

function request(documento: string, agora: Date): void {
  feitas += 1
  const faltam = sementeDe(documento) % 8 === 7 ? 1 : 0
  const todas = [{ numero: 700_000 + feitas, em: agora, faltam }, ...(solicitacoes.get(documento) ?? [])]
  solicitacoes.set(documento, todas.slice(0, LEMBRADAS))
}

const CONCLUIDA = 'Concluída'

function situacaoDe({ desfecho, motivo }: Certidao): string {
  if (desfecho === 'positiva') return 'Não emitida: existem débitos'
  return desfecho === 'irregular' ? `Não emitida: ${motivo}` : CONCLUIDA
}

/** Each look brings the unfinished requests nearer to the end. */
const linhasDe = (id: string, certidao: Certidao): string[][] =>
  (solicitacoes.get(certidao.documento) ?? []).map((solicitacao, linha) => {
    const situacao = solicitacao.faltam > 0 ? 'Em processamento' : situacaoDe(certidao)
    solicitacao.faltam = Math.max(0, solicitacao.faltam - 1)
    const pronta = situacao === CONCLUIDA
    return [
      String(solicitacao.numero),
      diaEHora(solicitacao.em.getTime()),
      escapeXml(certidao.nome),
      escapeXml(situacao),
      pronta ? dataBrasileira(certidao.validade) : '',
      pronta ? botaoPrime(botaoDe(id, linha), 'Baixar') : '',
    ]
  })

function downloadDe(id: string, certidao: Certidao): string[] {
  if (situacaoDe(certidao) !== CONCLUIDA) return []
  return (solicitacoes.get(certidao.documento) ?? []).flatMap(({ faltam }, linha) =>
    faltam === 0 ? [botaoDe(id, linha)] : [],
  )
}

const botaoDe = (id: string, linha: number): string => `${id}:resultsDataTable:${linha}:baixarBtn`

const TITULOS = ['Número', 'Data da Solicitação', 'Contribuinte', 'Situação', 'Validade', '']

function writeGrade(id: string, linhas: readonly (readonly string[])[]): string {
  const grade = `${id}:resultsDataTable`
  const corpo = linhas.map(
    (celulas, i) =>
      `<tr data-ri="${i}" class="ui-widget-content" role="row">${celulas.map((html) => `<td role="gridcell">${html}</td>`).join('')}</tr>`,
  )
  const vazia = `<tr class="ui-datatable-empty-message"><td colspan="${TITULOS.length}">Nenhum registro encontrado</td></tr>`
  const cabeca = TITULOS.map((titulo) => `<th role="columnheader">${titulo}</th>`).join('')
  const tabela = `<table role="grid"><thead><tr>${cabeca}</tr></thead><tbody id="${grade}_data">${corpo.join('\n') || vazia}</tbody></table>`
  return elemento('div', { id: grade, class: 'ui-datatable ui-widget' }, tabela)
}

type Abas = { abertas: number }
type Visita = PedidoPortal<Abas>

const PAGINA = '/certidaonft-web/index.xhtml'
const MENU = 'mainMenuForm'
const ABA = 'tabView:tabContent_tabItem'
const CAMPO = ':contribuinteCpfCnpjId'

const FORMAS = {
  consultar: { form: ':certidaoSituacaoTv:formConsultar', botao: 'buscarBtn', texto: 'Buscar' },
  solicitar: { form: ':formSolicitar', botao: 'solicitarBtn', texto: 'Solicitar' },
} as const
type Acao = keyof typeof FORMAS

// Undated open code uses these screens. The menu's script is made up, and so are all words but "Solicitação
// registrada".
const certidoes = portal<Abas>({
  uf: 'PI',
  servico: 'cnd',
  nome: 'SEFAZ-PI, certidões',
  hosts: ['webas.sefaz.pi.gov.br'],
  serves: (caminho) => caminho.startsWith('/certidaonft-web/'),
  motor: 'java',
  novaSessao: () => ({ abertas: 0 }),
  documento: (pedido) => documentoDe(pedido) || undefined,
  answer: (pedido) => {
    const { caminho, metodo, campos } = pedido
    if (caminho !== PAGINA) return naoHa(pedido)
    if (metodo !== 'POST') return inicio(pedido)
    if (campos.get(MENU) === MENU) return openAba(pedido)
    return campos.has('javax.faces.partial.ajax') ? ask(pedido) : download(pedido)
  },
  expirada: vistaExpirada,
})

const documentoDe = ({ campos }: Visita): string =>
  [...campos].find(([nome]) => nome.startsWith(ABA) && nome.endsWith(CAMPO))?.[1].trim() ?? ''

const CERTIDOES = ['Certidão Negativa de Dívida Ativa', 'Certidão de Situação Fiscal e Tributária']

const entradaDe = (certidao: number, acao: Acao): string => `${MENU}:item${certidao}${acao}`

function inicio(pedido: Visita): Mensagem {
  const itens = CERTIDOES.map((nome, i) => {
    const acoes = (['consultar', 'solicitar'] as const).map((acao) => {
      const id = entradaDe(i + 1, acao)
      return `<li>${elemento('a', { id, href: '#', ...porAjax(id, 'tabView') }, FORMAS[acao].texto)}</li>`
    })
    return `<li><a href="#">${nome}</a><ul class="ui-menu-child">${acoes.join('')}</ul></li>`
  })
  const barra = elemento(
    'div',
    { id: `${MENU}:mainMenuBar` },
    `<ul class="ui-menu-list">${itens.join('')}</ul>`,
  )
  const campos = ocultos({ [MENU]: MENU })
  const form = formulario(
    { id: MENU, name: MENU, action: PAGINA },
    campos,
    barra,
    camposDaVista(pedido, 'página'),
  )
  return pedido.pagina('Certidões', `${form}<div id="tabView"></div>`)
}

/** Opens one more tab, for the chosen entry. The entries of the active debt are not played. */
function openAba(pedido: Visita): Mensagem {
  const acao = (['consultar', 'solicitar'] as const).find((uma) =>
    cameFromBotao(pedido, entradaDe(2, uma), 'tabView'),
  )
  if (!checkVista(pedido, 'página') || !acao) return pedido.expirada()
  const id = ABA + pedido.sessao.dados.abertas + FORMAS[acao].form
  pedido.sessao.dados.abertas += 1
  const botao = `${id}:${FORMAS[acao].botao}`
  const form = formulario(
    { id, name: id, action: PAGINA },
    ocultos({ [id]: id }),
    selecao(`${id}:tipoPessoa_input`, { PJ: 'Pessoa Jurídica', PF: 'Pessoa Física' }, 'PJ'),
    entrada(id + CAMPO, { id: id + CAMPO, maxlength: '18' }),
    acao === 'solicitar' ? entrada(`${id}:contribuinteIncricaoId`) : '',
    botaoPrime(botao, FORMAS[acao].texto, porAjax(botao, alvosDe(id, acao).join(' '))),
    mensagensPrime(`${id}:messages`, ''),
    acao === 'consultar' ? writeGrade(id, []) : '',
  )
  return respostaParcial(pedido, 'página', { tabView: form })
}

const alvosDe = (id: string, acao: Acao): string[] =>
  acao === 'consultar' ? [`${id}:messages`, `${id}:resultsDataTable`] : [`${id}:messages`]

function formaDe({ campos, sessao }: Visita): { id: string; acao: Acao } | undefined {
  for (let n = 0; n < sessao.dados.abertas; n++)
    for (const acao of ['consultar', 'solicitar'] as const) {
      const id = ABA + n + FORMAS[acao].form
      if (campos.get(id) === id) return { id, acao }
    }
  return undefined
}

function perguntaDaCertidao(pedido: Visita, id: string): Pergunta {
  const tipo = pedido.campo(`${id}:tipoPessoa_input`) === 'PF' ? 'cpf' : 'cnpj'
  return { tipo, documento: pedido.campo(id + CAMPO) }
}

function ask(pedido: Visita): Mensagem | Promise<Mensagem> {
  const forma = formaDe(pedido)
  if (!forma) return pedido.expirada()
  const { id, acao } = forma
  const notify = (veio: Visita, aviso: string, grau: 'info' | 'error' = 'error'): Mensagem =>
    respostaParcial(veio, 'página', { [`${id}:messages`]: mensagensPrime(`${id}:messages`, aviso, grau) })
  return conversaDeCertidao<Abas>({
    ordem: ['sessao', 'campos', 'documento'],
    sessao: (veio) =>
      checkVista(veio, 'página') &&
      cameFromBotao(veio, `${id}:${FORMAS[acao].botao}`, alvosDe(id, acao).join(' ')),
    campos: (veio) => {
      if (!perguntaDaCertidao(veio, id).documento) return 'CPF/CNPJ: campo obrigatório.'
      const semIe = acao === 'solicitar' && !veio.campos.has(`${id}:contribuinteIncricaoId`)
      return semIe ? 'Inscrição: campo não informado.' : undefined
    },
    pergunta: (veio) => perguntaDaCertidao(veio, id),
    notify,
    deliver: (veio, certidao) => {
      if (acao === 'solicitar') {
        request(certidao.documento, veio.agora)
        return notify(veio, 'Solicitação registrada com sucesso.', 'info')
      }
      return respostaParcial(veio, 'página', {
        [`${id}:messages`]: mensagensPrime(`${id}:messages`, ''),
        [`${id}:resultsDataTable`]: writeGrade(id, linhasDe(id, certidao)),
      })
    },
  })(pedido)
}

function download(pedido: Visita): Mensagem | Promise<Mensagem> {
  const forma = formaDe(pedido)
  if (forma?.acao !== 'consultar') return pedido.expirada()
  const certidao = pedido.certidao(perguntaDaCertidao(pedido, forma.id))
  const apertada = downloadDe(forma.id, certidao).some((botao) => pedido.campos.get(botao) === '')
  return apertada ? pedido.pdf(certidao) : inicio(pedido)
}

const BASE = '/SintegraConsultaPublica/'
const RECURSO = `${BASE}javax.faces.resource/dynamiccontent.properties.jsf`
const ENVIO = `${BASE}index.jsf`
const FORM = 'formConsulta'
const TITULO = 'SINTEGRA/ICMS - Piauí'
const TIPOS = ['cnpj', 'ie'] as const

/** Plain HTTP, as it was. */
const cadastro = portal<ComImagem>({
  uf: 'PI',
  servico: 'ie',
  nome: 'SEFAZ-PI, SINTEGRA',
  hosts: ['webas.sefaz.pi.gov.br'],
  serves: (caminho) => caminho.startsWith(BASE),
  motor: 'java',
  novaSessao: () => ({ chave: '' }),
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  answer: (pedido) => {
    const { caminho, consulta, sessao, metodo } = pedido
    if (caminho === RECURSO && consulta.get('primefaces_image') === sessao.dados.chave)
      return pedido.captcha.imagem()
    if (caminho !== BASE && caminho !== ENVIO) return naoHa(pedido)
    return metodo === 'POST' ? conversa(pedido) : filtro(pedido)
  },
  expirada: vistaExpirada,
})

const perguntaDe = (pedido: PedidoPortal<ComImagem>): Pergunta | undefined =>
  unicaPreenchida(pedido, { cnpj: 'cnpj', ie: 'ie' })

function filtro(pedido: PedidoPortal<ComImagem>, aviso = ''): Mensagem {
  const campos = TIPOS.map(
    (tipo) =>
      `<tr><td><label for="${tipo}">${tipo === 'ie' ? 'Inscrição Estadual' : tipo.toUpperCase()}</label></td><td>${entrada(tipo, { id: tipo })}</td></tr>`,
  )
  const form = formulario(
    { id: FORM, name: FORM, action: ENVIO, enctype: 'application/x-www-form-urlencoded' },
    ocultos({ [FORM]: FORM }),
    elemento('table', {}, campos.join('\n')),
    imagemDinamica(pedido, RECURSO, 'securityCaptcha'),
    entrada('captcha', { id: 'captcha', autocomplete: 'off' }),
    botaoPrime(idGerado(pedido, 4), 'Consultar'),
    camposDaVista(pedido, 'consulta'),
  )
  return pedido.pagina(TITULO, mensagensPrime('messages', aviso) + form)
}

const conversa = conversaDeCadastro<ComImagem>({
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: (pedido) => checkVista(pedido, 'consulta'),
  campos: (pedido) => {
    const exigidos = { [FORM]: FORM, cnpj: /^/, ie: /^/, captcha: /^/, [idGerado(pedido, 4)]: '' }
    return perguntaDe(pedido) && !campoErrado(pedido.campos, exigidos)
      ? undefined
      : 'Informe o CNPJ ou a Inscrição Estadual.'
  },
  captcha: porTexto('captcha', 'O Texto digitado não confere com a Imagem'),
  pergunta: perguntaDe,
  notify: filtro,
  ninguem: 'Nenhum resultado encontrado',
  draw: paginaDeFichas({
    titulo: TITULO,
    palavras: ativo,
    mascara: '00.000.000-0',
    bloco: (ficha) => resultado(ficha),
  }),
})

/** The labels are those of MS. */
const RESULTADO: Leiaute = [
  ['{tipo}:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Razão Social/Nome:', 'nome'],
  ['Logradouro:', 'logradouro'],
  ['Numero:', 'numero'],
  ['Complemento:', 'complemento'],
  ['CEP:', 'cep'],
  ['Bairro:', 'bairro'],
  ['Município:', 'municipio'],
  ['UF:', 'uf'],
  ['Data de Início da Atividade:', 'inicio'],
  ['Data da Última Atualização:', 'dataDaSituacao'],
  ['Situação Cadastral:', 'situacao'],
  ['Motivo da Situação:', undefined],
]

const resultado = (ficha: Ficha): string =>
  painel('Dados do Contribuinte', tabelaDePares(fill(RESULTADO, ficha), { rotulo: { class: 'label' } }))

export const portais: readonly Portal[] = [cadastro, certidoes]
