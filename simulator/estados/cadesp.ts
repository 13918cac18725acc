import { randomUUID } from 'node:crypto'
import { lerTabela } from '../dados-abertos/dominio.ts'
import { mascarar } from '../documento/mascara.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro, porTexto } from '../portal/conversa.ts'
import { campoErrado, recusaDoDocumento } from '../portal/exigencia.ts'
import { lerFicha, type Palavras } from '../portal/ficha.ts'
import { botao, elemento, entrada, ocultos, type Par, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { portal } from '../portal/portal.ts'
import { conferirTrio, estadoInvalido, idDe, paginaWebForms, recursoAusente } from '../portal/webforms.ts'

const CONSULTA = '/pages/cadastro/consultas/consultapublica/consultapublica.aspx'
const FILTRO = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer'
const ABA = `${FILTRO}$filtroEmitirCertidaoTabPanel$`
const OUTRA_ABA = `${FILTRO}$filtroConsultarCertidaoTabPanel$`
const LISTA = `${ABA}tipoFiltroDropDownList`
const ESTADO_DAS_ABAS = `${idDe(FILTRO, true)}_ClientState`

/** What the list filters by; a CPF is not one of them. */
const filtros = { 0: 'IE', 1: 'CNPJ', 2: 'NIRE' } as const
const tipos = new Map<string, Pergunta['tipo']>([
  ['0', 'ie'],
  ['1', 'cnpj'],
])
const palavras: Palavras = {
  habilitado: 'Ativo',
  suspenso: 'Suspenso',
  baixado: 'Baixado',
  cancelado: 'Cancelado',
}
const naturezas = new Map(lerTabela('naturezas'))

type Avisos = { vazio?: string; erro?: string }

/** CADESP: the session is in the path, the state of the list in the page. */
export const cadesp = portal<undefined>({
  uf: 'SP',
  servico: 'ie',
  nome: 'SEFAZ-SP, CADESP',
  hosts: ['www.cadesp.fazenda.sp.gov.br'],
  charset: 'utf-8',
  motor: 'asp.net',
  sessao: { em: 'caminho' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) =>
    pedido.campo(`${ABA}consultaPublicaButton`) ? pedido.campo(`${ABA}valorFiltroTextBox`) : undefined,
  responder: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === '/imagemdinamica.aspx') return pedido.captcha.imagem({ letras: 5, formato: 'bmp' })
    if (caminho !== CONSULTA) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? postback(pedido) : tela(pedido, '0')
  },
  expirada: estadoInvalido,
})

function tela(
  pedido: PedidoPortal<undefined>,
  filtro: string,
  { vazio = '', erro = '' }: Avisos = {},
): Mensagem {
  const rotulo = (nome: string, texto: string): string =>
    elemento('span', { id: idDe(ABA + nome, true), class: 'msgErro' }, escapar(texto))
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

function postback(pedido: PedidoPortal<undefined>): Mensagem | Promise<Mensagem> {
  const desenhado = Object.keys(filtros).find((filtro) => conferirTrio(pedido, `filtro ${filtro}`))
  if (desenhado === undefined || !pedido.campos.has(ESTADO_DAS_ABAS)) return pedido.expirada()
  const escolhido = pedido.campo(LISTA)
  if (!Object.hasOwn(filtros, escolhido)) return pedido.expirada()
  if (!pedido.campo(`${ABA}consultaPublicaButton`)) {
    return tela(pedido, pedido.campo('__EVENTTARGET') === LISTA ? escolhido : desenhado)
  }
  // The list changed behind the page's back: it is drawn anew for the kind chosen.
  if (escolhido !== desenhado) return tela(pedido, escolhido, { erro: FALTA })
  return consulta(pedido)
}

const consulta = conversaDeCadastro<undefined>({
  uf: 'SP',
  ordem: ['campos', 'captcha', 'documento'],
  campos: ({ campos }) => {
    const exigidos = { [`${ABA}consultaPublicaButton`]: 'Consultar', [`${ABA}valorFiltroTextBox`]: /\S/ }
    return campoErrado(campos, exigidos) && FALTA
  },
  captcha: porTexto(`${ABA}imagemDinamicaTextBox`, 'O texto digitado não confere com a imagem.'),
  pergunta: perguntaDe,
  recusa: (pergunta, pedido) => {
    // The simulator knows no NIRE.
    if (!tipos.has(pedido.campo(LISTA))) return ninguem(pedido)
    const recusa = recusaDoDocumento('SP', pergunta)
    return recusa && (pergunta.tipo === 'ie' ? 'IE inválida.' : `${recusa}.`)
  },
  avisar: (pedido, erro) => tela(pedido, pedido.campo(LISTA), { erro }),
  ninguem,
  desenhar: (pedido, achadas) =>
    pedido.pagina('CADESP - Consulta Pública', controle() + achadas.map(resultado).join('\n<hr>\n')),
})

const FALTA = 'Informe o valor do filtro.'

function perguntaDe({ campo }: PedidoPortal<undefined>): Pergunta {
  return { tipo: tipos.get(campo(LISTA)) ?? 'ie', documento: campo(`${ABA}valorFiltroTextBox`) }
}

function ninguem(pedido: PedidoPortal<undefined>): Mensagem {
  const vazio = 'Não existem registros que atendem ao critério de filtro definido.'
  return tela(pedido, pedido.campo(LISTA), { vazio })
}

/** The titles of CADESP 4.29.0, and the code that the second tab checks a printout by. */
function controle(): string {
  return [
    elemento('span', { class: 'labelTitulo' }, 'Consulta Pública ao Cadastro ICMS'),
    elemento('span', { class: 'labelTitulo' }, 'Cadastro de Contribuintes de ICMS - Cadesp'),
    elemento('span', { class: 'labelDetalhe' }, 'Código de controle da consulta:'),
    elemento('span', { id: 'ctl00_conteudoPaginaPlaceHolder_lblCodigoControleCertidao' }, randomUUID()),
  ].join('\n')
}

function resultado(achada: Ocorrencia): string {
  const { contribuinte, inscricao } = achada
  const mascara = inscricao.ie.startsWith('P') ? '0-00000000.0/000' : '000.000.000.000'
  const ficha = lerFicha(achada, palavras, mascara)
  const natureza = naturezas.get(contribuinte.naturezaJuridica)
  const obrigado = [2, 3].includes(inscricao.credenciamentoNfe)
  return [
    secao('Estabelecimento', [
      ['IE:', ficha.ie],
      [ficha.tipo === 'cpf' ? 'CPF:' : 'CNPJ:', ficha.documento],
      ['Nome Empresarial:', ficha.nome],
      ['Nome Fantasia:', ficha.fantasia],
      [
        'Natureza Jurídica:',
        natureza ? `${mascarar('000-0', contribuinte.naturezaJuridica)} - ${natureza}` : '',
      ],
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
      `<tr>${elemento('td', { class: 'labelDetalhe' }, escapar(rotulo))}${elemento('td', { class: 'dadoDetalhe' }, escapar(valor) || '&nbsp;')}</tr>`,
  )
  const cabeca = `<tr>${elemento('td', { class: 'labelHeader', colspan: '2' }, escapar(titulo))}</tr>`
  return elemento('table', {}, `${cabeca}\n${linhas.join('\n')}`)
}
