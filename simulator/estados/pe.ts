import type { Certidao } from '../certidao/certidao.ts'
import { maskDocumento } from '../documento/documento.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  perguntaDeDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import { ativo, readFicha } from '../portal/ficha.ts'
import { elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const press = (name: string, value: string): string => elemento('input', { type: 'button', name, value })

const notify = <S>(pedido: PedidoPortal<S>, titulo: string, aviso: string): Mensagem =>
  pedido.pagina(titulo, elemento('div', { class: 'mensagem' }, escapeXml(aviso)))

const CAMINHO = '/sfi_trb_gcc/PREmitirCertidaoRegularidadeFiscalMovel'
const NUMERO = 'NuDocumentoIdentificacaoCertidaoRegularidade'
const TIPO = 'TpDocumentoIdentificacaoCertidaoRegularidade'

const PASSOS = ['processarFiltroConsulta', 'exibirConfirmacaoRegularidadeFiscal', 'exibirDocumento'] as const
type Passo = (typeof PASSOS)[number]

type Conversa = { documento: string; certidao: Certidao | undefined }

const certidoes = portal<Conversa>({
  uf: 'PE',
  servico: 'cnd',
  nome: 'SEFAZ-PE, certidão de regularidade fiscal',
  hosts: ['efisco.sefaz.pe.gov.br'],
  serves: (caminho) => caminho === CAMINHO,
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ documento: '', certidao: undefined }),
  documento: (pedido) => pedido.campo(NUMERO) || undefined,
  answer: (pedido) => {
    if (pedido.caminho !== CAMINHO)
      return pedido.pagina('Error 404', '<h1>Error 404: SRVE0190E</h1>', { status: 404 })
    if (pedido.metodo !== 'POST') return filtro(pedido)
    const passo = PASSOS.find((um) => um === pedido.campo('evento'))
    return passo && canFollow(pedido, passo) ? follow(pedido, passo) : pedido.expirada()
  },
  expirada: (pedido) => notify(pedido, TITULO, 'Sessão inválida ou expirada'),
})

const TITULO = 'e-Fisco - Emitir Certidão de Regularidade Fiscal'

/** The one form. Its context is good for the next step alone. */
function principal(pedido: PedidoPortal<Conversa>, passo: Passo, documento: string, corpo: string): Mensagem {
  const { sessao } = pedido
  const form = formulario(
    { name: 'frm_principal', action: CAMINHO },
    ocultos({
      evento: '',
      id_sessao: sessao.id,
      id_contexto_sessao: sessao.issueToken(passo, (octetos) => String(octetos.readUIntBE(0, 6))),
      in_formulario_submetido: 'true',
      parametro_metodo_botao: '',
      [TIPO]: '',
    }),
    documento === '' ? entrada(NUMERO, { maxlength: '18' }) : ocultos({ [NUMERO]: documento }),
    corpo,
  )
  return pedido.pagina(TITULO, form)
}

function filtro(pedido: PedidoPortal<Conversa>): Mensagem {
  pedido.porCookie('FLOW=1; Path=/')
  pedido.sessao.dados.certidao = undefined
  return principal(pedido, 'processarFiltroConsulta', '', press('btt_localizar', 'Localizar (l)'))
}

/** The session, the cookies and the context of the page before. */
function canFollow(pedido: PedidoPortal<Conversa>, passo: Passo): boolean {
  const { sessao, cookies } = pedido
  const conhecida = !sessao.nova && cookies.has('FLOW') && pedido.campo('id_sessao') === sessao.id
  return sessao.checkToken(passo, pedido.campo('id_contexto_sessao')) && conhecida
}

function follow(pedido: PedidoPortal<Conversa>, passo: Passo): Mensagem | Promise<Mensagem> {
  if (passo === 'processarFiltroConsulta') return busca(pedido)
  const { documento, certidao } = pedido.sessao.dados
  if (!certidao || pedido.campo(NUMERO) !== documento) return pedido.expirada()
  return passo === 'exibirDocumento' ? display(pedido, certidao) : confirm(pedido, certidao)
}

const busca = conversaDeCertidao<Conversa>({
  ordem: ['campos', 'documento'],
  campos: ({ campos, campo }) => {
    const codigo = perguntaDeDocumento(campo(NUMERO)).tipo === 'cpf' ? /^3?$/ : /^2?$/
    return campoErrado(campos, { [NUMERO]: /^[0-9A-Z]+$/ }) || !codigo.test(campo(TIPO))
      ? 'Documento de identificação: preenchimento obrigatório'
      : undefined
  },
  pergunta: ({ campo }) => perguntaDeDocumento(campo(NUMERO)),
  notify: (pedido, aviso) => notify(pedido, TITULO, aviso),
  // The page says that nobody is registered, and offers the certificate all the same.
  deliver: (pedido, certidao) => {
    const documento = pedido.campo(NUMERO)
    Object.assign(pedido.sessao.dados, { documento, certidao })
    const linha = certidao.inscricao
      ? `<td>${maskDocumento(documento)}</td><td>${escapeXml(certidao.nome)}</td>`
      : '<td colspan="2">Nenhum registro encontrado</td>'
    const tabela = elemento('table', { id: 'table_tabeladados' }, `<tr>${linha}</tr>`)
    const corpo = tabela + press('btt_emitir', 'Emitir Certidão (e)')
    return principal(pedido, 'exibirConfirmacaoRegularidadeFiscal', documento, corpo)
  },
})

function confirm(pedido: PedidoPortal<Conversa>, { desfecho, motivo }: Certidao): Mensagem {
  if (desfecho === 'irregular') return notify(pedido, TITULO, motivo)
  if (desfecho === 'positiva')
    return notify(
      pedido,
      TITULO,
      'Não foi possível emitir a Certidão de Regularidade Fiscal: o contribuinte possui débito perante a Fazenda Estadual.',
    )
  const corpo = `<p>Confirma a emissão da Certidão de Regularidade Fiscal?</p>${press('btt_exibir', 'Confirmar (c)')}`
  return principal(pedido, 'exibirDocumento', pedido.sessao.dados.documento, corpo)
}

async function display(pedido: PedidoPortal<Conversa>, certidao: Certidao): Promise<Mensagem> {
  if (pedido.campo('parametro_metodo_botao') !== 'in_content_type_app_octetstream') return pedido.expirada()
  return pedido.pdf(certidao, { tipo: 'application/octet-stream', nome: 'CertidaoRegularidadeFiscal.pdf' })
}

const LISTA = '/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido'
const DIAC = '/sfi_trb_gcc/PREmitirDIAC'
const PROCESSOS: readonly string[] = [LISTA, DIAC]
const TIPOS = tiposPor({ 1: 'ie', 2: 'cnpj', 3: 'cpf' })

const cadastro = portal({
  uf: 'PE',
  servico: 'ie',
  nome: 'SEFAZ-PE, cadastro de contribuintes',
  hosts: ['efisco.sefaz.pe.gov.br'],
  serves: (caminho) => PROCESSOS.includes(caminho),
  charset: 'iso-8859-1',
  motor: 'java',
  documento: (pedido) => pedido.campo('NuDocumentoIdentificacao') || undefined,
  answer: (pedido) => (pedido.metodo === 'POST' ? search(pedido) : pesquisa(pedido)),
  expirada: (pedido) => notify(pedido, 'e-Fisco', 'Sessão inválida ou expirada'),
})

const OCULTOS = {
  evento: '',
  id_contexto_sessao: '',
  nm_path_servlet_anterior: '',
  nm_path_jsp_anterior: '',
  cd_menu: '',
  cd_usuario: '',
  historico: '',
  in_janela_auxiliar: '',
  in_formulario_submetido: 'true',
  nu_faixa_paginacao: '1',
}

function pesquisa(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const form = formulario(
    { name: 'frm_principal', action: pedido.caminho },
    ocultos({ ...OCULTOS, id_sessao: pedido.sessao.id }),
    aviso && elemento('div', { class: 'mensagem' }, escapeXml(aviso)),
    selecao('TpDocumentoIdentificacao', { 1: 'Inscrição Estadual', 2: 'CNPJ', 3: 'CPF' }, '2'),
    `<label>Número do Documento</label>${entrada('NuDocumentoIdentificacao', { maxlength: '18' })}`,
    entrada('NmRazaoSocialPessoa'),
    press('btt_localizar', 'Localizar (l)'),
  )
  return pedido.pagina('e-Fisco', form)
}

const search = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao, campo }) => !sessao.nova && campo('id_sessao') === sessao.id,
  campos: ({ campos }) =>
    campoErrado(campos, EXIGIDOS) && 'Documento de identificação: preenchimento obrigatório',
  pergunta: ({ campo }) => ({
    tipo: TIPOS.get(campo('TpDocumentoIdentificacao')) ?? 'cnpj',
    documento: campo('NuDocumentoIdentificacao'),
  }),
  notify: pesquisa,
  ninguem: 'Nenhum registro encontrado',
  draw: (pedido, achadas) => {
    const linha = pedido.caminho === DIAC ? linhaDoDiac : linhaDaLista
    const linhas = achadas.slice(0, Number(pedido.campo('qt_registros_pagina'))).map(linha)
    const tabela = elemento('table', { id: 'table_tabeladados' }, linhas.join('\n'))
    return pedido.pagina('e-Fisco', formulario({ name: 'frm_principal', action: pedido.caminho }, tabela))
  },
})

const EXIGIDOS = {
  ...Object.fromEntries(Object.keys(OCULTOS).map((nome) => [nome, /^/])),
  evento: 'processarFiltroConsulta',
  TpDocumentoIdentificacao: /^[123]$/,
  NuDocumentoIdentificacao: /^[0-9A-Z]+$/,
  NmRazaoSocialPessoa: '',
  qt_registros_pagina: /^\d+$/,
  btt_localizar: 'Localizar (l)',
  id_contexto_sessao: '',
  nao_utilizar_id_contexto_sessao: 'true',
}

/** No source tells the fourth part of the key. */
function linhaDaLista({ contribuinte, inscricao }: Ocorrencia): string {
  const { documento, nome, fantasia } = contribuinte
  const value = [inscricao.ie, documento, nome, '', fantasia].join('[[*]]')
  const chave = elemento('input', { type: 'hidden', name: 'chave_primaria', value })
  return `<tr><td>${chave}${inscricao.ie}</td><td>${escapeXml(nome)}</td></tr>`
}

/** The registration stands before its holder's document, and the situation is the sixth cell. */
function linhaDoDiac(achada: Ocorrencia): string {
  const { ie, documento, nome, municipio, situacao } = readFicha(achada, ativo, '0000000-00')
  const celulas = ['', ie, documento, nome, municipio, situacao]
  return `<tr>${celulas.map((texto) => `<td>${escapeXml(texto)}</td>`).join('')}</tr>`
}

export const portais: readonly Portal[] = [cadastro, certidoes]
