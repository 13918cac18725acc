import type { Certidao } from '../certidao/certidao.ts'
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
import { botao, elemento, entrada, formulario, ocultos, type Par, tabelaDePares } from '../portal/html.ts'
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

const CADASTRO = '/scripts/cadastro/cadastroba/'

/** BA has no word for a suspension but the Receita Federal's. */
const palavras = { ...ativo, suspenso: 'INAPTO' }

/** Classic ASP: paths in any case, no token. */
const cadastro = portal({
  uf: 'BA',
  servico: 'ie',
  nome: 'SEFAZ-BA, consulta ao cadastro',
  hosts: ['portal.sefaz.ba.gov.br'],
  charset: 'iso-8859-1',
  declaresCharset: false,
  motor: 'asp',
  sessao: { em: 'cookie', nome: 'ASPSESSIONIDQADBCRTD' },
  documento: (pedido) => pedido.campo('CGC') || pedido.campo('IE') || undefined,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${CADASTRO}consultaba.asp`) return filtro(pedido)
    if (caminho === `${CADASTRO}consulta_vazia.htm`) return vazia(pedido)
    if (caminho === `${CADASTRO}result.asp` && pedido.metodo === 'POST') return consulta(pedido)
    return recursoAusente(pedido)
  },
  expirada: (pedido) => notify(pedido, 'Sessão expirada. Por favor, reinicie a consulta.'),
})

function filtro(pedido: PedidoPortal<undefined>): Mensagem {
  const linha = (rotulo: string, campo: string, botoes: string): string =>
    `<tr><td>${rotulo}</td><td>${campo} ${botoes}</td></tr>`
  const form = formulario(
    { action: 'result.asp', name: 'frmConsulta' },
    ocultos({ sefp: '1', estado: 'BA' }),
    '<table border="0">',
    linha('CNPJ:', entrada('CGC', { size: '20', maxlength: '14' }), botao('B1', 'CNPJ  ->')),
    linha('Inscrição Estadual:', entrada('IE', { size: '20', maxlength: '9' }), botao('B2', 'IE  ->')),
    '</table>',
  )
  return pedido.pagina('Consulta Pública ao Cadastro do Estado da Bahia', form)
}

const consulta = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: ({ campos, campo }) => {
    const porCnpj = campo('B2').includes('IE') ? {} : { B1: /^CNPJ {2}->$/ }
    const errado = campoErrado(campos, { sefp: '1', estado: 'BA', ...porCnpj })
    return errado && `Parâmetro inválido: ${errado}`
  },
  pergunta: ({ campo }) =>
    campo('B2').includes('IE')
      ? { tipo: 'ie', documento: campo('IE') }
      : { tipo: 'cnpj', documento: campo('CGC') },
  // Its script takes the punctuation out before the form goes.
  recusa: (pergunta) =>
    cleanDocumento(pergunta.documento) === pergunta.documento
      ? recusaDoDocumento('BA', pergunta)
      : 'Digite apenas números',
  notify: notify,
  ninguem: (pedido) => pedido.redirect('consulta_vazia.htm'),
  draw: paginaDeFichas({
    titulo: 'Consulta Pública ao Cadastro',
    palavras,
    mascara: (ie) => (ie.length === 8 ? '000000-00' : '0000000-00'),
    bloco: resultado,
    entre: '\n<hr>\n',
    antes: '<h3>CONSULTA PÚBLICA AO CADASTRO - ESTADO DA BAHIA</h3>\n',
  }),
})

const BLOCOS = {
  IDENTIFICAÇÃO: [
    ['{tipo}:', 'documento'],
    ['Inscrição Estadual:', 'ie'],
    ['Razão Social:', 'nome'],
  ],
  ENDEREÇO: [...ENDERECO, ['Endereço Eletrônico:', undefined], ['Telefone:', undefined]],
  'INFORMAÇÕES COMPLEMENTARES': [
    ['Atividade Econômica:', 'atividade'],
    ['Data da Inscrição Estadual:', 'inicio'],
    ['Situação Cadastral Atual:', 'situacao'],
    ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ],
} as const satisfies Record<string, Leiaute>

function resultado(ficha: Ficha): string {
  const estilo = { rotulo: { class: 'titulo', align: 'right' }, valor: { class: 'texto' } }
  const tabela = (pares: readonly Par[]): string => tabelaDePares(pares, estilo, { border: '0' })
  const blocos = Object.entries(BLOCOS).map(
    ([titulo, leiaute]) => `<b>${titulo}</b>\n${tabela(fill(leiaute, ficha))}`,
  )
  // The label is in two pieces, as the page has had it since it was drawn.
  const regime = `<table border="0"><tr><td class="titulo"><font>Regime</font> <font>de Apuração de ICMS:</font></td><td class="texto">${escapeXml(ficha.regime)}</td></tr></table>`
  return [...blocos, regime, tabela([['Emitente de NFe desde:', ficha.nfeDesde]])].join('\n')
}

const vazia = (pedido: PedidoPortal<undefined>): Mensagem =>
  pedido.pagina('Consulta', '<p>Nenhum registro encontrado para o argumento informado.</p>')

function notify(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina('Atenção', `<p><b>Atenção</b></p><p>${escapeXml(aviso)}</p>`)
}

const EMISSAO = '/sistemas/dscre/modulos/publico/emissaocertidao.aspx'
const RELATORIO = '/sistemas/DSCRE/Relatorios/Relatorio.aspx'
const CAMPO = 'ctl00$PHConteudo$'
const CAMPOS = {
  cnpj: `${CAMPO}TxtNumCNPJ`,
  cpf: `${CAMPO}TxtNumCPF`,
  ie: `${CAMPO}TxtNumInscricaoEstadual`,
} as const

type Dados = { certidao: Certidao | undefined }

const certidoes = portal<Dados>({
  uf: 'BA',
  servico: 'cnd',
  nome: 'SEFAZ-BA, emissão de certidão',
  hosts: ['servicos.sefaz.ba.gov.br'],
  motor: 'asp.net',
  novaSessao: () => ({ certidao: undefined }),
  documento: (pedido) => preenchido(pedido)?.documento,
  answer: async (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === RELATORIO.toLowerCase() && pedido.metodo === 'GET') return printCertidao(pedido)
    if (caminho !== EMISSAO) return recursoAusente(pedido)
    return pedido.metodo === 'POST' ? conversa(pedido) : solicitacao(pedido)
  },
  expirada: estadoInvalido,
})

const preenchido = (pedido: PedidoPortal<Dados>): Pergunta | undefined => unicaPreenchida(pedido, CAMPOS)

function solicitacao(pedido: PedidoPortal<Dados>, script = ''): Mensagem {
  const campo = (rotulo: string, tipo: Pergunta['tipo']): string =>
    `<tr><td>${rotulo}</td><td>${entrada(CAMPOS[tipo], { id: idDe(CAMPOS[tipo]) })}</td></tr>`
  const alvo = `${CAMPO}btnImprimir`
  const conteudo = [
    `<table>${campo('Inscrição Estadual', 'ie')}${campo('CNPJ', 'cnpj')}${campo('CPF', 'cpf')}</table>`,
    elemento('a', { id: idDe(alvo), href: linkDePostback(alvo) }, 'Imprimir'),
  ].join('\n')
  const rodape = script && `<script type="text/javascript">\n//<![CDATA[\n${script}//]]>\n</script>`
  return paginaWebForms(pedido, { titulo: 'Emissão de Certidão', etapa: 'emissao', conteudo, rodape })
}

/** The form again, which a script covers with a dialog; there is no certificate then. */
function openDialogo(pedido: PedidoPortal<Dados>, aviso: string): Mensagem {
  pedido.sessao.dados.certidao = undefined
  return solicitacao(pedido, `alert('${aviso}');`)
}

const conversa = conversaDeCertidao<Dados>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: (pedido) => checkTrio(pedido, 'emissao'),
  campos: (pedido) =>
    preenchido(pedido) && pedido.campo('__EVENTTARGET') === `${CAMPO}btnImprimir`
      ? undefined
      : 'Preencha apenas um dos campos no formulário',
  pergunta: preenchido,
  notify: openDialogo,
  mensagens: { irregular: 'Não foi possível emitir a certidão pela Internet. Procure a Inspetoria.' },
  deliver: (pedido, certidao) => {
    // A holder without registration has no name on the paper.
    pedido.sessao.dados.certidao = { ...certidao, nome: certidao.nome || 'XXXXXXXXXXXXXXXXXXXX' }
    return solicitacao(pedido, `window.open('${RELATORIO}', '_blank');`)
  },
})

async function printCertidao(pedido: PedidoPortal<Dados>): Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  return certidao
    ? pedido.pdf(certidao, { nome: 'Relatorio.pdf' })
    : pedido.pagina('Relatório', '<span id="lblErro">Nenhum relatório na sessão.</span>')
}

export const portais: readonly Portal[] = [cadastro, certidoes]
