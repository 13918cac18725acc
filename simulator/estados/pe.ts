import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCadastro } from '../portal/conversa.ts'
import { campoErrado } from '../portal/exigencia.ts'
import { ativo, lerFicha } from '../portal/ficha.ts'
import { elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { apertar, avisar } from './efisco.ts'
import { certidoes } from './pe-certidao.ts'

const LISTA = '/sfi_trb_gcc/PRConsultarExtratoCadastroContribuinteResumido'
const DIAC = '/sfi_trb_gcc/PREmitirDIAC'
const PROCESSOS: readonly string[] = [LISTA, DIAC]
const TIPOS = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cnpj'],
  ['3', 'cpf'],
])

/** Two processes with one search: the first lists keys, the second the situation. */
const cadastro = portal<undefined>({
  uf: 'PE',
  servico: 'ie',
  nome: 'SEFAZ-PE, cadastro de contribuintes',
  hosts: ['efisco.sefaz.pe.gov.br'],
  atende: (caminho) => PROCESSOS.includes(caminho),
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('NuDocumentoIdentificacao') || undefined,
  responder: (pedido) => (pedido.metodo === 'POST' ? pesquisar(pedido) : pesquisa(pedido)),
  expirada: (pedido) => avisar(pedido, 'e-Fisco', 'Sessão inválida ou expirada'),
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
    aviso && elemento('div', { class: 'mensagem' }, escapar(aviso)),
    selecao('TpDocumentoIdentificacao', { 1: 'Inscrição Estadual', 2: 'CNPJ', 3: 'CPF' }, '2'),
    `<label>Número do Documento</label>${entrada('NuDocumentoIdentificacao', { maxlength: '18' })}`,
    entrada('NmRazaoSocialPessoa'),
    apertar('btt_localizar', 'Localizar (l)'),
  )
  return pedido.pagina('e-Fisco', form)
}

const pesquisar = conversaDeCadastro<undefined>({
  uf: 'PE',
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao, campo }) => !sessao.nova && campo('id_sessao') === sessao.id,
  campos: ({ campos }) =>
    campoErrado(campos, EXIGIDOS) && 'Documento de identificação: preenchimento obrigatório',
  pergunta: ({ campo }) => ({
    tipo: TIPOS.get(campo('TpDocumentoIdentificacao')) ?? 'cnpj',
    documento: campo('NuDocumentoIdentificacao'),
  }),
  avisar: pesquisa,
  ninguem: 'Nenhum registro encontrado',
  desenhar: (pedido, achadas) => {
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
  return `<tr><td>${chave}${inscricao.ie}</td><td>${escapar(nome)}</td></tr>`
}

/** The registration stands before its holder's document, and the situation is the sixth cell. */
function linhaDoDiac(achada: Ocorrencia): string {
  const { ie, documento, nome, municipio, situacao } = lerFicha(achada, ativo, '0000000-00')
  const celulas = ['', ie, documento, nome, municipio, situacao]
  return `<tr>${celulas.map((texto) => `<td>${escapar(texto)}</td>`).join('')}</tr>`
}

export const portais: readonly Portal[] = [cadastro, certidoes]
